"""Find files that may hold a person's work where only files as they were released would count."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import NamedTuple

from autograder import plain_file
from autograder.course import assignments
from autograder.plain_file import NotPlain, TooLarge
from autograder.runtime.own_files import PACKAGE
from autograder.submissions import archives, choosing, notebook, work
from autograder.submissions.files import Unreadable
from autograder.submissions.folders import (
    DEPTH,
    check_folder,
    is_assignments_folder,
    is_closed,
    is_folder,
    why_too_deep,
    within,
)
from autograder.submissions.kinds import LINK, START, packed_work, unread_work
from autograder.submissions.names import CHECKPOINT, downloaded, normalised
from autograder.submissions.origins import Origins
from autograder.submissions.source_text import (
    DEMONSTRATION,
    LIMITS,
    MAX_SOURCE,
    cells_of,
    code_lines,
    form,
    stem,
)
from autograder.submissions.submission_files import SubmissionFiles
from autograder.submissions.undecided import NothingThere

DEEPEST = 50  # levels of folders in which work is looked for, to say that it does not count
MOST = 1000  # files that are looked into, in a folder or an archive
MOST_ARCHIVES = 10
NO_CODE_CELL = "may hold the work, but is not graded. Move it into a new code cell without tags."
REPLACED = (
    "defines {0} twice, and the later definition, which is not written, replaces the one that is. "
    "Delete the later one, and hand the file in again."
)
HAND_IN = ". Hand that one in, as a .py or .ipynb file."
HAND_IN_AS = ". Hand that one in as {}."
IS_CHECKPOINT = (
    ", but is a checkpoint, which Jupyter saves automatically. Hand in the notebook itself, or "
    "rename this one."
)
MOST_READ = max(LIMITS.values())  # bytes of each


@dataclass(frozen=True)
class HandedIn:
    """All that one person has handed in: a file, an archive or a folder, and files beside it."""

    place: Path
    beside: Sequence[Path] = ()


class Other(NamedTuple):
    """A file that does not count, but may hold the work on an assignment; said: why, what to do."""

    path: Path
    assignment: str
    said: str


class Content(NamedTuple):
    """The content of a file that is no module: its first bytes, and all of them but NUL."""

    start: bytes
    text: bytes


class Unopened(NamedTuple):
    """An archive that cannot be read; the reason names it."""

    path: Path
    reason: str


def forms(files: SubmissionFiles, assignment: str, handed_in: HandedIn) -> list[str]:
    """Return the files that count, see `choosing.forms`, if no other may hold the work instead.

    Raises Unreadable.
    """
    try:
        chosen = choosing.forms(files, assignment)
    except NothingThere as nothing:
        said = _other(set(), assignment, handed_in, str(nothing))
        raise Unreadable(said) if said else nothing from None
    check_nothing_else(files, chosen, assignment, handed_in)
    return chosen


def check_nothing_else(
    files: SubmissionFiles, chosen: Sequence[str], assignment: str, handed_in: HandedIn
) -> None:
    """Raise Unreadable if what counts holds no work, and another file may hold it.

    chosen: the files that count. They hold work if they define an exercise otherwise than as it was
    released, or import it from an own module that does. Others may hold it if they define one of
    the exercises, in whatever form, if they are of a kind that cannot be looked into, or if they
    are modules or notebooks that cannot be read, except those of other assignments.
    """
    if is_assignments_folder(handed_in.place) or hold_work(files, chosen, assignment):
        return
    what = "holds no work" if files.edited_of([*chosen], assignment) else "is as it was released"
    first = f"{files.whereabouts(chosen[0])} {what}"
    if cell := next(_left_out_cells(files, chosen, assignment), 0):
        raise Unreadable(f"{first}, and cell {cell} {NO_CODE_CELL}")
    for name in chosen:
        if exercise := work.replaced(cells_of(files.code(name)), assignment):
            raise Unreadable(f"{files.whereabouts(name)} {REPLACED.format(exercise)}")
    counted = {files.whereabouts(name) for name in chosen}
    if said := _other(counted, assignment, handed_in, f"{first}."):
        raise Unreadable(f"{first}, and {said}")


def _other(counted: AbstractSet[Path], assignment: str, handed_in: HandedIn, first: str) -> str:
    """Return which file, of those that do not count, may hold the work, and what to do; or "".

    first: the sentence that comes before it. Raises Unreadable if there are too many.
    """
    try:
        return next((one.said for one in others(handed_in, counted, [assignment])), "")
    except Unreadable as problem:
        raise Unreadable(f"{first} {problem}") from None


def others(
    handed_in: HandedIn, counted: AbstractSet[Path], assignments: Sequence[str]
) -> Iterator[Other]:
    """Yield the files that may hold a person's work on one of these assignments.

    counted: the files that do, which are left out. Raises Unreadable if there are too many.
    """
    for place, around in _everything(handed_in):
        if isinstance(around, Unopened):
            for one in assignments:
                if not _is_for_another(place, one):
                    yield Other(around.path, one, around.reason)
            continue
        names = around.names(lambda name: True)
        rest = [name for name in names if around.whereabouts(name) not in counted]
        if len(rest) > MOST:
            raise Unreadable(archives.TOO_MANY.format(around.place))
        for name in rest:
            content = cache(partial(_content, around, name))  # read once for all assignments
            for one in assignments:
                if said := _said(around, place, name, one, content):
                    yield Other(around.whereabouts(name), one, said)


def may_hold_work(path: Path, name: str, assignment: str) -> bool:
    """Return whether a file of a student's may hold the work where what counts does not.

    name: as the student gave it, with its folders.
    """
    files = SubmissionFiles(path.parent, {name: path})
    return any(
        _said(files, "", one, assignment, partial(_content, files, one))
        for one in files.names(lambda name: True)
    )


def hold_work(files: SubmissionFiles, names: Sequence[str], assignment: str) -> bool:
    """Return whether one of these files has work, or cannot be read, which is said elsewhere."""
    origins = Origins(files, assignment)
    edited = files.edited_of([*names], assignment)
    return any(origins.of(name) or not files.is_readable(name) for name in edited)


def _left_out_cells(files: SubmissionFiles, names: Sequence[str], assignment: str) -> Iterator[int]:
    """Yield the numbers of the notebooks' cells that are not graded, but hold work."""
    for name in names:
        if form(name) == ".ipynb":
            for number, cell in enumerate(notebook.cells(files.data(name)), 1):
                is_graded = cell.kind == "code" and DEMONSTRATION not in cell.tags
                text = cell.source[:MAX_SOURCE]
                if not is_graded and work.is_defined(code_lines(text), assignment):
                    yield number


def _everything(handed_in: HandedIn) -> Iterator[tuple[str, SubmissionFiles | Unopened]]:
    """Yield what a person has handed in, of whatever name, and what is in each archive.

    With each comes the name of the archive, or "". Files have the names that the student gave them.
    Raises Unreadable.
    """
    packs: list[tuple[str, Path]] = []
    for path in (handed_in.place, *handed_in.beside):
        alone = {downloaded(path.name)[1]: path}
        found = _all_in(path) if os.path.isdir(path) else SubmissionFiles(path.parent, alone)
        yield "", found
        packs += [(name, found.whereabouts(name)) for name in found.names(archives.is_archive)]
    if len(packs) > MOST_ARCHIVES:
        raise Unreadable(archives.TOO_MANY.format(handed_in.place))
    for name, path in packs:
        yield name, _unpacked(path)


def _unpacked(archive: Path) -> SubmissionFiles | Unopened:
    """Return all files in an archive, and in those within it that can be read."""
    try:
        files = archives.contents(archive, lambda _: MOST_READ, within=lambda _: 0)
    except Unreadable as problem:
        return Unopened(archive, str(problem))
    return SubmissionFiles(archive, files)


def _all_in(folder: Path) -> SubmissionFiles:
    """Return all files in a person's folder, links, and folders that are closed or named as files.

    Raises Unreadable.
    """
    there = within(folder, DEEPEST)
    found = [one for one in there if not is_folder(one) or form(one.name) or is_closed(one)]
    return SubmissionFiles(folder, {path.relative_to(folder).as_posix(): path for path in found})


def _said(
    files: SubmissionFiles,
    place: str,
    name: str,
    assignment: str,
    content: Callable[[], Content],
) -> str:
    """Return which file may hold the work, why, and what to do; "" if it does not.

    place: the archive around the files, see `_everything`. content: reads the file.
    """
    is_anothers = _is_for_another(f"{place}/{name}", assignment)
    said = "" if is_anothers else _unread(files, name, content)
    if not said and _defines(files, name, assignment, content):
        remedy = HAND_IN_AS.format(f"{assignment}{form(name)}") if form(name) else HAND_IN
        is_checkpoint = stem(name).endswith(CHECKPOINT)
        said = f"may hold the work{IS_CHECKPOINT if is_checkpoint else remedy}"
    if said and os.path.isdir(files.place) and _level(name) >= DEPTH:
        return why_too_deep(files.whereabouts(name))
    return said and f"{files.whereabouts(name)} {said}"


def _is_for_another(name: str, assignment: str) -> bool:
    """Return whether a file is named after another assignment, or in its folder or archive.

    In several folders, the innermost one that is named after an assignment tells.
    """
    parts = [normalised(archives.stem(_known(one))) for one in reversed(name.split("/"))]
    own = {one.casefold(): one for one in assignments()}
    return next((own[one] for one in parts if one in own), assignment) != assignment


def _known(name: str) -> str:
    """Return the name of a file or a folder without the ending of a kind that is never opened."""
    return name.rpartition(".")[0] if unread_work(name) else name


def _unread(files: SubmissionFiles, name: str, content: Callable[[], Content]) -> str:
    """Return why a file cannot be looked into and what to do, to follow its name; else ""."""
    if said := unread_work(name):
        return said
    if os.path.islink(files.whereabouts(name)):
        return LINK
    if archives.is_archive(name):
        return "" if _is_opened(files, name) else "is not opened. Hand in what is in it."
    if not form(name) and not is_folder(files.whereabouts(name)):
        return packed_work(name, content().start)
    if name.rpartition("/")[2] == PACKAGE:
        return ""
    try:
        if form(name):
            files.code(name)
        else:
            check_folder(files.whereabouts(name))
    except Unreadable as problem:
        place, known, said = str(problem).rpartition(f"{files.whereabouts(name)} ")
        if place or not known:
            raise  # it is not about this file
        return said
    return ""


def _is_opened(files: SubmissionFiles, name: str) -> bool:
    """Return whether an archive is looked into: in a folder, or if its files are listed too."""
    return _level(name) < DEPTH if os.path.isdir(files.place) else files.has_opened(name)


def _level(name: str) -> int:
    """Return how deep a file lies in a person's folder, or in that of an assignment."""
    return name.count("/") - (name.partition("/")[0] in assignments())


def _data(files: SubmissionFiles, name: str) -> bytes:
    """Return the bytes of a file; none if it is too large to be work, or cannot be read."""
    if path := files.path(name):
        with contextlib.suppress(NotPlain, TooLarge, OSError):
            return plain_file.read(path, MOST_READ)
        return b""
    return files.data(name)


def _content(files: SubmissionFiles, name: str) -> Content:
    data = _data(files, name)
    return Content(data[:START], data.replace(b"\0", b""))


def _defines(
    files: SubmissionFiles, name: str, assignment: str, content: Callable[[], Content]
) -> bool:
    """Return whether a file looks like a definition of an exercise that is not as released."""
    if archives.is_archive(name):
        return False
    if form(name):
        return files.holds_work(name, assignment)
    return work.is_in_text(content().text, work.exercises_of(assignment))
