"""The grading process: it imports torch, while the process that starts it imports nbgrader."""

from __future__ import annotations

import ctypes
import itertools
import signal
import sys
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO

import msgspec

from autograder.classroom.grading_jobs import grade_all
from autograder.classroom.jobs import Job
from autograder.classroom.results import NEEDS_STAFF, GradingSettings, Results
from autograder.report.progress import Progress
from autograder.sandbox import CannotLock, SandboxFailed
from autograder.submissions import ids

PR_SET_PDEATHSIG = 1  # <linux/prctl.h>
UNLOCKED = (
    "If you trust all students, add c.SubmissionExporter.unlocked = True to "
    "nbgrader_config.py: then their code can read and change what you can."
)
FULL = "Results cannot be stored ({}: {}). Fix that and run this again; finished results are kept."
NO_SANDBOX = "Nothing can be graded here: {}. Run make doctor, which may say what to do."
LENGTH = 8  # bytes that tell how long the message after them is


@dataclass(frozen=True)
class Order:
    """The first message to the grading process; a message for each job follows.

    results: the folder for them. digests: of all jobs, in their order. processes: how many grade,
    None for as many as are worth it.
    """

    results: str
    digests: tuple[str, ...]
    settings: GradingSettings
    processes: int | None = None


def send(outgoing: IO[bytes], order: Order, jobs: Iterable[Job]) -> None:
    """Send an order and its jobs. Each job is read only when the one before it is written.

    Raises BrokenPipeError if the grading process has ended.
    """
    for message in itertools.chain([order], jobs):
        data = msgspec.msgpack.encode(message)
        outgoing.write(len(data).to_bytes(LENGTH, "big"))
        outgoing.write(data)
    outgoing.flush()


def _messages(incoming: IO[bytes]) -> Iterator[bytes]:
    while length := incoming.read(LENGTH):
        yield incoming.read(int.from_bytes(length, "big"))


def serve(incoming: IO[bytes], outgoing: IO[str]) -> bool:
    """Grade the order that preparing.grade sends. Returns whether that was possible.

    If not, it writes the reason to `outgoing`.
    """
    if sys.platform == "linux":  # end with the caller: the next call grades what is left
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    messages = _messages(incoming)
    order = msgspec.msgpack.decode(next(messages), type=Order)
    results, done = Results(Path(order.results)), Progress("graded").done
    students: list[tuple[str, str]] = []  # with the digest of each

    def jobs() -> Iterator[Job]:
        for message in messages:
            job = msgspec.msgpack.decode(message, type=Job)
            students.append((job.student, job.digest))
            yield job

    settings = asdict(order.settings)
    try:
        processes, digests = order.processes, order.digests
        graded = grade_all(jobs(), results, done, processes, **settings, digests=digests)
    except CannotLock as reason:
        outgoing.write(f"{reason} {UNLOCKED}")
        return False
    except SandboxFailed as reason:
        outgoing.write(NO_SANDBOX.format(str(reason).removesuffix(".")))
        return False
    except OSError as problem:
        outgoing.write(FULL.format(problem.strerror or problem, results.folder))
        return False
    for student, digest in students:
        grade = graded[digest].grade
        if grade.status == NEEDS_STAFF:
            # Such a result is not stored, so this is the only place for its reason.
            print(f"{ids.shown(student)}: {grade.message}", file=sys.stderr)
    return True
