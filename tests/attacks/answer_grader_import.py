"""Imports the grader's own rooms, to ask its reference or to see its checks.

exercise: ScaledDotProduct
safe: of the kit only what serves a student's code can be imported
"""

import contextlib
import importlib
import sys

import torch
from torch import nn


def engine():
    frame = sys._getframe()
    while frame and "autograder" not in frame.f_code.co_filename:
        frame = frame.f_back
    return frame.f_code.co_filename if frame else "/none/autograder/child/none"


sys.path[:0] = [engine().partition("autograder")[0]]
for name in (
    "autograder.course",
    "autograder.client.loading",
    "test_attention_layer",
    "autograder.course.misconceptions",
    "autograder.client.reference_server",
    "pytest",
):
    with contextlib.suppress(Exception):
        importlib.import_module(name)
        print("BREACH imported", name)
with contextlib.suppress(Exception):
    from autograder.client.loading import load

    print("BREACH reference", load("attention_layer"))


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        return torch.zeros(*Q.shape[:-1], V.shape[-1])
