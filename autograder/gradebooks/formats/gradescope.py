"""Gradescope's results.json of one submission.

Format: Gradescope's autograder specifications, "Output format". A submission that needs staff has
neither a score nor tests, so Gradescope reports a failure of the autograder and no zero.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from autograder.gradebooks import grades
from autograder.gradebooks.exported import Exported, ExportedFile
from autograder.gradebooks.points import exact, written
from autograder.submissions.reports import GENERATOR

if TYPE_CHECKING:
    from autograder.classroom.document import Check, Submission

HELP = "results.json for Gradescope, of one submission"
MARK = f'"generator": "{GENERATOR}"'
UNGRADED = "This submission has no score yet, and loses no points: course staff must look at it. {}"
REMARK = "{} needs staff, so there is no score in {}: {}"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this format to its parser."""
    grades.add_arguments(parser, "the file to write, results.json", one=True)


def export(options: argparse.Namespace) -> Exported:
    """Return results.json. Raises UsageError."""
    document = grades.read(options)
    submission = grades.of_one(options, document)
    if grades.waits_for_staff(submission):
        why = grades.reason(submission)
        said = REMARK.format(submission.submission, options.out, why)
        return Exported((without_score(options.out, why),), (said,), True)
    return Exported((_file(options.out, _results(submission, document.sandbox)),))


def without_score(path: Path, reason: str) -> ExportedFile:
    """Return a results.json that gives no points and takes none, with the reason."""
    return _file(path, {"output": UNGRADED.format(reason).strip()})


def _file(path: Path, results: dict[str, Any]) -> ExportedFile:
    head = {
        "extra_data": {"generator": GENERATOR},  # near the beginning: it is the mark
        "output_format": "text",
        "stdout_visibility": "hidden",
    }
    text = json.dumps(head | results, indent=1, ensure_ascii=False, allow_nan=False)
    return ExportedFile(path, f"{text}\n".encode(), MARK)


def _results(submission: Submission, sandbox: str) -> dict[str, Any]:
    return {
        "score": float(exact(submission.score)),
        "output": _summary(submission, sandbox),
        "test_output_format": "text",
        "test_name_format": "text",
        "tests": [*_tests(submission)],
    }


def _summary(submission: Submission, sandbox: str) -> str:
    if submission.status == "unreadable":
        return f"Nothing could be graded, so there are no points. {submission.message}"
    points, most = (written(exact(one)) for one in (submission.score, submission.max_score))
    said = f"{submission.assignment}: {points} of {most} points. Graded {sandbox}."
    return f"{said}\n{submission.message}".strip()


def _tests(submission: Submission) -> Iterator[dict[str, Any]]:
    for i, exercise in enumerate(submission.exercises, 1):
        for j, check in enumerate(exercise.checks, 1):
            is_said = check.message == submission.message  # of the submission as a whole
            yield _test(exercise.name, f"{i}.{j}", check, "" if is_said else check.message)


def _test(exercise: str, number: str, check: Check, output: str) -> dict[str, Any]:
    return {
        "number": number,
        "name": f"{exercise}: {check.title}",
        "status": "passed" if grades.is_earned(check) else "failed",
        "score": float(exact(check.points)),
        "max_score": float(exact(check.max_points)),
        "output": output,
        "output_format": "text",
        "visibility": "visible" if check.visible else "hidden",
    }
