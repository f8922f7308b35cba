"""The source notebooks of the nbgrader course: the solutions, and what nbgrader asks of a cell."""

from __future__ import annotations

import re

import nbformat
from nbformat import NotebookNode

from autograder.checking.collect import Checks
from autograder.course import DEFINED, solution
from autograder.course.skeletons import BEGIN
from autograder.kit.notebook import notebook
from autograder.nbgrader.points import number

SCHEMA = 3  # of nbgrader's metadata, since version 0.6
ENDING = "the visible checks of this cell pass"
PASSED = re.compile(rf'^print\("(\w+): {ENDING}"\)$', re.MULTILINE)  # ends a cell of checks
# Of the graded cells nbgrader runs no others than these, in which nothing hidden stands.
NOTE = """\
When a cell of checks, or *Validate*, finds nothing wrong, it has tried the visible checks only:
when you have handed in, hidden ones are tried as well, and both count."""


class CannotBeGraded(ValueError):
    """A solution lacks what nbgrader needs; the text says what."""


def source_notebook(assignment: str, checks: Checks) -> NotebookNode:
    """The notebook from which nbgrader makes the one for students: with the reference code.

    An exercise has its points at its cell of visible checks, which bears its name; the cells in
    which students write are named after what they define. Nobody may rename them once there are
    submissions: nbgrader knows cells by these names. Raises CannotBeGraded.
    """
    made = notebook(solution(assignment), assignment)
    exercises = checks.exercises(assignment)
    points = {e.name: sum(c.check.points for c in checks.of(e)) for e in exercises}
    for cell in made.cells:
        passed = PASSED.search(cell.source) if cell.cell_type == "code" else None
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
    """The names of the cells that nbgrader knows."""
    marked = [cell.metadata["nbgrader"] for cell in made.cells if "nbgrader" in cell.metadata]
    return [one["grade_id"] for one in marked]


def _mark(cell: NotebookNode, grade_id: str, **said: bool | float) -> None:
    plain = {"schema_version": SCHEMA, "grade_id": grade_id}
    kinds = {"grade": False, "solution": False, "locked": False, "task": False}
    cell.metadata["nbgrader"] = nbformat.from_dict({**plain, **kinds, **said})


def _check(made: NotebookNode, exercises: list[str], assignment: str) -> None:
    """Has every exercise one cell for its points, and every cell a name of its own?"""
    named = ids(made)
    for exercise in exercises:
        if named.count(exercise) != 1:
            raise CannotBeGraded(
                f"solutions/{assignment}.py: {exercise} has {named.count(exercise)} cells that "
                f'end with print("{exercise}: {ENDING}"). It needs one, to which nbgrader gives '
                "its points."
            )
    if twice := sorted({name for name in named if named.count(name) > 1}):
        raise CannotBeGraded(
            f"solutions/{assignment}.py: two cells with a solution define {twice[0]}."
        )
