"""Returns views that overlap, share the memory of the inputs, or reach beyond their own.

exercise: ScaledDotProduct
safe: the numbers are copied in the student's process; the grader's tensors own their memory
"""

import itertools

import torch
from torch import nn


def outputs(Q, V):
    shape = (*Q.shape[:-1], V.shape[-1])
    yield torch.zeros(3).as_strided(shape, [0] * len(shape))
    yield V.expand(2, *V.shape) if V.dim() < 3 else V
    yield Q.resize_(1)
    yield torch.zeros(shape).set_(V.untyped_storage(), 0, (1 << 40,), (0,))
    beyond = torch.zeros(2)
    beyond.untyped_storage().resize_(0)
    yield beyond


COUNT = itertools.count()


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        return next(itertools.islice(outputs(Q, V), next(COUNT) % 5, None))
