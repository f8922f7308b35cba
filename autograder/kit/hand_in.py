"""Pack what is handed in: one archive per assignment."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

from autograder.course import assignments
from autograder.submissions.files import Unreadable
from autograder.submissions.notebook import DamagedNotebook, parsed
from autograder.submissions.source_text import form
from autograder.submissions.submission_files import SubmissionFiles

STAMP = (1980, 1, 1, 0, 0, 0)  # the same work gives the same archive


class CannotHandIn(Exception):
    """Something is missing or unclear; the text says what and what to do."""


def pack(folder: Path, target: Path, wanted: str | None) -> list[Path]:
    """Pack an assignment, or all in which work was begun, into archives in `target`.

    An archive holds the module or notebook, without outputs, or both where both were begun; those
    of the other assignments that were begun, since it may be built from them; and the student's own
    modules that any of them imports. Raises CannotHandIn, and then writes nothing.
    """
    work = SubmissionFiles(folder)
    files = {name: begun for name in assignments() if (begun := _begun(work, name))}
    if wanted and wanted not in files:
        there = " and ".join(work.forms(wanted))
        raise CannotHandIn(
            f"In {there} nothing is written yet, so there is nothing to hand in. Was another "
            "assignment meant?"
        )
    if not files:
        raise CannotHandIn(
            f"No assignment in {folder} has been begun: there is nothing to hand in."
        )
    begun = [name for names in files.values() for name in names]
    try:
        contents = {name: _without_outputs(work, name) for name in begun}
        own = {known: name for one in begun for known, name in work.own_modules(one).items()}
        contents |= {known: work.data(name) for known, name in own.items()}
    except (Unreadable, DamagedNotebook) as problem:
        raise CannotHandIn(str(problem)) from None
    target.mkdir(parents=True, exist_ok=True)
    return [_archive(target / f"{name}.zip", contents) for name in files if wanted in (None, name)]


def _begun(work: SubmissionFiles, name: str) -> list[str]:
    """The files in which work was begun: none, the module, the notebook, or both."""
    there = work.forms(name)
    if not there:
        raise CannotHandIn(
            f"{work.place / name}.py is missing. Bring it back from your copy of the kit, even if "
            "you have not begun it."
        )
    try:
        for file in there:
            work.code(file)
    except Unreadable as problem:
        raise CannotHandIn(str(problem)) from None
    return work.edited(name)


def _without_outputs(work: SubmissionFiles, name: str) -> bytes:
    """Return a file's content, a notebook's without its outputs.

    Raises Unreadable, DamagedNotebook.

    nbformat would give cells without a name one, each time another.
    """
    data = work.data(name)
    if form(name) != ".ipynb":
        return data
    notebook = parsed(data)
    sheets = notebook.get("worksheets", [notebook])  # where cells were before version 4
    for cell in (cell for sheet in sheets for cell in sheet["cells"] if isinstance(cell, dict)):
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
