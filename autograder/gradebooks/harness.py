"""Grade one submission in Gradescope's container: `run_autograder` calls this.

Gradescope's autograder specifications: the submission is in /autograder/submission, the result goes
to /autograder/results/results.json. Set AUTOGRADER_PREFIX to use another folder than /autograder.
There is always a result; where nothing could be graded, it gives no points and takes none.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from autograder import whole_file
from autograder.errors import UsageError
from autograder.gradebooks.exported import Exported, ExportedFile
from autograder.gradebooks.formats import gradescope
from autograder.report.codes import FAILED, OK, complain
from autograder.report.writing import CannotWrite, telling
from autograder.sandbox.doctor import features

PREFIX = "AUTOGRADER_PREFIX"
NAME = "submission"  # of the student, which no report shows
SHOWN = "your upload"  # in place of a path of the container
CANNOT_LOCK = (
    "This container cannot lock in students' code ({}), so nothing was run: grade on a machine on "
    "which `make doctor` finds nothing missing, or build the archive with --unlocked if you trust "
    "all students."
)
FAILURE = "The grader could not grade it; the output of the autograder says why."
STOPPED = "Signal {} stopped the grader."
UNREADABLE = "The submission's files could not be copied ({})."


def main(arguments: Sequence[str] | None = None) -> int:
    """Grade the submission and write results.json. Returns the exit code."""
    parser = argparse.ArgumentParser(prog="run_autograder")
    parser.add_argument("--assignment", required=True)
    parser.add_argument("--course", default=None)
    parser.add_argument("--unlocked", action="store_true")
    options = parser.parse_args(arguments)
    prefix = Path(os.environ.get(PREFIX) or "/autograder")
    out = prefix / "results" / "results.json"
    with tempfile.TemporaryDirectory() as folder:
        exported = _graded(options, prefix / "submission", Path(folder), out)
    try:
        for file in exported.files:
            _replace(file)
    except CannotWrite as problem:
        return complain(problem)
    for remark in exported.remarks:
        print(remark)
    return FAILED if exported.needs_staff else OK


def _replace(file: ExportedFile) -> None:
    """Write a file in place of whatever lies there: nobody else may write a result.

    No link is followed. Raises CannotWrite.
    """
    with telling(file.path):
        file.path.parent.mkdir(parents=True, exist_ok=True)
        if file.path.is_dir() and not file.path.is_symlink():
            shutil.rmtree(file.path)
        whole_file.write(file.path, file.content)


def _graded(options: argparse.Namespace, submitted: Path, folder: Path, out: Path) -> Exported:
    """Grade a submission as the only one of a class, and return its results.json.

    It runs unlocked only if the container cannot lock and the instructor has chosen that.
    """
    try:
        shutil.copytree(submitted, folder / "class" / NAME, symlinks=True)
    except (OSError, shutil.Error) as problem:
        return _ungraded(out, UNREADABLE.format(problem))
    missing = [feature for feature in features() if not feature.works]
    for feature in missing:
        print(f"{feature.name}: {feature.text}", flush=True)
    if missing and not options.unlocked:
        return _ungraded(out, CANNOT_LOCK.format(missing[0].name))
    grades = folder / "grades.json"
    code = _grade(options, folder / "class", grades, locked=not missing)
    own = str(folder / "class" / NAME)
    grades.write_bytes(grades.read_bytes().replace(own.encode(), SHOWN.encode()))
    parser = argparse.ArgumentParser()
    gradescope.add_arguments(parser)
    try:
        return gradescope.export(parser.parse_args(["--out", str(out), str(grades)]))
    except UsageError as problem:
        if code < 0:
            print(STOPPED.format(-code))
        elif code == OK:  # else the grader has said why it wrote no document
            print(problem)
        return _ungraded(out, FAILURE)


def _grade(options: argparse.Namespace, submitted: Path, grades: Path, locked: bool) -> int:
    """Write the JSON document of a class; where grading fails, one that cannot be read.

    Returns the exit code.
    """
    course = ["--course", options.course] if options.course else []
    lock = "--locked" if locked else "--unlocked"
    grade = ["grade", str(submitted), "--assignment", options.assignment, "--json", lock]
    with grades.open("wb") as file:
        command = [sys.executable, "-m", "autograder", *course, *grade]
        return subprocess.run(command, stdout=file).returncode


def _ungraded(out: Path, reason: str) -> Exported:
    return Exported((gradescope.without_score(out, reason),), (reason,), True)


if __name__ == "__main__":
    sys.exit(main())
