"""Poisons what the next submission would import: sys.modules, sys.path, finders, torch itself.

exercise: ScaledDotProduct
safe: the next submission has a process of its own, forked before this was read
"""

import builtins
import contextlib
import sys
import types

import torch
from torch import nn


class Zero(nn.Module):
    def forward(self, *given):
        return torch.zeros(1)


for name in ("torch.nn", "torch.nn.functional", "math", "einops", "attention_layer"):
    sys.modules[name] = types.ModuleType(name)
nn.Linear = nn.LayerNorm = nn.GELU = Zero
torch.softmax = torch.matmul = torch.Tensor.softmax = torch.Tensor.__matmul__ = lambda *a, **n: a[0]
frame = sys._getframe()
while frame:
    with contextlib.suppress(Exception):
        frame.f_globals["warming"].WARM = "raise SystemExit"
    frame = frame.f_back
builtins.__import__ = lambda *given, **named: types.ModuleType("none")
sys.path[:] = ["/tmp"]
ScaledDotProduct = Zero
