"""Stops itself, so that no limit of computing time is ever met.

exercise: ScaledDotProduct
safe: the clock is outside, and ends it
"""

import os
import signal
import time

from torch import nn


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        try:
            os.kill(os.getpid(), signal.SIGSTOP)
        except OSError:
            time.sleep(1000)
