"""Pack submissions: one archive per assignment."""

from __future__ import annotations

import contextlib
import io
import json
import zipfile
import zlib
from collections.abc import Container, Iterable
from pathlib import Path
from typing import NamedTuple

from autograder import whole_file
from autograder.course import DEFINED, assignments
from autograder.course.commands import command
from autograder.errors import UsageError
from autograder.report.writing import telling
from autograder.submissions.files import Unreadable
from autograder.submissions.names import is_exactly
from autograder.submissions.notebook import DamagedNotebook, cells_as_parsed, parsed
from autograder.submissions.source_text import form
from autograder.submissions.submission_files import SubmissionFiles
from autograder.submissions.work import exercises_of

STAMP = (1980, 1, 1, 0, 0, 0)  # a fixed time, so that equal files give equal archives


class CannotHandIn(UsageError):
    """Something is missing or unclear. The text says what, and what to do."""


class HandIn(NamedTuple):
    archives: list[Path]
    left_out: list[str]  # why, one sentence for each of the student's own modules left out
    outdated: list[str]  # a sentence for each archive from before that holds other work


def pack(folder: Path, target: Path, wanted: str | None) -> HandIn:
    """Pack the `wanted` assignment, or all that were begun, into archives in `target`.

    An archive holds the module or the notebook, without outputs, or both if both were begun. It
    also holds the other assignments that were begun, since its exercises may build on them, and
    the student's own modules that any of these files import, if they can be read.
    Files with exercises whose names are not right are left out. Other archives in `target` stay as
    they are. Raises CannotHandIn, and then writes nothing, and CannotWrite.
    """
    submitted, around = SubmissionFiles(folder), SubmissionFiles(folder, own=True)
    files = {name: begun for name in assignments() if (begun := _begun(submitted, name))}
    if wanted and wanted not in files:
        empty = " and ".join(submitted.forms(wanted))
        raise CannotHandIn(
            f"In {empty} nothing is written yet, so there is nothing to hand in. Did you mean "
            "another assignment?"
        )
    if not files:
        nothing = f"No assignment in {folder} has been begun: there is nothing to hand in."
        raise CannotHandIn(" ".join([nothing, *_misnamed(around)[:1]]))
    begun = [name for names in files.values() for name in names]
    try:
        contents = {name: _without_outputs(submitted, name) for name in begun}
        own, left_out = _own_modules(submitted, begun)
    except Unreadable as problem:
        raise CannotHandIn(str(problem)) from None
    contents |= own
    left_out += _misnamed(around, contents)
    if target.exists() and not target.is_dir():
        raise CannotHandIn(f"{target} is a file, where the folder must be: move it away.")
    with telling(target):
        target.mkdir(parents=True, exist_ok=True)
    packed = [name for name in files if wanted in (None, name)]
    archives = [_archive(target / f"{name}.zip", contents) for name in packed]
    others = [name for name in assignments() if name not in packed]
    outdated = [name for name in others if _is_outdated(target / f"{name}.zip", contents)]
    return HandIn(archives, left_out, [_outdated(name, name in files) for name in outdated])


def _own_modules(
    submitted: SubmissionFiles, begun: Iterable[str]
) -> tuple[dict[str, bytes], list[str]]:
    """Return the modules that these files import, and why others cannot be read.

    An import of these may be optional, so they are left out, as in grading. Raises Unreadable if
    one of the files cannot be read.
    """
    contents: dict[str, bytes] = {}
    left_out = []
    for name in dict.fromkeys(own for one in begun for own in submitted.own_modules(one)):
        try:
            _check_name(submitted, name)
            contents[name] = _without_outputs(submitted, name)
        except Unreadable as problem:
            left_out.append(str(problem))
    return contents, left_out


def _misnamed(around: SubmissionFiles, packed: Container[str] = ()) -> list[str]:
    """Return why files with work on exercises are not packed: name or place are not right.

    around: the files of the folder and of those in it.
    """
    homes = {one: name for name in assignments() for one in exercises_of(name)}
    reasons = []
    for name in around.names():
        if name in packed or any(is_exactly(name, one) for one in assignments()):
            continue  # a name with a folder in front is none of these
        with contextlib.suppress(Unreadable):  # nothing says that it is meant to be handed in
            code = around.code(name)
            text = code if isinstance(code, str) else "\n".join(text for _, text in code)
            defined = [one for one in DEFINED.findall(text) if one in homes]
            written = [one for one in defined if around.holds_work(name, homes[one])]
            if written:
                right = f"{homes[written[0]]}{form(name)}"
                what = f"move it to {around.place}" if "/" in name else "rename it"
                reasons.append(
                    f"{around.place / name} defines {written[0]}, but only {right} is handed in. "
                    f"If it is your work, {what}."
                )
    return reasons


def _begun(submitted: SubmissionFiles, name: str) -> list[str]:
    """Return the files of an assignment that the student has edited. Raises CannotHandIn."""
    forms = submitted.forms(name)
    if not forms:
        raise CannotHandIn(
            f"{submitted.place / name}.py is missing. Restore it from your copy of the kit, even "
            "if you have not begun it."
        )
    try:
        for file in forms:
            submitted.code(file)
    except Unreadable as problem:
        raise CannotHandIn(str(problem)) from None
    return submitted.edited(name)


def _check_name(submitted: SubmissionFiles, name: str) -> None:
    """Raise Unreadable if an archive cannot hold a file of this name."""
    try:
        name.encode()
    except UnicodeEncodeError:
        raise Unreadable(
            f"{submitted.whereabouts(name)} has a name that is not UTF-8. Rename it."
        ) from None


def _without_outputs(submitted: SubmissionFiles, name: str) -> bytes:
    """Return a file's content, without outputs if it is a notebook.

    The JSON is edited, since nbformat would give cells without an id a random one. Raises
    Unreadable.
    """
    data = submitted.data(name)
    if form(name) != ".ipynb":
        return data
    try:
        notebook = parsed(data, pictures=True)
        cells = [cell for cell in cells_as_parsed(notebook) if isinstance(cell, dict)]
    except DamagedNotebook as problem:
        damaged = f"{submitted.whereabouts(name)} cannot be read as a notebook ({problem})"
        raise Unreadable(f"{damaged}. Save it again in Jupyter.") from None
    blank: dict[str, object] = {"outputs": [], "execution_count": None, "prompt_number": None}
    for cell in cells:
        cell.update({key: value for key, value in blank.items() if key in cell})
    return (json.dumps(notebook, indent=1) + "\n").encode()


def _is_outdated(path: Path, contents: dict[str, bytes]) -> bool:
    """Return whether an archive is there that holds anything else, or cannot be read."""
    try:
        with zipfile.ZipFile(path) as archive:
            packed = {one.filename: one.CRC for one in archive.infolist()}
    except FileNotFoundError:
        return False
    except (OSError, ValueError, zipfile.BadZipFile):  # a name in it may not be UTF-8
        return True
    return packed != {name: zlib.crc32(data) for name, data in contents.items()}


def _outdated(name: str, is_begun: bool) -> str:
    if is_begun:
        again = command(f"make submit ASSIGNMENT={name}", f"submit {name}")
        return f"{name}.zip is from before your last changes: {again}"
    return f"{name}.zip holds what you once had: nothing of {name} is written now."


def _archive(path: Path, contents: dict[str, bytes]) -> Path:
    """Write an archive. Raises CannotWrite, and then the older one is as it was."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in contents.items():
            archive.writestr(zipfile.ZipInfo(name, STAMP), data)
    with telling(path):
        whole_file.write(path, packed.getvalue(), 0o644)
    return path
