"""Takes computing time from others: priority, real time, other cores, those of its parent too.

exercise: ScaledDotProduct
safe: none of it can be changed
"""

import contextlib
import os

import torch
from torch import nn

with contextlib.suppress(OSError):
    os.setpriority(os.PRIO_PROCESS, 0, -20)
    print("BREACH priority")
with contextlib.suppress(OSError):
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
    print("BREACH real time")
    os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))
with contextlib.suppress(OSError):
    parent = os.getppid()
    os.sched_setaffinity(parent, os.sched_getaffinity(parent))
    print("BREACH the cores of its parent")
with contextlib.suppress(OSError), open(f"/proc/{os.getpid()}/oom_score_adj", "w") as file:
    file.write("-1000")
    print("BREACH never to be killed for want of memory")


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        return torch.zeros(*Q.shape[:-1], V.shape[-1])
