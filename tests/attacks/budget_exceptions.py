"""Sleeps in the texts of its exceptions, and in the texts of those texts.

exercise: ScaledDotProduct
safe: finding out what was raised is part of a question
"""

import time

from torch import nn


class Slow(Exception):
    def __str__(self):
        time.sleep(0.4)
        return "slow"


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        raise Slow
