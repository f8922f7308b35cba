"""Warns, logs and reports faults without end, on every stream that there is.

exercise: ScaledDotProduct
safe: of what is printed so much is kept, and no more
"""

import faulthandler
import logging
import sys
import warnings

import torch
from torch import nn


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        for number in range(300):
            warnings.warn(f"{number}" * 500, stacklevel=1)
            logging.error("%s", "x" * 2000)
            faulthandler.dump_traceback(sys.__stderr__)
        return torch.zeros(*Q.shape[:-1], V.shape[-1])
