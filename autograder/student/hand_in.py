"""Pack what is handed in: one archive per assignment."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

from autograder.course import assignments
from autograder.grading.works import Work
from autograder.ingest.files import Unreadable

STAMP = (1980, 1, 1, 0, 0, 0)  # the same work gives the same archive


class CannotHandIn(Exception):
    """Something is missing or unclear; the text says what and what to do."""


def pack(folder: Path, target: Path, wanted: str | None) -> list[Path]:
    """Pack an assignment, or all in which work was begun, into archives in `target`.

    An archive holds the module or notebook, without outputs, and those of the other assignments
    that were begun, since it may be built from them. Raises CannotHandIn, and then writes nothing.
    """
    files = {name: file for name in assignments() if (file := _begun(folder, name))}
    if wanted and wanted not in files:
        there = " and ".join(Work(folder).forms(wanted))
        raise CannotHandIn(
            f"In {there} nothing is written yet, so there is nothing to hand in. Was another "
            "assignment meant?"
        )
    if not files:
        raise CannotHandIn(
            f"No assignment in {folder} has been begun: there is nothing to hand in."
        )
    contents = {file.name: _without_outputs(file) for file in files.values()}
    target.mkdir(parents=True, exist_ok=True)
    return [_archive(target / f"{name}.zip", contents) for name in files if wanted in (None, name)]


def _begun(folder: Path, name: str) -> Path | None:
    """The file in which work was begun."""
    work = Work(folder)
    there = work.forms(name)
    if not there:
        raise CannotHandIn(
            f"{folder / name}.py is missing. Bring it back from your copy of the kit, even if you "
            "have not begun it."
        )
    try:
        for file in there:
            work.code(file)
    except Unreadable as problem:
        raise CannotHandIn(str(problem)) from None
    begun = work.begun(name)
    if len(begun) > 1:
        raise CannotHandIn(
            f"Both {folder / begun[0]} and {begun[1]} were begun, and only one can be handed in. "
            "Move the other out of the folder."
        )
    return folder / begun[0] if begun else None


def _without_outputs(file: Path) -> bytes:
    """A file's content; of a notebook without what its cells showed.

    nbformat would give cells without a name one, each time another.
    """
    data = file.read_bytes()
    if file.suffix != ".ipynb":
        return data
    notebook = json.loads(data.decode("utf-8-sig"))
    sheets = notebook.get("worksheets", [notebook])  # where cells were before version 4
    for cell in (cell for sheet in sheets for cell in sheet["cells"]):
        shown: dict[str, object] = {"outputs": [], "execution_count": None, "prompt_number": None}
        cell.update({key: empty for key, empty in shown.items() if key in cell})
    return (json.dumps(notebook, indent=1) + "\n").encode()


def _archive(path: Path, contents: dict[str, bytes]) -> Path:
    unfinished = path.with_suffix(".part")
    with zipfile.ZipFile(unfinished, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in contents.items():
            archive.writestr(zipfile.ZipInfo(name, STAMP), data)
    unfinished.replace(path)
    return path
