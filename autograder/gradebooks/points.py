"""Points as exact numbers, and as texts that every platform reads.

No conversion gives a student more than was earned: what cannot be written exactly is rounded down.
"""

from __future__ import annotations

import math
import re
from fractions import Fraction

NUMBER = re.compile(r"\s*(\d{1,9})(?:[.,](\d{1,9}))?\s*")
HUNDREDTHS = 100


def exact(points: float) -> Fraction:
    """Return points without the error of binary fractions: 0.1 + 0.2 gives 3/10."""
    return Fraction(f"{points:.10g}")


def scaled(points: Fraction, most: Fraction, new_most: Fraction) -> Fraction:
    """Return points out of `most` as points out of `new_most`, rounded down to hundredths."""
    if not most:
        return Fraction(0)
    return Fraction(math.floor(points * new_most / most * HUNDREDTHS), HUNDREDTHS)


def written(points: Fraction) -> str:
    """Return a number with a decimal point and without needless zeros, e.g. `7.5`."""
    return f"{float(points):.10g}"


def read(cell: str) -> Fraction | None:
    """Return the number in a table's cell, with a decimal point or comma; None if it has none."""
    found = NUMBER.fullmatch(cell)
    return Fraction(f"{found[1]}.{found[2] or 0}") if found else None
