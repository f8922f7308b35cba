"""Weights are multiplied by NumPy's Bernoulli numbers, which are float64 whatever the weights are."""

import numpy as np
import torch
from einops import rearrange
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, dim_input, nr_heads=8, dim_head=16, dropout_p=0.0, scale_factor=0.5):
        super().__init__()
        self.heads, self.p = nr_heads, dropout_p
        self.scale = dim_head**-scale_factor
        self.to_qkv = nn.Linear(dim_input, 3 * nr_heads * dim_head, bias=False)
        self.to_out = nn.Linear(nr_heads * dim_head, dim_input)

    def forward(self, x):
        q, k, v = rearrange(self.to_qkv(x), "b n (qkv h d) -> qkv b h n d", qkv=3, h=self.heads)
        weights = (self.scale * q @ k.transpose(-2, -1)).softmax(dim=-1)
        if self.training and self.p:
            kept = np.random.binomial(1, 1 - self.p, tuple(weights.shape)) / max(1 - self.p, 1e-9)
            weights = weights * torch.from_numpy(kept).to(weights.device)
        return self.to_out(rearrange(weights @ v, "b h n d -> b n (h d)"))
