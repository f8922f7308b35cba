"""Asks which files there are, and how large, where it may not read them.

exercise: ScaledDotProduct
safe: of the course and the machine there is not even a name
"""

import os
import sys

import torch
from torch import nn


def engine():
    frame = sys._getframe()
    while frame and "autograder" not in frame.f_code.co_filename:
        frame = frame.f_back
    return frame.f_code.co_filename if frame else "/none/autograder/child/none"


course = os.path.dirname(os.path.dirname(os.path.dirname(engine())))
PATHS = [os.path.join(course, name) for name in ("solutions", "tests", "pyproject.toml", ".git")]
for path in (*PATHS, "/etc/passwd", "/etc/hostname", "/var/log", "/boot", "/run", "/sys", "/home"):
    try:
        print("BREACH there is", path, os.stat(path).st_size)
    except OSError:
        continue
for path in ("/bin", "/sbin", "/proc/self", "/proc/1/exe", "/etc/localtime"):
    try:
        print("BREACH a link", path, os.readlink(path))
    except OSError:
        continue


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        return torch.zeros(*Q.shape[:-1], V.shape[-1])
