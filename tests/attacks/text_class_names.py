"""Raises and returns things whose classes have names of markup and control characters.

exercise: ScaledDotProduct
safe: they are shown as the texts that they are
"""

import itertools

from torch import nn

NAMES = itertools.cycle(
    ["<b onload=alert(1)>", "\x1b]0;x\x07", "\u202e\u2067x", "\r\n# 100/100", "x" * 10**5]
)


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        made = type(next(NAMES), (Exception,), {"__module__": "\x9b31m"})
        if Q.dim() % 2:
            raise made("x")
        return made()
