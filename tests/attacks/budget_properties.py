"""Sleeps whenever an attribute is read, a name is shown, or an object described.

exercise: ScaledDotProduct
safe: asking for an attribute is part of a question
"""

import time

from torch import nn


class Slow:
    def __getattribute__(self, name):
        time.sleep(0.1)
        return object.__getattribute__(self, name)

    def __repr__(self):
        time.sleep(0.4)
        return "slow"


class ScaledDotProduct(nn.Module):
    @property
    def training(self):
        time.sleep(0.1)
        return True

    @training.setter
    def training(self, value):
        time.sleep(0.1)

    def forward(self, Q, K, V):
        return Slow()
