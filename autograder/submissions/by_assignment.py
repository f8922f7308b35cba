"""Open a student's folder that may have a folder for each assignment, as nbgrader keeps them.

The folder of the assignment counts alone. Those of earlier assignments are only imported from.
"""

from __future__ import annotations

import contextlib
import itertools
import os
from collections.abc import Callable, Collection, Iterator, Mapping
from pathlib import Path

from autograder.course import assignments
from autograder.submissions import archives, choosing
from autograder.submissions.files import Unreadable
from autograder.submissions.folders import DEPTH, check_folder, listed, may_be_handed_in
from autograder.submissions.names import is_about, is_exactly
from autograder.submissions.source_text import form, read_data
from autograder.submissions.submission import absolute
from autograder.submissions.submission_files import SubmissionFiles

SUBMITTED = "submitted"  # the folder of all students' folders, as nbgrader calls it


class WithEarlier(SubmissionFiles):
    """The files that a student has handed in for one assignment, with earlier work beside them.

    earlier: contents or paths of files that can be imported, by the names under which they are.
    None of them is taken for the submission of this assignment.
    """

    def __init__(
        self, submitted: SubmissionFiles, earlier: Mapping[str, bytes | Path], assignment: str
    ) -> None:
        self._submitted, self._earlier, self._assignment = submitted, earlier, assignment
        there = submitted.names(lambda name: True)
        super().__init__(submitted.place, dict.fromkeys([*there, *earlier], b""))
        self.is_folder, self.top = submitted.is_folder, submitted.top

    def names(self, holds: Callable[[str], bool] = lambda name: bool(form(name))) -> list[str]:
        return self._submitted.names(holds)

    def path(self, name: str) -> Path | None:
        found = self._earlier.get(name)
        return found if isinstance(found, Path) else self._submitted.path(name)

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

    def _may_be_anothers(self, name: str) -> bool:
        return self.could_be_graded(name)


def around(path: Path, is_alone: bool) -> SubmissionFiles:
    """Return the files around a file in the folder of its assignment, which it may import.

    Earlier assignments are in their own folders, or beside them. In submitted/, as nbgrader calls
    it, all files around the folder are one person's. is_alone: leave out those in no folder of an
    assignment.
    """
    place = absolute(path).parent.parent
    files = listed(place, DEPTH)
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
    """Return the modules and notebooks that a notebook in this folder can import, and its name."""
    place = top(folder)
    nested = place != folder
    found = listed(place, 2 if nested else 1)
    files = SubmissionFiles(place, {one: path for one, path in found.items() if form(one)})
    return files, f"{assignment}/{assignment}.ipynb" if nested else f"{assignment}.ipynb"


def around_folder(folder: Path) -> tuple[Path, list[str]]:
    """Return the folder of the student whose folder for an assignment this is.

    Also returns the entries in it that may be another's: all except the folders of assignments.
    """
    place = absolute(folder).parent
    return place, [entry.name for entry in os.scandir(place) if entry.name not in assignments()]


def is_there(folder: Path, assignment: str, without: Collection[str] = ()) -> bool:
    """Return whether a student's folder has a folder, an archive or a file for this assignment.

    without: entries of the folder that are not the student's.
    """
    outside = _outside(folder, without)
    is_outside = outside.forms(assignment) or choosing.packed(outside, assignment)
    return os.path.lexists(folder / assignment) or bool(is_outside)


def opened(folder: Path, assignment: str, without: Collection[str] = ()) -> SubmissionFiles:
    """Open what counts for an assignment in a student's folder. Raises Unreadable.

    without: as for `is_there`.
    """
    check_folder(folder)
    others = [name for name in assignments() if os.path.isdir(folder / name)]
    outside = _outside(folder, without)
    if not others and not any(choosing.packed(outside, name) for name in assignments()):
        return choosing.opened(folder, assignment)
    places = []
    if os.path.lexists(folder / assignment):
        places.append(lambda: _opened_plain(folder / assignment, assignment))
    if outside.names(may_be_handed_in):
        places.append(lambda: choosing.unpacked(outside, assignment))
    if not places:
        raise Unreadable(
            f"{folder} has a folder {others[0]}, but none for {assignment}: nothing was handed in."
        )
    if not _counts(folder / assignment, outside, assignment):
        places.reverse()
    submitted = places[0]()
    if places[1:] and not choosing.has_work(submitted, assignment):
        with contextlib.suppress(Unreadable):  # then nothing is known of it
            other = places[1]()
            submitted = other if choosing.has_work(other, assignment) else submitted
    earlier = _importable(folder, assignment, submitted, outside)
    return WithEarlier(submitted, earlier, assignment)


def _opened_plain(folder: Path, assignment: str) -> SubmissionFiles:
    """Open the folder of an assignment. Raises Unreadable."""
    check_plain(folder)
    return choosing.opened(folder, assignment)


def check_plain(folder: Path) -> None:
    """Raise Unreadable if this is a link, which may lead to another student's work, or a file."""
    if folder.is_symlink() or not folder.is_dir():
        kind = "a link" if folder.is_symlink() else "a file"
        raise Unreadable(f"{folder} is {kind}, not a folder. Hand in the folder itself.")


def as_earlier(folder: Path, assignment: str) -> tuple[SubmissionFiles, dict[str, str]]:
    """Open the folder of an earlier assignment, for others to import from. Raises Unreadable.

    The file that counts for that assignment, and its own modules, are returned by the names under
    which they are imported.
    """
    return _importable_from(_opened_plain(folder, assignment), assignment)


def _importable_from(
    submitted: SubmissionFiles, assignment: str
) -> tuple[SubmissionFiles, dict[str, str]]:
    """Return files with those that others import of an assignment, see `as_earlier`."""
    forms = choosing.forms(submitted, assignment)
    named = {f"{assignment}{form(name)}": name for name in reversed(forms)}
    return submitted, {**choosing.modules_of(submitted, forms), **named}


def _outside(folder: Path, without: Collection[str]) -> SubmissionFiles:
    """Return a student's files that are not in the folder of an assignment, see `is_there`."""
    excluded = {*assignments(), *without}
    files = listed(folder, DEPTH).items()
    return SubmissionFiles(
        folder, {name: path for name, path in files if name.partition("/")[0] not in excluded}
    )


def _counts(own: Path, outside: SubmissionFiles, assignment: str) -> bool:
    """Return whether the folder of an assignment counts: not if the student's folder has its file.

    Nor does it if nothing in it can be graded, but something outside can.
    """
    if any("/" not in name and is_exactly(name, assignment) for name in outside.names()):
        return False
    is_empty = own.is_dir() and not SubmissionFiles(own, own=True).names(may_be_handed_in)
    return os.path.lexists(own) and not (is_empty and outside.names(may_be_handed_in))


def _importable(
    folder: Path, assignment: str, submitted: SubmissionFiles, outside: SubmissionFiles
) -> dict[str, bytes | Path]:
    """Return earlier work that was not handed in again, and modules beside the folders.

    Of archives, no more than of one is kept in memory.
    """
    there, remaining = {*submitted.names(lambda name: True)}, archives.MAX_CONTENT
    found: dict[str, bytes | Path] = {}
    for earlier in before(assignment):
        if submitted.forms(earlier):
            continue
        with contextlib.suppress(Unreadable):  # it counts as not handed in; its own grade says why
            files, wanted = _earlier(folder, earlier, outside)
            is_folder = files.place.is_dir()
            for known, name in wanted.items():
                one = files.place / name if is_folder else files.data(name)
                remaining -= len(one) if isinstance(one, bytes) else 0
                if known not in there and remaining >= 0:
                    found.setdefault(known, one)
    own = outside.names(lambda name: form(name) == ".py")
    return {**{name: folder / name for name in own if name not in there}, **found}


def _earlier(
    folder: Path, assignment: str, outside: SubmissionFiles
) -> tuple[SubmissionFiles, dict[str, str]]:
    """Open earlier work in its folder, or else in an archive or a file outside, see `as_earlier`.

    Raises Unreadable.
    """
    if os.path.lexists(folder / assignment):
        return as_earlier(folder / assignment, assignment)
    if not outside.forms(assignment) and not choosing.packed(outside, assignment):
        raise Unreadable(f"{folder} has nothing for {assignment}.")
    return _importable_from(choosing.unpacked(outside, assignment), assignment)
