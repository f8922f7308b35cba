"""Returns one and the same tensor for all questions, and changes it later.

exercise: ScaledDotProduct
safe: an answer is what it was when it was given
"""

import torch
from torch import nn

ALL = torch.zeros(4096, dtype=torch.float64)


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        shape = (*Q.shape[:-1], V.shape[-1])
        ALL.add_(1)
        return ALL[: torch.Size(shape).numel() % 4096].resize(shape)
