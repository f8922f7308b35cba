"""Makes classes that raise, print or never end when one asks for their name, type or truth.

exercise: ScaledDotProduct
safe: what one asks of a strange object may fail, in the student's process
"""

import torch
from torch import nn


class Meta(type):
    @property
    def __name__(cls):
        raise RuntimeError("no name")

    @property
    def __module__(cls):
        return 7

    def __instancecheck__(cls, instance):
        return True

    def __call__(cls, *given, **named):
        made = super().__call__(*given, **named)
        object.__setattr__(made, "_parameters", {"p": made})
        return made


class Odd(metaclass=Meta):
    __slots__ = ("_parameters",)


class ScaledDotProduct(nn.Module):
    def __setattr__(self, name, value):
        object.__setattr__(self, name, value)

    def __getattribute__(self, name):
        if name == "forward":
            return lambda *given: Odd()
        return object.__getattribute__(self, name)

    def children(self):
        yield self

    def modules(self):
        while True:
            yield torch.nn.Identity()
