"""Take the cells that a student has run in a notebook for a submission; nothing need be saved."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from autograder.course import DEFINED, assignments, assignments_folder
from autograder.submissions import by_assignment, notebook
from autograder.submissions.files import Unreadable
from autograder.submissions.imports import imports
from autograder.submissions.origins import Origins
from autograder.submissions.pasted import as_code
from autograder.submissions.source_text import DEMONSTRATION, of_cells
from autograder.submissions.submission import Submission
from autograder.submissions.submission_files import SubmissionFiles
from autograder.submissions.work import exercises_of

if TYPE_CHECKING:
    from autograder.runtime.source import Code

Cells = Sequence[tuple[str, str, str]]  # labels, texts and ids of the cells that were run, in order
STUDENT = "you"


def submission(folder: Path, cells: Cells, assignment: str) -> Submission:
    """Return the cells as the submission of an assignment, or its file if they are of another.

    folder: that of the notebook, whose other files the cells may import; earlier assignments are
    also found in the folders that nbgrader has beside it.
    """
    files, name = _with_cells(folder, cells, assignment)
    if not _made(files, name, cells, assignment):
        saved, _ = by_assignment.beside(folder, assignment)
        if saved.forms(assignment):
            return saved.submission(STUDENT, assignment)
    return files.read(STUDENT, name, assignment)


def submissions(folder: Path, cells: Cells) -> list[Submission]:
    """Return a submission for each assignment: the cells or its files.

    The cells count for the assignment of which they define most, and for each of which more is
    written in them than in its files.
    """
    shares = {
        one: len(_made(*_with_cells(folder, cells, one), cells, one)) for one in assignments()
    }
    own = max(shares, key=lambda one: shares[one])
    place = by_assignment.top(folder)
    is_course = place != folder or _is_course(folder)
    files = SubmissionFiles(place if is_course else assignments_folder(), own=place != folder)
    found = []
    for one in assignments():
        if shares[one] and (one == own or _have_more(folder, cells, files, one)):
            found.append(submission(folder, cells, one))
        elif files.forms(one):
            found.append(files.submission(STUDENT, one))
    return found


def _with_cells(folder: Path, cells: Cells, assignment: str) -> tuple[SubmissionFiles, str]:
    """Return the files beside a notebook, with the cells in place of its own, and its name."""
    files, name = by_assignment.beside(folder, assignment)
    kits = _of_the_kit(files, name)
    texts = [(label, text) for label, text, one in cells if one not in kits]
    code: Code | Unreadable
    try:
        code = of_cells(texts, Path(f"{assignment}.ipynb"))
    except Unreadable as problem:
        code = problem
    files.replace(name, code)
    return files, name


def _of_the_kit(files: SubmissionFiles, name: str) -> set[str]:
    """Return the ids of the kit's own cells in a notebook, as far as it was saved.

    They are not graded, so what a student writes in one must not count here either.
    """
    try:
        found = notebook.cells(files.data(name))
    except (Unreadable, notebook.DamagedNotebook):
        return set()
    return {one for cell in found if DEMONSTRATION in cell.tags for one in cell.names}


def _made(files: SubmissionFiles, name: str, cells: Cells, assignment: str) -> set[str]:
    """Return the exercises of an assignment that cells define, bind, or take out of own modules.

    Not those that they take out of its files, as later assignments do. name: see `_with_cells`.
    """
    defined = {one for _, text, _ in cells for one in DEFINED.findall(as_code(text))}
    with contextlib.suppress(Unreadable):
        if assignment not in imports(files.code(name)):
            saved = {*files.forms(assignment)} - {name}
            found = Origins(files, assignment).of(name)
            defined |= {one for one, there in found.items() if there - saved}
    return defined & exercises_of(assignment)


def _have_more(folder: Path, cells: Cells, saved: SubmissionFiles, assignment: str) -> bool:
    """Return whether more of an assignment is written in cells than in each of its files."""
    files, name = _with_cells(folder, cells, assignment)
    made = _made(files, name, cells, assignment)
    written = [one for one in Origins(files, assignment).of(name) if one in made]
    origins = Origins(saved, assignment)
    return all(len(written) > len(origins.of(one)) for one in saved.forms(assignment))


def _is_course(folder: Path) -> bool:
    """Return whether a folder holds files of several assignments."""
    files = SubmissionFiles(folder)
    return sum(bool(files.forms(one)) for one in assignments()) > 1
