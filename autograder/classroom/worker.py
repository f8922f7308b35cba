"""Code of a worker process: it has its own sandbox and grader, and does one job after another.

Modules that import torch are imported inside functions: the process that starts the pool needs
none of them.
"""

from __future__ import annotations

import atexit
import contextlib
import gc
import os
import signal
import sys
import threading
import time
from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cache
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING, Generic, TypeVar

from autograder import course
from autograder.sandbox import Limits, SandboxFailed, open_sandbox

if TYPE_CHECKING:
    from autograder.grading.grader import Grader

CANNOT_START = "it cannot start ({})"
AGAIN = "Your code is not at fault: grade it again."  # ends what a result that is given up says
JobT = TypeVar("JobT")
ResultT = TypeVar("ResultT")


class Work(ABC, Generic[JobT, ResultT]):
    """A kind of work that worker processes do. It is sent to them with each job, so it is small."""

    @abstractmethod
    def start(self) -> None:
        """Prepare a worker process for jobs; do nothing in one that is prepared."""

    @abstractmethod
    def do(self, job: JobT) -> ResultT:
        """Return the result of a job."""

    @abstractmethod
    def given_up(self, job: JobT, reason: str) -> ResultT:
        """Return the result of a job that no process could do."""


def begin(lifeline: Connection, cores: frozenset[int]) -> None:
    """Prepare this process.

    lifeline: a pipe that carries no data. When its other end closes, the pool is gone, and this
    process ends with its sandbox. cores: where it may run, so that sandboxes do not share a core.
    """
    # Ctrl-C is for the process that started this one. A handler, since children would inherit a
    # signal that is ignored or blocked, and students' code with them.
    signal.signal(signal.SIGINT, lambda *_: None)
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, cores)
    threading.Thread(target=_leave_with, args=[lifeline], daemon=True).start()
    # Runs after all other exit functions: an orderly end of torch takes a quarter of a second.
    atexit.register(os._exit, 0)


def start(work: Work[JobT, ResultT]) -> None:
    """Prepare for jobs. Raises what the work raises, and SandboxFailed if it cannot be prepared."""
    try:
        work.start()
    except OSError as problem:
        raise SandboxFailed(CANNOT_START.format(problem.strerror or problem)) from None
    except RuntimeError as problem:  # no thread can be started, or torch gets no memory
        raise SandboxFailed(CANNOT_START.format(problem)) from None
    except MemoryError:
        raise SandboxFailed(CANNOT_START.format("it gets no memory")) from None


def do(job: JobT, work: Work[JobT, ResultT]) -> tuple[ResultT, float]:
    """Do a job. Returns its result and the seconds it took. Raises what the work raises."""
    work.start()  # does nothing in a process that is prepared
    began = time.monotonic()
    return work.do(job), time.monotonic() - began


def _leave_with(lifeline: Connection) -> None:
    with contextlib.suppress(EOFError, OSError):
        lifeline.recv_bytes()
    os._exit(1)  # this closes the sandbox's own pipe, so it ends too


@cache
def edition() -> str:
    """Return the edition of the course that this process has imported."""
    return course.edition()


def other_edition() -> str:
    """Return the sentence about a job of another edition than this process grades."""
    return f"This process grades edition {edition()} of the course, the job has another one."


@dataclass(frozen=True)
class GraderSettings:
    """How a worker process grades.

    seconds, budget: as in Limits. exercises: the names of those to grade, none for all. locates:
    True if the lines of mistakes are looked for.
    """

    locked: bool
    seconds: float
    budget: float
    exercises: tuple[str, ...] = ()
    locates: bool = False


_graders: dict[GraderSettings, Grader] = {}  # of this process
_one_at_a_time = threading.Lock()  # a second thread would find the course's modules half imported


def grader(settings: GraderSettings) -> Grader:
    """Return this process's grader, after a trial of its sandbox.

    Raises CannotLock, SandboxFailed, ExerciseBroken and OSError.
    """
    with _one_at_a_time:
        if settings not in _graders:
            edition()  # read now, while the files are the ones that are being imported
            _graders[settings] = _opened(settings)
        return _graders[settings]


def close(settings: GraderSettings) -> None:
    """End the sandbox of this process's grader, if it has such a one."""
    with _one_at_a_time:
        if found := _graders.pop(settings, None):
            atexit.unregister(found.sandbox.close)
            found.sandbox.close()


def _opened(settings: GraderSettings) -> Grader:
    limits = Limits(seconds=settings.seconds, budget=settings.budget)
    sandbox = open_sandbox(limits, locked=settings.locked)
    atexit.register(sandbox.close)
    # torch makes many objects and no garbage; collecting would take a sixth of the start.
    gc.disable()
    from autograder.checking.collect import collect
    from autograder.diagnosis.line import LineFinder
    from autograder.diagnosis.naming import namer
    from autograder.grading.grader import Grader
    from autograder.runtime.memory import limit_own_memory

    locating = LineFinder if settings.locates else None
    found = Grader(collect(), sandbox, frozenset(settings.exercises), namer, locating)
    sandbox.child().end()
    gc.freeze()
    gc.enable()
    limit_own_memory()
    return found
