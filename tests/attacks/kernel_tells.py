"""Asks the kernel for whom it runs and on which machine.

exercise: ScaledDotProduct
safe: for nobody, in a sandbox
"""

import os

import torch
from torch import nn

NOBODY = 65534

if os.uname().nodename != "sandbox":
    print("BREACH the machine's name:", os.uname().nodename)
if os.getuid() != NOBODY or os.getegid() != NOBODY:
    print("BREACH the user:", os.getuid())
if os.getppid() > 1000:
    print("BREACH the numbers of processes:", os.getppid())


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        return torch.zeros(*Q.shape[:-1], V.shape[-1])
