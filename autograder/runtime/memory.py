"""Limit the memory of a process that judges submissions, whatever they make it do (Linux)."""

from __future__ import annotations

import contextlib
import sys
import threading
from collections.abc import Iterator

MOST = 4 << 30  # bytes on top of what is used when the limit is set; judging needs a tenth of that


def limit_own_memory() -> None:
    """Limit the memory that this process may take from now on. Does nothing except on Linux.

    A submission that exceeds the limit fails alone; the grader goes on with the next one.
    """
    if sys.platform == "linux":
        from autograder.runtime.limits import limit_memory

        limit_memory(MOST)


@contextlib.contextmanager
def memory_limit() -> Iterator[None]:
    """Limit the memory that this process may take in a block, which may raise MemoryError.

    Nothing is limited except on Linux, nor in other threads than the main one: the limit holds for
    all threads, and two of them would lift each other's.
    """
    if sys.platform != "linux" or threading.current_thread() is not threading.main_thread():
        yield
        return
    import resource

    from autograder.runtime.limits import RESERVED, used

    kinds = {resource.RLIMIT_DATA: MOST, resource.RLIMIT_AS: MOST + RESERVED}
    before = {kind: resource.getrlimit(kind) for kind in kinds}
    for kind, most in kinds.items():
        soft, hard = before[kind]
        limit = used(kind) + most
        is_lower = soft == resource.RLIM_INFINITY or limit < soft
        resource.setrlimit(kind, (limit if is_lower else soft, hard))
    try:
        yield
    finally:
        for kind, limits in before.items():
            resource.setrlimit(kind, limits)
