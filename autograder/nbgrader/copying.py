"""Copy the files of one student, from an exchange or a download: plain files, within limits."""

from __future__ import annotations

import errno
import fcntl
import fnmatch
import os
import shutil
import stat
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from logging import Logger
from pathlib import Path

from nbgrader.coursedir import CourseDirectory

from autograder import plain_file
from autograder.nbgrader.places import OWN
from autograder.nbgrader.trouble import sentence
from autograder.plain_file import NotPlain
from autograder.submissions import ids
from autograder.submissions.files import Unreadable
from autograder.submissions.folders import MOST, is_folder

MAX_DEPTH = 10  # of nested folders
CHUNK = 1 << 20  # bytes
TIME = 64  # bytes for the file of the time, which is added
PREFIX = "collecting-"
TWO_FORMS = (
    "{0!a} and {1!a} differ only in how their letters are written, and may be two students'. Keep "
    "the one that counts, or rename one of the two."
)
Wanted = Callable[[Path, bool], bool]  # of a path in a folder, and whether it is a folder's


class Copying:
    """Copies the files of one student; all of them share nbgrader's limits and MOST.

    log: of warnings that name the student.
    """

    def __init__(self, coursedir: CourseDirectory, student: str, log: Logger) -> None:
        self.student = student
        self._log = log
        self._ignored: list[str] = coursedir.ignore
        self._largest: int = 1000 * coursedir.max_file_size
        self._remaining: int = 1000 * coursedir.max_dir_size - TIME
        self._count = MOST

    def folder(self, top: int, to: Path, wanted: Wanted = lambda inside, is_folder: True) -> None:
        """Copy an open folder into a folder that exists.

        wanted: other files and folders in it are left out. Raises Unreadable if it has other than
        plain files or exceeds a limit, and OSError.
        """
        owner = os.fstat(top).st_uid
        for folder, folders, files, at in os.fwalk(".", dir_fd=top, onerror=_stop):
            inside = Path(folder)
            if inside.parts[MAX_DEPTH:]:
                raise Unreadable(f"its folders are nested more than {MAX_DEPTH} deep.")
            kept = [name for name in folders if not self._is_ignored(name)]
            folders[:] = [name for name in kept if wanted(inside / name, True)]
            self._count_down(len(folders))
            for name in folders:
                if not stat.S_ISDIR(os.lstat(name, dir_fd=at).st_mode):
                    raise _refused(name)
                (to / folder / name).mkdir()
            for name in files:
                if not self._is_ignored(name) and wanted(inside / name, False):
                    self._file(name, at, to / folder / name, owner)

    def file(self, name: str, folder: int, to: Path) -> None:
        """Copy a file of an open folder, or warn if it is too large. Raises Unreadable, OSError."""
        self._file(name, folder, to, os.fstat(folder).st_uid)

    def _file(self, name: str, folder: int, to: Path, owner: int) -> None:
        self._count_down(1)
        with _plain_file(name, folder, owner) as file:
            size = os.fstat(file).st_size
            if size > self._largest:
                self._log.warning("%s: %s is too large and left out.", self.student, ascii(name))
                return
            self._remaining -= size
            if self._remaining < 0:
                raise Unreadable("it is larger than CourseDirectory.max_dir_size.")
            write(file, size, to)

    def _count_down(self, count: int) -> None:
        self._count -= count
        if self._count < 0:
            raise Unreadable(f"there are more than {MOST} files in it.")

    def _is_ignored(self, name: str) -> bool:
        return any(fnmatch.fnmatch(name, pattern) for pattern in self._ignored)


def _stop(problem: OSError) -> None:
    """Raise the error of a folder that cannot be read, which os.fwalk would ignore."""
    raise problem


@contextmanager
def temporary(course: Path) -> Iterator[Path]:
    """Make a folder in the kit's folder of a course, and remove it. Raises OSError.

    A command that was killed leaves its own, which is removed by the next one. A command locks the
    folder it works in; the system releases that lock with the process.
    """
    own = course / OWN
    own.mkdir(exist_ok=True)
    with _locked(own):
        for left in own.glob(f"{PREFIX}*"):
            with suppress(BlockingIOError), _locked(left, fcntl.LOCK_NB):
                shutil.rmtree(left)
        made = tempfile.TemporaryDirectory(prefix=PREFIX, dir=own)
        held = ExitStack()
        held.enter_context(_locked(Path(made.name)))
    with made, held:
        yield Path(made.name)


@contextmanager
def _locked(folder: Path, wait: int = 0) -> Iterator[None]:
    """Lock a folder against other commands. Raises BlockingIOError if `wait` is LOCK_NB."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | wait)
        yield
    finally:
        os.close(descriptor)


@contextmanager
def opened(folder: Path) -> Iterator[int]:
    """Open a folder that is not a link. Raises Unreadable, OSError."""
    if folder.is_symlink() or not folder.is_dir():
        raise Unreadable("the submission is not a folder.")
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


@contextmanager
def _plain_file(name: str, folder: int, owner: int) -> Iterator[int]:
    """Open a file in an open folder. Raises Unreadable if it is a link or another's, OSError.

    owner: of the submission.
    """
    try:
        with plain_file.opened(name, folder) as file:
            if may_be_anothers(os.fstat(file.fileno()), owner, os.getuid()):
                raise _refused(name)
            yield file.fileno()
    except NotPlain:
        raise _refused(name) from None


def may_be_anothers(file: os.stat_result, owner: int, reader: int) -> bool:
    """Return whether a file may be a second name of one that is not the student's.

    Whoever gives a student's file a second name in another folder must not cost that student a
    submission. owner: of the submission. reader: who collects, whose own files nobody may hand in.
    """
    return file.st_nlink != 1 and (file.st_uid != owner or file.st_uid == reader)


def _refused(name: str) -> Unreadable:
    return Unreadable(f"{name!a} is a link, or not a file. Ask for the file itself.")


def write(source: int, size: int, path: Path) -> None:
    """Copy at most `size` bytes of an open file: its owner may be writing to it."""
    with path.open("xb") as file:
        while size > 0 and (data := os.read(source, min(size, CHUNK))):
            file.write(data)
            size -= len(data)


def why_anothers(path: Path) -> str:
    """Return why nothing may be put at a path, or "": it may be the place of another student.

    On macOS and Windows, most file systems take `ANNA` and `anna` for one name. Raises OSError.
    """
    if not os.path.lexists(path):
        return ""
    there = os.listdir(path.parent)
    if ids.composed(path.name) in map(ids.composed, there):
        return ""
    other = next((name for name in there if ids.key(name) == ids.key(path.name)), "another name")
    return (
        f"this file system takes {path.name!a} for {other!a}, which may be another student's. "
        "Rename one of the two, or keep the course where capitals make a difference."
    )


def why_two_forms(path: Path) -> str:
    """Return why nothing may be put at a path where there is nothing, or "".

    A name beside it that differs only in how its letters are written may be another student's, and
    nothing tells the two apart in a table. Raises OSError.
    """
    if os.path.lexists(path) or not path.parent.is_dir():
        return ""
    known = ids.composed(path.name)
    other = next((name for name in os.listdir(path.parent) if ids.composed(name) == known), "")
    return TWO_FORMS.format(other, path.name) if other else ""


def why_no_place(place: Path) -> str:
    """Return why nothing can be put at the place of a student's submission, or "".

    A link, there or in the place of the student's folder, may lead to another student's.
    """
    for folder in filter(os.path.lexists, (place.parent, place)):
        if not is_folder(folder):
            return sentence(OSError(errno.EEXIST, os.strerror(errno.EEXIST), str(folder)))
        if not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
            return sentence(OSError(errno.EACCES, os.strerror(errno.EACCES), str(folder)))
    return ""


def brought_near(made: Path, to: Path) -> Path:
    """Bring a folder beside its place, from where a rename puts it there wholly or not at all.

    The place may be on another file system. Raises OSError, and then nothing new is there.
    """
    near = to.with_name(f".{to.name}.unfinished")
    near.parent.mkdir(parents=True, exist_ok=True)
    shutil.rmtree(near, ignore_errors=True)
    try:
        for folder, _, names in os.walk(made):
            inside = near / os.path.relpath(folder, made)
            inside.mkdir(exist_ok=True)
            for name in names:
                shutil.copy2(Path(folder, name), inside / name)
    except OSError:
        shutil.rmtree(near, ignore_errors=True)
        raise
    return near
