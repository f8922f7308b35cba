"""Starts other programs: a shell, by spawning, by libc, and in its own place.

exercise: ScaledDotProduct
safe: nothing can be executed
"""

import contextlib
import ctypes
import os
import subprocess
import sys

import torch
from torch import nn

libc = ctypes.CDLL(None)
with contextlib.suppress(OSError):
    if os.system("exit 0") == 0:
        print("BREACH system")
with contextlib.suppress(Exception):
    subprocess.run(["/bin/echo"], check=True, stdout=subprocess.DEVNULL)
    print("BREACH subprocess")
with contextlib.suppress(OSError):
    os.waitpid(os.posix_spawn(sys.executable, [sys.executable, "-c", ""], {}), 0)
    print("BREACH posix_spawn")
with contextlib.suppress(OSError):
    if libc.popen(b"exit 0", b"r"):
        print("BREACH popen")
for program in ("/bin/echo", sys.executable):
    with contextlib.suppress(OSError):
        os.execv(program, [program, "-c", "print('BREACH executed')", "BREACH executed"])


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        return torch.zeros(*Q.shape[:-1], V.shape[-1])
