"""List the files in a download, a zip archive or the folder that it unpacks to.

Nothing is extracted, and no link is followed. What is wrong with one file is a matter of its
student alone.
"""

from __future__ import annotations

import contextlib
import itertools
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO

from autograder import plain_file
from autograder.errors import UsageError
from autograder.plain_file import NotPlain
from autograder.submissions import archives, zipped
from autograder.submissions.files import Unreadable, quoted
from autograder.submissions.kinds import IGNORED

MOST = 100_000  # files and folders in a download
MAX_DIRECTORY = 16_000_000  # bytes of a zip archive's list of members
AGAIN = "Download it again."
ZIP = b"PK"
KINDS = {
    "link": "a link, {}",
    "device": "a device, {}",
    "encrypted": "a file that is encrypted, {}",
    "unusual": "a file that is packed in an unusual way, {}",
}


@dataclass(frozen=True)
class Entry:
    """A file or a folder in a download.

    parts: the folders in its name, and its own name. problem: what is wrong with it, to follow
    "there is"; "" if nothing is. start: returns at most the given number of its first bytes; raises
    Unreadable with half a sentence.
    """

    parts: tuple[str, ...]
    problem: str
    is_folder: bool
    start: Callable[[int], bytes]


@contextlib.contextmanager
def opened(path: Path) -> Iterator[list[Entry]]:
    """Open a download, whose files can be read in the block. Raises UsageError."""
    place = Path(os.path.realpath(path))  # the person who takes it in has named it
    if place.is_dir():
        yield _bounded(path, _in_folder(place))
        return
    try:
        with plain_file.opened(place) as file:
            if file.read(len(ZIP)) != ZIP:
                raise UsageError(f"{path} is neither a folder nor a zip archive. {AGAIN}")
            file.seek(0)
            yield _bounded(path, _in_zip(path, file))
    except FileNotFoundError:
        raise UsageError(f"There is no download {path}.") from None
    except NotPlain as kind:
        raise UsageError(f"{path} is {kind}. Give a zip archive or a folder.") from None


def without_top(entries: list[Entry]) -> list[Entry]:
    """Return the entries without the folder in which all of them lie; the same if there is none."""
    tops = {one.parts[0] for one in entries}
    is_inside = all(len(one.parts) > 1 or one.is_folder for one in entries)
    if len(tops) != 1 or not is_inside:
        return entries
    return [replace(one, parts=one.parts[1:]) for one in entries if len(one.parts) > 1]


def _bounded(path: Path, entries: Iterable[Entry]) -> list[Entry]:
    found = [*itertools.islice(entries, MOST + 1)]
    if len(found) > MOST:
        raise UsageError(f"{path} holds more than {MOST} files. Download fewer students at once.")
    return found


def _in_zip(path: Path, file: BinaryIO) -> Iterator[Entry]:
    """Yield the entries of a zip archive. Raises UsageError."""
    try:
        members = [*zipped.members(file, MAX_DIRECTORY)]
    except Unreadable as problem:
        raise UsageError(f"{path} {problem} {AGAIN}") from None
    except Exception as problem:  # zipfile raises many kinds of errors for damaged archives
        raise UsageError(f"{path} cannot be read as a zip archive ({problem}). {AGAIN}") from None
    around_ignored = set[tuple[str, ...]]()
    for member in members:
        parts = archives.parts_of(member.name)
        if archives.is_ignored(parts) and ".." not in parts:
            # The folders around it are there, as when the archive is unpacked.
            above = tuple(itertools.takewhile(lambda part: not IGNORED.fullmatch(part), parts))
            if above and above not in around_ignored:
                around_ignored.add(above)
                yield Entry(above, "", True, _nothing)
            continue
        wrong = archives.wrong_name(member.name)
        said = KINDS[member.kind].format(quoted(member.name)) if member.kind in KINDS else ""
        said = f"a file {wrong}" if wrong else said
        yield Entry(parts, said, member.kind == "folder", _telling(member.start, member.name))


def _in_folder(top: Path) -> Iterator[Entry]:
    """Yield the entries of a folder, those in the fewest folders first."""
    folders: deque[tuple[tuple[str, ...], Path]] = deque([((), top)])
    while folders:
        above, folder = folders.popleft()
        try:
            with os.scandir(folder) as there:
                found = sorted(there, key=lambda entry: entry.name)
        except OSError as problem:
            if not above:
                raise UsageError(f"{top} cannot be read: {problem.strerror}.") from None
            named = quoted("/".join(above))
            yield Entry(above, f"a folder that cannot be read, {named}", True, _nothing)
            continue
        for entry in found:
            if IGNORED.fullmatch(entry.name):
                continue
            parts = (*above, entry.name)
            is_folder = entry.is_dir(follow_symlinks=False)
            wrong = _wrong(parts)
            yield Entry(parts, wrong, is_folder, _of_file(Path(entry.path)))
            if is_folder and not wrong:
                folders.append((parts, Path(entry.path)))


def _wrong(parts: tuple[str, ...]) -> str:
    """Return what is wrong with the name of a file in a folder, or ""."""
    name = "/".join(parts)
    try:
        name.encode()
    except UnicodeEncodeError:
        return f"a file whose name is not UTF-8, {quoted(name)}"
    wrong = archives.wrong_name(name)
    return f"a file {wrong}" if wrong else ""


def _of_file(path: Path) -> Callable[[int], bytes]:
    def start(most: int) -> bytes:
        try:
            with plain_file.opened(path) as file:
                return file.read(most)
        except NotPlain as kind:
            raise Unreadable(f"{kind}, {quoted(path.name)}") from None
        except OSError as problem:
            text = f"a file that cannot be read ({problem.strerror}), {quoted(path.name)}"
            raise Unreadable(text) from None

    return start


def _telling(read: Callable[[int], bytes], name: str) -> Callable[[int], bytes]:
    """Return a function that reads a member, and says in half a sentence why it cannot."""

    def start(most: int) -> bytes:
        try:
            return read(most)
        except Exception as problem:  # zipfile raises many kinds of errors for damaged archives
            reason = str(problem).strip().splitlines()[:1] or [type(problem).__name__]
            text = f"a file that cannot be read ({reason[0][:80]}), {quoted(name)}"
            raise Unreadable(text) from None

    return start


def _nothing(most: int) -> bytes:
    return b""
