"""torch.bmm, which wants the table once for every sequence; a list in place of a tuple."""

import torch
from torch import ones_like, tril


def running_mean_matmul(x):
    squares = x[0, :, :1] @ x[0, :, :1].T  # only for its shape, type and device
    weights = tril(ones_like(squares, requires_grad=False))
    weights /= weights.sum(1).view(-1, 1)
    return [weights, torch.bmm(weights[None].expand(x.shape[0], -1, -1), x)]
