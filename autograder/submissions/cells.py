"""Take the cells that a student has run in a notebook for a submission; nothing need be saved."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from autograder.course import DEFINED, assignments, assignments_folder
from autograder.submissions import by_assignment, notebook
from autograder.submissions.files import Unreadable
from autograder.submissions.pasted import as_code
from autograder.submissions.source_text import DEMONSTRATION, of_cells
from autograder.submissions.submission import Submission
from autograder.submissions.submission_files import SubmissionFiles
from autograder.submissions.work import exercises_of

Cells = Sequence[tuple[str, str, str]]  # labels, texts and ids of the cells that were run, in order
STUDENT = "you"


def submission(folder: Path, cells: Cells, assignment: str) -> Submission:
    """Return the cells as the submission of an assignment, or its file if they are of another.

    folder: that of the notebook, whose other files the cells may import; earlier assignments are
    also found in the folders that nbgrader has beside it.
    """
    files, name = by_assignment.beside(folder, assignment)
    place = files.place
    if not _defined(cells) & exercises_of(assignment) and files.forms(assignment):
        return files.submission(STUDENT, assignment)
    kits = _of_the_kit(files, name)
    texts = [(label, text) for label, text, one in cells if one not in kits]
    try:
        files.replace(name, of_cells(texts, Path(f"{assignment}.ipynb")))
    except Unreadable as problem:
        return Submission(STUDENT, place / name, assignment, {}, str(problem), place)
    return files.read(STUDENT, name, assignment)


def submissions(folder: Path, cells: Cells) -> list[Submission]:
    """Return a submission for each assignment: the cells, and for the others the files.

    The cells belong to the assignment of which they define most.
    """
    shares = {one: len(_defined(cells) & exercises_of(one)) for one in assignments()}
    own = max(shares, key=lambda one: shares[one])
    place = by_assignment.top(folder)
    is_course = place != folder or _is_course(folder)
    files = SubmissionFiles(place if is_course else assignments_folder(), own=place != folder)
    found = []
    for one in assignments():
        if one == own and shares[own]:
            found.append(submission(folder, cells, one))
        elif files.forms(one):
            found.append(files.submission(STUDENT, one))
    return found


def _of_the_kit(files: SubmissionFiles, name: str) -> set[str]:
    """Return the ids of the kit's own cells in a notebook, as far as it was saved.

    They are not graded, so what a student writes in one must not count here either.
    """
    try:
        found = notebook.cells(files.data(name))
    except (Unreadable, notebook.DamagedNotebook):
        return set()
    return {one for cell in found if DEMONSTRATION in cell.tags for one in cell.names}


def _defined(cells: Cells) -> set[str]:
    return {name for _, text, _ in cells for name in DEFINED.findall(as_code(text))}


def _is_course(folder: Path) -> bool:
    """Return whether a folder holds files of several assignments."""
    files = SubmissionFiles(folder)
    return sum(bool(files.forms(one)) for one in assignments()) > 1
