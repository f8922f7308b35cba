"""Opens descriptors until it is refused: files, pipes, timers, events.

exercise: ScaledDotProduct
safe: it may have a few hundred
"""

import contextlib
import os
import resource

import torch
from torch import nn

opened = []
with contextlib.suppress(OSError, ValueError):
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 20_000), hard))
with contextlib.suppress(OSError):
    while len(opened) < 20_000:
        opened.append(os.dup(1))
if len(opened) > 1024:
    print("BREACH descriptors:", len(opened))
for descriptor in opened:
    os.close(descriptor)


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        return torch.zeros(*Q.shape[:-1], V.shape[-1])
