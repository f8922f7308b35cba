"""Replace the files of a student's copy by new ones: all of them, or none."""

from __future__ import annotations

import codecs
import contextlib
import filecmp
import os
import shutil
import stat
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from autograder import file_lock
from autograder.errors import AutograderError
from autograder.kit.merging import CannotUpdate
from autograder.report.writing import CannotWrite, cannot_write

TAKEN = (  # a folder is replaced as a whole, so students may have files of their own in the others
    "tests/test_kit.py",
    "README.md",
    "LICENSE",
    ".gitignore",
    "assignments/README.md",
    "assignments/Makefile",
    "pyproject.toml",
    "Makefile",
    "autograder",  # the last one: until then, the next update can undo one that was killed
)
SHARED = ("assignments", "tests")  # folders in which students may have files of their own
# What an update keeps beside the student's files while it works: the new files, those in whose
# place they are put, the names of those in whose place nothing was, where an undoing has moved what
# stood in the way, and a file that marks the folder and is locked as long as the update works.
NEW, OLD, ADDED, ASIDE, MARK = KEPT = ("new", "old", "added", "aside", "of-make-update.lock")


def has_files(folder: Path) -> bool:
    """Return whether a folder holds anything but empty folders."""
    return any(path.is_symlink() or not path.is_dir() for path in folder.rglob("*"))


def exchange(
    kit: Path, own: Path, merged: dict[str, str | None], aside: Path, backup: Path
) -> None:
    """Replace the files of `own` with those of `kit`; if that fails, put the old ones back.

    merged: texts for assignments/; None where the file stays. aside: an empty folder in `own`.
    backup: the path of the folder that then holds what was replaced. Raises CannotUpdate and
    CannotWrite.
    """
    fresh, old = aside / NEW, aside / OLD
    moved: list[str] = []
    folders = [own / name for name in SHARED if not (own / name).exists()]
    try:
        for folder in (old, *folders):
            folder.mkdir()
        for name in _prepared(kit, own, fresh, merged):
            moved.append(name)
            if os.path.lexists(own / name):
                (old / name).parent.mkdir(exist_ok=True)
                (own / name).rename(old / name)
            else:
                _note(aside / ADDED, name)
            (fresh / name).rename(own / name)
        old.rename(backup)
    except BaseException as problem:
        if backup.exists():  # all is done
            raise
        _put_back(own, fresh, old, moved)
        for folder in folders:
            with contextlib.suppress(FileNotFoundError):
                folder.rmdir()
        if isinstance(problem, shutil.Error):  # folders could not be made: the first one will do
            problem = OSError(problem.args[0][0][2])
        if isinstance(problem, OSError):
            problem = cannot_write(own, problem)
        if isinstance(problem, UnicodeError | AutograderError):
            kind = CannotWrite if isinstance(problem, CannotWrite) else CannotUpdate
            raise kind(f"{str(problem).rstrip('.')}. Everything is as it was.") from None
        raise


def _put_back(own: Path, fresh: Path, old: Path, moved: list[str]) -> None:
    """Put the old files back. Raises CannotUpdate, which names those that could not be put back."""
    problems: list[OSError] = []
    for name in moved:
        try:
            try:
                if not (fresh / name).exists() and os.path.lexists(own / name):
                    (own / name).rename(fresh / name)
            finally:
                if os.path.lexists(old / name):
                    (old / name).rename(own / name)
        except OSError as problem:
            problems.append(problem)
    if problems:
        left = ", ".join(name for name in moved if os.path.lexists(old / name))
        remedy = f" Move each of these from {old} to its place in {own}: {left}." if left else ""
        raise CannotUpdate(
            f"The update failed half-way and could not be undone: {problems[0]}.{remedy}"
        ) from None


def is_left(aside: Path) -> bool:
    """Return whether this is a folder of an update, killed or at work. Raises OSError."""
    is_marked = not aside.is_symlink() and (aside / MARK).is_file()
    return is_marked and {*os.listdir(aside)} <= {*KEPT}


@contextlib.contextmanager
def held(own: Path, aside: Path) -> Iterator[None]:
    """Keep other updates from the folder of an update, and remove it if it is of no more use.

    Raises CannotUpdate if the update is at work, and OSError.
    """
    descriptor = os.open(aside / MARK, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        file_lock.lock(descriptor)
    except (BlockingIOError, PermissionError):
        os.close(descriptor)
        raise CannotUpdate(
            "Another update of this copy is at work. Nothing was updated: wait until it has ended."
        ) from None
    except OSError:
        pass  # a disk without locks
    try:
        yield
    finally:
        is_needed = is_half_done(own, aside)  # then it holds the only copy of the student's work
        for name in () if is_needed else (NEW, OLD):
            shutil.rmtree(aside / name, ignore_errors=True)
        os.close(descriptor)  # only then Windows removes the file
        if not is_needed:
            shutil.rmtree(aside, ignore_errors=True)


def is_half_done(own: Path, aside: Path) -> bool:
    """Return whether the update that was killed had moved files. Raises OSError."""
    old = aside / OLD
    return old.is_dir() and (has_files(old) or bool(_added(own, aside)))


def put_back_interrupted(own: Path, aside: Path, backup: Path) -> list[Path]:
    """Put back the files that an update had moved to `aside` when it was killed.

    What stands in their place, and what the update had added, goes to the folder `backup`, since it
    may have been edited meanwhile. If this is interrupted, it can be repeated, with another folder.
    Returns those of the folders that hold something. Raises OSError.
    """
    _note(aside / ASIDE, backup.name)
    old = aside / OLD
    added, moved = _added(own, aside), _moved(old)
    for name in (*added, *moved):
        if os.path.lexists(own / name):
            (backup / name).parent.mkdir(parents=True, exist_ok=True)
            (own / name).rename(backup / name)
        if name in moved:
            (own / name).parent.mkdir(exist_ok=True)
            (old / name).rename(own / name)
    for folder in {own / name for name in SHARED} & {(own / name).parent for name in added}:
        with contextlib.suppress(OSError):  # it holds something
            folder.rmdir()
    folders = [backup.with_name(name) for name in dict.fromkeys(_noted(aside / ASIDE))]
    return [folder for folder in folders if folder.exists()]


def _added(own: Path, aside: Path) -> list[str]:
    """Return the names of the files that an update has put where nothing was."""
    names = _noted(aside / ADDED)
    return [n for n in names if os.path.lexists(own / n) and not os.path.lexists(aside / NEW / n)]


def _note(path: Path, name: str) -> None:
    with path.open("a", encoding="utf-8") as file:
        file.write(f"{name}\n")


def _noted(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines() if path.exists() else []


def _moved(old: Path) -> list[str]:
    """Return the names of the files and folders that were moved to `old`, each as a whole."""
    found = []
    for path in sorted(old.iterdir()):
        is_shared = path.name in SHARED and not path.is_symlink()
        found += [f"{path.name}/{one.name}" for one in path.iterdir()] if is_shared else [path.name]
    return found


def _prepared(kit: Path, own: Path, fresh: Path, merged: dict[str, str | None]) -> list[str]:
    """Make the new files. Returns the names of those that differ from the old ones.

    Raises CannotUpdate, CannotWrite, OSError and UnicodeError.
    """
    copied = partial(_copied, own)
    for folder in (fresh, *(fresh / name for name in SHARED)):
        folder.mkdir()
    for name in TAKEN:
        if (kit / name).is_dir():
            shutil.copytree(kit / name, fresh / name, copy_function=copied)
        else:
            copied(kit / name, fresh / name)
    for path in fresh.rglob("*"):  # the new kit may be read-only
        path.chmod(path.stat().st_mode | stat.S_IWUSR)
    made = {f"assignments/{name}": text for name, text in merged.items() if text is not None}
    for name, text in made.items():
        (fresh / name).write_bytes(_encoded(text, own / name))
        if (own / name).exists():
            shutil.copymode(own / name, fresh / name)
    return [name for name in (*made, *TAKEN) if not _is_same(own / name, fresh / name)]


def _encoded(text: str, mine: Path) -> bytes:
    """Return a text as bytes, with line ends and a byte order mark as in the student's file."""
    before = mine.read_bytes() if mine.exists() else b""
    if before.count(b"\r\n") == before.count(b"\n") > 0:
        text = text.replace("\n", "\r\n")
    return codecs.BOM_UTF8 * before.startswith(codecs.BOM_UTF8) + text.encode()


def _is_same(path: Path, other: Path) -> bool:
    return path.is_file() and not path.is_symlink() and filecmp.cmp(path, other, shallow=False)


def _copied(own: Path, source: str | Path, target: str | Path) -> str | Path:
    """Copy a file into the copy at `own`; the first failure ends the copying of a whole tree.

    The file gets the time of now, by which make sees that other packages may be needed. Raises
    CannotUpdate, CannotWrite.
    """
    try:
        return shutil.copy(source, target)
    except OSError as problem:
        if problem.filename == source and not problem.filename2:
            raise CannotUpdate(f"{source} cannot be read: {problem.strerror}") from None
        raise cannot_write(own, problem) from None
