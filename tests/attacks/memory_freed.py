"""Returns tensors over memory that is not there any more, and beyond their ends.

exercise: ScaledDotProduct
safe: a crash costs the exercise
"""

import torch
from torch import nn


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        import ctypes

        numbers = torch.frombuffer((ctypes.c_double * 8).from_address(8), dtype=torch.float64)
        return numbers.reshape(8).expand(4, 8)
