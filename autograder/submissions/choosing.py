"""Choose which of a student's files counts, in a folder for one assignment."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from pathlib import Path

from autograder.course import DEFINED, assignments, skeleton
from autograder.submissions import archives
from autograder.submissions.files import Unreadable
from autograder.submissions.folders import check_folder, may_be_handed_in
from autograder.submissions.kinds import unread
from autograder.submissions.names import CHECKPOINT, is_exactly, normalised
from autograder.submissions.source_text import form, stem
from autograder.submissions.submission_files import SubmissionFiles

MOST = 40  # files that are read to find out which of them imports the others


def opened(folder: Path, assignment: str) -> SubmissionFiles:
    """Open a folder for one assignment, or the archive in it that counts. Raises Unreadable."""
    check_folder(folder)
    return unpacked(SubmissionFiles(folder, own=True), assignment)


def unpacked(files: SubmissionFiles, assignment: str) -> SubmissionFiles:
    """Return the files of one person, or those in the archive that counts. Raises Unreadable.

    An archive counts if it is named after the assignment, or if there is nothing else, other than
    the assignment's own files as they were released.
    """
    released = files.forms(assignment)
    there = [name for name in files.names(may_be_handed_in) if name not in released]
    named = packed(files, assignment)
    chosen = named or files.names(archives.is_archive)
    if not chosen or files.edited(assignment):
        return files
    if len(chosen) == 1 and (named or len(there) == 1):
        inside = SubmissionFiles.unpacked(files.place / chosen[0])
        return inside if inside.edited(assignment) or not released else files
    if released:
        return files
    raise _undecided(files.place, there, assignment)


def packed(files: SubmissionFiles, assignment: str) -> list[str]:
    """Return the archives that are named after an assignment."""
    there = files.names(archives.is_archive)
    stems = {name: archives.stem(name.rpartition("/")[2]) for name in there}
    return [name for name in there if normalised(stems[name]) == assignment]


def forms(files: SubmissionFiles, assignment: str) -> list[str]:
    """Return the files of an assignment's name, or else the one that counts. Raises Unreadable."""
    if other := instead(files, assignment):
        return [other]
    return files.forms(assignment) or [candidate(files, assignment)]


def instead(files: SubmissionFiles, assignment: str) -> str:
    """Return the file that counts in place of the assignment's own as they were released, or "".

    It defines one of the exercises. Raises Unreadable if several files may be meant.
    """
    if not files.forms(assignment) or files.edited(assignment):
        return ""
    names = [name for name in files.names() if _may_count(name)][:MOST]
    return candidate(files, assignment) if _defining(files, names, assignment) else ""


def candidate(files: SubmissionFiles, assignment: str) -> str:
    """Return the file that counts although none has the assignment's name. Raises Unreadable.

    It is the only one that no other imports, or the only notebook. Files that define none of the
    exercises, such as tests of the one that does, count only if none does.
    """
    names = [name for name in files.names() if _may_count(name)]
    if len(names) > MOST:
        names = [name for name in names if form(name) == ".ipynb"] or names
    if len(names) > MOST:
        raise _undecided(files.place, names, assignment)
    names = _defining(files, names, assignment) or names
    names = files.edited_of(names, assignment) or names
    imported = {own for name in names for own in own_modules(files, name).values()}
    names = [name for name in names if name not in imported] or names  # all may import each other
    notebooks = [name for name in names if form(name) == ".ipynb"]
    match names if len(names) == 1 else notebooks:  # modules may belong to a notebook
        case [only]:
            return only
    raise _undecided(files.place, names, assignment) if names else _nothing(files, assignment)


def _defining(files: SubmissionFiles, names: Iterable[str], assignment: str) -> list[str]:
    """Return those of the files that define an exercise of an assignment."""
    exercises = frozenset(DEFINED.findall(skeleton(assignment)))
    return [name for name in names if files.binds(name, exercises)]


def own_modules(files: SubmissionFiles, name: str) -> dict[str, str]:
    """Return the own modules that a file imports; none if it cannot be read."""
    with contextlib.suppress(Unreadable):
        return files.own_modules(name)
    return {}


def _may_count(name: str) -> bool:
    """Return whether a file is no checkpoint and not named after any assignment."""
    own = name.rpartition("/")[2]
    is_named = any(is_exactly(own, other) for other in assignments())
    return not is_named and not stem(name).endswith(CHECKPOINT)


def _undecided(place: Path, names: Iterable[str], assignment: str) -> Unreadable:
    shown = ", ".join(sorted(names)[:3])
    return Unreadable(
        f"{place} holds several files ({shown}). Name the one that counts {assignment}.py, or "
        f"{assignment}.ipynb if it is a notebook."
    )


def _nothing(files: SubmissionFiles, assignment: str) -> Unreadable:
    for name in files.names(lambda name: bool(unread(name))):
        return Unreadable(f"{files.place / name} {unread(name)}")
    if checkpoints := [name for name in files.names() if stem(name).endswith(CHECKPOINT)]:
        return Unreadable(
            f"{files.place / checkpoints[0]} is a checkpoint, which Jupyter saves automatically. "
            "Hand in the notebook itself."
        )
    return Unreadable(
        f"{files.place} holds no submission: expected {assignment}.py, or a notebook of that name."
    )
