"""Update a student's copy of the course to a corrected kit, and keep the student's work."""

from __future__ import annotations

import os
import shutil
import tempfile
from functools import partial
from pathlib import Path

from autograder import parsing
from autograder.course import RECORDED
from autograder.errors import AutograderError
from autograder.kit.merging import CannotUpdate, merge
from autograder.parsing import DamagedData
from autograder.report.writing import CannotWrite, cannot_write, telling
from autograder.submissions.files import Unreadable
from autograder.submissions.source_text import FORMS, MAX_NOTEBOOK, read_source

TAKEN = ("autograder", "tests", "Makefile", "README.md", "pyproject.toml", "LICENSE", ".gitignore")


def update(kit: Path, own: Path) -> list[str]:
    """Update the copy at `own` to the kit at `kit`. Returns a line on each file of assignments/.

    Each file is merged from three texts: the student's, the one that they started from, and the
    new one. Raises CannotUpdate and CannotWrite, and then has changed nothing.
    """
    recorded = kit / "autograder" / RECORDED.name
    if not os.path.isdir(recorded):
        raise CannotUpdate(f"{kit} is not a copy of the kit: it has no folder autograder/recorded.")
    if os.path.realpath(kit) == os.path.realpath(own):
        raise CannotUpdate(f"{kit} is this copy itself. Unpack the new kit somewhere else.")
    try:
        given = {path: _text(path) for path in sorted(recorded.iterdir()) if path.suffix in FORMS}
        for new, text in given.items():
            _assert_as_released(kit / "assignments" / new.name, text)
        merged = {new.name: _merged(new, text, own) for new, text in given.items()}
    except OSError as problem:
        raise CannotUpdate(
            f"{problem.filename} cannot be read: {problem.strerror}. Nothing was updated."
        ) from None
    with telling(own):
        aside = Path(tempfile.mkdtemp(prefix="update-", dir=own))
    done = False
    try:
        _exchange(kit, own, aside, merged)
        done = True
    finally:
        moved = list((aside / "old").glob("*"))
        if done or not moved:  # otherwise it holds the only copy of the student's work
            shutil.rmtree(aside, ignore_errors=True)
    return [f"{new.name}: {_summary(merged[new.name], text)}" for new, text in given.items()]


def _text(path: Path) -> str:
    """Return the text of an original file. Raises CannotUpdate, OSError."""
    try:
        return parsing.read_linked(path, MAX_NOTEBOOK, parsing.text)
    except DamagedData as problem:
        raise CannotUpdate(
            f"{path} is damaged: {problem}. Unpack that kit again, and take the file from there. "
            "Nothing was updated."
        ) from None


def _assert_as_released(path: Path, released: str) -> None:
    """Raise CannotUpdate if a file of the new kit was edited: the update would lose the edit."""
    if os.path.lexists(path) and _text(path) != released:
        raise CannotUpdate(
            f"{path} is not as it was released: somebody has edited it. "
            "Unpack the new kit again, and update from that copy. Nothing was updated."
        )


def _summary(merged: str | None, new: str) -> str:
    if merged is None:
        return "as it was"
    return "new" if merged == new else "new, with what you have written"


def _merged(new: Path, text: str, own: Path) -> str | None:
    """Return the merged text of a file of assignments/; None if the student's can stay."""
    mine, base = own / "assignments" / new.name, own / "autograder" / RECORDED.name / new.name
    if not mine.exists() or not base.exists():
        return text
    begun_from = _text(base)
    if begun_from == text:
        return None
    written = _read(mine)
    if written == begun_from:
        return text
    if new.suffix == ".ipynb":
        from autograder.kit.merging_notebooks import merged

        return merged(begun_from, written, text, mine)
    return merge(begun_from, written, text, str(mine))


def _read(path: Path) -> str:
    try:
        read_source(path)  # raises Unreadable, which says what is wrong with the file
        return path.read_text(encoding="utf-8-sig")
    except Unreadable as problem:
        reason = str(problem)
    except UnicodeDecodeError:
        reason = f"{path} is not UTF-8 text. Save it as UTF-8."
    raise CannotUpdate(f"{reason} Nothing was updated.")


def _exchange(kit: Path, own: Path, aside: Path, merged: dict[str, str | None]) -> None:
    """Replace the old files with the new ones; if that fails, put the old ones back."""
    fresh, old = aside / "new", aside / "old"
    moved: list[str] = []
    try:
        old.mkdir()
        _prepare(kit, own, fresh, merged)
        for name in (*TAKEN, "assignments"):
            moved.append(name)
            if (own / name).exists():
                (own / name).rename(old / name)
            (fresh / name).rename(own / name)
    except BaseException as problem:
        _put_back(own, fresh, old, moved)
        if isinstance(problem, shutil.Error):  # folders could not be made: the first one will do
            problem = OSError(problem.args[0][0][2])
        if isinstance(problem, OSError):
            problem = cannot_write(own, problem)
        if isinstance(problem, UnicodeError | AutograderError):
            kind = CannotWrite if isinstance(problem, CannotWrite) else CannotUpdate
            raise kind(f"{str(problem).rstrip('.')}. Everything is as it was.") from None
        raise


def _put_back(own: Path, fresh: Path, old: Path, moved: list[str]) -> None:
    """Put the old files back. Raises CannotUpdate, which says where they are, if that fails."""
    try:
        for name in moved:
            if not (fresh / name).exists():
                (own / name).rename(fresh / name)
            if (old / name).exists():
                (old / name).rename(own / name)
    except OSError as problem:
        raise CannotUpdate(
            f"The update failed half-way, and your files could not be put back: {problem}. They "
            f"are in {old}. Move them back to {own}."
        ) from None


def _prepare(kit: Path, own: Path, fresh: Path, merged: dict[str, str | None]) -> None:
    """Make the new files. Raises CannotUpdate, CannotWrite, OSError and UnicodeError."""
    copied = partial(_copied, own)
    fresh.mkdir()
    for name in TAKEN:
        if (kit / name).is_dir():
            shutil.copytree(kit / name, fresh / name, copy_function=copied)
        else:
            copied(kit / name, fresh / name)
    shutil.copytree(own / "assignments", fresh / "assignments", symlinks=True, copy_function=copied)
    copied(kit / "assignments" / "README.md", fresh / "assignments" / "README.md")
    for name, text in merged.items():
        if text is not None:
            (fresh / "assignments" / name).write_text(text, encoding="utf-8", newline="\n")


def _copied(own: Path, source: str | Path, target: str | Path) -> str | Path:
    """Copy a file into the copy at `own`; the first failure ends the copying of a whole tree.

    Raises CannotUpdate, CannotWrite.
    """
    try:
        return shutil.copy2(source, target)
    except OSError as problem:
        if problem.filename == source and not problem.filename2:
            raise CannotUpdate(f"{source} cannot be read: {problem.strerror}") from None
        raise cannot_write(own, problem) from None
