"""Lock a child irrevocably before it reads any student code (Linux).

bubblewrap has already created the namespaces around a locked process and mounted only what Python
and torch need. Each child applies the other layers to itself. Sources: the kernel's
userspace-api/landlock.rst and seccomp_filter.rst; setrlimit(2), close_range(2), capabilities(7).
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
HIGH_DESCRIPTOR = 200  # larger than the descriptors of pipes, smaller than any usual limit
DESCRIPTORS = 1 << 16  # larger ones are not closed

PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS = 22, 38  # <linux/prctl.h>
SECCOMP_MODE_FILTER = 2
LANDLOCK_CREATE_RULESET, LANDLOCK_ADD_RULE, LANDLOCK_RESTRICT_SELF = 444, 445, 446
LANDLOCK_CREATE_RULESET_VERSION = LANDLOCK_RULE_PATH_BENEATH = 1
# Number of kinds of access to files, by version of Landlock.
FILE_ACCESSES = (0, 13, 14, 15, 15, 16)
READ_FILE, READ_DIR = 1 << 2, 1 << 3
TCP = 0b11  # bind and connect, since version 4
SCOPES = 0b11  # abstract unix sockets and signals, since version 6

libc = ctypes.CDLL(None, use_errno=True)


class LayerMissing(RuntimeError):
    """The kernel does not offer a layer."""


@dataclass(frozen=True)
class LockPlan:
    """Everything that a locked process may still use.

    memory: bytes that a submission may allocate. readable: files and folders. calls: the compiled
    seccomp filter, in base64. without: layers to omit, to measure what each one prevents.
    """

    memory: int
    readable: Sequence[str]
    calls: str
    without: Sequence[str] = ()


class Lock:
    """A lock that is prepared once and that each child then closes for itself."""

    def __init__(self, plan: LockPlan) -> None:
        self.plan = plan
        self.files = -1
        with contextlib.suppress(LayerMissing):  # the proof of the lock will report it
            made = _ruleset(plan.readable)
            self.files = fcntl.fcntl(made, fcntl.F_DUPFD, HIGH_DESCRIPTOR)
            os.close(made)
        self._program = base64.b64decode(plan.calls)
        self._steps: dict[str, Callable[[Sequence[int]], None]] = {
            "descriptors": self._close_descriptors,
            "limits": self._set_limits,
            "landlock": self._restrict_files,
            "seccomp": self._filter_calls,
        }

    def close(self, keep: Sequence[int]) -> None:
        """Apply all layers, irrevocably. keep: descriptors that stay open."""
        for layer in self._steps:
            self.apply(layer, keep)

    def apply(self, layer: str, keep: Sequence[int]) -> None:
        """Apply one layer, unless the plan omits it. Layers must be applied in order."""
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


class _PathRule(ctypes.Structure):
    """struct landlock_path_beneath_attr of <linux/landlock.h>"""

    _pack_ = 1
    _fields_ = (("allowed", ctypes.c_uint64), ("folder", ctypes.c_int32))


def landlock_version() -> int:
    """Return the kernel's version of Landlock, 0 if it has none."""
    flags = LANDLOCK_CREATE_RULESET_VERSION
    return max(0, libc.syscall(LANDLOCK_CREATE_RULESET, None, ctypes.c_size_t(0), flags))


def _ruleset(readable: Sequence[str]) -> int:
    """Return the descriptor of a ruleset that allows only reading these paths.

    Raises LayerMissing.
    """
    version = landlock_version()
    if not version:
        raise LayerMissing("the kernel has no Landlock")
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
        rule = ctypes.byref(_PathRule(allowed, place))
        _done(libc.syscall(LANDLOCK_ADD_RULE, ruleset, LANDLOCK_RULE_PATH_BENEATH, rule, 0))
        os.close(place)
    return ruleset


def _done(result: int) -> int:
    if result == -1:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
    return result
