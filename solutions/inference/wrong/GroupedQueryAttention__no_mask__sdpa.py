"""PyTorch's attention without is_causal: every token sees the whole sequence."""

from einops import rearrange
from torch import nn
from torch.nn.functional import scaled_dot_product_attention


class GroupedQueryAttention(nn.Module):
    def __init__(self, dim_h, nr_heads, nr_kv_heads):
        super().__init__()
        self.heads = nr_heads, nr_kv_heads, nr_kv_heads
        d = dim_h // nr_heads
        self.W_query = nn.Linear(dim_h, nr_heads * d, bias=False)
        self.W_key = nn.Linear(dim_h, nr_kv_heads * d, bias=False)
        self.W_value = nn.Linear(dim_h, nr_kv_heads * d, bias=False)
        self.to_out = nn.Linear(nr_heads * d, dim_h)

    def forward(self, x):
        layers = self.W_query, self.W_key, self.W_value
        q, k, v = (
            rearrange(layer(x), "b t (h d) -> b h t d", h=h) for layer, h in zip(layers, self.heads)
        )
        mixed = scaled_dot_product_attention(q, k, v, enable_gqa=True)
        return self.to_out(rearrange(mixed, "b h t d -> b t (h d)"))
