"""Prove that a lock holds: close it, and attempt everything that it must prevent (Linux).

Each layer is tested as soon as it is applied, before the next one can hide its gaps.
"""

from __future__ import annotations

import contextlib
import ctypes
import mmap
import os
import platform
import resource
import socket
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from autograder.child.lock import LAYERS, OPEN_FILES, Lock, LockPlan, landlock_version, libc
from autograder.runtime.limits import NO_ACCESS, RESERVED, WRITING, admits

CPU_CLOCK = 2  # bits of a clock's number for a process's CPU time: <linux/posix-timers.h>
FUTEX = {"x86_64": 202, "aarch64": 98}  # the number of the system call
FUTEX_WAKE = 1  # without FUTEX_PRIVATE_FLAG: see futex(2)
MADV_PAGEOUT = 21  # see madvise(2)
OUTSIDE = ("/etc", "/sys", "/proc/self")  # on every machine, but not in the namespaces


def proof(lock: Lock, keep: Sequence[int]) -> list[str]:
    """Apply the layers of a lock and try what each must prevent.

    Returns a phrase "<layer>: it can ..." for each attempt that succeeds. keep: descriptors that
    stay open.
    """
    lacks = []
    for layer in LAYERS:
        try:
            lock.apply(layer, keep)
        except OSError as problem:
            lacks.append(f"{layer}: {problem.strerror}")
            continue
        for what, attempt in ATTEMPTS[layer].items():
            with contextlib.suppress(OSError, ValueError, MemoryError, RuntimeError):
                if attempt(_Trial(lock.plan, [*keep, lock.files])) is not False:
                    lacks.append(f"{layer}: it can {what}")
    return lacks


@dataclass(frozen=True)
class _Trial:
    plan: LockPlan
    keep: Sequence[int]
    version: int = field(default_factory=landlock_version)


def _succeeds(call: str, *arguments: Any) -> bool:
    """Return whether a call of a C library function succeeds."""
    return bool(getattr(libc, call)(*arguments) != -1)


def _wake_another(_: _Trial) -> bool:
    """Wake whoever waits at a place in memory that processes may share."""
    number = FUTEX.get(platform.machine())
    place = ctypes.byref(ctypes.c_uint32())
    return number is not None and _succeeds("syscall", number, place, FUTEX_WAKE, 1, 0, 0, 0)


def _empty_the_cache(_: _Trial) -> bool:
    """Advise to take memory out of the cache that processes share; older kernels do not know it."""
    memory = mmap.mmap(-1, mmap.PAGESIZE, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    place = ctypes.byref(ctypes.c_char.from_buffer(memory))
    return _succeeds("madvise", place, mmap.PAGESIZE, MADV_PAGEOUT)


def _has_capabilities(_: _Trial) -> bool:
    header = (ctypes.c_uint32 * 2)(0x20080522, 0)  # _LINUX_CAPABILITY_VERSION_3, this process
    sets = (ctypes.c_uint32 * 6)()
    return libc.capget(header, sets) == -1 or any(sets)


def _open_descriptors(trial: _Trial) -> Iterator[int]:
    for descriptor in set(range(3, 2048)) - set(trial.keep):
        with contextlib.suppress(OSError):
            os.fstat(descriptor)
            yield descriptor


def _write_a_file(_: _Trial) -> bool:
    os.open("/file", os.O_WRONLY | os.O_CREAT | os.O_EXCL)
    os.unlink("/file")
    return True


def _write_to_memory(_: _Trial) -> bool:
    return os.write(os.memfd_create("a file"), b"x") > 0


def _open_many(_: _Trial) -> bool:
    opened: list[int] = []
    try:
        while len(opened) < OPEN_FILES:
            opened.append(os.dup(0))
    finally:
        for descriptor in opened:
            os.close(descriptor)
    return True


def _fork(_: _Trial) -> bool:
    made = os.fork()
    if made == 0:
        os._exit(0)
    os.waitpid(made, 0)  # its end would stop a process that ptrace has marked as traced
    return True


def _take_memory(trial: _Trial) -> bool:
    """Try to map a little more than the limit, since some memory may have been freed meanwhile."""
    return admits(trial.plan.memory * 9 // 8, WRITING)


def _reserve(trial: _Trial) -> bool:
    return admits((trial.plan.memory + RESERVED) * 9 // 8, NO_ACCESS)


def _set_limit(most: int) -> bool:
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    return True


def _start_thread(_: _Trial) -> bool:
    threading.Thread(target=bool).start()
    return True


def _leave_group(_: _Trial) -> bool:
    os.setpgid(0, 0)
    return True


def _read_clock(_: _Trial) -> bool:
    """Read the CPU time of the parent: see clock_getcpuclockid(3)."""
    return time.clock_gettime(~os.getppid() << 3 | CPU_CLOCK) >= 0


def _signal_itself(_: _Trial) -> bool:
    os.kill(os.getpid(), 0)
    return True


def _signal_parent(trial: _Trial) -> bool:
    if trial.version < 6:
        return False
    os.kill(os.getppid(), 0)
    return True


def _connect(trial: _Trial) -> bool:
    """Try to connect to a port. Landlock refuses this before the kernel looks for a listener."""
    if trial.version < 4:
        return False
    try:
        socket.create_connection(("127.0.0.1", 9), 1.0)
    except PermissionError:
        return False
    except OSError:
        return True
    return True


ATTEMPTS: dict[str, dict[str, Callable[[_Trial], object]]] = {
    "namespaces": {
        "see files of the machine": lambda _: any(map(os.path.exists, OUTSIDE)),
        "see other processes": lambda _: os.listdir("/proc/self"),
        "write a file": _write_a_file,
        "reach a network": lambda _: {name for _, name in socket.if_nameindex()} != {"lo"},
        "use a capability": _has_capabilities,
        "make namespaces of its own": lambda _: _succeeds("unshare", 0x10000000),  # CLONE_NEWUSER
    },
    "descriptors": {"use what others opened": lambda trial: any(_open_descriptors(trial))},
    "limits": {
        "take more memory": _take_memory,
        "reserve more memory": _reserve,
        "write to a file in memory": _write_to_memory,
        "raise its limits": lambda _: _set_limit(resource.RLIM_INFINITY),
        "open many files": _open_many,
    },
    "landlock": {
        "list a folder that is not its own": lambda _: os.listdir("/"),
        "open a file that is not its own": lambda _: os.open("/dev/urandom", os.O_RDONLY),
        "connect to a port": _connect,
        "signal other processes": _signal_parent,
    },
    "seccomp": {
        "fork": _fork,
        "start a thread": _start_thread,
        "execute a program": lambda trial: os.execv(trial.plan.readable[0], ["program"]),
        "open a socket": lambda _: socket.socket(),
        "open a socket pair": lambda _: socket.socketpair(),
        "send a signal": _signal_itself,
        "make a file in memory": lambda _: os.memfd_create("a file"),
        "share memory": lambda _: _succeeds("shmget", 0, 4096, 0o600),
        "map memory that it could share": lambda _: mmap.mmap(-1, mmap.PAGESIZE),
        "trace processes": lambda _: _succeeds("ptrace", 0, 0, 0, 0),
        "change limits": lambda _: _set_limit(resource.getrlimit(resource.RLIMIT_AS)[0]),
        "leave its group": _leave_group,
        "open a pipe": lambda _: os.pipe(),
        "read the clocks of other processes": _read_clock,
        "wake other processes": _wake_another,
        "empty the cache of files": _empty_the_cache,
        "see how much memory is free": lambda _: _succeeds("sysinfo", ctypes.c_buffer(512)),
    },
}
