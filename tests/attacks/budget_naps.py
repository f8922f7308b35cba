"""Sleeps most of the time and computes a little, so that it never counts as idle.

exercise: ScaledDotProduct
safe: no question takes longer than there is time left
"""

import time

from torch import nn


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        while True:
            time.sleep(0.04)
            end = time.process_time() + 0.002
            while time.process_time() < end:
                pass
