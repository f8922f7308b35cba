"""Open a student's folder that may have a folder for each assignment, as nbgrader keeps them.

Where nbgrader keeps them, that of the assignment counts alone. Elsewhere all of them and what is
outside are one tree, as in an archive.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from functools import partial
from pathlib import Path

from autograder.course import assignments
from autograder.submissions import archives, choosing, own_folders
from autograder.submissions.earlier import Open, Surroundings, with_earlier
from autograder.submissions.folders import (
    DEPTH,
    check_folder,
    check_listed,
    is_assignments_folder,
    is_folder,
    listed,
)
from autograder.submissions.names import is_about, is_exactly
from autograder.submissions.source_text import form
from autograder.submissions.submission import absolute
from autograder.submissions.submission_files import SubmissionFiles

SUBMITTED = "submitted"  # the folder of all students' folders, as nbgrader calls it


class _Around(SubmissionFiles):
    """The files around a folder for an assignment, of which some may be other people's.

    What could be graded by itself cannot be imported, except as an assignment.
    """

    @property
    def _is_shared(self) -> bool:
        return True


def around(path: Path, is_alone: bool) -> SubmissionFiles:
    """Return the files around a file in the folder of its assignment, which it may import.

    Earlier assignments are in their own folders, or beside them. In submitted/, as nbgrader calls
    it, all folders of assignments are one person's. is_alone: leave out files in none of them.
    """
    place = absolute(path).parent.parent
    files = _in_folders(place, listed(place, DEPTH))
    if is_in_submitted(place):
        return SubmissionFiles(place, {name: files[name] for name in files if _is_inside(name)})
    is_near = _is_inside if is_alone else _is_near
    return _Around(place, {name: one for name, one in files.items() if is_near(name)})


def _is_inside(name: str) -> bool:
    """Return whether a file is in the folder of an assignment."""
    folder, slash, _ = name.partition("/")
    return bool(slash) and folder in assignments()


def _is_near(name: str) -> bool:
    """Return whether a file can be its person's earlier assignment, or is none at all."""
    own = name.rpartition("/")[2]
    is_beside = own == name or _is_inside(name)
    return is_beside or not any(is_exactly(own, one) or is_about(own, one) for one in assignments())


def top(folder: Path) -> Path:
    """Return the folder that holds all assignments of the student with a notebook in this one."""
    return folder.parent if folder.name in assignments() else folder


def beside(folder: Path, assignment: str) -> tuple[SubmissionFiles, str]:
    """Return the modules and notebooks that a notebook in this folder can import, and its name.

    In assignments/, those of assignments are the ones that `make grade` grades.
    """
    place, name = top(folder), name_beside(folder, assignment)
    if is_assignments_folder(place):
        return SubmissionFiles(place), name
    found = {name: path for name, path in listed(place, DEPTH).items() if form(name)}
    return SubmissionFiles(place, found if place == folder else _in_folders(place, found)), name


def name_beside(folder: Path, assignment: str) -> str:
    """Return the name of an assignment's notebook among the files beside one in this folder."""
    is_flat = top(folder) == folder or is_assignments_folder(top(folder))
    return f"{assignment}.ipynb" if is_flat else f"{assignment}/{assignment}.ipynb"


def _in_folders(place: Path, files: Mapping[str, Path]) -> dict[str, Path]:
    """Return files without those of an assignment that are outside its folder, if it has one."""
    folders = [one for one in assignments() if is_folder(place / one)]
    outside = [one for one in files if "/" not in one and any(is_exactly(one, f) for f in folders)]
    return {name: path for name, path in files.items() if name not in outside}


def around_folder(folder: Path) -> tuple[Path, list[str]]:
    """Return the folder of the student whose folder for an assignment this is.

    Also returns the entries in it that may be another's: all except the folders of assignments.
    Raises Unreadable.
    """
    place = absolute(folder).parent
    check_folder(place)
    return place, [entry.name for entry in os.scandir(place) if entry.name not in assignments()]


def is_there(files: SubmissionFiles, assignment: str) -> bool:
    """Return whether a person's files have one of this assignment, or work in a folder of its name.

    Of an archive, its name or folder tells what is in it.
    """
    if files.forms(assignment) or choosing.packed(files, assignment):
        return True
    inside = files.names(lambda name: bool(form(name)) and assignment in name.split("/")[:-1])
    return any(files.holds_work(name, assignment) for name in inside)


def all_there(folder: Path, without: Collection[str] = ()) -> list[str]:
    """Return the assignments of which something is in a student's folder, see `is_there`.

    without: entries of the folder that are not the student's.
    """
    files = _outside(folder, without)
    if not is_in_submitted(folder):
        files = own_folders.whole(folder, files)
    found = (one for one in assignments() if os.path.lexists(folder / one) or is_there(files, one))
    return [*found]


def counts_alone(folder: Path, assignment: str) -> bool:
    """Return whether the folder of an assignment counts alone, as nbgrader collects it."""
    return is_in_submitted(folder) and os.path.lexists(folder / assignment)


def opened(
    folder: Path, assignment: str, without: Collection[str] = (), is_alone: bool = False
) -> SubmissionFiles:
    """Open what counts for an assignment in a student's folder. Raises Unreadable.

    without: as for `all_there`. is_alone: the folder of the assignment counts alone, as in
    submitted/, where nbgrader collects each by itself; so do those of earlier ones.
    """
    check_folder(folder)
    is_alone = is_alone or counts_alone(folder, assignment)
    if not (is_alone or without):  # those may be others'
        check_listed(folder)
    outside = SubmissionFiles(folder, {}) if is_alone else _outside(folder, without)
    if is_alone or is_in_submitted(folder):
        files, own = outside, partial(own_folders.in_its_place, folder, outside)
    else:
        files = own_folders.whole(folder, outside)
        own = partial(own_folders.anywhere, files, outside)
    submitted = own(assignment)
    if submitted.place == folder:
        return with_earlier(submitted, assignment, own)
    inside = _inside(submitted, assignment, folder)
    together = [_opener(one) for one in ([inside] if inside is submitted else [submitted, inside])]
    return with_earlier(
        submitted, assignment, own, Surroundings([inside, files], together, [outside, inside])
    )


def opened_archive(path: Path, assignment: str) -> SubmissionFiles:
    """Open what counts for an assignment in an archive, with earlier work in it. Raises Unreadable.

    The archive is one person's and takes the place of a folder.
    """
    files = choosing.opened_archive(path, assignment)
    return with_earlier(files, assignment, _opener(files))


def opened_files(files: SubmissionFiles, assignment: str) -> SubmissionFiles:
    """Open what counts for an assignment among one person's files. Raises Unreadable."""
    own = partial(choosing.unpacked, files)
    submitted = own(assignment)
    if submitted is files:
        return with_earlier(submitted, assignment, own)
    return with_earlier(submitted, assignment, own, Surroundings([], [_opener(submitted)], [files]))


def _opener(files: SubmissionFiles) -> Open:
    """Return what opens other assignments in these files: in a folder, or in an archive.

    An archive is read again only if others in it may have been left out.
    """
    path = files.place
    if os.path.isdir(path) or not archives.contents(path, archives.is_archive):
        return partial(choosing.unpacked, files)
    return partial(choosing.opened_archive, path)


def is_in_submitted(folder: Path) -> bool:
    """Return whether a student's folder is in submitted/, as nbgrader calls it."""
    return absolute(folder).parent.name == SUBMITTED


def _outside(folder: Path, without: Collection[str]) -> SubmissionFiles:
    """Return a student's files that are not in the folder of an assignment, see `all_there`."""
    excluded = {*assignments(), *without}
    files = listed(folder, DEPTH).items()
    return SubmissionFiles(
        folder, {name: path for name, path in files if name.partition("/")[0] not in excluded}
    )


def _inside(submitted: SubmissionFiles, assignment: str, folder: Path) -> SubmissionFiles:
    """Return all files in the folder of an assignment; none if there is none.

    submitted: those that count, which may be in an archive there.
    """
    if not is_folder(folder / assignment):  # a link leads to another's files
        return SubmissionFiles(submitted.place, {})
    is_all = submitted.place == folder / assignment
    return submitted if is_all else SubmissionFiles(folder / assignment, own=True)
