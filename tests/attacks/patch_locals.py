"""Changes local variables of the engine's frames while it answers.

exercise: ScaledDotProduct
safe: they hold questions only
"""

import ctypes
import sys

import torch
from torch import nn


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        frame = sys._getframe(1)
        while frame:
            if frame.f_code.co_name in ("call", "answer", "_do"):
                for name in ("changed", "disturbed", "arrived", "replies", "late"):
                    if name in frame.f_locals:
                        frame.f_locals[name] = []
                ctypes.pythonapi.PyFrame_LocalsToFast(ctypes.py_object(frame), ctypes.c_int(0))
            for name, value in frame.f_locals.items():
                if "expected" in name or "reference" in name or "solution" in name:
                    print("BREACH", name, type(value))
            frame = frame.f_back
        return torch.zeros(*Q.shape[:-1], V.shape[-1])
