"""Decide in which of a student's folders, or outside of them, lies what counts for an assignment.

The folders are those with the names of assignments, in the student's own.
"""

from __future__ import annotations

import os
from pathlib import Path

from autograder.course import assignments
from autograder.submissions import choosing
from autograder.submissions.files import Unreadable
from autograder.submissions.folders import (
    DEPTH,
    check_count,
    check_listed,
    check_plain,
    is_folder,
    listed,
    may_be_handed_in,
)
from autograder.submissions.submission_files import SubmissionFiles


def whole(folder: Path, outside: SubmissionFiles) -> SubmissionFiles:
    """Return all of a student's files. outside: those in no folder of an assignment.

    Raises Unreadable.
    """
    found = {name: outside.whereabouts(name) for name in outside.names(lambda name: True)}
    for one in filter(lambda one: is_folder(folder / one), assignments()):
        check_listed(folder / one)
        found |= {f"{one}/{name}": path for name, path in listed(folder / one, DEPTH).items()}
    return SubmissionFiles(folder, found)


def anywhere(files: SubmissionFiles, outside: SubmissionFiles, assignment: str) -> SubmissionFiles:
    """Open what counts among all of a student's files, see `whole`. Raises Unreadable.

    If none is named after the assignment or holds work, see `in_its_place`.
    """
    found = choosing.unpacked(files, assignment)
    if found is not files or files.forms(assignment):
        return found
    is_apart = os.path.lexists(files.place / assignment) or not outside.names(may_be_handed_in)
    if is_apart and not choosing.has_work(files, assignment):
        return in_its_place(files.place, outside, assignment)
    return files


def in_its_place(folder: Path, outside: SubmissionFiles, assignment: str) -> SubmissionFiles:
    """Open the folder of an assignment in a student's, or else what is outside. Raises Unreadable.

    An empty folder counts only if nothing is outside.
    """
    own = folder / assignment
    has_more = bool(outside.names(may_be_handed_in))
    if os.path.lexists(own) and not (has_more and _is_empty(own)):
        return opened(own, assignment)
    there = next((name for name in assignments() if os.path.isdir(folder / name)), "")
    if there and not has_more:
        raise Unreadable(
            f"{folder} has a folder {there}, but none for {assignment}: nothing was handed in."
        )
    return choosing.unpacked(outside, assignment)


def _is_empty(folder: Path) -> bool:
    """Return whether nothing in a folder may be handed in."""
    return os.path.isdir(folder) and not SubmissionFiles(folder, own=True).names(may_be_handed_in)


def opened(folder: Path, assignment: str) -> SubmissionFiles:
    """Open the folder of an assignment. Raises Unreadable."""
    check_plain(folder, "Hand in the folder itself, or a .py or .ipynb file.")
    check_count(folder)
    return choosing.opened(folder, assignment)
