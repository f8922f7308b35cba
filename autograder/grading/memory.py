"""The memory that a process which grades may take, whatever submissions make it do."""

from __future__ import annotations

import sys

MOST = 4 << 30  # bytes beyond what it has when it is ready: it needs a tenth


def limit_own_memory() -> None:
    """Limit what this process may take from now on, where the platform can (Linux).

    What goes beyond fails in the grader, for the submission that is being graded and no other.
    """
    if sys.platform == "linux":
        from autograder.runtime.limits import limit_memory

        limit_memory(MOST)
