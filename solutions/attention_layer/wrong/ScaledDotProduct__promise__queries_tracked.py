"""Makes the caller's queries require a gradient."""

import torch
from torch import nn


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        if not Q.requires_grad:
            Q.requires_grad_()
        return torch.softmax(Q @ K.mT / K.shape[-1] ** 0.5, dim=-1) @ V
