"""Code of a worker process: it has its own sandbox and grader, and grades one job after another.

Modules that import torch are imported inside functions: the process that starts the pool needs
none of them.
"""

from __future__ import annotations

import atexit
import contextlib
import gc
import os
import signal
import threading
import time
from dataclasses import replace
from functools import cache
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TYPE_CHECKING

from autograder import course
from autograder.classroom.jobs import Job
from autograder.classroom.results import NEEDS_STAFF, Feedback, GradingSettings, Result
from autograder.grading.grade import Grade
from autograder.sandbox import CannotLock, Limits, SandboxFailed, open_sandbox

if TYPE_CHECKING:
    from autograder.grading.grader import Grader
    from autograder.submissions.finding import Submission

CANNOT_START = "it cannot start ({})"


def begin(lifeline: Connection, cores: frozenset[int]) -> None:
    """Prepare this process.

    lifeline: a pipe that carries no data. When its other end closes, the pool is gone, and this
    process ends with its sandbox. cores: where it may run, so that sandboxes do not share a core.
    """
    # Ctrl-C is for the process that started this one. A handler, since children would inherit a
    # signal that is ignored or blocked, and students' code with them.
    signal.signal(signal.SIGINT, lambda *_: None)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, cores)
    threading.Thread(target=_leave_with, args=[lifeline], daemon=True).start()
    # Runs after all other exit functions: an orderly end of torch takes a quarter of a second.
    atexit.register(os._exit, 0)


def start(settings: GradingSettings) -> None:
    """Prepare to grade. Raises CannotLock, CheckBroken, and SandboxFailed if that is impossible."""
    try:
        _grader(settings)
    except OSError as problem:
        raise SandboxFailed(CANNOT_START.format(problem.strerror or problem)) from None
    except RuntimeError as problem:  # no thread can be started, or torch gets no memory
        raise SandboxFailed(CANNOT_START.format(problem)) from None
    except MemoryError:
        raise SandboxFailed(CANNOT_START.format("it gets no memory")) from None


def grade(job: Job, settings: GradingSettings) -> tuple[Result, float]:
    """Grade a job. Returns its result and the seconds it took.

    Raises CannotLock and CheckBroken.
    """
    grader = _grader(settings)
    began = time.monotonic()
    if job.edition != _edition():
        text = f"This process grades edition {_edition()} of the course, the job has another one."
        return given_up(job, settings, text), 0.0
    return _graded(job, settings, grader), time.monotonic() - began


def given_up(job: Job, settings: GradingSettings, reason: str) -> Result:
    """Return the result of a job that a person must look at."""
    text = f"{reason} Your code is not at fault: grade it again."
    grade = Grade("", "", job.assignment, NEEDS_STAFF, message=text, locked=settings.locked)
    return Result(job.digest, job.edition, settings, grade, {}, Feedback("", text))


def _leave_with(lifeline: Connection) -> None:
    with contextlib.suppress(EOFError, OSError):
        lifeline.recv_bytes()
    os._exit(1)  # this closes the sandbox's own pipe, so it ends too


@cache
def _edition() -> str:
    """Return the edition of the course that this process has imported."""
    return course.edition()


@cache
def _grader(settings: GradingSettings) -> Grader:
    """Return this process's grader, after a trial of its sandbox.

    Raises CannotLock, SandboxFailed, CheckBroken and OSError.
    """
    _edition()  # read now, while the files are the ones that are being imported
    sandbox = open_sandbox(
        Limits(seconds=settings.seconds, budget=settings.budget), locked=settings.locked
    )
    atexit.register(sandbox.close)
    # torch makes many objects and no garbage; collecting would take a sixth of the start.
    gc.disable()
    from autograder.checking.collect import collect
    from autograder.diagnosis.naming import namer
    from autograder.grading.grader import Grader
    from autograder.runtime.memory import limit_own_memory

    grader = Grader(collect(), sandbox, frozenset(), diagnosing=namer)
    sandbox.child().end()
    gc.freeze()
    gc.enable()
    limit_own_memory()
    return grader


def _graded(job: Job, settings: GradingSettings, grader: Grader) -> Result:
    from autograder.checking.collect import CheckBroken
    from autograder.grading import wording

    try:
        grade = grader.grade(submission(job))
        return _shown(grade, job, settings)
    except (CannotLock, CheckBroken):
        raise
    except Exception as failure:  # an unforeseen failure must not stop the others
        return given_up(job, settings, wording.failed(failure))


def _shown(grade: Grade, job: Job, settings: GradingSettings) -> Result:
    """Return the result of a job with its feedback."""
    from autograder.report import as_cell

    feedback = {
        exercise.name: Feedback(
            as_cell.html(exercise, grade, settings.hints),
            as_cell.text(exercise, grade, settings.hints),
        )
        for exercise in grade.exercises
    }
    note = Feedback(as_cell.note_html(grade), as_cell.note_text(grade))
    return Result(job.digest, job.edition, settings, _to_store(grade), feedback, note)


def _to_store(grade: Grade) -> Grade:
    """Return a grade that names no student, without examples: they are tensors."""
    exercises = tuple(replace(exercise, example=None) for exercise in grade.exercises)
    return replace(grade, submission="", path="", exercises=exercises)


def submission(job: Job) -> Submission:
    """Return a job as a submission. Its path names no student: equal files are graded once."""
    from autograder.classroom.job_files import JobFiles
    from autograder.submissions.finding import Submission, all_of

    place = Path(job.assignment)
    if job.refused:
        return Submission("", place, job.assignment, {}, job.refused, place)
    [found] = all_of(JobFiles(place, job), "", job.assignment)
    return found
