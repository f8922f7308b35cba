"""Tell whose work a command is asked to grade, and which files beside it are not graded."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from autograder import course
from autograder.cli.output import tell_names

if TYPE_CHECKING:
    from autograder.submissions.finding import Submission

LEFT_OUT = (
    "Not graded: {}. If they are other students' submissions, say which assignment it is with "
    "--assignment."
)
LEFT_OUT_OF_SEVERAL = (
    "Not graded: {}. If they are other students' submissions, grade the folder by itself."
)
LEFT_OUT_INSIDE = (
    "Not graded: {}. If they are other students' submissions, unpack them into a folder of their "
    "own, and grade that with --assignment."
)
LEFT_OUT_OF_OWN = (
    "Not graded: {}. In assignments/, only the files named after assignments are graded: copy your "
    "work into these. Grade other people's work in a folder of its own."
)
PASSED_OVER = "Not read: {}. A submission is a module, a notebook, an archive or a folder."


def is_own(paths: Sequence[Path]) -> bool:
    """Return whether this is one person's work, the user's: assignments/, or a form in it.

    Of several paths, and in any other folder or archive, there may be the work of others, wherever
    it lies; also in assignments/ if no form in it is named after an assignment, and wherever a link
    in its place leads.
    """
    own = str(course.assignments_folder())  # which no path without links equals if it is one
    first, *others = (os.path.realpath(path) for path in paths)
    if others or own not in (first, os.path.dirname(first)):
        return False
    return _has_assignments(own) if first == own else _is_form(first)


def is_one_person(paths: Sequence[Path], found: Sequence[Submission]) -> bool:
    """Return whether the submissions found are one person's, not a class's."""
    return len(paths) == 1 and all(one.origin == paths[0] for one in found)


def tell_left_out(
    paths: Sequence[Path], assignment: str | None, found: Sequence[Submission]
) -> bool:
    """Print to stderr which files at the paths are not graded, or not read.

    assignment: the one that the user names. found: the submissions that are graded. Returns whether
    some of the files may be other students' submissions.
    """
    from autograder.grading.fitting import MESSAGE, cut, printable
    from autograder.submissions.files import Unreadable
    from autograder.submissions.finding import passed_over
    from autograder.submissions.folders import is_assignments_folder
    from autograder.submissions.whose import (
        graded_of,
        left_out,
        left_out_inside,
        left_out_of_own,
    )

    one_person = is_one_person(paths, found)
    places = {one.origin for one in found if one.origin}
    if len(paths) > 1:
        looked_into = [path for path in paths if not os.path.islink(path)]
        others = [str(path / name) for path in looked_into for name in left_out(path)]
    elif assignment:
        others = []
    elif one_person:
        others = left_out(paths[0])
    else:
        folders = sorted(path for path in places if os.path.isdir(path))
        others = [f"{path.name}/{name}" for path in folders for name in left_out(path)]
    may_be_others = bool(others)
    if one_person and others:
        graded = graded_of(paths[0], found)  # alone among the others, a file with work counts
        others = [name for name in others if name not in graded]
    inside = left_out_inside(paths[0], found) if one_person else []
    if one_person and is_assignments_folder(paths[0]):
        try:
            tell_names(LEFT_OUT_OF_OWN, left_out_of_own(paths[0], found))
        except Unreadable as problem:
            print(cut(printable(str(problem)), MESSAGE), file=sys.stderr)
    tell_names(LEFT_OUT_INSIDE, inside)
    tell_names(LEFT_OUT_OF_SEVERAL if assignment else LEFT_OUT, others)
    classes = [path for path in paths if os.path.isdir(path) and path not in places]
    tell_names(PASSED_OVER, [name for path in classes for name in passed_over(path, found)])
    return may_be_others or bool(inside)


def _has_assignments(folder: str) -> bool:
    """Return whether a form in a folder is named after an assignment."""
    try:
        names = os.listdir(folder)
    except OSError:  # that it cannot be read is said where it is graded
        return False
    named = (name for name in names if Path(name).stem in course.assignments())
    return any(_is_form(os.path.join(folder, name)) for name in named)


def _is_form(path: str) -> bool:
    """Return whether a path can be that of a module or a notebook."""
    from autograder.submissions.source_text import form

    return not os.path.isdir(path) and bool(form(os.path.basename(path)))
