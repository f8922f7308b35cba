"""Returns sparse tensors that are huge once they are dense.

exercise: ScaledDotProduct
safe: they are described
"""

import torch
from torch import nn


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        at = torch.zeros(2, 1, dtype=torch.long)
        return torch.sparse_coo_tensor(at, torch.ones(1), (2**30, 2**30))
