"""Find files that may hold a person's work where only files as they were released would count."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from pathlib import Path

from autograder import plain_file
from autograder.course import DEFINED, assignments, skeleton
from autograder.plain_file import NotPlain, TooLarge
from autograder.submissions import archives
from autograder.submissions.files import Unreadable
from autograder.submissions.folders import DEPTH, is_assignments_folder, why_too_deep, within
from autograder.submissions.kinds import START, packed_work, unread_work
from autograder.submissions.names import is_exactly
from autograder.submissions.source_text import LIMITS, form
from autograder.submissions.submission_files import SubmissionFiles

DEEPEST = 10  # levels of folders in which work is looked for, to say that it does not count
MOST = 1000  # files that are looked into, in a folder or an archive
MOST_ARCHIVES = 10
TOO_MANY = "{} holds more than is looked into. Keep only your own work in it."
MOST_READ = max(LIMITS.values())  # bytes of each


def check_nothing_else(files: SubmissionFiles, chosen: list[str], assignment: str) -> None:
    """Raise Unreadable if all that counts is as it was released, and others may hold the work.

    chosen: the files that count. Others may hold it if they define one of the exercises, in
    whatever form, if they are of a kind that cannot be looked into, or if they are modules or
    notebooks that cannot be read, except those of other assignments.
    """
    if files.edited_of(chosen, assignment) or is_assignments_folder(files.place):
        return
    first = files.place / chosen[0]
    for around in _everything(files):
        counted = chosen if around.place == files.place else []
        others = [name for name in around.names(lambda name: True) if name not in counted]
        if len(others) > MOST:
            raise Unreadable(f"{first} is as it was released. {TOO_MANY.format(around.place)}")
        for name in others:
            said = unread_work(name) or _said(around, name, assignment)
            if said and around.place.is_dir() and name.count("/") >= DEPTH:
                raise Unreadable(why_too_deep(around.place / name))
            if said:
                other = around.path(name) or around.place / name
                raise Unreadable(f"{first} is as it was released, and {other} {said}")


def _everything(files: SubmissionFiles) -> Iterator[SubmissionFiles]:
    """Yield what lies in a person's folder, of whatever name, and in each archive.

    Raises Unreadable. An archive that cannot be read is left out: reading it has already said so.
    """
    packs = [files.place]
    if files.place.is_dir():
        found = _all_in(files.place) if files.is_folder else files
        yield found
        packs = [found.path(name) or files.place for name in found.names(archives.is_archive)]
    if len(packs) > MOST_ARCHIVES:
        raise Unreadable(TOO_MANY.format(files.place))
    for path in packs:
        with contextlib.suppress(Unreadable):
            yield SubmissionFiles(path, _contents(path))


def _contents(archive: Path) -> archives.Contents:
    """Return all files in an archive, and in those within it if they can all be read.

    Raises Unreadable.
    """
    with contextlib.suppress(Unreadable):
        return archives.contents(archive, lambda _: MOST_READ, within=True)
    return archives.contents(archive, lambda _: MOST_READ)


def _all_in(folder: Path) -> SubmissionFiles:
    """Return all files in a person's folder, of whatever name. Raises Unreadable."""
    found = [path for path in within(folder, DEEPEST) if path.is_file() and not path.is_symlink()]
    return SubmissionFiles(folder, {path.relative_to(folder).as_posix(): path for path in found})


def _said(files: SubmissionFiles, name: str, assignment: str) -> str:
    """Return why a file may hold the work and what to do, to follow its name; else ""."""
    if archives.is_archive(name):
        return "" if _is_opened(files, name) else "is not opened. Hand in what is in it."
    is_named = any(is_exactly(name.rpartition("/")[2], one) for one in assignments())
    if form(name) and not is_named:
        try:
            files.code(name)
        except Unreadable as problem:
            return str(problem).removeprefix(f"{files.path(name) or files.place / name} ")
    data = _data(files, name)
    if not form(name) and (said := packed_work(name, data[:START])):
        return said
    if not _defines(data, assignment) or (form(name) and not files.edited_of([name], assignment)):
        return ""
    return f"may hold the work. Hand that in as {assignment}.py or {assignment}.ipynb."


def _is_opened(files: SubmissionFiles, name: str) -> bool:
    """Return whether an archive is looked into: in a folder, or if its files are listed too."""
    if files.place.is_dir():
        return name.count("/") < DEPTH
    start = f"{archives.stem(name)}/"
    return any(one.startswith(start) for one in files.names(lambda name: True))


def _data(files: SubmissionFiles, name: str) -> bytes:
    """Return the bytes of a file; none if it is too large to be work, or cannot be read."""
    if path := files.path(name):
        with contextlib.suppress(NotPlain, TooLarge, OSError):
            return plain_file.read(path, MOST_READ)
        return b""
    return files.data(name)


def _defines(data: bytes, assignment: str) -> bool:
    """Return whether a file's bytes look like a definition of one of the exercises."""
    exercises = "|".join(map(re.escape, DEFINED.findall(skeleton(assignment))))
    defines = re.compile(rf"(?:def|class) +(?:{exercises})\b".encode())
    return bool(defines.search(data.replace(b"\0", b"")))
