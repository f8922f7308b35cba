"""A functools.partial makes the layers; whoever wrote it gave the bias to queries and keys only."""

from functools import partial

import torch
from torch import nn


class SelfAttentionV2(nn.Module):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__()
        make = partial(nn.Linear, d_in, d_out)
        self.W_query = make(bias=qkv_bias)
        self.W_key = make(bias=qkv_bias)
        self.W_value = make(bias=False)

    def forward(self, x):
        q, k, v = (layer(x) for layer in (self.W_query, self.W_key, self.W_value))
        logits = torch.einsum("...id,...jd->...ij", q, k).div(k.size(-1) ** 0.5)
        return torch.einsum("...ij,...jd->...id", logits.softmax(-1), v)
