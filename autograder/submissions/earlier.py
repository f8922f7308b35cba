"""Find the earlier work that a student's files for one assignment may import.

An import loads what the earlier assignment is itself graded with. Only a file or an archive of its
name that lies beside the later work comes first: it was handed in again.
"""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from autograder.course import assignments
from autograder.submissions import archives, choosing
from autograder.submissions.files import Unreadable
from autograder.submissions.names import is_about, is_exactly
from autograder.submissions.origins import Origins
from autograder.submissions.person_files import folder_of
from autograder.submissions.source_text import form, read_data
from autograder.submissions.submission_files import SubmissionFiles

Open = Callable[[str], SubmissionFiles]


@dataclass(frozen=True)
class _Work:
    """The files that count for an assignment, and all files among which they were chosen."""

    files: SubmissionFiles
    names: list[str]
    has_work: bool


class WithEarlier(SubmissionFiles):
    """The files that a student has handed in for one assignment, with earlier work beside them.

    earlier: contents or paths of files that can be imported, by their places. None of them is taken
    for the submission of this assignment. counted: the places of the files that count for each
    earlier assignment.
    """

    def __init__(
        self,
        submitted: SubmissionFiles,
        assignment: str,
        earlier: Mapping[str, bytes | Path],
        counted: Mapping[str, list[str]],
    ) -> None:
        self._submitted, self._assignment = submitted, assignment
        self._earlier, self._counted = earlier, counted
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
        if assignment not in before(self._assignment):
            return super().places(assignment, near)
        beside = [name for name in self._files if near and folder_of(name) == folder_of(near)]
        again = [name for name in beside if is_exactly(name.rpartition("/")[2], assignment)]
        return filter(None, (again, self._counted.get(assignment, [])))

    def data(self, name: str) -> bytes:
        if name not in self._earlier:
            return self._submitted.data(name)
        found = self._earlier[name]
        data = read_data(found) if isinstance(found, Path) else found
        self._spend("data", len(data))
        return data


@dataclass(frozen=True)
class _Again:
    """The archives of earlier work that lie beside the later, where it was handed in again.

    files: those of the later work, and others around it. assignment: the later one.
    """

    files: Sequence[SubmissionFiles]
    assignment: str

    @cached_property
    def _here(self) -> set[Path]:
        """The folder of the file that counts for the later work, or its archive's."""
        files = self.files[0]
        counts = choosing.forms(files, self.assignment)[0]
        return {files.whereabouts(counts).parent, files.place.parent}

    @cached_property
    def _packed(self) -> list[tuple[SubmissionFiles, str, list[Path]]]:
        """All archives, and files in archives, with the paths of these."""
        return [
            (files, name, packs)
            for files in self.files
            for name in files.names(lambda name: True)
            if (packs := _packs(files, name))
        ]

    def opened(self, assignment: str) -> SubmissionFiles:
        """Open what counts in the archives of an earlier assignment. Raises Unreadable."""
        for files, own in itertools.groupby(self._packed, key=lambda one: one[0]):
            found = [name for _, name, packs in own if self._has_own(packs, assignment)]
            if found and archives.is_archive(found[0]):
                there = {name: files.whereabouts(name) for name in found}
                return choosing.unpacked(SubmissionFiles(files.place, there), assignment)
            if found:
                return SubmissionFiles(files.place, {name: files.data(name) for name in found})
        raise Unreadable(f"{self.files[0].place} has no archive of {assignment}.")

    def _has_own(self, packs: Sequence[Path], assignment: str) -> bool:
        """Return whether one of these archives is named after an assignment, beside the work."""
        named = (one for one in packs if is_exactly(f"{archives.stem(one.name)}.py", assignment))
        return any(one.parent in self._here for one in named)


def _packs(files: SubmissionFiles, name: str) -> list[Path]:
    """Return the archives in which a file lies, itself among them."""
    place = files.whereabouts(name)
    packs = (place,) if files.path(name) else (place, *place.parents)
    return [one for one in packs if archives.is_archive(one.name)]


def before(assignment: str) -> Iterator[str]:
    """Yield the assignments that come before one."""
    return itertools.takewhile(lambda one: one != assignment, assignments())


@dataclass(frozen=True)
class Surroundings:
    """The files around those of one assignment, from which earlier work may be taken.

    beside: other files, among which archives may lie beside the later work. together: open what
    counts in what was handed in together with the later work, where it counts if there is none
    elsewhere. around: files whose modules can be imported.
    """

    beside: Sequence[SubmissionFiles] = ()
    together: Sequence[Open] = ()
    around: Sequence[SubmissionFiles] = ()


def with_earlier(
    submitted: SubmissionFiles,
    assignment: str,
    opened: Open,
    surroundings: Surroundings | None = None,
) -> SubmissionFiles:
    """Return a student's files for one assignment, with earlier work that they may import.

    opened: opens what counts for an earlier assignment by itself. Of archives, no more than of one
    is kept in memory.
    """
    others = surroundings or Surroundings()
    there, remaining = {*submitted.names(lambda name: True)}, archives.MAX_CONTENT
    again = _Again([submitted, *others.beside], assignment)
    found: dict[str, bytes | Path] = {}
    counted: dict[str, list[str]] = {}
    for earlier in before(assignment):
        if not (work := _earlier(earlier, opened, again, others.together)):
            continue
        is_same = work.files.place == submitted.place
        named, wanted = _named(work, earlier, is_same), {}
        if not is_same or not there.issuperset(work.names):
            modules = _modules(work, earlier, is_same)
            takes_place = not there.isdisjoint(named)  # of another version, with its modules
            wanted = {
                known: name for known, name in modules.items() if takes_place or known not in there
            }
        for known, name in named.items():
            if not is_same or known != name or name not in there:
                wanted[known] = name
        for known, name in wanted.items():
            with contextlib.suppress(Unreadable):  # it cannot be imported
                one = work.files.path(name) or work.files.data(name)
                remaining -= len(one) if isinstance(one, bytes) else 0
                if remaining >= 0:
                    found.setdefault(known, one)
        counted[earlier] = [known for known in named if known in there or known in found]
    for files in others.around:
        for name in files.names(lambda name: form(name) == ".py" and name not in there):
            found.setdefault(name, files.whereabouts(name))
    return WithEarlier(submitted, assignment, found, counted)


def _named(work: _Work, assignment: str, is_same: bool) -> dict[str, str]:
    """Return the files that count, by places where they have the name of the assignment.

    is_same: they are among the files of the later work, and stay where they are. Else they have the
    assignment's folder, see `_modules`.
    """

    def place(name: str) -> str:
        own = name.rpartition("/")[2]
        if is_same and (is_exactly(own, assignment) or is_about(own, assignment)):
            return name
        folder = folder_of(name) if is_same else assignment
        return f"{folder}/{assignment}{form(name)}".removeprefix("/")

    return {place(name): name for name in work.names}


def _modules(work: _Work, assignment: str, is_same: bool) -> dict[str, str]:
    """Return all modules, and notebooks that the files that count run, by their new places."""
    files, folder = work.files, folder_of(work.names[0])

    def place(name: str) -> str:
        inside = name.removeprefix(f"{folder}/") if folder else name
        return name if is_same else f"{assignment}/{inside.removeprefix(f'{files.top}/')}"

    used = {own for name in work.names for own in choosing.own_modules(files, name)}
    found = files.names(lambda name: form(name) == ".py" or name in used)
    return {place(name): name for name in found if name not in work.names}


def _earlier(
    assignment: str,
    opened: Open,
    again: _Again,
    together: Sequence[Open],
) -> _Work | None:
    """Return what counts for an earlier assignment, see `with_earlier`; None if nothing does.

    What is refused counts as not handed in; its own grade says why.
    """
    packed = _counted(again.opened, assignment)
    if packed and packed.has_work:
        return packed
    own = _counted(opened, assignment)
    if own and own.has_work:
        return own
    for one in together:
        found = _counted(one, assignment)
        if found and found.has_work:
            return found
    return own if own and own.files.forms(assignment) else None


def _counted(opened: Open, assignment: str) -> _Work | None:
    """Return what counts for an assignment, chosen as for its grade.

    Returns None if that is refused, or if no file is named after it or holds work.
    """
    with contextlib.suppress(Unreadable):
        files = opened(assignment)
        if not files.forms(assignment) and not choosing.has_work(files, assignment):
            return None
        names = files.counted(choosing.forms(files, assignment), assignment)
        origins = Origins(files, assignment)
        return _Work(files, names, any(map(origins.of, names)))
    return None
