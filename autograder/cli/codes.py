"""How a verb ends: its exit code, and one sentence where it could not do what it was asked."""

from __future__ import annotations

import sys

OK, POINTS_LOST, INTERRUPTED, FAILED, USAGE = range(5)


def complain(sentence: str, code: int) -> int:
    """Say why on stderr. Returns the exit code."""
    print(sentence, file=sys.stderr)
    return code
