"""A call ends by training, also after eval()."""

from einops import rearrange
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, dim_input, nr_heads=8, dim_head=16, dropout_p=0.0, scale_factor=0.5):
        super().__init__()
        self.nr_heads = nr_heads
        self.scale = dim_head**-scale_factor
        self.to_qkv = nn.Linear(dim_input, 3 * nr_heads * dim_head, bias=False)
        self.dropout = nn.Dropout(dropout_p)
        self.to_out = nn.Linear(nr_heads * dim_head, dim_input)

    def forward(self, x):
        q, k, v = (
            rearrange(t, "b n (h d) -> b h n d", h=self.nr_heads)
            for t in self.to_qkv(x).chunk(3, dim=-1)
        )
        weights = (q @ k.transpose(-2, -1) * self.scale).softmax(dim=-1)
        out = self.to_out(rearrange(self.dropout(weights) @ v, "b h n d -> b n (h d)"))
        self.train()
        return out
