"""Takes all memory in the backward only.

exercise: ScaledDotProduct
safe: memory ends at the limit, and costs the exercise
"""

from torch import nn


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        shape = (*Q.shape[:-1], V.shape[-1])
        out = (Q.sum() + K.sum() + V.sum()) * Q.new_ones(shape)
        if out.requires_grad:
            out.register_hook(lambda gradient: len([bytearray(1 << 26) for _ in range(1000)]))
        return out
