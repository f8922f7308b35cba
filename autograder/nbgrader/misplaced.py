"""Find what may be work for an assignment, but lies where nbgrader does not look for it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from autograder.course import assignments
from autograder.runtime.own_files import PACKAGE
from autograder.submissions import archives, choosing
from autograder.submissions.files import Unreadable, in_time
from autograder.submissions.kinds import unread
from autograder.submissions.names import normalised
from autograder.submissions.origins import Origins
from autograder.submissions.submission_files import SubmissionFiles


def misplaced(place: Path, files: Mapping[str, Path], assignment: str) -> list[str]:
    """Return which of one person's files outside of an assignment's folder may be work for it.

    Something in its name or that of its folder is nearly the assignment's, or else it is about no
    other one; and it holds work, or cannot be read. If looking into them takes too long, all of
    these names are returned.
    """
    try:
        with in_time(place):
            return _with_work(SubmissionFiles(place, files), assignment)
    except Unreadable:
        return next(filter(None, _by_name(files, assignment)), [])


def _with_work(files: SubmissionFiles, assignment: str) -> list[str]:
    """Return the files that `misplaced` returns. The kit's own, as in a copy of it, are none."""
    for names in _by_name(files.names(lambda name: True), assignment):
        if found := [name for name in names if _may_hold_work(files, name, assignment)]:
            return found
    return []


def _by_name(names: Iterable[str], assignment: str) -> tuple[list[str], list[str]]:
    """Return the names that are about an assignment, and those that are about none."""
    about = {name: {_about(part) for part in name.split("/")} for name in names}
    named = [name for name, known in about.items() if assignment in known]
    return named, [name for name, known in about.items() if not any(known)]


def _about(name: str) -> str:
    """Return the assignment that the name of a file or folder contains, or ""."""
    plain = normalised(archives.stem(name))
    return next((one for one in assignments() if one.casefold() in plain), "")


def _may_hold_work(files: SubmissionFiles, name: str, assignment: str) -> bool:
    """Return whether a file holds work, itself or in what it imports, or cannot be read."""
    if archives.is_archive(name):
        return _may_be_packed(files.whereabouts(name), assignment)
    if unread(name):
        return True
    if not files.is_readable(name):
        return name.rpartition("/")[2] != PACKAGE  # which is often empty
    return bool(files.holds_work(name, assignment) or Origins(files, assignment).of(name))


def _may_be_packed(archive: Path, assignment: str) -> bool:
    """Return whether an archive has work in it, or a file that cannot be read, or is none."""
    try:
        return bool(_with_work(choosing.opened_archive(archive, assignment), assignment))
    except Unreadable:
        return True
