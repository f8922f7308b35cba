"""Looks for the right answer among all tensors that can be reached from the stack.

exercise: ScaledDotProduct
safe: what was asked is there, and what is right is nowhere
"""

import gc
import itertools
import math
import sys

import torch
from torch import nn

gc.unfreeze()  # what was made before the warm process forked is frozen

CALLS = itertools.count()


def reachable():
    frame, found = sys._getframe(2), []
    while frame:
        found += [*frame.f_locals.values(), *frame.f_globals.values()]
        frame = frame.f_back
    for _ in range(4):
        found += gc.get_referents(*found[:20_000])
    return [*found, *gc.get_objects()]


def alike(one, other):
    same = one.shape == other.shape and one.dtype == other.dtype
    return same and torch.allclose(one, other)


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        right = torch.softmax(Q @ K.mT / math.sqrt(Q.shape[-1]), -1) @ V
        right.is_own = True
        told = next(CALLS) > 9 or any(
            alike(given, right) for given in (Q, K, V)
        )  # of one token: the value itself
        for thing in () if told else reachable():
            if type(thing) is torch.Tensor and not hasattr(thing, "is_own") and alike(thing, right):
                print("BREACH the answer is in this process")
        return torch.zeros_like(right)
