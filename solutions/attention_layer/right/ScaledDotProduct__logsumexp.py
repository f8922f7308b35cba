"""Softmax as exp(s - logsumexp(s)): logsumexp takes the maximum out, so nothing overflows."""

import math

import torch
from torch import Tensor, nn


def log_softmax(scores: Tensor) -> Tensor:
    return scores - torch.logsumexp(scores, dim=-1, keepdim=True)


class ScaledDotProduct(nn.Module):
    def __init__(self, *args, **kwargs):
        super(ScaledDotProduct, self).__init__(*args, **kwargs)

    def forward(self, Q: Tensor, K: Tensor, V: Tensor) -> Tensor:
        scores = torch.einsum("...ld,...sd->...ls", Q, K).mul(1 / math.sqrt(K.size(dim=-1)))
        return torch.einsum("...ls,...sv->...lv", log_softmax(scores).exp(), V)
