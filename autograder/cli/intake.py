"""`python -m autograder intake`: make a class's folder from a download of submissions."""

from __future__ import annotations

import argparse
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from autograder.cli import typed
from autograder.cli.output import tell_names
from autograder.report.codes import OK
from autograder.report.streams import say

if TYPE_CHECKING:
    from autograder.downloads.taking import Taken

PLATFORMS = ("canvas", "moodle", "gradescope")
REFUSED = "Not taken in, so that the folder is empty: {}: {}"
TYPED = "Typed into a form, which is not graded, by: {}."
UNSURE = (
    "These may be another student's, since a name can end with a number: {}. If so, rename them in "
    "the download, and take it in again."
)
UNLISTED = "Not in the roster, and kept under what the website calls them: {}."
ABSENT = "In the roster, but not in the download: {}."
LEFT_OUT = "Not taken in, since the name says nothing of a student: {}."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this verb to its parser."""
    parser.add_argument(
        "download", type=typed.path, help="a zip archive from the website, or the folder in it"
    )
    parser.add_argument(
        "--out", type=typed.path, required=True, metavar="CLASS", help="where to write the class"
    )
    parser.add_argument(
        "--roster",
        type=typed.path,
        metavar="FILE",
        help="a CSV table with the column id and one of canvas, moodle, gradescope, email and name",
    )
    parser.add_argument(
        "--platform", choices=PLATFORMS, help="the website, if it is not recognised by itself"
    )


def run(options: argparse.Namespace) -> int:
    """Write the class's folder. Returns the exit code. Raises UsageError, CannotWrite."""
    from autograder.classroom import roster
    from autograder.downloads.taking import take_in

    known = roster.read(options.roster) if options.roster else None
    taken = take_in(options.download, options.out, known, options.platform)
    _tell(taken)
    say("".join(f"{line}\n" for line in _lines(taken, options.out)))
    return OK


def _tell(taken: Taken) -> None:
    """Print to stderr what needs a look."""
    from autograder.grading.fitting import MESSAGE, cut, printable

    for student, reason in sorted(taken.refused.items()):
        print(cut(printable(REFUSED.format(student, reason)), MESSAGE), file=sys.stderr)
    tell_names(TYPED, taken.typed)
    tell_names(UNSURE, taken.unsure)
    tell_names(LEFT_OUT, taken.left_out)
    tell_names(UNLISTED, taken.unlisted)
    tell_names(ABSENT, taken.absent)


def _lines(taken: Taken, folder: Path) -> list[str]:
    """Return what was done, and what comes next."""
    from autograder.downloads.websites import TITLES

    title, students = TITLES[taken.platform], _count(len(taken.students), "student")
    said = f"took in {students} with {_count(taken.files, 'file')} from {title}: {folder}"
    if not taken.changes:
        place = shlex.quote(str(folder))
        return [said, f"Next: python -m autograder grade {place} --assignment NAME"]
    kinds = ("new", "changed", "gone")
    lines = [f"  {one}: {', '.join(ids)}" for one in kinds if (ids := getattr(taken.changes, one))]
    return [said, *lines, f"  unchanged: {len(taken.changes.same)}"]


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'s' * (number != 1)}"
