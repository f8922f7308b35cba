"""Take the cells that a student has run in a notebook for a submission; nothing need be saved."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from autograder.course import DEFINED, assignments, assignments_folder, skeleton
from autograder.submissions.files import Unreadable
from autograder.submissions.folders import listed
from autograder.submissions.source_text import form, of_cells
from autograder.submissions.submission_files import Submission, SubmissionFiles

Cells = Sequence[tuple[str, str]]  # labels and texts of the cells that were run, in order
STUDENT = "you"


def submission(folder: Path, cells: Cells, assignment: str) -> Submission:
    """Return the cells as the submission of an assignment.

    folder: that of the notebook, whose other files the cells may import; earlier assignments are
    also found in the folders that nbgrader has beside it.
    """
    place = top(folder)
    name = f"{assignment}.ipynb" if place == folder else f"{assignment}/{assignment}.ipynb"
    beside = listed(place, 2 if place != folder else 1)
    files = SubmissionFiles(place, {one: path for one, path in beside.items() if form(one)})
    try:
        files.replace(name, of_cells(cells, Path(f"{assignment}.ipynb")))
    except Unreadable as problem:
        return Submission(STUDENT, place / name, assignment, {}, str(problem), place)
    return files.read(STUDENT, name, assignment)


def top(folder: Path) -> Path:
    """Return the folder that holds all assignments of the student with a notebook in this one."""
    return folder.parent if folder.name in assignments() else folder


def submissions(folder: Path, cells: Cells) -> list[Submission]:
    """Return a submission for each assignment: the cells, and for the others the files.

    The cells belong to the assignment of which they define most.
    """
    defined = {name for _, text in cells for name in DEFINED.findall(text)}
    shares = {
        one: len(defined.intersection(DEFINED.findall(skeleton(one)))) for one in assignments()
    }
    own = max(shares, key=lambda one: shares[one])
    files = SubmissionFiles(folder if _is_course(folder) else assignments_folder())
    found = []
    for one in assignments():
        if one == own and shares[own]:
            found.append(submission(folder, cells, one))
        elif files.forms(one):
            found.append(files.submission(STUDENT, one))
    return found


def _is_course(folder: Path) -> bool:
    """Return whether a folder holds files of several assignments."""
    files = SubmissionFiles(folder)
    return sum(bool(files.forms(one)) for one in assignments()) > 1
