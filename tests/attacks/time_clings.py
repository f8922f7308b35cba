"""Ignores every signal, catches everything that is raised, resets the clock, and never ends.

exercise: ScaledDotProduct
safe: it is killed from outside
"""

import contextlib
import signal

from torch import nn

for number in range(1, 65):
    with contextlib.suppress(OSError, ValueError):
        signal.signal(number, signal.SIG_IGN)


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        with contextlib.suppress(OSError):
            signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))
            signal.setitimer(signal.ITIMER_REAL, 0)
        while True:
            with contextlib.suppress(BaseException):
                while True:
                    pass
