"""The interface of sandboxes and their children: a child answers jobs or raises Lost."""

from __future__ import annotations

import contextlib
import math
import signal
import subprocess
import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import IO, Any

from autograder.errors import GraderError, Signal
from autograder.runtime.protocol import Garbled
from autograder.sandbox.clock import Clock

CPU_CLOCK = 2  # bits of a clock's number for a process's CPU time: <linux/posix-timers.h>
ROOT = str(Path(__file__).resolve().parents[2])
# On Windows a process that crashes ends with such a code or a larger one: NTSTATUS, errors.
CRASH = 0xC0000000
CRASHES = {0xC0000005: "access violation", 0xC00000FD: "stack overflow"}


@dataclass(frozen=True)
class Limits:
    """Limits on a submission and its children.

    seconds: CPU time for one question; sandbox.clock limits the elapsed time. memory: bytes beyond
    what PyTorch itself takes. reply: bytes of one reply. printed: bytes per question that are kept
    of stdout and of stderr. threads: for torch, in a child and in the grader; the tensors are tiny,
    and both run on one core. budget: seconds of CPU time or sleep for all questions of a session.
    questions: their maximal number. received: bytes of all replies to them, as `cost` counts.
    """

    seconds: float = 10.0
    grace: float = 2.0  # additional seconds in which the child can report a timeout itself
    memory: int = 2 << 30
    reply: int = 64 << 20
    printed: int = 16 << 10
    threads: int = 1
    budget: float = 120.0
    questions: int = 3000
    received: int = 512 << 20


LONGEST_QUESTION, LONGEST_BUDGET = 3600.0, 86_400.0  # seconds


def wrong_times(seconds: float, budget: float) -> str:
    """Return a sentence about what is wrong with these time limits, "" if nothing is.

    seconds, budget: as in Limits.
    """
    if not 0 < seconds < LONGEST_QUESTION:
        return f"A question may take between 0 and {LONGEST_QUESTION:g} s, not {seconds:g}."
    if not seconds <= budget <= LONGEST_BUDGET:
        return (
            f"The budget of a submission may be from {seconds:g} s, the time of one question, to "
            f"{LONGEST_BUDGET:g} s, not {budget:g}."
        )
    return ""


class SandboxFailed(GraderError):
    """The sandbox itself failed; the submission is not at fault."""


class Lost(Signal):
    """A child has ended.

    kind: 'killed' (time), 'crashed', 'sigkill' (killed, but not by the grader), 'left' (ended
    itself), 'garbled'.
    """

    def __init__(self, kind: str, text: str) -> None:
        super().__init__(text)
        self.kind = kind


@dataclass
class Printed:
    """The output printed during a question, up to a limit, and the number of bytes dropped."""

    stdout: bytes = b""
    stderr: bytes = b""
    dropped: int = 0

    def add(self, stream: str, data: bytes, limit: int) -> None:
        """Append `data` to 'stdout' or 'stderr', up to `limit` bytes in total."""
        kept: bytes = getattr(self, stream)
        added = data[: max(0, limit - len(kept))]
        setattr(self, stream, kept + added)
        self.dropped += len(data) - len(added)

    def extend(self, more: Printed, limit: int) -> None:
        """Append what was printed after this, up to `limit` bytes per stream."""
        if not (more.stdout or more.stderr):  # the usual case
            return
        for stream in ("stdout", "stderr"):
            self.add(stream, getattr(more, stream), limit)
        self.dropped += more.dropped


class Child(ABC):
    """A process that runs a student's code."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.printed = Printed()
        self.cpu: float | None = None  # CPU seconds used, after its end and if known
        self.process: int | None = None  # process id outside any namespace, if known
        self._clock: Clock  # of the current question
        self._memory_kills = memory_kills()

    def clock(self, seconds: float | None = None, most: float = math.inf) -> Clock:
        """Start the clock for a question.

        seconds: CPU time, by default that of the limits. most: seconds of CPU time or sleep.
        """
        seconds = seconds or self.limits.seconds
        return Clock(seconds, self.limits.grace, self._cpu_so_far, self._waited_so_far, most)

    def ask(self, request: bytes, clock: Clock | None = None) -> bytes | bytearray:
        """Send a message and return the reply; `printed` is the output that came with it.

        clock: of the question that the message belongs to, a new one by default. Raises Lost if
        there is no valid reply in time.
        """
        self.printed = Printed()
        self._clock = clock or self.clock()
        try:
            return self._exchange(request)
        except Garbled as problem:
            self.end()
            raise Lost("garbled", f"its reply is invalid ({problem})") from None

    def pause(self) -> bool:
        """Stop the process until the next question. Returns whether that is supported."""
        return False

    @abstractmethod
    def _exchange(self, request: bytes) -> bytes | bytearray: ...

    @abstractmethod
    def end(self) -> None:
        """Kill the process, if it is still running, and reap it."""

    def _cpu_so_far(self) -> float | None:
        """Return the CPU seconds that the child has used, None if unknown."""
        if self.process is not None and sys.platform == "linux":
            with contextlib.suppress(OSError):  # after its end
                return time.clock_gettime(~self.process << 3 | CPU_CLOCK)
        return None

    def _waited_so_far(self) -> float:
        """Return the seconds in which the child and this process waited for a processor."""
        return sum(_waited(process) for process in ("self", self.process) if process)

    def _exited(self, exit_code: int) -> Lost:
        """Describe why this child ended unexpectedly; exit_code as in subprocess.Popen.

        Nothing tells who sent a SIGKILL, but what the grader kills itself it does not ask, and code
        beyond its own memory limit gets a MemoryError. If the kernel has killed a process for lack
        of memory since this child began, the machine is at fault: raises SandboxFailed, by which no
        grade is stored. Otherwise it may be the machine, or the code itself: the question is asked
        once more, as a late one is, and then it is a crash. So whoever kills itself gains nothing.
        """
        if exit_code >= CRASH:
            name = CRASHES.get(exit_code, f"0x{exit_code:X}")
            return Lost("crashed", f"the process crashed ({name})")
        if exit_code >= 0:
            return Lost("left", f"the code ended its own process (exit code {exit_code})")
        try:
            name = signal.Signals(-exit_code).name
        except ValueError:
            name = f"signal {-exit_code}"
        if name != "SIGKILL":
            return Lost("crashed", f"the process crashed ({name})")
        if memory_kills() > self._memory_kills:
            raise SandboxFailed("this machine has too little memory for students' code")
        return Lost("sigkill", "the process was killed (SIGKILL)")

    def _too_slow(self) -> Lost:
        return Lost("killed", f"not finished after {self._clock.seconds:g} s")


def _waited(process: str | int) -> float:
    """Return the seconds in which a process waited for a processor; 0 if the system counts none."""
    try:
        with open(f"/proc/{process}/schedstat", "rb") as file:
            return int(file.read().split()[1]) / 1e9
    except (OSError, IndexError, ValueError):  # on other systems, or after its end
        return 0.0


def memory_kills(path: str = "/proc/vmstat") -> int:
    """Return how many processes the kernel has killed for lack of memory; 0 if it counts none."""
    try:
        with open(path, "rb") as file:
            return int(file.read().partition(b"\noom_kill ")[2].split()[0])
    except (OSError, IndexError, ValueError):  # on other systems
        return 0


class Sandbox(ABC):
    """A factory of children. locked: whether they are isolated from the machine and network."""

    def __init__(self, limits: Limits, locked: bool = False) -> None:
        self.limits = limits
        self.locked = locked

    @abstractmethod
    def child(self) -> Child:
        """Return a new child that has no submission yet. Raises SandboxFailed."""

    def prepare(self) -> None:  # noqa: B027  (most have nothing to prepare)
        """Make the next child now, while nobody waits for it, where that is possible."""

    @abstractmethod
    def close(self) -> None: ...

    def __enter__(self) -> Sandbox:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def failed(reason: str, errors: IO[bytes]) -> SandboxFailed:
    """Describe why a process of the kit failed, with the last line that it wrote to `errors`."""
    errors.seek(0)
    last = errors.read()[-2000:].decode(errors="replace").strip().splitlines()[-1:]
    said = f": {last[0]}" if last else ""
    return SandboxFailed(f"the process for students' code does not work ({reason}){said}")


@dataclass(frozen=True)
class Place:
    """The environment of a new process, which may be inside namespaces.

    python: the command that runs Python. kit: the folder that contains this package. packages: the
    folder of the other packages, if Python does not find them by itself.
    """

    python: Sequence[str] = field(default_factory=lambda: (sys.executable, "-I", "-B"))
    kit: str = ROOT
    packages: str = ""


def start(
    module: str, call: str, *arguments: str, place: Place | None = None, **options: Any
) -> subprocess.Popen[bytes]:
    """Start a Python process that evaluates a call in a module of `child` and does not get Ctrl-C.

    The call can use its arguments as the list `a`. place: by default this process's environment.
    The kit's folder is on the import path only during the start.
    """
    program = (  # without garbage collection, which takes a sixth of the start and finds nothing
        "import gc, sys; gc.disable(); "
        "kit, packages, *a = sys.argv[1:]; sys.path += filter(None, [packages]); "
        f"sys.path.insert(0, kit); from autograder.child import {module}; sys.path.pop(0); "
        f"gc.freeze(); gc.enable(); {module}.{call}"
    )
    place = place or Place()
    return subprocess.Popen(
        [*place.python, "-c", program, place.kit, place.packages, *arguments],
        start_new_session=True,
        **options,
    )
