"""Grade the people of a class on several cores, and keep each one's results."""

from __future__ import annotations

import contextlib
import hashlib
import shutil
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from autograder.classroom import worker
from autograder.classroom.results import NEEDS_STAFF
from autograder.classroom.stored import Stored
from autograder.classroom.worker import GraderSettings, Work
from autograder.grading.fitting import fit
from autograder.grading.grade import Grade
from autograder.report.rendered import Forms, Rendered
from autograder.submissions.submission import Submission

REMOVED = "Its result was removed while others were graded."
NOT_KEPT = "Results cannot be kept ({}: {}): what is stopped now has to begin anew."


@dataclass(frozen=True)
class Person:
    """The submissions of one person, who has this number in the class."""

    number: int
    submissions: Sequence[Submission]


@dataclass(frozen=True)
class PersonResults:
    """The results of the person with this number: what is written of each submission."""

    number: int
    of_each: list[Rendered]


@dataclass(frozen=True)
class GradePeople(Work[Person, PersonResults]):
    """Grades the people of a class in a worker process. edition: of the course that grades."""

    edition: str
    settings: GraderSettings
    forms: Forms

    def start(self) -> None:
        """Prepare to grade. Raises CannotLock, ExerciseBroken, SandboxFailed."""
        worker.grader(self.settings)

    def do(self, job: Person) -> PersonResults:
        """Grade one person. Raises CannotLock and ExerciseBroken."""
        from autograder.grading.in_turn import of_person

        grader = worker.grader(self.settings)
        if self.edition != worker.edition():
            return self.given_up(job, worker.other_edition())
        grades = of_person(job.submissions, grader)
        return PersonResults(job.number, [self.forms.of(grade) for grade in grades])

    def given_up(self, job: Person, reason: str) -> PersonResults:
        """Return the results of a person whose submissions staff must look at."""
        text = f"{reason} {worker.AGAIN}"
        lost = [
            Grade(
                one.name, str(one.path), one.assignment, NEEDS_STAFF, (), text, self.settings.locked
            )
            for one in job.submissions
        ]
        return PersonResults(job.number, [self.forms.of(fit(grade)) for grade in lost])

    def digest(self, submissions: Sequence[Submission]) -> str:
        """Return SHA-256 (hexadecimal) of all that the results of some submissions depend on."""
        return hashlib.sha256(repr((self, submissions)).encode()).hexdigest()


class Graders(Protocol):
    """Processes that grade people: those of this machine, or of a cluster."""

    def results(self, jobs: Iterable[Person]) -> Iterator[PersonResults]:
        """Yield the results of each person as they arrive."""

    def seconds_left(self, count: int) -> float:
        """Return an estimate of the seconds that so many more people take."""


class Kept:
    """The results that are kept for the next run, as long as nothing changes a grade.

    folder: for all editions of the course; the results of other editions are deleted. told: called
    once with the reason if results cannot be kept. anew: True if none that is there counts.
    """

    def __init__(
        self, folder: Path, edition: str, told: Callable[[str], None], anew: bool = False
    ) -> None:
        self._folder = folder
        self._stored = Stored(folder / edition, list[Rendered])
        self._told = told
        self._anew = anew
        self._is_open = True
        others = folder.iterdir() if folder.is_dir() else ()
        for other in others:
            if other.name != edition:
                shutil.rmtree(other, ignore_errors=True)

    def get(self, digest: str) -> list[Rendered] | None:
        """Return results that are kept, or None."""
        return None if self._anew else self._stored.get(digest)

    def put(self, digest: str, results: list[Rendered]) -> None:
        """Keep results, unless one needs staff."""
        if not self._is_open or any(one.grade.status == NEEDS_STAFF for one in results):
            return
        try:
            # A digest helps whoever may read it to guess a weak secret.
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._stored.put(digest, results)
        except OSError as problem:
            self._is_open = False
            self._told(NOT_KEPT.format(self._stored.folder, problem.strerror or problem))


def grade_people(
    people: dict[int, Sequence[Submission]],
    work: GradePeople,
    kept: Kept,
    opening: Callable[[int], AbstractContextManager[Graders]],
    done: Callable[[Sequence[Rendered], float | None], None] = lambda results, left: None,
) -> Generator[Rendered, None, None]:
    """Yield what is written of each submission, in the order of the people's numbers.

    people: their submissions, by their numbers. Each person is removed when the results are there,
    so that the texts of a large class do not stay in memory beside what grading adds to it.
    Results that are kept are not made again, and new ones are kept as soon as they are there.
    opening: opens the processes that grade so many people. done: called with each person's results
    when they are there, and with the seconds that the others may take, if that is known. Raises
    what the processes raise, before the first results or if no process can grade any longer.
    """
    digests = {number: work.digest(own) for number, own in sorted(people.items())}
    missing = {number for number, digest in digests.items() if kept.get(digest) is None}
    jobs = (Person(number, people[number]) for number in sorted(missing))
    early: dict[int, list[Rendered]] = {}  # by number, those that wait for an earlier one

    def take(graders: Graders, coming: Iterator[PersonResults]) -> None:
        found = next(coming)
        kept.put(digests[found.number], found.of_each)
        early[found.number] = found.of_each
        del people[found.number]
        missing.discard(found.number)
        done(found.of_each, graders.seconds_left(len(missing)))

    with contextlib.ExitStack() as stack:
        if missing:
            graders = stack.enter_context(opening(len(missing)))
            coming = graders.results(jobs)
            take(graders, coming)  # a machine that cannot grade says so before anything is written
        for number, digest in digests.items():
            while number in missing:
                take(graders, coming)
            results = early.pop(number, None)
            if results is None:
                person = Person(number, people.pop(number))
                results = kept.get(digest)
                if results is None:
                    results = work.given_up(person, REMOVED).of_each
                done(results, None)
            yield from results
