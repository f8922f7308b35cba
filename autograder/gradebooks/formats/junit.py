"""A JUnit report of all checks, as GitLab, GitHub's actions and Jenkins show it.

Format: junit-10.xsd of Jenkins's xunit plugin, which pytest calls xunit2. A student's mistake is a
failure, as is what is missing; the grader's own is an error; what waits for another exercise is
skipped. GitLab takes 30 MB for a report, and drops tests with the same name.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING

from autograder import course
from autograder.errors import MachineError, UsageError
from autograder.gradebooks import grades
from autograder.gradebooks.exported import Exported, ExportedFile
from autograder.grading.fitting import printable
from autograder.report.writing import listed
from autograder.submissions.reports import GENERATOR

if TYPE_CHECKING:
    from junitparser import Error, Failure, Skipped, TestCase, TestSuite

    from autograder.classroom.document import Check, Submission

    Kind = type[Error] | type[Failure] | type[Skipped]

HELP = "a JUnit report of the checks, for GitLab, GitHub and Jenkins"
MARK = f"<!-- {GENERATOR} -->"
MOST = 30_000_000  # bytes
LIMITS = (2000, 200, 0)  # characters of a message, until the report is small enough
WHOLE = "Nothing of the submission could be graded."
STAFF = "The grader failed, so staff must look at this submission."
NO_PARSER = (
    "junit needs junitparser. Install it: .venv/bin/pip install '.[export]' in the kit's folder."
)
CUT = "The report would have more than {} bytes, so each message was cut to {} characters."
TOO_LARGE = "The report would have more than {} bytes. Export fewer students at a time."
NEEDS_STAFF = "An error in the report, since it needs staff: {}."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this format to its parser."""
    grades.add_arguments(parser, "the file to write, which must end in .xml for GitLab")


def export(options: argparse.Namespace) -> Exported:
    """Return the report. Raises UsageError, and MachineError without junitparser."""
    if not find_spec("junitparser"):
        raise MachineError(NO_PARSER)
    submissions = grades.chosen(options, grades.read(options))
    waiting = [one.submission for one in submissions if grades.waits_for_staff(one)]
    said = [NEEDS_STAFF.format(listed(waiting))] if waiting else []
    for limit in LIMITS:
        report = _report(submissions, limit)
        if len(report) <= MOST:
            if limit < LIMITS[0]:
                said.append(CUT.format(MOST, limit))
            return Exported((ExportedFile(options.out, report, MARK),), tuple(said), bool(waiting))
    raise UsageError(TOO_LARGE.format(MOST))


def _report(submissions: Sequence[Submission], limit: int) -> bytes:
    from junitparser import JUnitXml

    report = JUnitXml(course.declared().title)
    suites = [_suite(one, limit) for one in submissions]
    for suite in suites:
        report.append(suite)
    # Not by update_statistics(): it adds an attribute that the format does not have.
    report.tests = sum(suite.tests for suite in suites)
    report.failures = sum(suite.failures for suite in suites)
    report.errors = sum(suite.errors for suite in suites)
    made: bytes = report.tostring()
    return f"{MARK}\n".encode() + made


def _suite(submission: Submission, limit: int) -> TestSuite:
    from junitparser import TestSuite

    suite = TestSuite(f"{submission.submission} {submission.assignment or ''}".strip())
    suite.add_testcases([*_cases(submission, limit)])
    return suite


def _cases(submission: Submission, limit: int) -> Iterator[TestCase]:
    from junitparser import Error, Failure

    message = submission.message[:limit]
    if not submission.exercises:  # no test at all would be a success
        if grades.waits_for_staff(submission):
            yield _case(submission, (), Error, "error", STAFF, message)
        else:
            yield _case(submission, (), Failure, submission.status, WHOLE, message)
    for exercise in submission.exercises:
        for check in exercise.checks:
            yield _of_check(submission, exercise.name, check, limit)


def _of_check(submission: Submission, exercise: str, check: Check, limit: int) -> TestCase:
    from junitparser import Error, Failure, Skipped

    kinds: dict[str, Kind] = {
        "failed": Failure,
        "missing": Failure,
        "blocked": Skipped,
        "error": Error,
    }
    kind = kinds.get(check.status)
    title = check.title if check.visible else f"{check.title} (hidden)"
    named = (exercise, check.name)
    return _case(submission, named, kind, check.status, title, check.message[:limit])


def _case(
    submission: Submission,
    names: tuple[str, ...],
    kind: Kind | None,
    status: str,
    title: str,
    message: str,
) -> TestCase:
    """Return a test, with a name that no other one has. kind: of its result, None if it passed."""
    from junitparser import TestCase

    case = TestCase(
        printable(" ".join((submission.submission, *names))), submission.assignment or ""
    )
    if kind:
        result = kind(printable(f"{status}: {title}"), status)
        result.text = printable(message)
        case.result = result
    return case
