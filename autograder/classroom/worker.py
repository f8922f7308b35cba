"""What happens in each process of the pool: a sandbox and a grader of its own, job after job.

All that imports torch is imported in the process: the one that starts the pool has no need of it.
"""

from __future__ import annotations

import atexit
import contextlib
import gc
import os
import signal
import threading
import time
from functools import cache
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TYPE_CHECKING

from autograder import course
from autograder.classroom.jobs import Job
from autograder.classroom.results import NEEDS_STAFF, CheckPart, GradingSettings, Part, Result
from autograder.sandbox import CannotLock, Limits, open_sandbox

if TYPE_CHECKING:
    from autograder.grading.grade import ExerciseGrade, Grade
    from autograder.grading.grader import Grader
    from autograder.submissions.finding import Submission


def begin(lifeline: Connection, cores: frozenset[int]) -> None:
    """Make this process ready.

    lifeline: nothing comes through it; when its other end is closed, whoever wants the results is
    gone, and so is this process, with its sandbox. cores: to keep to, lest the sandboxes meet on
    one.
    """
    # Ctrl-C is for the process that started this one. What is ignored or blocked would be so for
    # a student's code as well.
    signal.signal(signal.SIGINT, lambda *_: None)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, cores)
    threading.Thread(target=_leave_with, args=[lifeline], daemon=True).start()
    # Behind all else at the end: taking torch down in good order costs a quarter of a second.
    atexit.register(os._exit, 0)


def grade(job: Job, settings: GradingSettings) -> tuple[Result, float]:
    """Grade a job. Returns also the seconds it took. Raises CannotLock and CheckBroken."""
    grader = _grader(settings)
    start = time.monotonic()
    if job.edition != _edition():
        text = f"This process grades edition {_edition()} of the course, the job is of another."
        return given_up(job, settings, text), 0.0
    return _graded(job, settings, grader), time.monotonic() - start


def given_up(job: Job, settings: GradingSettings, reason: str) -> Result:
    """The result of a job that a person must look at."""
    text = f"{reason} This is no fault of the submission's: grade it again."
    return Result(job.digest, job.edition, job.assignment, NEEDS_STAFF, text, settings, text=text)


def _leave_with(lifeline: Connection) -> None:
    with contextlib.suppress(EOFError, OSError):
        lifeline.recv_bytes()
    os._exit(1)  # the sandbox sees its own pipe closed, and goes


@cache
def _edition() -> str:
    """The edition of the course that this process has imported."""
    return course.edition()


@cache
def _grader(settings: GradingSettings) -> Grader:
    """The grader of this process, in a sandbox that was tried. Raises CannotLock."""
    locked = settings.sandbox == "locked"
    _edition()  # while the files are those that are imported here
    sandbox = open_sandbox(Limits(seconds=settings.seconds, budget=settings.budget), locked=locked)
    atexit.register(sandbox.close)
    # torch's thousands of objects are no garbage: to look for some takes a sixth of the start.
    gc.disable()
    from autograder.checking.collect import collect
    from autograder.diagnosis.naming import namer
    from autograder.grading.grader import Grader
    from autograder.grading.memory import limit_own_memory

    grader = Grader(collect(), sandbox, frozenset(), diagnosing=namer)
    sandbox.child().end()
    gc.freeze()
    gc.enable()
    limit_own_memory()
    return grader


def _graded(job: Job, settings: GradingSettings, grader: Grader) -> Result:
    from autograder.checking.collect import CheckBroken
    from autograder.grading import wording
    from autograder.report import as_cell

    try:
        grade = grader.grade(submission(job))
    except (CannotLock, CheckBroken):
        raise
    except Exception as failure:  # one submission's riddle is not to stop all others
        return given_up(job, settings, wording.failed(failure))
    return Result(
        job.digest,
        job.edition,
        job.assignment,
        grade.status,
        grade.message,
        settings,
        tuple(_part(exercise, grade, settings.hints) for exercise in grade.exercises),
        as_cell.note_html(grade),
        as_cell.note_text(grade),
    )


def submission(job: Job) -> Submission:
    """A job as a submission, at a place that names nobody: others may have handed in the same."""
    from autograder.submissions.finding import Submission, all_of
    from autograder.submissions.submission_files import SubmissionFiles

    place = Path(job.assignment)
    if job.refused:
        return Submission("", place, job.assignment, {}, job.refused, place)
    [found] = all_of(SubmissionFiles(place, job.files), "", job.assignment)
    return found


def _part(exercise: ExerciseGrade, grade: Grade, hints: int) -> Part:
    from autograder.report import as_cell

    return Part(
        exercise.name,
        exercise.outcome.value,
        exercise.points,
        exercise.max_points,
        as_cell.html(exercise, grade, hints),
        as_cell.text(exercise, grade, hints),
        tuple(
            CheckPart(
                check.name,
                check.title,
                check.outcome.value,
                check.points,
                check.max_points,
                check.visible,
            )
            for check in exercise.checks
        ),
    )
