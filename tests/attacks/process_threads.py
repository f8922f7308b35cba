"""Starts as many threads as it can.

exercise: ScaledDotProduct
safe: there is one thread
"""

import contextlib
import threading
import time

import torch
from torch import nn


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        threads = [threading.Thread(target=time.sleep, args=(1,), daemon=True) for _ in range(50)]
        with contextlib.suppress(RuntimeError):
            for thread in threads:
                thread.start()
        if threading.active_count() > 1:
            print("BREACH threads:", threading.active_count())
        return torch.zeros(*Q.shape[:-1], V.shape[-1])
