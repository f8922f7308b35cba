"""Has lines come from files that it names itself, with texts of its own.

exercise: ScaledDotProduct
safe: only lines of what was handed in are shown
"""

import linecache

from torch import nn

NAME = "/etc/passwd"
linecache.cache[NAME] = (7, None, ["<b>\x1b[2J BREACH\n"] * 9, NAME)
code = compile("\n\ndef fail():\n    raise ValueError('x')", NAME, "exec")
exec(code, globals())


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        globals()["fail"]()
