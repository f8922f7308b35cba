"""Traces every line that Python runs, so that the caller's variables can be changed.

exercise: ScaledDotProduct
safe: the caller has nothing that would be worth it
"""

import sys

import torch
from torch import nn


def trace(frame, event, argument):
    for name, value in list(frame.f_locals.items()):
        if "CANARY-" in str(name) or name in ("expected", "solution", "reference", "answer_key"):
            print("BREACH a variable", name, type(value))
    return trace


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        sys.settrace(trace)
        sys.setprofile(trace)
        frame = sys._getframe()
        while frame:
            frame.f_trace = trace
            frame = frame.f_back
        return torch.zeros(*Q.shape[:-1], V.shape[-1])
