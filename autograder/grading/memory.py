"""Limit the memory of the grading process, whatever submissions make it do."""

from __future__ import annotations

import sys

MOST = 4 << 30  # bytes on top of what it uses at the start; grading needs a tenth of that


def limit_own_memory() -> None:
    """Limit the memory that this process may take from now on. Does nothing except on Linux.

    A submission that exceeds the limit fails alone; the grader goes on with the next one.
    """
    if sys.platform == "linux":
        from autograder.runtime.limits import limit_memory

        limit_memory(MOST)
