"""Take the cells that a student has run in a notebook for a submission; nothing need be saved."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from autograder.course import DEFINED, assignments, assignments_folder
from autograder.submissions import by_assignment, notebook, uncounted
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


@dataclass(frozen=True)
class _Taken:
    """Cells in place of the notebook of an assignment.

    files: those beside the notebook, with the cells in place of its own, and name: its name. made:
    the exercises that the cells define. remark: as of a submission.
    """

    assignment: str
    files: SubmissionFiles
    name: str
    made: set[str]
    remark: str


def submission(folder: Path, cells: Cells, assignment: str) -> Submission:
    """Return the cells as the submission of an assignment, or its file if they are of another.

    folder: that of the notebook, whose other files the cells may import; earlier assignments are
    also found in the folders that nbgrader has beside it.
    """
    return _submission(folder, _taken(folder, cells, assignment))


def submissions(folder: Path, cells: Cells) -> list[Submission]:
    """Return a submission for each assignment: the cells or its files.

    The cells count for the assignment of which they define most, and for each of which more is
    written in them than in its files.
    """
    taken = [_taken(folder, cells, one) for one in assignments()]
    own = max(taken, key=lambda one: len(one.made))
    place = by_assignment.top(folder)
    is_course = place != folder or _is_course(folder)
    files = SubmissionFiles(place if is_course else assignments_folder(), own=place != folder)
    found = []
    for one in taken:
        if one.made and (one is own or _has_more(one, files)):
            found.append(_submission(folder, one))
        elif files.forms(one.assignment):
            found.append(files.submission(STUDENT, one.assignment))
    return found


def _submission(folder: Path, taken: _Taken) -> Submission:
    """Return the cells as a submission, or the saved file if they define no exercise."""
    saved, _ = by_assignment.beside(folder, taken.assignment)
    if not taken.made and saved.forms(taken.assignment):
        found = saved.submission(STUDENT, taken.assignment)
    else:
        found = taken.files.read(STUDENT, taken.name, taken.assignment)
        found = replace(found, from_cells=True)
    return replace(found, remark=taken.remark)


def _taken(folder: Path, cells: Cells, assignment: str) -> _Taken:
    """Take the cells, without the kit's own, for the notebook of an assignment."""
    files, name = by_assignment.beside(folder, assignment)
    own, others = _apart(files, name, cells)
    code: Code | Unreadable
    try:
        code = of_cells(others, Path("This notebook"))
    except Unreadable as problem:
        code = problem
    files.replace(name, code)
    made = _made(files, name, cells, assignment)
    return _Taken(assignment, files, name, made, uncounted.remark(own, others, assignment))


def _apart(
    files: SubmissionFiles, name: str, cells: Cells
) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """Return the labels and texts of the kit's own cells among these, and those of the others."""
    kits = _of_the_kit(files, name)
    own = [(label, text) for label, text, one in cells if one in kits]
    return own, [(label, text) for label, text, one in cells if one not in kits]


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

    Not those that they take out of its files, as later assignments do. files, name: see `_Taken`.
    """
    defined = {one for _, text, _ in cells for one in DEFINED.findall(as_code(text))}
    with contextlib.suppress(Unreadable):
        if assignment not in imports(files.code(name)):
            saved = {*files.forms(assignment)} - {name}
            found = Origins(files, assignment).of(name)
            defined |= {one for one, there in found.items() if there - saved}
    return defined & exercises_of(assignment)


def _has_more(taken: _Taken, saved: SubmissionFiles) -> bool:
    """Return whether more of an assignment is written in cells than in each of its files."""
    there = Origins(taken.files, taken.assignment).of(taken.name)
    written = [one for one in there if one in taken.made]
    origins = Origins(saved, taken.assignment)
    return all(len(written) > len(origins.of(one)) for one in saved.forms(taken.assignment))


def _is_course(folder: Path) -> bool:
    """Return whether a folder holds files of several assignments."""
    files = SubmissionFiles(folder)
    return sum(bool(files.forms(one)) for one in assignments()) > 1
