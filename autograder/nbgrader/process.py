"""The grading process: it imports torch, while the process that starts it imports nbgrader."""

from __future__ import annotations

import ctypes
import signal
import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO

import msgspec

from autograder.classroom.jobs import Job
from autograder.classroom.pool import grade_all
from autograder.classroom.results import NEEDS_STAFF, GradingSettings, Results
from autograder.report.progress import Progress
from autograder.sandbox import CannotLock
from autograder.submissions import ids

PR_SET_PDEATHSIG = 1  # <linux/prctl.h>
UNLOCKED = (
    "If you trust all students, add c.SubmissionExporter.unlocked = True to "
    "nbgrader_config.py: then their code can read and change what you can."
)
FULL = "Results cannot be stored ({}: {}). Fix that and run this again; finished results are kept."


@dataclass(frozen=True)
class Order:
    """Jobs for the grading process, with the bytes of their files. results: the folder for them."""

    results: str
    jobs: tuple[Job, ...]
    settings: GradingSettings

    def encoded(self) -> bytes:
        """Return the bytes that `serve` reads."""
        return msgspec.msgpack.encode(self)


def serve(incoming: IO[bytes], outgoing: IO[str]) -> bool:
    """Grade the order that preparing.grade sends. Returns whether that was possible.

    If not, it writes the reason to `outgoing`.
    """
    if sys.platform == "linux":  # end with the caller: the next call grades what is left
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    order = msgspec.msgpack.decode(incoming.read(), type=Order)
    results, done = Results(Path(order.results)), Progress("graded").done
    try:
        graded = grade_all(order.jobs, results, done, None, **asdict(order.settings))
    except CannotLock as reason:
        outgoing.write(f"{reason} {UNLOCKED}")
        return False
    except OSError as problem:
        outgoing.write(FULL.format(problem.strerror or problem, results.folder))
        return False
    for job in order.jobs:
        grade = graded[job.digest].grade
        if grade.status == NEEDS_STAFF:
            # Such a result is not stored, so this is the only place for its reason.
            print(f"{ids.shown(job.student)}: {grade.message}", file=sys.stderr)
    return True
