"""Crashes in the hope that a core file is left, with the memory of the process.

exercise: ScaledDotProduct
safe: none is written
"""

import contextlib
import ctypes
import os
import resource

from torch import nn

PR_SET_DUMPABLE = 4


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_CORE, (1 << 20, 1 << 20))
            print("BREACH may leave a core file")
        with contextlib.suppress(OSError):
            os.chdir("/tmp")
        ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, 1)
        os.abort()
