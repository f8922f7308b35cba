"""Grade submissions one person after the other; one person's share a session of the sandbox."""

from __future__ import annotations

import gc
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

from autograder.checking.collect import Checks, NoSuchExercise, collect
from autograder.client import Session
from autograder.course.exercise import ExerciseBroken
from autograder.grading import wording
from autograder.grading.found_right import FoundRight
from autograder.grading.grade import Grade
from autograder.grading.grader import Grader
from autograder.grading.interfaces import Diagnosing, Locating
from autograder.sandbox import CannotLock, Sandbox
from autograder.submissions.finding import Submission
from autograder.submissions.submission import by_person


def grade(
    submissions: Iterable[Submission],
    sandbox: Sandbox,
    exercises: Iterable[str] = (),
    done: Callable[[Grade, Sequence[Submission]], None] = lambda grade, chosen: None,
    diagnosing: Diagnosing | None = None,
    locating: Locating | None = None,
    found_right: FoundRight | None = None,
    early: Callable[[Grade], None] | None = None,
) -> list[Grade]:
    """Grade submissions in one sandbox.

    Returns the grades in the order in which they were made. exercises: the names of those to grade,
    none for all; submissions without any of them are left out. done is called with each new Grade
    and with all submissions that are graded. If the sandbox or the grader itself fails, the Grade
    says so. found_right: remembers exercises from one call to the next, for a student's own work.
    early: called with the Grade of an exercise that failed before its smallest example is sought.
    Raises NoSuchExercise, also if no submission has any of the exercises, and ExerciseBroken.
    """
    wanted, checks = frozenset(exercises), collect()
    grader = Grader(checks, sandbox, wanted, diagnosing, locating, found_right, early)
    gc.freeze()  # so that the collector does not scan torch's thousands of objects every time
    chosen = concerned(submissions, checks, wanted)
    grades: list[Grade] = []
    for submissions_of_one in by_person(chosen):
        for one in of_person(submissions_of_one, grader):
            grades.append(one)
            done(one, chosen)
    return grades


def concerned(
    submissions: Iterable[Submission], checks: Checks, wanted: Collection[str]
) -> list[Submission]:
    """Return the submissions that may have a wanted exercise; all if none is named.

    Raises NoSuchExercise if there is no such exercise, or no such submission.
    """
    checks.assert_known(wanted)
    submissions = list(submissions)
    homes = {home: None for name, home in checks.homes().items() if name in wanted}
    chosen = [one for one in submissions if not wanted or one.assignment in {None, *homes}]
    if submissions and not chosen:
        names = [name for name in checks.homes() if name in wanted]
        raise NoSuchExercise(
            f"There is no submission of {' or '.join(homes)}, which would have "
            f"{' and '.join(names)}. Give the path of its module or notebook."
        )
    return chosen


def of_person(submissions: Iterable[Submission], grader: Grader) -> Iterator[Grade]:
    """Yield the grades of one person's submissions, which share a session.

    If the grader itself fails on one, the others are still graded. Raises CannotLock and
    ExerciseBroken.
    """
    session = Session(grader.sandbox)
    for submission in submissions:
        try:
            yield grader.grade(submission, session)
        except (CannotLock, ExerciseBroken):
            raise
        except Exception as failure:
            session.clear()
            yield grader.needs_staff(submission, wording.failed(failure))
    session.clear()
