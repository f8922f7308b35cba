"""Returns inputs, and outputs that share memory with one another and with the inputs.

exercise: ScaledDotProduct
safe: each output is a copy of its own
"""

from torch import nn


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        shape = (*Q.shape[:-1], V.shape[-1])
        Q.set_(V)
        V.resize_(0)
        return Q.as_strided(shape, [0] * len(shape))
