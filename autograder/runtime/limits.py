"""Limit the memory and the total CPU time of a process (Linux).

The memory limit is what the process already uses plus a fixed amount. Importing torch maps 0.6 GB
of address space with the CPU build and more than 3 GB with the CUDA build, so a fixed total would
leave a submission an arbitrary amount, or nothing. The kernel refuses an allocation above the limit
at once, so the error points to the student's line. Source: setrlimit(2).
"""

from __future__ import annotations

import mmap
import resource
from functools import cache

RESERVED = 2 << 30  # bytes of address space that use no memory: libraries, reservations
FAR = 1 << 38  # bytes, more than any process maps by importing torch
PAGE = mmap.PAGESIZE
PRIVATE = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000  # MAP_NORESERVE
CPU_SECONDS = 3600  # for all questions; each also has its own limit
NO_ACCESS, WRITING = 0, mmap.PROT_READ | mmap.PROT_WRITE


@cache
def taken() -> tuple[int, int]:
    """Return the bytes of writable memory and of address space that this process uses.

    Measured once per process; a forked process inherits its parent's figures.
    """
    return used(resource.RLIMIT_DATA), used(resource.RLIMIT_AS)


def limit_memory(most: int) -> None:
    """Limit the memory that this process may allocate from now on.

    most: bytes of writable memory. Reservations and shared memory count as address space, whose
    limit is 2 GiB higher.
    """
    data, space = taken()
    for kind, limit in (
        (resource.RLIMIT_DATA, data + most),
        (resource.RLIMIT_AS, space + most + RESERVED),
    ):
        limit = min(limit, _ceiling(kind))
        resource.setrlimit(kind, (limit, limit))


def limit_cpu() -> None:
    """Limit the CPU time of this process, in case the grader fails to end it."""
    hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
    limit = CPU_SECONDS if hard == resource.RLIM_INFINITY else min(CPU_SECONDS, hard)
    resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))


def used(kind: int) -> int:
    """Return the bytes that count towards a limit, RLIMIT_DATA or RLIMIT_AS.

    Measured by trying how much more can be mapped, because a locked process has no /proc. Rounded
    up to pages; too large if the machine itself admits less than the limit.
    """
    limits = resource.getrlimit(kind)
    ceiling = _ceiling(kind)
    resource.setrlimit(kind, (ceiling, limits[1]))
    access = WRITING if kind == resource.RLIMIT_DATA else NO_ACCESS
    fits, too_many = 0, ceiling // PAGE + 1  # pages
    while too_many - fits > 1:
        pages = (fits + too_many) // 2
        if admits(pages * PAGE, access):
            fits = pages
        else:
            too_many = pages
    resource.setrlimit(kind, limits)
    return ceiling - fits * PAGE


def admits(size: int, access: int) -> bool:
    """Return whether this process can map `size` more bytes, without touching them."""
    try:
        mmap.mmap(-1, size, PRIVATE, access).close()
    except OSError:
        return False
    return True


def _ceiling(kind: int) -> int:
    """Return the highest limit that can be set, in bytes."""
    hard = resource.getrlimit(kind)[1]
    return FAR if hard == resource.RLIM_INFINITY else min(FAR, hard)
