"""`python -m autograder class`: show where a class stands.

Its results come from a class's folder, which is graded, from a document that `grade --json` has
printed, or from nbgrader's course.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from autograder import course
from autograder.cli import grade as grade_verb
from autograder.cli import grade_options, typed
from autograder.errors import UsageError
from autograder.report.codes import FAILED, OK

if TYPE_CHECKING:
    from autograder.classroom.document import Submission

NBGRADER = course.root() / "build" / "course"
NO_CLASS = "{} is no class: name its folder, or NAME.json that grade CLASS --json has printed."
WHICH = "Say which assignment of nbgrader's course: make class ASSIGNMENT=name, one of {}."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this verb to its parser."""
    parser.add_argument(
        "path",
        type=typed.path,
        nargs="?",
        help="the folder of a class, or the document of `grade --json`, a file NAME.json; without "
        "it, nbgrader's course",
    )
    parser.add_argument("--assignment", choices=course.assignments(), metavar="NAME")
    parser.add_argument(
        "--out", type=typed.path, metavar="FOLDER", help="where (default build/class)"
    )
    parser.add_argument("--no-names", action="store_true", help="leave out the ids of students")


def run(options: argparse.Namespace) -> int:
    """Write the pages of a class. Returns the exit code. Raises UsageError, CannotWrite."""
    path: Path | None = options.path
    folder = options.out or course.root() / "build" / "class"
    if path is None:
        return _of_nbgrader(options.assignment, folder, options)
    if path.suffix.lower() == ".json":
        from autograder.classroom import document

        found = document.read(path).submissions
        chosen = [one for one in found if options.assignment in (None, one.assignment)]
        _write(chosen, folder, options)
        return OK
    if path.is_file():
        raise UsageError(NO_CLASS.format(path))
    parser = argparse.ArgumentParser()
    grade_options.add_arguments(parser)
    wanted = [f"--assignment={options.assignment}"] if options.assignment else []
    grading = parser.parse_args([*wanted, "--overview", str(folder), "--", str(path)])
    grading.no_names, grading.opening = options.no_names, options.opening
    grading.arguments = options.arguments
    return grade_verb.run(grading)


def _write(submissions: Iterable[Submission], folder: Path, options: argparse.Namespace) -> None:
    from autograder.overview.folder import write

    for line in write(submissions, folder, not options.no_names):
        print(line, file=sys.stderr)


def _of_nbgrader(assignment: str | None, folder: Path, options: argparse.Namespace) -> int:
    from autograder.nbgrader.commands import results_of_class

    if assignment is None:
        raise UsageError(WHICH.format(", ".join(course.assignments())))
    found = results_of_class(NBGRADER, assignment)
    if found.message:
        print(found.message, file=sys.stderr)
    _write(found.submissions, folder, options)
    return FAILED if found.without else OK
