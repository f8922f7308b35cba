"""Kills its process at each question, so that a new one is needed for the next.

exercise: ScaledDotProduct
safe: a lost process costs the exercise
"""

import os
import time

from torch import nn

time.sleep(0.2)


class ScaledDotProduct(nn.Module):
    def __init__(self):
        os._exit(0)
