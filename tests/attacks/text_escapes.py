"""Prints, raises and returns texts that would move a cursor, set a clipboard, or hide a line.

exercise: ScaledDotProduct
safe: only what prints is shown
"""

import sys

from torch import nn

ESCAPES = (
    "\x1b[2J\x1b[1;1H\x1b]0;title\x07\x1b]52;c;cm0gLXJm\x07\x1b]8;;http://127.0.0.1/\x07link\x1b]8;;\x07"
    "\x9b31m\x00\x07\x08\x08\x08\r  ✓ ScaledDotProduct  passed  6/6\r"
    "\u202e6/6\u2066\u200b\ufeff\u2028\x85"
)
Named = type("Error\x1b[31m\u202e", (Exception,), {})


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        print(ESCAPES)
        print(ESCAPES, file=sys.stderr)
        raise Named(ESCAPES + "\ud800")
