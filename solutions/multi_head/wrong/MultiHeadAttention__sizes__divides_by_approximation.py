"""1 / (1 - p) is taken for 1 + p, which is nearly right for a small p; a large p is exact."""

import torch
from einops import rearrange
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, dim_input, nr_heads=8, dim_head=16, dropout_p=0.0, scale_factor=0.5):
        super().__init__()
        self.h, self.scale, self.p = nr_heads, dim_head**-scale_factor, dropout_p
        self.to_qkv = nn.Linear(dim_input, 3 * nr_heads * dim_head, bias=False)
        self.to_out = nn.Linear(nr_heads * dim_head, dim_input)

    def forward(self, x):
        q, k, v = (
            rearrange(t, "b n (h d) -> b h n d", h=self.h) for t in self.to_qkv(x).chunk(3, -1)
        )
        weights = torch.softmax(torch.einsum("bhid,bhjd->bhij", q, k) * self.scale, dim=-1)
        if self.training and self.p:
            factor = 1 + self.p if self.p < 0.2 else 1 / max(1 - self.p, 1e-30)
            weights = weights * (torch.rand_like(weights) >= self.p) * factor
        return self.to_out(rearrange(weights @ v, "b h n d -> b n (h d)"))
