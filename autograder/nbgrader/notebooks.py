"""Make the source notebooks of the nbgrader course: solutions with nbgrader's metadata."""

from __future__ import annotations

import nbformat
from nbformat import NotebookNode

from autograder.checking.collect import Checks
from autograder.course import DEFINED, solution_file, statement
from autograder.course.calls import FINISHED, FINISHES
from autograder.course.skeletons import BEGIN
from autograder.errors import CourseError
from autograder.kit.notebook import notebook
from autograder.nbgrader.points import number

SCHEMA = 3  # of nbgrader's metadata, since version 0.6
# nbgrader runs only these cells; they contain no hidden checks.
NOTE = """\
A cell of checks, and *Validate*, run the visible checks only. After you hand in, hidden checks
run as well, and both kinds count."""


class CannotBeGraded(CourseError):
    """A solution lacks what nbgrader needs; the text says what."""


def source_notebook(assignment: str, checks: Checks) -> NotebookNode:
    """Return the notebook with the reference code, from which nbgrader makes the students' one.

    The cell of visible checks of an exercise carries its name and its points; the cells in which
    students write are named after their definition. These names must not change once there are
    submissions, since nbgrader matches cells by them. Raises CannotBeGraded.
    """
    made = notebook(statement(assignment), assignment)
    exercises = checks.exercises(assignment)
    points = {e.name: sum(c.check.points for c in checks.of(e)) for e in exercises}
    for cell in made.cells:
        passed = FINISHES.search(cell.source) if cell.cell_type == "code" else None
        if BEGIN in cell.source:
            defined = DEFINED.search(cell.source)
            _mark(cell, f"{defined[1] if defined else cell.id}-answer", solution=True)
        elif passed and passed[1] in points:
            _mark(cell, passed[1], grade=True, locked=True, points=number(points[passed[1]]))
    made.cells.insert(1, nbformat.v4.new_markdown_cell(NOTE, id="visible-checks"))
    _check(made, [*points], assignment)
    nbformat.validate(made)
    return made


def ids(made: NotebookNode) -> list[str]:
    """Return the names of the cells that have nbgrader's metadata."""
    marked = [cell.metadata["nbgrader"] for cell in made.cells if "nbgrader" in cell.metadata]
    return [one["grade_id"] for one in marked]


def _mark(cell: NotebookNode, grade_id: str, **fields: bool | float) -> None:
    plain = {"schema_version": SCHEMA, "grade_id": grade_id}
    kinds = {"grade": False, "solution": False, "locked": False, "task": False}
    cell.metadata["nbgrader"] = nbformat.from_dict({**plain, **kinds, **fields})


def _check(made: NotebookNode, exercises: list[str], assignment: str) -> None:
    """Check that every exercise has one cell for its points, and every cell a unique name."""
    named = ids(made)
    for exercise in exercises:
        if named.count(exercise) != 1:
            raise CannotBeGraded(
                f"{solution_file(assignment)}: {exercise} has {named.count(exercise)} cells that "
                f'end with print("{exercise}: {FINISHED}"). It needs one, to which nbgrader gives '
                "its points."
            )
    if twice := sorted({name for name in named if named.count(name) > 1}):
        raise CannotBeGraded(
            f"{solution_file(assignment)}: two cells with a solution define {twice[0]}. "
            "Rename one of the definitions."
        )
