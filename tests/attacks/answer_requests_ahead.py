"""Looks into the pipe of requests for questions that come before the last one was answered.

exercise: ScaledDotProduct
safe: a question is sent when the answer to the one before has been taken
"""

import gc
import io
import os
import select
import stat

import torch
from torch import nn

gc.unfreeze()  # what was made before the warm process forked is frozen


def requests():
    for descriptor in range(3, 64):
        try:
            if stat.S_ISFIFO(os.fstat(descriptor).st_mode):
                yield descriptor
        except OSError:
            continue


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        poll = select.poll()
        for descriptor in requests():
            poll.register(descriptor, select.POLLIN)
        for descriptor, event in poll.poll(5):
            if event & select.POLLIN:
                print("BREACH a later question is there:", descriptor)
        for reader in gc.get_objects():
            if isinstance(reader, io.BufferedReader) and reader.fileno() > 2:
                print("read so far:", reader.fileno())
        return torch.zeros(*Q.shape[:-1], V.shape[-1])
