"""Computed once more on the way back, to save memory."""

import torch
from torch import nn
from torch.utils.checkpoint import checkpoint


class ScaledDotProduct(nn.Module):
    def _attend(self, Q, K, V):
        return torch.softmax(Q @ K.mT / Q.shape[-1] ** 0.5, dim=-1) @ V

    def forward(self, Q, K, V):
        return checkpoint(self._attend, Q, K, V, use_reentrant=False)
