"""Update a student's copy of the course to a corrected kit, and keep the student's work."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import NamedTuple

from autograder import parsing
from autograder.course import RECORDED
from autograder.course.cells import cells
from autograder.course.place import DECLARATION, MOST
from autograder.kit import backups
from autograder.kit.left_out import with_work
from autograder.kit.merging import CannotUpdate, assert_defined_once, merge
from autograder.kit.replacing import (
    exchange,
    held,
    is_half_done,
    is_left,
    put_back_interrupted,
)
from autograder.parsing import DamagedData
from autograder.report.writing import telling
from autograder.submissions.files import Unreadable
from autograder.submissions.source_text import FORMS, MAX_NOTEBOOK, read_source


class Updated(NamedTuple):
    files: list[str]  # a line on each file of assignments/
    backup: Path  # the folder with what was replaced


def update(kit: Path, own: Path) -> Updated:
    """Update the copy at `own` to the kit at `kit`.

    Each file of assignments/ is merged from three texts: the student's, the one that they started
    from, and the new one. Raises CannotUpdate and CannotWrite, and then has changed nothing, or
    has undone an earlier update that was interrupted.
    """
    if not os.path.isdir(kit / "autograder" / RECORDED.name):
        raise CannotUpdate(f"{kit} is not a copy of the kit: it has no folder autograder/recorded.")
    if os.path.realpath(kit) == os.path.realpath(own):
        raise CannotUpdate(f"{kit} is this copy itself. Unpack the new kit somewhere else.")
    with telling(own):
        aside = Path(tempfile.mkdtemp(prefix="update-", dir=own))
        with held(own, aside):
            _assert_alone(kit, own, aside)
            given, merged = _merged_all(kit, own)
            with telling(own / backups.FOLDER):
                backup = backups.free(own, "update")
            try:
                exchange(kit, own, merged, aside, backup)
            finally:
                backups.tidy(own)
    lines = [f"{name}: {_summary(merged[name], text)}" for name, text in given.items()]
    return Updated(lines, backup)


def _assert_alone(kit: Path, own: Path, aside: Path) -> None:
    """Raise CannotUpdate if another update is at work, or was killed when it had moved files.

    That one is undone first. What one that was killed before or after that has left is removed.
    aside: the folder of this update. Raises OSError, too.
    """
    around = {os.path.realpath(one) for one in (kit, *kit.absolute().parents)}
    for other in own.glob("update-*"):
        if other == aside or os.path.realpath(other) in around or not is_left(other):
            continue
        with held(own, other):
            if not is_half_done(own, other):
                continue
            backup = backups.free(own, "interrupted")
            folders = put_back_interrupted(own, other, backup)
            backups.tidy(own)
        replaced = (
            f" What stood in their place is in {' and '.join(map(str, folders))}: if you have "
            "worked since then, copy that work from there."
        )
        raise CannotUpdate(
            "An earlier update was interrupted, and is undone now: the files that it had moved "
            f"away are back.{replaced if folders else ''} Update again."
        )


def _merged_all(kit: Path, own: Path) -> tuple[dict[str, str], dict[str, str | None]]:
    """Return the new text of each file of assignments/, and what it is merged to; see `_merged`.

    Raises CannotUpdate.
    """
    recorded = kit / "autograder" / RECORDED.name
    try:
        given = {path: _text(path) for path in sorted(recorded.iterdir()) if path.suffix in FORMS}
        for new, text in given.items():
            _assert_as_released(kit / "assignments" / new.name, text)
        left_out = _left_out(recorded / DECLARATION)
        merged = {new.name: _merged(new, text, own, left_out) for new, text in given.items()}
    except OSError as problem:
        raise CannotUpdate(
            f"{problem.filename} cannot be read: {problem.strerror}. Nothing was updated."
        ) from None
    return {new.name: text for new, text in given.items()}, merged


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
    return "new" if merged == new else "new, with your changes"


def _left_out(declaration: Path) -> frozenset[str]:
    """Return the exercises that the new kit leaves out; of a later edition, it may say more.

    Raises CannotUpdate.
    """
    try:
        found = parsing.read_linked(declaration, MOST, parsing.toml)
        chosen = found.get("exercises", {})
        return frozenset(name for name, one in chosen.items() if one.get("leave_out"))
    except (DamagedData, AttributeError):
        raise CannotUpdate(
            f"{declaration} is damaged. Unpack that kit again. Nothing was updated."
        ) from None


def _merged(new: Path, text: str, own: Path, left_out: frozenset[str]) -> str | None:
    """Return the merged text of a file of assignments/; None if the student's can stay.

    left_out: the exercises that the new kit leaves out.
    """
    mine, base = own / "assignments" / new.name, own / "autograder" / RECORDED.name / new.name
    if not os.path.lexists(mine):
        return text
    begun_from = _text(base) if base.exists() else None
    if begun_from == text:
        return None
    written = _read(mine)
    if written in (begun_from, text):
        return text
    if begun_from is None:
        raise CannotUpdate(
            f"{mine} is in the way of the new kit's file of that name, and {base}, with which the "
            "two could be merged, does not exist. Rename your file, update again, and copy into "
            "the new one what belongs there. Nothing was updated."
        )
    if new.suffix == ".ipynb":
        from autograder.kit.merging_notebooks import merged

        return merged(begun_from, written, text, mine, left_out)
    if left_out:
        old, fresh = (cells(one, ()) for one in (begun_from, text))
        kept = with_work(old, written, fresh, left_out, lambda cell: cell.text)
        text = "".join(cell.text for cell in kept)
    made = merge(begun_from, written, text, str(mine))
    assert_defined_once(written, text, made, str(mine))
    return made


def _read(path: Path) -> str:
    """Return the text of a student's file. Raises CannotUpdate."""
    if path.is_symlink():
        reason = f"{path} is a link. Put the file itself in its place."
        raise CannotUpdate(f"{reason} Nothing was updated.")
    try:
        read_source(path)  # raises Unreadable, which says what is wrong with the file
        return path.read_text(encoding="utf-8-sig")
    except Unreadable as problem:
        reason = str(problem)
    except UnicodeDecodeError:
        reason = f"{path} is not UTF-8 text. Save it as UTF-8."
    raise CannotUpdate(f"{reason} Nothing was updated.")
