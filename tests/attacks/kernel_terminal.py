"""Types into the terminal from which the grader was started.

exercise: ScaledDotProduct
safe: it has no terminal, and may not ask for one
"""

import contextlib
import fcntl
import os
import struct
import termios

import torch
from torch import nn

for descriptor in range(5):
    with contextlib.suppress(OSError):
        fcntl.ioctl(descriptor, termios.TIOCGWINSZ, struct.pack("4H", 0, 0, 0, 0))
        print("BREACH a terminal at", descriptor)
for path in ("/dev/tty", "/dev/console", "/dev/ptmx", "/dev/tty1"):
    with contextlib.suppress(OSError):
        os.close(os.open(path, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK))
        print("BREACH opened", path)
with contextlib.suppress(OSError):
    ours, theirs = os.openpty()
    print("BREACH a terminal of its own")


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        return torch.zeros(*Q.shape[:-1], V.shape[-1])
