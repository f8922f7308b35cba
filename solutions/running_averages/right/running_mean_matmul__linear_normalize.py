"""F.normalize with p=1 divides the rows, F.linear multiplies with the channels turned to rows."""

import torch
import torch.nn.functional as F


def running_mean_matmul(x):
    triangle = x.new_ones((x.shape[1],) * 2).tril_()
    weights = F.normalize(triangle, p=1, dim=-1)
    return weights, F.linear(x.mT, weights).mT
