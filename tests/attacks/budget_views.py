"""Returns views of no stride, which are huge once they are copied.

exercise: ScaledDotProduct
safe: what is too large is described, not copied
"""

import torch
from torch import nn


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        return [torch.zeros(1).expand(1000, 1000), [torch.zeros(1).expand(999, 1000)] * 12]
