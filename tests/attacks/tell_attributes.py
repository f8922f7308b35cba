"""Has its process show numbers to others: name, group, priority, cores, limits, by a hidden check.

exercise: ScaledDotProduct
safe: a process cannot change what others can see of it
"""

import contextlib
import ctypes
import os
import resource
import signal

import torch
from torch import nn

PR_SET_NAME = 15


def shown(number):
    yield "group", lambda: os.setpgid(0, 0)
    yield "session", os.setsid
    yield "priority", lambda: os.nice(number % 19)
    yield "cores", lambda: os.sched_setaffinity(0, os.sched_getaffinity(0))
    yield "kind", lambda: os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    yield "limits", lambda: resource.setrlimit(resource.RLIMIT_CPU, (10**6 + number, 10**7))
    yield "signals", lambda: os.kill(os.getppid(), signal.SIGURG)
    yield "folder", lambda: os.chdir("/usr")
    yield "descriptors of others", lambda: os.pidfd_open(os.getppid())


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        for what, show in shown(int(abs(float(Q.flatten()[0])) * 1e6)):
            with contextlib.suppress(OSError, ValueError):
                show()
                print("BREACH can change its", what)
        if ctypes.CDLL(None).prctl(PR_SET_NAME, b"hidden", 0, 0, 0) == 0:
            print("BREACH can change its name")
        return torch.zeros(*Q.shape[:-1], V.shape[-1])
