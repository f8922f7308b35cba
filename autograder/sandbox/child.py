"""What every sandbox offers: children that answer jobs, or are lost for a reason."""

from __future__ import annotations

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

from autograder.runtime.protocol import Garbled
from autograder.sandbox.clock import Clock

CPU_CLOCK = 2  # of a process, in the number of a clock: Linux's <linux/posix-timers.h>
ROOT = str(Path(__file__).resolve().parents[2])


@dataclass(frozen=True)
class Limits:
    """What one child may use.

    seconds: of CPU time for one question; sandbox.clock says how long that may take. memory: bytes
    beyond what PyTorch itself takes. reply: bytes of one reply. printed: bytes kept of what is
    printed to each of stdout and stderr per question. threads: that torch may compute with, there
    and in the grader: the tensors are tiny, and there is one core for both. budget: seconds for all
    questions to what is graded at once of one person's work, of CPU time or asleep. questions: how
    many there may be.
    """

    seconds: float = 10.0
    grace: float = 2.0  # seconds for the child to report by itself that its time is up
    memory: int = 2 << 30
    reply: int = 64 << 20
    printed: int = 16 << 10
    threads: int = 1
    budget: float = 120.0
    questions: int = 3000


LONGEST_QUESTION, LONGEST_BUDGET = 3600.0, 86_400.0  # seconds


def wrong_times(seconds: float, budget: float) -> str:
    """Say in a sentence why nothing can be graded in these times; nothing where it can.

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


class SandboxFailed(RuntimeError):
    """The sandbox itself does not work; no submission is to blame."""


class Lost(Exception):
    """A child is gone. kind: 'killed' (time), 'crashed', 'left' (ended itself), 'garbled'."""

    def __init__(self, kind: str, text: str) -> None:
        super().__init__(text)
        self.kind = kind


@dataclass
class Printed:
    """What was printed while a question was answered, and how many bytes were dropped."""

    stdout: bytes = b""
    stderr: bytes = b""
    dropped: int = 0

    def add(self, stream: str, data: bytes, limit: int) -> None:
        """Keep `data` of 'stdout' or 'stderr' as far as there is room."""
        kept: bytes = getattr(self, stream)
        room = max(0, limit - len(kept))
        setattr(self, stream, kept + data[:room])
        self.dropped += len(data) - len(data[:room])

    def follow(self, more: Printed, limit: int) -> None:
        """Keep what was printed after this."""
        if not (more.stdout or more.stderr):  # as mostly
            return
        for stream in ("stdout", "stderr"):
            self.add(stream, getattr(more, stream), limit)
        self.dropped += more.dropped


class Child(ABC):
    """One process with a student's code in it."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.printed = Printed()
        self.cpu: float | None = None  # seconds that it used, once it has ended and if they count
        self.process: int | None = None  # its number outside, where that is known
        self._clock: Clock  # of the question that is being answered

    def clock(self, seconds: float | None = None, most: float = math.inf) -> Clock:
        """Start the clock for a question: it has these seconds, or those of the limits.

        most: seconds that it may spend, of CPU or asleep.
        """
        seconds = seconds or self.limits.seconds
        return Clock(seconds, self.limits.grace, self._cpu_so_far, self._waited_so_far, most)

    def ask(self, request: bytes, clock: Clock | None = None) -> bytes | bytearray:
        """Send a message, return the one that answers it; `printed` is what came with it.

        clock: of the question that the message is part of; a new one if there is none. Raises Lost
        when there is no answer in time or it is not a message.
        """
        self.printed = Printed()
        self._clock = clock or self.clock()
        try:
            return self._exchange(request)
        except Garbled as problem:
            self.end()
            raise Lost("garbled", f"its reply makes no sense ({problem})") from None

    def pause(self) -> bool:
        """Let it do nothing at all until it is asked again. Returns whether that can be done."""
        return False

    @abstractmethod
    def _exchange(self, request: bytes) -> bytes | bytearray: ...

    @abstractmethod
    def end(self) -> None:
        """Kill the process, if it still lives, and take it off the process table."""

    def _cpu_so_far(self) -> float | None:
        """Return the seconds of CPU that it has used, None where they cannot be known."""
        if self.process is None:
            return None
        try:
            return time.clock_gettime(~self.process << 3 | CPU_CLOCK)
        except (AttributeError, OSError):  # on Windows; on macOS, or when it is gone
            return None

    def _waited_so_far(self) -> float:
        """Return the seconds in which it and this process waited for a processor."""
        return sum(_waited(process) for process in ("self", self.process) if process)

    def _too_slow(self) -> Lost:
        return Lost("killed", f"not finished after {self._clock.seconds:g} s")


def _waited(process: str | int) -> float:
    """The seconds in which a process waited for a processor; 0 where nobody counts them."""
    try:
        with open(f"/proc/{process}/schedstat", "rb") as file:
            return int(file.read().split()[1]) / 1e9
    except (OSError, IndexError, ValueError):  # on other systems; or when it is gone
        return 0.0


class Sandbox(ABC):
    """Makes children. locked: can they reach nothing and nobody?"""

    def __init__(self, limits: Limits, locked: bool = False) -> None:
        self.limits = limits
        self.locked = locked

    @abstractmethod
    def child(self) -> Child:
        """A new child, without a submission yet. Raises SandboxFailed."""

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


def departed(exit_code: int) -> Lost:
    """Why a process is gone that was not asked to go; exit_code as in subprocess.Popen."""
    if exit_code < 0:
        try:
            name = signal.Signals(-exit_code).name
        except ValueError:
            name = f"signal {-exit_code}"
        return Lost("crashed", f"the process crashed ({name})")
    return Lost("left", f"the code ended its own process (exit code {exit_code})")


def failed(reason: str, errors: IO[bytes]) -> SandboxFailed:
    """That a process of ours did not work, with the last line it wrote to `errors`."""
    errors.seek(0)
    last = errors.read()[-2000:].decode(errors="replace").strip().splitlines()[-1:]
    said = f": {last[0]}" if last else ""
    return SandboxFailed(f"the process for students' code does not work ({reason}){said}")


@dataclass(frozen=True)
class Place:
    """Where a process is started. python: the command that runs Python there.

    kit: the folder that holds this package there. packages: a folder of others, if there is no
    environment that has them.
    """

    python: Sequence[str] = field(default_factory=lambda: (sys.executable, "-I", "-B"))
    kit: str = ROOT
    packages: str = ""


def start(
    call: str, *arguments: str, place: Place | None = None, **options: Any
) -> subprocess.Popen[bytes]:
    """Start a Python process, out of reach of Ctrl-C, that makes `call` in child.main.

    place: here, if none is given. The call reads its arguments as `a`. The kit's folder is
    importable only at the start.
    """
    program = (  # there is no garbage in torch, and to look for it takes a sixth of the start
        "import gc, sys; gc.disable(); "
        "kit, packages, *a = sys.argv[1:]; sys.path += filter(None, [packages]); "
        "sys.path.insert(0, kit); from autograder.child import main; sys.path.pop(0); "
        f"gc.freeze(); gc.enable(); main.{call}"
    )
    place = place or Place()
    return subprocess.Popen(
        [*place.python, "-c", program, place.kit, place.packages, *arguments],
        start_new_session=True,
        **options,
    )
