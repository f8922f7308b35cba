"""Take the cells that a student has run in a notebook for a submission; nothing need be saved."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from autograder.course import DEFINED, assignments, assignments_folder
from autograder.submissions import by_assignment, notebook, uncounted, work
from autograder.submissions.bindings import without_strings
from autograder.submissions.files import Unreadable
from autograder.submissions.imports import imports
from autograder.submissions.magics import of_cell
from autograder.submissions.origins import Origins
from autograder.submissions.pasted import as_code
from autograder.submissions.source_text import DEMONSTRATION, form, of_cells, stem
from autograder.submissions.submission import Submission
from autograder.submissions.submission_files import SubmissionFiles
from autograder.submissions.work import exercises_of
from autograder.submissions.written import without_unused

if TYPE_CHECKING:
    from autograder.runtime.source import Code

Cells = Sequence[tuple[str, str, str]]  # labels, texts and ids of the cells that were run, in order
STUDENT = "you"
BOTH = (
    "{} and {} both hold work: the better one is graded, and imports take {}. Keep the one that "
    "counts."
)
RUNS_TEXTS = re.compile(r"\b(?:exec|run_cell|ex)[ \t]*\(")  # a definition may be in a string


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


@dataclass(frozen=True)
class Part:
    """A submission of an assignment, and those of its exercises that are graded by it."""

    submission: Submission
    exercises: frozenset[str]


def submission(folder: Path, cells: Cells, assignment: str, exercise: str = "") -> Submission:
    """Return the cells as the submission of an assignment, or its file if they are of another.

    folder: that of the notebook, whose other files the cells may import; earlier assignments are
    also found in the folders that nbgrader has beside it. exercise: the one that is graded; if no
    cell makes it and the file has it, that is the submission, as after a restart of the kernel.
    """
    saved = _saved(folder, assignment)
    taken = _taken(folder, cells, assignment, saved)
    made = taken.made & {exercise} if exercise else taken.made
    if not made and (
        exercise in _written(saved, assignment) if taken.made else saved.forms(assignment)
    ):
        found = saved.submission(STUDENT, assignment)
        said = filter(None, [taken.remark, _both(found, saved, folder)])
        return replace(found, remark=" ".join(said))
    return _from_cells(taken)


def submissions(folder: Path, cells: Cells) -> list[Part]:
    """Return what counts for each assignment: the cells, its file, or both in this order.

    An exercise counts as the cells make it, and one that no cell makes as the file has it.
    """
    found = []
    for one in assignments():
        saved = _saved(folder, one)
        taken = _taken(folder, cells, one, saved)
        made, rest = frozenset(taken.made), exercises_of(one) - taken.made
        has_rest = rest & _written(saved, one) if made else saved.forms(one)
        if made:
            found.append(Part(_from_cells(taken), made if has_rest else made | rest))
        if has_rest:
            found.append(Part(saved.submission(STUDENT, one), rest))
    return [replace(one, submission=replace(one.submission, origin=folder)) for one in found]


def of_the_kit(folder: Path, wanted: Sequence[str]) -> dict[str, set[str]]:
    """Return the ids of the kit's own cells in the notebooks of assignments, as they were saved."""
    files, _ = by_assignment.beside(folder, folder.name)
    names = {one: by_assignment.name_beside(folder, one) for one in wanted}
    return {one: _of_the_kit(files, name) for one, name in names.items()}


def _from_cells(taken: _Taken) -> Submission:
    found = taken.files.read(STUDENT, taken.name, taken.assignment)
    return replace(found, from_cells=True, remark=taken.remark)


def _saved(folder: Path, assignment: str) -> SubmissionFiles:
    """Return the files that have an assignment as it was saved.

    They are beside the notebook, or in the kit's folder if the notebook is alone in another.
    """
    files, _ = by_assignment.beside(folder, assignment)
    is_alone = by_assignment.top(folder) == folder and not _is_course(folder)
    if is_alone and not files.forms(assignment):
        return SubmissionFiles(assignments_folder())
    return files


def _both(found: Submission, saved: SubmissionFiles, folder: Path) -> str:
    """Return a sentence about the two forms of a saved assignment that hold work; "" for one."""
    if not (found.other and found.assignment):
        return ""
    both = [one.path.name for one in (found, found.other)]
    taken = saved.whereabouts(_imported(saved, folder, found.assignment)).name
    return BOTH.format(*both, taken)


def _imported(saved: SubmissionFiles, folder: Path, assignment: str) -> str:
    """Return the saved file that an import of an assignment means in a notebook of this folder."""
    _, near = by_assignment.beside(folder, folder.name)
    return saved.imported_from(assignment, near)


def _written(files: SubmissionFiles, assignment: str) -> set[str]:
    """Return the exercises of an assignment that are written in its saved files."""
    origins = Origins(files, assignment)
    return {one for name in files.forms(assignment) for one in origins.of(name)}


def _taken(folder: Path, cells: Cells, assignment: str, saved: SubmissionFiles) -> _Taken:
    """Take the cells, without the kit's own, for the notebook of an assignment.

    If they import from it, the one that was saved is a module of this name beside them.
    """
    files, name = by_assignment.beside(folder, assignment)
    own, others = _apart(files, name, cells)
    code: Code | Unreadable
    try:
        code = of_cells(others, Path("This notebook"))
    except Unreadable as problem:
        code = problem
    if not isinstance(code, Unreadable) and assignment in imports(code):
        meant = _imported(saved, folder, assignment)
        if form(meant) == ".ipynb":
            files.replace(f"{stem(name)}.py", saved.imported_code(meant, assignment))
    files.replace(name, code)
    made = _made(files, name, cells, assignment)
    files.replace(name, code)
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

    Not those that they only take out of its files, as later assignments do, nor those in a string
    that nothing runs or in a module that is written and not used. files, name: see `_Taken`; the
    cells there lose such modules.
    """
    texts = [of_cell(as_code(text)) for _, text, _ in cells]
    codes = [*map(without_strings, texts)]
    read = texts if any(map(RUNS_TEXTS.search, codes)) else codes
    defined = {one for text in read for one in DEFINED.findall(text)}
    with contextlib.suppress(Unreadable):
        saved = {*files.forms(assignment), f"{stem(name)}.py"} - {name}  # see `_taken`
        files.replace(name, without_unused(files.code(name), assignment))
        origins = Origins(files, assignment, supposes=False)
        found = work.sources(files.cells(name), assignment, files.modules(name))
        for exercise, sources in found.items():
            taken = (origins.of(one.module).get(exercise, set()) for one in sources if one.module)
            if not all(one.is_taken for one in sources) or set().union(*taken) - saved:
                defined.add(exercise)
    return defined & exercises_of(assignment)


def _is_course(folder: Path) -> bool:
    """Return whether a folder holds files of several assignments."""
    files = SubmissionFiles(folder)
    return sum(bool(files.forms(one)) for one in assignments()) > 1
