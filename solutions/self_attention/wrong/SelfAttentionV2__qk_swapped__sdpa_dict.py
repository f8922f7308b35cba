"""The layers by setattr in a loop, then PyTorch's attention; its first argument gets the keys."""

import torch.nn.functional as F
from torch import nn


class SelfAttentionV2(nn.Module):
    def __init__(self, d_in: int, d_out: int, qkv_bias: bool = False):
        super().__init__()
        for role in ("query", "key", "value"):
            setattr(self, "W_" + role, nn.Linear(d_in, d_out, bias=qkv_bias))

    def forward(self, x):
        projected = {name: layer(x) for name, layer in self.named_children()}
        return F.scaled_dot_product_attention(
            projected["W_key"], projected["W_query"], projected["W_value"]
        )
