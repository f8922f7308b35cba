"""Returns a tensor of its own class that answers every comparison with True.

exercise: ScaledDotProduct
safe: bytes travel, no classes
"""

import torch
from torch import nn


class Right(torch.Tensor):
    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        name = getattr(func, "__name__", "")
        if name in ("allclose", "equal", "isclose", "eq", "__eq__", "all", "__bool__"):
            return True
        if name in ("clone", "detach", "as_subclass", "contiguous", "cpu", "to", "numpy"):
            return args[0]
        return super().__torch_function__(func, types, args, kwargs or {})

    def __reduce_ex__(self, protocol):
        return print, ("BREACH unpickled",)


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        return torch.zeros(*Q.shape[:-1], V.shape[-1]).as_subclass(Right)
