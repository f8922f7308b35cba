"""Exit codes of the verbs, and one sentence on stderr if a verb fails."""

from __future__ import annotations

import sys

OK, POINTS_LOST, INTERRUPTED, FAILED, USAGE = range(5)


def complain(sentence: str, code: int) -> int:
    """Print a sentence to stderr. Returns the given exit code."""
    print(sentence, file=sys.stderr)
    return code
