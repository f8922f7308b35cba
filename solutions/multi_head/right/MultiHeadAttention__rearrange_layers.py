"""Reshaping is done by einops layers, which have no parameters: the state_dict is the same."""

import torch
from einops.layers.torch import Rearrange
from torch import Tensor, nn


class MultiHeadAttention(nn.Module):
    def __init__(self, dim_input: int, nr_heads: int = 8, dim_head: int = 16,
                 dropout_p: float = 0.0, scale_factor: float = 0.5) -> None:
        super().__init__()
        self.scale: float = dim_head ** (-scale_factor)
        self.to_qkv = nn.Linear(dim_input, 3 * nr_heads * dim_head, bias=False)
        self.split = Rearrange("b n (three h d) -> three b h n d", three=3, h=nr_heads)
        self.attend = nn.Sequential(nn.Softmax(dim=-1), nn.Dropout(p=dropout_p))
        self.merge = Rearrange("b h n d -> b n (h d)")
        self.to_out = nn.Linear(nr_heads * dim_head, dim_input)

    def forward(self, x: Tensor) -> Tensor:
        q, k, v = self.split(self.to_qkv(x))
        return self.to_out(self.merge(self.attend(q @ k.mT * self.scale) @ v))
