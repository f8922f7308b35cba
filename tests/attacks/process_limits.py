"""Raises its limits, and lowers those of its parent.

exercise: ScaledDotProduct
safe: limits can only be lowered, and only its own
"""

import contextlib
import os
import resource

import torch
from torch import nn

SOME = (resource.RLIMIT_AS, resource.RLIMIT_NPROC, resource.RLIMIT_FSIZE, resource.RLIMIT_NOFILE)
for limit in (*SOME, resource.RLIMIT_CPU, resource.RLIMIT_CORE):
    with contextlib.suppress(OSError, ValueError):
        soft, hard = resource.getrlimit(limit)
        if hard != resource.RLIM_INFINITY:
            resource.setrlimit(limit, (hard + 1, hard + 1))
            print("BREACH raised limit", limit)
    with contextlib.suppress(OSError, ValueError):
        resource.prlimit(os.getppid(), limit, resource.prlimit(os.getppid(), limit))
        print("BREACH limits of its parent", limit)
with contextlib.suppress(OSError, ValueError):
    resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    print("BREACH memory without limit")


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        return torch.zeros(*Q.shape[:-1], V.shape[-1])
