"""Returns tensors of 2**62 numbers that have no memory at all.

exercise: ScaledDotProduct
safe: they are described
"""

import torch
from torch import nn


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        return torch.empty(2**31, 2**31, device="meta").expand(1, 2**31, 2**31)
