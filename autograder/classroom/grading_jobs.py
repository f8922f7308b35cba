"""Grade nbgrader's jobs on several cores, and keep each result as soon as it is there."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from autograder.classroom import worker
from autograder.classroom.jobs import Job
from autograder.classroom.pool import Pool
from autograder.classroom.results import (
    NEEDS_STAFF,
    Feedback,
    GradingSettings,
    Result,
    Results,
)
from autograder.classroom.worker import Work
from autograder.grading.grade import Grade
from autograder.report.rendered import without_examples
from autograder.sandbox import CannotLock, Limits

if TYPE_CHECKING:
    from autograder.grading.grader import Grader
    from autograder.submissions.finding import Submission

Done = Callable[[int, int, "float | None"], None]


def grade_all(
    jobs: Iterable[Job],
    results: Results,
    done: Done = lambda count, total, seconds_left: None,
    processes: int | None = None,
    locked: bool = True,
    seconds: float = 10.0,
    hints: int = 1,
    budget: float = Limits.budget,
    digests: Sequence[str] | None = None,
) -> dict[str, Result]:
    """Grade jobs, equal digests once, and store each result as soon as it exists.

    digests: of all jobs, if they are read one by one; else all are in memory at the same time. All
    jobs are read, also if nothing is left to grade, since whoever sends them may do more with each.
    Jobs with a result in `results` from the same settings are not graded again. done is called
    with the number of jobs that have a result, the number of all, and an estimate of the seconds
    left, or None. processes: how many to start, None for as many as are worth it.
    Returns the results by the digests of the jobs. Raises CannotLock, ExerciseBroken and OSError,
    and SandboxFailed if no process can grade on this machine.
    """
    settings = GradingSettings(locked, float(seconds), hints, float(budget))
    if digests is None:
        jobs = list(jobs)
        digests = [job.digest for job in jobs]
    stored = {digest: results.get(digest) for digest in digests}
    graded = {
        digest: result
        for digest, result in stored.items()
        if result is not None and result.settings == settings
    }
    todo = len(stored) - len(graded)
    if graded:
        done(len(graded), len(stored), 0.0 if not todo else None)
    others = _others(jobs, {*graded})
    first = next(others, None)  # a job may have changed since, and whoever reads them reads all
    if first is None:
        return graded
    with Pool(GradeJobs(settings), todo, processes) as pool:
        for result in pool.results(chain([first], others)):
            results.put(result)
            graded[result.digest] = result
            left = max(len(stored) - len(graded), 0)  # a file may have changed since
            done(len(graded), len(stored), pool.seconds_left(left))
    return {digest: graded[digest] for digest in {**stored, **graded} if digest in graded}


def _others(jobs: Iterable[Job], graded: Set[str]) -> Iterator[Job]:
    """Yield the jobs that are not graded yet, those with equal digests once."""
    seen = {*graded}
    for job in jobs:
        if job.digest not in seen:
            seen.add(job.digest)
            yield job


@dataclass(frozen=True)
class GradeJobs(Work[Job, Result]):
    """Grades nbgrader's jobs in a worker process."""

    settings: GradingSettings

    def start(self) -> None:
        """Prepare to grade. Raises CannotLock, ExerciseBroken, SandboxFailed."""
        self._grader()

    def do(self, job: Job) -> Result:
        """Grade a job. Raises CannotLock and ExerciseBroken."""
        from autograder.course.exercise import ExerciseBroken
        from autograder.grading import wording

        grader = self._grader()
        if job.edition != worker.edition():
            return self.given_up(job, worker.other_edition())
        try:
            return self._shown(grader.grade(submission(job)), job)
        except (CannotLock, ExerciseBroken):
            raise
        except Exception as failure:  # an unforeseen failure must not stop the others
            return self.given_up(job, wording.failed(failure))

    def given_up(self, job: Job, reason: str) -> Result:
        """Return the result of a job that a person must look at."""
        text = f"{reason} {worker.AGAIN}"
        locked = self.settings.locked
        grade = Grade("", "", job.assignment, NEEDS_STAFF, message=text, locked=locked)
        return Result(job.digest, job.edition, self.settings, grade, {}, Feedback("", text))

    def _grader(self) -> Grader:
        settings = self.settings
        own = worker.GraderSettings(settings.locked, settings.seconds, settings.budget)
        return worker.grader(own)

    def _shown(self, grade: Grade, job: Job) -> Result:
        """Return the result of a job with its feedback. Nothing in it names the student."""
        from autograder.report import as_cell, as_json

        hints = self.settings.hints
        feedback = {
            exercise.name: Feedback(
                as_cell.html(exercise, grade, hints), as_cell.text(exercise, grade, hints)
            )
            for exercise in grade.exercises
        }
        note = Feedback(as_cell.note_html(grade), as_cell.note_text(grade))
        grade = replace(grade, submission="", path="")
        stored, document = without_examples(grade), as_json.submission(grade)
        return Result(job.digest, job.edition, self.settings, stored, feedback, note, document)


def submission(job: Job) -> Submission:
    """Return a job as a submission. Its path names no student: equal files are graded once."""
    from autograder.classroom.job_files import JobFiles
    from autograder.submissions.finding import Submission, all_of

    place = Path(job.assignment)
    if job.refused:
        return Submission("", place, job.assignment, {}, job.refused, place)
    [found] = all_of(JobFiles(place, job), "", job.assignment)
    return found
