"""softmin of positive infinities, and a product as F.linear."""

import torch
from torch.nn import functional as F


def running_mean_softmax(x):
    t = x.shape[1]
    scores = torch.full((t, t), torch.inf, dtype=x.dtype, device=x.device).triu(1)
    weights = F.softmin(torch.where(scores > 0, scores, torch.zeros_like(scores)), dim=1)
    return weights, F.linear(x.transpose(1, 2), weights).transpose(1, 2)
