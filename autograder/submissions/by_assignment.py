"""Open a student's folder that may have a folder for each assignment, as nbgrader keeps them.

Where nbgrader keeps them, that of the assignment counts alone. Elsewhere what counts may lie in any
of them or outside, by the rules that hold for an archive. Others can be imported from.
"""

from __future__ import annotations

import contextlib
import itertools
import os
from collections.abc import Callable, Collection, Iterator, Mapping
from pathlib import Path

from autograder.course import assignments
from autograder.submissions import archives, choosing, own_folders
from autograder.submissions.files import Unreadable
from autograder.submissions.folders import (
    DEPTH,
    check_count,
    check_folder,
    is_assignments_folder,
    is_folder,
    listed,
)
from autograder.submissions.names import is_about, is_exactly
from autograder.submissions.person_files import folder_of
from autograder.submissions.source_text import form, read_data
from autograder.submissions.submission import absolute
from autograder.submissions.submission_files import SubmissionFiles

SUBMITTED = "submitted"  # the folder of all students' folders, as nbgrader calls it


class WithEarlier(SubmissionFiles):
    """The files that a student has handed in for one assignment, with earlier work beside them.

    earlier: contents or paths of files that can be imported, by their places. Each earlier
    assignment has its own folder. None of them is taken for the submission of this assignment.
    """

    def __init__(
        self, submitted: SubmissionFiles, earlier: Mapping[str, bytes | Path], assignment: str
    ) -> None:
        self._submitted, self._earlier, self._assignment = submitted, earlier, assignment
        there = submitted.names(lambda name: True)
        super().__init__(submitted.place, dict.fromkeys([*there, *earlier], b""))
        self.top = submitted.top

    def names(self, holds: Callable[[str], bool] = lambda name: bool(form(name))) -> list[str]:
        return self._submitted.names(holds)

    def path(self, name: str) -> Path | None:
        found = self._earlier.get(name)
        return found if isinstance(found, Path) else self._submitted.path(name)

    def whereabouts(self, name: str) -> Path:
        return self.path(name) or self._submitted.whereabouts(name)

    def places(self, assignment: str, near: str) -> Iterator[list[str]]:
        if assignment == self._assignment:
            return self._submitted.places(assignment, near)
        return super().places(assignment, near)

    def data(self, name: str) -> bytes:
        if name not in self._earlier:
            return self._submitted.data(name)
        found = self._earlier[name]
        data = read_data(found) if isinstance(found, Path) else found
        self._spend("data", len(data))
        return data


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
    it, all files around the folder are one person's. is_alone: leave out those in no folder of an
    assignment.
    """
    place = absolute(path).parent.parent
    files = _in_folders(place, listed(place, DEPTH))
    if place.parent.name == SUBMITTED:
        return SubmissionFiles(place, files)
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


def before(assignment: str) -> Iterator[str]:
    """Yield the assignments that come before one."""
    return itertools.takewhile(lambda one: one != assignment, assignments())


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


def is_there(folder: Path, assignment: str, without: Collection[str] = ()) -> bool:
    """Return whether a student's folder has a folder, an archive or a file for this assignment.

    without: entries of the folder that are not the student's.
    """
    outside = _outside(folder, without)
    is_outside = outside.forms(assignment) or choosing.packed(outside, assignment)
    return os.path.lexists(folder / assignment) or bool(is_outside)


def opened(
    folder: Path, assignment: str, without: Collection[str] = (), is_alone: bool = False
) -> SubmissionFiles:
    """Open what counts for an assignment in a student's folder. Raises Unreadable.

    without: as for `is_there`. is_alone: if there is a folder of the assignment, nothing outside it
    was handed in, as in submitted/, where nbgrader collects each assignment by itself.
    """
    check_folder(folder)
    outside = _outside(folder, without)
    if not any(os.path.isdir(folder / name) for name in assignments()):
        submitted = choosing.unpacked(outside, assignment)
    elif is_alone or absolute(folder).parent.name == SUBMITTED:
        submitted = own_folders.in_its_place(folder, assignment, outside)
    else:
        submitted = own_folders.anywhere(folder, assignment, outside)
    return with_earlier(submitted, outside, assignment, folder)


def opened_archive(path: Path, assignment: str) -> SubmissionFiles:
    """Open what counts for an assignment in an archive, with earlier work in it. Raises Unreadable.

    The archive is one person's and takes the place of a folder.
    """
    files = choosing.opened_archive(path, assignment)
    return with_earlier(files, files, assignment)


def with_earlier(
    submitted: SubmissionFiles,
    outside: SubmissionFiles,
    assignment: str,
    folder: Path | None = None,
) -> SubmissionFiles:
    """Return a student's files for one assignment, with earlier work that they may import.

    outside: the student's files in no folder of an assignment. folder: the one that may have
    folders of earlier assignments.
    """
    earlier = _importable(submitted, outside, assignment, folder)
    return WithEarlier(submitted, earlier, assignment) if earlier else submitted


def _importable_from(
    submitted: SubmissionFiles, assignment: str
) -> tuple[SubmissionFiles, dict[str, str]]:
    """Return files of earlier work with those that others import of it, by their new places.

    These are the files that count, under the assignment's name in its folder, the notebooks that
    they run, and all modules.
    """
    forms = submitted.counted(choosing.forms(submitted, assignment), assignment)
    folder = folder_of(forms[0])

    def place(name: str) -> str:
        inside = name.removeprefix(f"{folder}/") if folder else name
        return f"{assignment}/{inside.removeprefix(f'{submitted.top}/')}"

    used = {own for name in forms for own in choosing.own_modules(submitted, name)}
    names = submitted.names(lambda name: form(name) == ".py" or name in used)
    found = {place(name): name for name in names}
    found.pop(f"{assignment}/{assignment}.py", None)  # if it counts, it is among these:
    named = {f"{assignment}/{assignment}{form(name)}": name for name in reversed(forms)}
    return submitted, {**found, **named}


def _outside(folder: Path, without: Collection[str]) -> SubmissionFiles:
    """Return a student's files that are not in the folder of an assignment, see `is_there`."""
    excluded = {*assignments(), *without}
    files = listed(folder, DEPTH).items()
    return SubmissionFiles(
        folder, {name: path for name, path in files if name.partition("/")[0] not in excluded}
    )


def _importable(
    submitted: SubmissionFiles, outside: SubmissionFiles, assignment: str, folder: Path | None
) -> dict[str, bytes | Path]:
    """Return earlier work that is not among these files, and modules beside them or the folders.

    Of archives, no more than of one is kept in memory. See `with_earlier`.
    """
    there, remaining = {*submitted.names(lambda name: True)}, archives.MAX_CONTENT
    inside = _inside(submitted, assignment, folder)
    found: dict[str, bytes | Path] = {}
    for earlier in before(assignment):
        if submitted.edited(earlier):
            continue
        with contextlib.suppress(Unreadable):  # it counts as not handed in; its own grade says why
            files, wanted = _earlier(earlier, inside, outside, folder)
            for known, name in wanted.items():
                one = files.path(name) or files.data(name)
                remaining -= len(one) if isinstance(one, bytes) else 0
                if known not in there and remaining >= 0:
                    found.setdefault(known, one)
    for files in (outside, inside):
        own = files.names(lambda name: form(name) == ".py")
        found |= {name: files.whereabouts(name) for name in own if name not in there}
    return found


def _inside(submitted: SubmissionFiles, assignment: str, folder: Path | None) -> SubmissionFiles:
    """Return all files in the folder of an assignment; none if there is none.

    submitted: those that count, which may be in an archive there.
    """
    if not folder or not is_folder(folder / assignment):  # a link leads to another's files
        return SubmissionFiles(submitted.place, {})
    is_all = submitted.place == folder / assignment
    return submitted if is_all else SubmissionFiles(folder / assignment, own=True)


def _earlier(
    assignment: str, inside: SubmissionFiles, outside: SubmissionFiles, folder: Path | None
) -> tuple[SubmissionFiles, dict[str, str]]:
    """Open earlier work in its folder, or else in an archive or a file inside or outside.

    inside: what lies beside the work that imports it. An archive there that is named after the
    earlier assignment and holds work was handed in again, so it counts before the folder. Returns
    the work as `_importable_from` does. Raises Unreadable.
    """
    has_folder = folder is not None and os.path.lexists(folder / assignment)
    if not has_folder or choosing.packed(inside, assignment):
        with contextlib.suppress(Unreadable):  # it counts as not handed in again
            again = choosing.unpacked(inside, assignment)
            if choosing.has_work(again, assignment):
                return _importable_from(again, assignment)
    if folder and has_folder:
        check_count(folder / assignment)
        return _importable_from(own_folders.opened(folder / assignment, assignment), assignment)
    files = choosing.unpacked(outside, assignment)
    is_named = outside.forms(assignment) or choosing.packed(outside, assignment)
    if is_named or choosing.has_work(files, assignment):
        return _importable_from(files, assignment)
    raise Unreadable(f"{outside.place} has nothing for {assignment}.")
