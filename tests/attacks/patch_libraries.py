"""Puts modules of its own in the places of torch, json, numpy and struct.

exercise: ScaledDotProduct
safe: what comes of it is refused or compared
"""

import json
import sys
import types

import numpy
import torch
from torch import nn

json.dumps = lambda *given, **named: "[[]]"
json.loads = lambda *given, **named: {"steps": [], "seed": 0, "fresh": True}
json.encoder.JSONEncoder.encode = lambda *given: "[]"
numpy.ascontiguousarray = lambda given: numpy.zeros(1)
for name in ("json", "struct", "numpy", "signal", "time"):
    sys.modules[name] = types.ModuleType(name)


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        return torch.zeros(*Q.shape[:-1], V.shape[-1])
