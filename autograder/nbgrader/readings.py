"""Remember the outcomes of reading students' folders, until their files change.

Reading a hostile folder may take all the time that one person has. A run looks at each folder
several times, and so do later runs; none of them reads it again without need.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import msgspec

from autograder import parsing, whole_file
from autograder.parsing import DamagedData
from autograder.submissions.files import Unreadable
from autograder.submissions.folders import within
from autograder.submissions.left_over import DEEPEST

MOST = 100_000  # bytes of one reading


@dataclass(frozen=True)
class Reading:
    """The outcome of reading a folder. state: of the files, see `state`. content: as in Job.

    too_slow: the reason why the folder was refused if reading it took too long, else "".
    """

    state: str
    content: str
    too_slow: str = ""


class Readings:
    """A folder with one file per reading, named after the student and the assignment."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def get(self, student: str, assignment: str, state: str) -> Reading | None:
        """Return the last reading; None if the files have changed since, or it is damaged."""
        try:
            found = parsing.read(self._path(student, assignment), MOST, _decode)
        except DamagedData:
            return None
        return found if state and found.state == state else None

    def put(self, student: str, assignment: str, reading: Reading) -> None:
        """Store a reading, if that is possible: without it, the files are only read again."""
        with contextlib.suppress(OSError):
            self._folder.mkdir(parents=True, exist_ok=True)
            whole_file.write(self._path(student, assignment), msgspec.json.encode(reading))

    def _path(self, student: str, assignment: str) -> Path:
        name = f"{student}/{assignment}".encode("utf-8", "surrogatepass")
        return self._folder / f"{hashlib.sha256(name).hexdigest()}.json"


def _decode(data: bytes) -> Reading:
    return msgspec.json.decode(data, type=Reading)


def state(folders: Iterable[Path], edition: str) -> str:
    """Return a digest that differs if any file in the folders may have changed.

    Names, sizes and times tell, as for make; nobody can set the time of the last change of a file.
    Files deeper than those that count are among them: a refusal may name one. Returns "" if the
    files cannot be looked at. edition: of the kit that reads them. A folder with too much in it has
    one state, since it is not read.
    """
    digest = hashlib.sha256(edition.encode())
    try:
        for folder in folders:
            _add(digest, folder.parent)
            _add(digest, folder)
            if folder.is_symlink():  # it is refused, whatever it leads to
                continue
            try:
                for path in within(folder, DEEPEST):
                    _add(digest, path)
            except Unreadable as reason:
                digest.update(str(reason).encode(errors="surrogateescape"))
    except OSError:
        return ""
    return digest.hexdigest()


def _add(digest: hashlib._Hash, path: Path) -> None:
    if not os.path.lexists(path):
        digest.update(repr(str(path)).encode())
        return
    one = os.lstat(path)
    parts = (str(path), one.st_mode, one.st_ino, one.st_size, one.st_mtime_ns, one.st_ctime_ns)
    digest.update(repr(parts).encode())
