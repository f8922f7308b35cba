"""Limit what a process can use up: memory, and CPU time in all (Linux).

Memory is limited to what the process has already and a fixed amount more. To import torch maps
0.6 GB of address space with the CPU build and more than 3 GB with the CUDA build: a fixed limit for
the whole process would leave a submission what happens to be left, or nothing. Memory need not be
watched from outside: the kernel refuses at once what goes beyond, so that the submission is told
where. Source: setrlimit(2).
"""

from __future__ import annotations

import mmap
import resource
from functools import cache

RESERVED = 2 << 30  # bytes of address space that take no memory: libraries, reservations
FAR = 1 << 38  # bytes, more than any process has mapped when torch has been imported
PAGE = mmap.PAGESIZE
PRIVATE = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000  # MAP_NORESERVE
CPU_SECONDS = 3600  # all questions together; each has a time limit of its own
NO_ACCESS, WRITING = 0, mmap.PROT_READ | mmap.PROT_WRITE


@cache
def taken() -> tuple[int, int]:
    """Return how many bytes this process has, of memory to write to and of address space.

    It is found out once: a process that is forked has what its parent had.
    """
    return used(resource.RLIMIT_DATA), used(resource.RLIMIT_AS)


def limit_memory(most: int) -> None:
    """Limit what this process may take from now on.

    most: bytes that it may take and write to. Reservations and memory that can be shared count
    as address space, of which there are 2 GiB more.
    """
    data, space = taken()
    for kind, limit in (
        (resource.RLIMIT_DATA, data + most),
        (resource.RLIMIT_AS, space + most + RESERVED),
    ):
        limit = min(limit, _ceiling(kind))
        resource.setrlimit(kind, (limit, limit))


def limit_cpu() -> None:
    """Limit the CPU time of this process, for the case that its grader fails to do so."""
    hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
    limit = CPU_SECONDS if hard == resource.RLIM_INFINITY else min(CPU_SECONDS, hard)
    resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))


def used(kind: int) -> int:
    """Return the bytes that count towards a limit, RLIMIT_DATA or RLIMIT_AS.

    It is found by trying how much more the limit admits: in a locked process there is no /proc
    to tell. Rounded up to pages; too large where the machine itself admits less.
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
    """Return whether this process can map so many bytes more; none of them is touched."""
    try:
        mmap.mmap(-1, size, PRIVATE, access).close()
    except OSError:
        return False
    return True


def _ceiling(kind: int) -> int:
    """Return the highest limit that can be set, in bytes."""
    hard = resource.getrlimit(kind)[1]
    return FAR if hard == resource.RLIM_INFINITY else min(FAR, hard)
