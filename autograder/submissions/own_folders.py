"""Decide in which of a student's folders, or outside of them, lies what counts for an assignment.

The folders are those with the names of assignments, in the student's own.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from autograder.course import assignments
from autograder.submissions import choosing
from autograder.submissions.files import Unreadable
from autograder.submissions.folders import (
    DEPTH,
    check_plain,
    is_folder,
    listed,
    may_be_handed_in,
)
from autograder.submissions.submission_files import SubmissionFiles


def anywhere(folder: Path, assignment: str, outside: SubmissionFiles) -> SubmissionFiles:
    """Open what counts in a student's folder, wherever it lies. Raises Unreadable.

    outside: the files in no folder of an assignment. If nothing holds work, see `in_its_place`.
    """
    found = {name: outside.whereabouts(name) for name in outside.names(lambda name: True)}
    for one in filter(lambda one: is_folder(folder / one), assignments()):
        found |= {f"{one}/{name}": path for name, path in listed(folder / one, DEPTH).items()}
    whole = SubmissionFiles(folder, found)
    files = choosing.unpacked(whole, assignment)
    if files is not whole:
        return files
    if not choosing.has_work(whole, assignment):
        return in_its_place(folder, assignment, outside)
    places = {name.partition("/")[0] for name in choosing.forms(whole, assignment)}
    if places == {assignment}:
        return SubmissionFiles(folder / assignment, own=True)
    return whole if places & {*assignments()} else outside


def in_its_place(folder: Path, assignment: str, outside: SubmissionFiles) -> SubmissionFiles:
    """Open the folder of an assignment in a student's, or what is outside. Raises Unreadable.

    The folder counts, unless only something outside holds work, or can be graded at all.
    """
    own = folder / assignment
    places: list[Callable[[], SubmissionFiles]] = []
    if os.path.lexists(own):
        places.append(lambda: opened(own, assignment))
    if outside.names(may_be_handed_in):
        places.append(lambda: choosing.unpacked(outside, assignment))
    if not places:
        there = next(name for name in assignments() if os.path.isdir(folder / name))
        raise Unreadable(
            f"{folder} has a folder {there}, but none for {assignment}: nothing was handed in."
        )
    is_empty = os.path.isdir(own) and not SubmissionFiles(own, own=True).names(may_be_handed_in)
    first, *others = reversed(places) if is_empty else places
    found = first()
    for open_other in others:
        try:
            other = open_other()
        except Unreadable:  # nothing is known of it
            continue
        if not choosing.has_work(found, assignment) and choosing.has_work(other, assignment):
            return other
    return found


def opened(folder: Path, assignment: str) -> SubmissionFiles:
    """Open the folder of an assignment. Raises Unreadable."""
    check_plain(folder, "Hand in the folder itself.")
    return choosing.opened(folder, assignment)
