"""The values get a column of ones, whose mixture is the row sum to divide by: softmax by hand."""

import torch
import torch.nn.functional as F
from torch import nn


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        match Q.ndim:
            case 2:
                return self.forward(Q[None], K[None], V[None])[0]
            case _:
                scores = torch.matmul(Q, K.mT).true_divide(Q.shape[-1] ** 0.5)
        positive = torch.exp(scores - scores.max(dim=-1, keepdim=True).values)
        mixed, total = torch.split(positive @ F.pad(V, (0, 1), value=1), [V.shape[-1], 1], dim=-1)
        return mixed / total
