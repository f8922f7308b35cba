"""Classroom 50's result.json of one submission, written where its runner grades.

Format: the wiki page "Advanced Autograding" of Classroom 50, and validate_result in its runner.py.
The runner says in the environment what is graded. Newer ones write owner, type and times
themselves; older ones want the owner, which is written if the environment has it.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from autograder.errors import UsageError
from autograder.gradebooks import grades
from autograder.gradebooks.exported import Exported, ExportedFile
from autograder.gradebooks.points import exact, written
from autograder.report.writing import listed, named_path
from autograder.submissions.reports import GENERATOR

if TYPE_CHECKING:
    from autograder.classroom.document import Submission

HELP = "result.json for Classroom 50, of one submission"
SCHEMA = "classroom50/result/v1"
MARK = f'"schema": "{SCHEMA}"'
BODY_MARK = f"<!-- {GENERATOR} -->"
VARIABLES = {
    "classroom": "CLASSROOM",
    "assignment": "ASSIGNMENT",
    "submission": "SUBMISSION_TAG",
    "commit": "COMMIT_URL",
    "release": "RELEASE_URL",
}
OWNER = ("OWNER", "USERNAME")
FACTORS = (1, 10, 100)
NO_CONTEXT = (
    "{} must be set in the environment, as the runner of Classroom 50 does. Export there, or set "
    "them."
)
NO_FACTOR = (
    "{} has points that are not whole numbers even if multiplied by 100, and Classroom 50 takes "
    "whole numbers only. Change the points of the checks."
)
MULTIPLIED = "Classroom 50 takes whole numbers only, so all points and maxima are multiplied by {}."
STAFF = "{} needs staff, so no result is written: {}"
UNREADABLE = "The submission can be read"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this format to its parser."""
    grades.add_arguments(parser, "the file to write, result.json", one=True)
    parser.add_argument(
        "--release-body", type=named_path, metavar="FILE", help="also write the text of the release"
    )


def export(options: argparse.Namespace) -> Exported:
    """Return result.json, and the text of the release if wanted; neither if staff must look.

    Raises UsageError.
    """
    submission = grades.of_one(options, grades.read(options))
    if grades.waits_for_staff(submission):
        return Exported((), (STAFF.format(submission.submission, grades.reason(submission)),), True)
    factor = _factor(submission)
    result = _context(os.environ) | _scores(submission, factor)
    text = json.dumps(result, indent=1, ensure_ascii=False, allow_nan=False)
    files = [ExportedFile(options.out, f"{text}\n".encode(), MARK)]
    if options.release_body:
        files.append(ExportedFile(options.release_body, _body(submission).encode(), BODY_MARK))
    return Exported(tuple(files), () if factor == 1 else (MULTIPLIED.format(factor),))


def _context(environment: Mapping[str, str]) -> dict[str, Any]:
    """Return what the runner knows of the submission. Raises UsageError if it is not there."""
    lacking = [name for name in VARIABLES.values() if not environment.get(name)]
    if lacking:
        raise UsageError(NO_CONTEXT.format(listed(lacking)))
    found = {"schema": SCHEMA} | {key: environment[name] for key, name in VARIABLES.items()}
    found["review"] = environment.get("REVIEW_URL") or found["commit"]
    found["datetime"] = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    owner = next((environment[name] for name in OWNER if environment.get(name)), None)
    return found | ({"owner": owner} if owner else {})


def _scores(submission: Submission, factor: int) -> dict[str, Any]:
    tests = [*_tests(submission, factor)]
    return {
        "score": sum(test["score"] for test in tests),
        "max-score": sum(test["max-score"] for test in tests),
        "tests": tests,
    }


def _tests(submission: Submission, factor: int) -> Iterator[dict[str, Any]]:
    if not submission.exercises:  # no test at all would count as a success
        yield {"test-name": UNREADABLE, "passed": False, "score": 0, "max-score": 1}
    for exercise in submission.exercises:
        for check in exercise.checks:
            yield {
                "test-name": f"{exercise.name}: {check.title}",
                "passed": grades.is_earned(check),
                "score": int(exact(check.points) * factor),
                "max-score": int(exact(check.max_points) * factor),
            }


def _factor(submission: Submission) -> int:
    """Return by what points are multiplied to be whole numbers. Raises UsageError if by none."""
    checks = [check for exercise in submission.exercises for check in exercise.checks]
    numbers = [exact(points) for check in checks for points in (check.points, check.max_points)]
    for factor in FACTORS:
        if all((number * factor).denominator == 1 for number in numbers):
            return factor
    raise UsageError(NO_FACTOR.format(submission.assignment))


def _body(submission: Submission) -> str:
    """Return a table of the exercises in Markdown."""
    lines = [BODY_MARK, "", "| exercise | | points |", "|---|---|---|"]
    for one in submission.exercises:
        lines.append(f"| `{one.name}` | {one.status} | {_of(one.score, one.max_score)} |")
    if not submission.exercises:
        lines = [BODY_MARK, "", "Nothing of the submission could be graded."]
    return "\n".join([*lines, ""])


def _of(points: float, most: float) -> str:
    earned, whole = (written(exact(one)) for one in (points, most))
    return f"{earned} of {whole}"
