"""Give up for good, before a student's byte is read, all that a submission does not need (Linux).

Around a locked process there are namespaces already: bubblewrap mounted only what Python and torch
need. What follows is done in each child. Sources: the kernel's userspace-api/landlock.rst and
seccomp_filter.rst; setrlimit(2), close_range(2), capabilities(7).
"""

from __future__ import annotations

import base64
import contextlib
import ctypes
import fcntl
import os
import resource
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from autograder.runtime.limits import limit_cpu, limit_memory

LAYERS = ("namespaces", "descriptors", "limits", "landlock", "seccomp")
OPEN_FILES = 64  # at a time
ASIDE = 200  # a descriptor that is out of the way of others, below any usual limit
DESCRIPTORS = 1 << 16  # the largest that is looked for

PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS = 22, 38  # <linux/prctl.h>
SECCOMP_MODE_FILTER = 2
LANDLOCK_CREATE_RULESET, LANDLOCK_ADD_RULE, LANDLOCK_RESTRICT_SELF = 444, 445, 446
LANDLOCK_CREATE_RULESET_VERSION = LANDLOCK_RULE_PATH_BENEATH = 1
# By version of Landlock: how many kinds of access to files there are, and the size of the ruleset.
FILE_ACCESSES = (0, 13, 14, 15, 15, 16)
READ_FILE, READ_DIR = 1 << 2, 1 << 3
TCP = 0b11  # bind and connect, since version 4
SCOPES = 0b11  # abstract unix sockets and signals, since version 6

libc = ctypes.CDLL(None, use_errno=True)


class Lacking(RuntimeError):
    """The kernel does not offer a layer."""


@dataclass(frozen=True)
class Plan:
    """What a locked process keeps.

    memory: bytes that a submission may take. readable: files and folders. calls: the compiled
    seccomp filter, in base64. without: layers to leave out, to learn what they are good for.
    """

    memory: int
    readable: Sequence[str]
    calls: str
    without: Sequence[str] = ()


class Lock:
    """The lock of a plan, prepared once; each child then closes it behind itself."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.files = -1
        with contextlib.suppress(Lacking):  # as the proof will tell
            made = _ruleset(plan.readable)
            self.files = fcntl.fcntl(made, fcntl.F_DUPFD, ASIDE)  # out of the way of pipes
            os.close(made)
        self._program = base64.b64decode(plan.calls)
        self._steps: dict[str, Callable[[Sequence[int]], None]] = {
            "descriptors": self._close_descriptors,
            "limits": self._set_limits,
            "landlock": self._restrict_files,
            "seccomp": self._filter_calls,
        }

    def close(self, keep: Sequence[int]) -> None:
        """Close it, for good. keep: descriptors that stay open."""
        for layer in self._steps:
            self.apply(layer, keep)

    def apply(self, layer: str, keep: Sequence[int]) -> None:
        """Apply one layer, unless the plan is without it. They are to come in this order."""
        if layer in self._steps and layer not in self.plan.without:
            self._steps[layer](keep)

    def _close_descriptors(self, keep: Sequence[int]) -> None:
        kept = sorted({self.files, *keep} - {-1})
        for before, after in zip(kept, [*kept[1:], DESCRIPTORS], strict=True):
            os.closerange(before + 1, after)

    def _set_limits(self, keep: Sequence[int]) -> None:
        limit_memory(self.plan.memory)
        limit_cpu()
        for name, most in {
            "RLIMIT_NOFILE": OPEN_FILES,
            "RLIMIT_FSIZE": 0,
            "RLIMIT_CORE": 0,
            "RLIMIT_MEMLOCK": 0,
            "RLIMIT_MSGQUEUE": 0,
        }.items():
            resource.setrlimit(getattr(resource, name), (most, most))

    def _restrict_files(self, keep: Sequence[int]) -> None:
        _done(libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
        _done(libc.syscall(LANDLOCK_RESTRICT_SELF, self.files, 0))
        os.close(self.files)

    def _filter_calls(self, keep: Sequence[int]) -> None:
        _done(libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
        instructions = len(self._program) // 8
        program = _Program(instructions, self._program)
        _done(libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.byref(program), 0, 0))


class _Program(ctypes.Structure):
    """struct sock_fprog of <linux/filter.h>"""

    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p))


class _Ruleset(ctypes.Structure):
    """struct landlock_ruleset_attr of <linux/landlock.h>"""

    _fields_ = (("files", ctypes.c_uint64), ("tcp", ctypes.c_uint64), ("scopes", ctypes.c_uint64))


class _Beneath(ctypes.Structure):
    """struct landlock_path_beneath_attr of <linux/landlock.h>"""

    _pack_ = 1
    _fields_ = (("allowed", ctypes.c_uint64), ("folder", ctypes.c_int32))


def landlock_version() -> int:
    """The version of Landlock that the kernel has; 0 if it has none."""
    flags = LANDLOCK_CREATE_RULESET_VERSION
    return max(0, libc.syscall(LANDLOCK_CREATE_RULESET, None, ctypes.c_size_t(0), flags))


def _ruleset(readable: Sequence[str]) -> int:
    """The descriptor of a ruleset: these may be read, and nothing else. Raises Lacking."""
    version = landlock_version()
    if not version:
        raise Lacking("the kernel has no Landlock")
    handled = _Ruleset((1 << FILE_ACCESSES[min(version, len(FILE_ACCESSES) - 1)]) - 1)
    size = 8
    if version >= 4:
        handled.tcp, size = TCP, 16
    if version >= 6:
        handled.scopes, size = SCOPES, 24
    made = libc.syscall(LANDLOCK_CREATE_RULESET, ctypes.byref(handled), ctypes.c_size_t(size), 0)
    ruleset: int = _done(made)
    for path in readable:
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
        allowed = READ_FILE | READ_DIR if os.path.isdir(path) else READ_FILE
        rule = ctypes.byref(_Beneath(allowed, place))
        _done(libc.syscall(LANDLOCK_ADD_RULE, ruleset, LANDLOCK_RULE_PATH_BENEATH, rule, 0))
        os.close(place)
    return ruleset


def _done(result: int) -> int:
    if result == -1:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
    return result
