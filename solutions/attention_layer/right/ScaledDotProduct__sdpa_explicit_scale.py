"""PyTorch's own fused attention with the scale spelled out: it has the same formula inside."""

import torch
from torch.nn import Module
from torch.nn.functional import scaled_dot_product_attention as attend


class ScaledDotProduct(Module):
    def forward(self, Q: torch.Tensor, K: torch.Tensor, V: torch.Tensor) -> torch.Tensor:
        return attend(Q, K, V, attn_mask=None, dropout_p=0.0, scale=1 / Q.size(-1) ** 0.5)
