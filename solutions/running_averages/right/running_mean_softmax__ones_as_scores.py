"""All scores 1, not 0, and the lowest number of the type as fill: equal is all they have to be."""

import torch
from torch import nn


def running_mean_softmax(x):
    scores = torch.ones(x.shape[1], x.shape[1], dtype=x.dtype, device=x.device)
    lowest = torch.finfo(x.dtype).min
    visible = scores.tril().bool()
    weights = nn.Softmax(dim=1)(torch.where(visible, scores, lowest))
    return weights, torch.matmul(weights, x)
