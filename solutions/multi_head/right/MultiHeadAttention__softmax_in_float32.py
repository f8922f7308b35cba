"""The softmax is computed in float32, and its result cast back."""

import torch
from einops import rearrange
from torch import Tensor, nn


class MultiHeadAttention(nn.Module):
    """Self-attention with all heads in one tensor; no mask.

    x: (B, T, dim_input). Returns (B, T, dim_input). Scores are multiplied by
    dim_head ** -scale_factor. Vaswani et al. 2017, section 3.2.2.
    """

    def __init__(
        self,
        dim_input: int,
        nr_heads: int = 8,
        dim_head: int = 16,
        dropout_p: float = 0.0,
        scale_factor: float = 0.5,
    ) -> None:
        super().__init__()
        self.nr_heads = nr_heads
        self.scale = dim_head**-scale_factor
        self.to_qkv = nn.Linear(dim_input, 3 * nr_heads * dim_head, bias=False)
        self.to_out = nn.Linear(nr_heads * dim_head, dim_input)
        self.dropout = nn.Dropout(dropout_p)

    def forward(self, x: Tensor) -> Tensor:
        q, k, v = (
            rearrange(t, "b n (h d) -> b h n d", h=self.nr_heads)
            for t in self.to_qkv(x).chunk(3, dim=-1)
        )
        scores = torch.einsum("b h i d, b h j d -> b h i j", q, k) * self.scale
        weights = self.dropout(scores.float().softmax(dim=-1).type_as(scores))
        out = torch.einsum("b h i j, b h j d -> b h i d", weights, v)
        return self.to_out(rearrange(out, "b h n d -> b n (h d)"))
