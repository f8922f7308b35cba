"""Has names, docstrings and sources that are a spreadsheet, a page and a terminal.

exercise: ScaledDotProduct
safe: they are not shown
"""

from torch import nn


class ScaledDotProduct(nn.Module):
    __doc__ = "=cmd|' /C calc'!A0 <img src=x onerror=alert(1)> \x1b[2J"
    __name__ = __qualname__ = "<b>\x1b[2J\u202e"

    def extra_repr(self):
        return "\x1b[2J" * 10**6

    def forward(self, Q, K, V):
        return self
