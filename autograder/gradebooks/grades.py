"""The results that an export is made of, chosen from the JSON document of `autograder grade`."""

from __future__ import annotations

import argparse
import math
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from autograder.errors import UsageError
from autograder.report.writing import listed, named_path

if TYPE_CHECKING:
    from autograder.classroom.document import Check, Document, Submission

NEEDS_STAFF = "needs_staff"
EMPTY = "{} has no results. Grade somebody first."
OTHERS = "{} has no results of {}, but of {}."
SEVERAL = "{} has results of {}. Say which of them: --assignment NAME."
NOT_ONE = (
    "This format takes one submission, and {} has {}: {}. Say which of them: --submission ID, or "
    "--assignment NAME if all are one person's."
)
NOBODY = "{} has no submission {}, but {}."
TWICE = "{} has two results of {}. Grade each student once, and export that."
IMPOSSIBLE = "{}: {} has {} of {} points, which no grader gives. Grade again, and export that."
NO_SUM = (
    "{}: {} has {} of {} points{}, but {} of {} in all {} together. Grade again, and export that."
)


def add_arguments(parser: argparse.ArgumentParser, out: str, one: bool = False) -> None:
    """Add the arguments that choose results, and --out. one: True for formats of one submission."""
    parser.add_argument(
        "grades",
        type=named_path,
        metavar="GRADES",
        help="what `python -m autograder grade CLASS --json` has printed, in a file",
    )
    parser.add_argument("--assignment", metavar="NAME", help="only the results of this assignment")
    if one:
        parser.add_argument("--submission", metavar="ID", help="only the results of this student")
    parser.add_argument("--out", type=named_path, required=True, metavar="FILE", help=out)


def read(options: argparse.Namespace) -> Document:
    """Return the whole document. Raises UsageError."""
    from autograder.classroom import document as of_grade

    found = of_grade.read(options.grades)
    for one in found.submissions:
        numbers = [(one.score, one.max_score)]
        numbers += [(c.points, c.max_points) for e in one.exercises for c in e.checks]
        for points, most in numbers:
            if not (math.isfinite(most) and 0 <= points <= most):
                raise UsageError(
                    IMPOSSIBLE.format(options.grades, listed([one.submission]), points, most)
                )
        _check_sums(options, one)
    return found


def _check_sums(options: argparse.Namespace, one: Submission) -> None:
    """Raise UsageError if points are not the sum of their parts: somebody has edited them."""
    exercises = [(e.score, e.max_score) for e in one.exercises]
    sums = [((one.score, one.max_score), exercises, "", "exercises")]
    for e in one.exercises:
        checks = [(c.points, c.max_points) for c in e.checks]
        sums.append(((e.score, e.max_score), checks, f" in {listed([e.name])}", "its checks"))
    for points, parts, where, those in sums:
        together = tuple(map(sum, zip(*[(0.0, 0.0), *parts], strict=True)))
        if not all(map(math.isclose, points, together)):
            who = listed([one.submission])
            raise UsageError(NO_SUM.format(options.grades, who, *points, where, *together, those))


def chosen(options: argparse.Namespace, document: Document) -> tuple[Submission, ...]:
    """Return the results of --assignment, or all. Raises UsageError if there are none."""
    found = document.submissions
    if not found:
        raise UsageError(EMPTY.format(options.grades))
    if options.assignment:
        named = _assignments(found)
        found = tuple(one for one in found if one.assignment == options.assignment)
        if not found:
            raise UsageError(OTHERS.format(options.grades, options.assignment, named))
    count = Counter((one.submission, one.assignment) for one in found)
    for (name, _), times in count.items():
        if times > 1:
            raise UsageError(TWICE.format(options.grades, listed([name])))
    return found


def of_class(options: argparse.Namespace, document: Document) -> tuple[Submission, ...]:
    """Return the results of one assignment. Raises UsageError if there are several."""
    found = chosen(options, document)
    if len({one.assignment for one in found if one.assignment}) > 1:
        raise UsageError(SEVERAL.format(options.grades, _assignments(found)))
    return found


def of_one(options: argparse.Namespace, document: Document) -> Submission:
    """Return the result of one submission. Raises UsageError if there are several."""
    found = chosen(options, document)
    if options.submission:
        names = listed([one.submission for one in found])
        found = tuple(one for one in found if one.submission == options.submission)
        if not found:
            wanted = listed([options.submission])
            raise UsageError(NOBODY.format(options.grades, wanted, names))
    if len(found) > 1:
        names = listed([f"{one.submission} ({one.assignment})" for one in found])
        raise UsageError(NOT_ONE.format(options.grades, len(found), names))
    return found[0]


def waits_for_staff(submission: Submission) -> bool:
    """Return whether a person must look before this submission has a grade."""
    broken = any(exercise.status == "error" for exercise in submission.exercises)
    return submission.status == NEEDS_STAFF or broken


def reason(submission: Submission) -> str:
    """Return why a person must look at a submission."""
    checks = [check for exercise in submission.exercises for check in exercise.checks]
    broken = [check.message for check in checks if check.status == "error"]
    return broken[0] if broken else submission.message


def is_earned(check: Check) -> bool:
    """Return whether a check has all its points: it passed, or only waits for another exercise."""
    carried = check.status == "blocked" and check.points == check.max_points > 0
    return check.status == "passed" or carried


def _assignments(found: Sequence[Submission]) -> str:
    return listed(sorted({one.assignment or "no assignment" for one in found}))
