"""Compare and update the points of exercises in checks, gradebook and notebooks.

The checks decide. The gradebook and the notebooks contain copies, which may be out of date.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import nbformat
from nbformat import NotebookNode
from nbgrader import utils
from nbgrader.api import Grade, Gradebook, Notebook
from nbgrader.coursedir import CourseDirectory

from autograder.classroom.results import Result
from autograder.nbgrader.effects import LEAST, Effect
from autograder.nbgrader.journal import changed, columns
from autograder.nbgrader.places import Places, read_notebook
from autograder.nbgrader.trouble import CannotRun
from autograder.submissions import ids

Points = dict[str, float]
ABOVE = (
    "Points above the maximum, from autograde after the regrade: {}. Run make regrade "
    "ASSIGNMENT={}, which corrects them."
)
OTHER_POINTS = (
    "{} has {:g} points in the {} and {:g} by its checks. Run make regrade ASSIGNMENT={}, which "
    "updates the points; with DRY=1 it only shows what would change."
)
OTHER_EXERCISES = (
    "{} was released without {}. A regrade can change the points of exercises, but not add or "
    "rename exercises: give them the names that were released."
)


def by_checks(results: Iterable[Result]) -> Points:
    """Return the points of each exercise according to the checks, taken from results."""
    graded = (exercise for result in results for exercise in result.grade.exercises)
    return {exercise.name: exercise.max_points for exercise in graded}


def of_cells(notebook: NotebookNode) -> Points:
    """Return the points of each graded cell of a notebook."""
    return {
        cell.metadata.nbgrader.grade_id: float(cell.metadata.nbgrader.points)
        for cell in notebook.cells
        if utils.is_grade(cell)
    }


def of_gradebook(notebook: Notebook) -> Points:
    """Return the points of each graded cell in the gradebook."""
    return {cell.name: cell.max_score for cell in notebook.grade_cells}


def check_points(
    directory: CourseDirectory, released: NotebookNode, results: Iterable[Result]
) -> None:
    """Compare the points in the gradebook and the release with those of the checks.

    Raises CannotRun if they differ: scores would not match their maximum.
    """
    name, now = directory.assignment_id, by_checks(results)
    with Gradebook(directory.db_url, directory.course_id) as gradebook:
        kept = of_gradebook(gradebook.find_notebook(name, name))
    for place, points in (("gradebook", kept), ("release", of_cells(released))):
        check_exercises(name, points, now)
        for exercise, given in now.items():
            if given != points[exercise]:
                raise CannotRun(OTHER_POINTS.format(exercise, points[exercise], place, given, name))


def above_maximum(directory: CourseDirectory, assignment: str) -> str:
    """Return the sentence about students whose points are above the maximum, or "".

    Undoing a regrade lowers the maximum for those too who were autograded after the regrade, whose
    points it leaves.
    """
    with Gradebook(directory.db_url, directory.course_id) as gradebook:
        students = sorted(
            one.student.id
            for one in gradebook.notebook_submissions(assignment, assignment)
            if any(map(_is_above, one.grades))
        )
    return ABOVE.format(", ".join(map(ids.shown, students)), assignment) if students else ""


def _is_above(grade: Grade) -> bool:
    """Return whether the engine's points count, and are above the maximum."""
    auto = grade.auto_score or 0.0
    return grade.manual_score is None and auto > grade.max_score + LEAST


def check_exercises(assignment: str, there: Points, now: Points) -> None:
    """Look for each exercise among the released cells. Raises CannotRun if one is missing.

    More cells are allowed: an instructor's own questions, which are graded by hand.
    """
    if missing := [exercise for exercise in now if exercise not in there]:
        raise CannotRun(OTHER_EXERCISES.format(assignment, ", ".join(missing)))


def take_over_points(
    gradebook: Gradebook, places: Places, assignment: str, points: Points, effect: Effect
) -> None:
    """Update the points in the gradebook, the source and the release to those of the checks.

    nbgrader generate_assignment would do that too; this function stays within the gradebook's open
    transaction, and adds all changes to the effect. Raises CannotRun.
    """
    kept = gradebook.find_notebook(assignment, assignment)
    old = of_gradebook(kept)
    check_exercises(assignment, old, points)
    effect.points = {e: (old[e], now) for e, now in points.items() if old[e] != now}
    for path in (places.source_notebook(assignment), places.released_notebook(assignment)):
        if path.is_file():
            notebook = read_notebook(path)
            check_exercises(assignment, of_cells(notebook), points)
            if any(points.get(e, given) != given for e, given in of_cells(notebook).items()):
                set_points(notebook, points)
                effect.files[path] = nbformat.writes(notebook).encode() + b"\n"
    for cell in kept.grade_cells:
        if cell.name in points:
            before = columns("cell", cell)
            cell.max_score = points[cell.name]
            effect.rows += changed("cell", cell, "", cell.name, before)
    checksums = _checksums(places.released(assignment), points)
    for source in kept.source_cells:
        if source.name in checksums:
            before = columns("source", source)
            source.checksum = checksums[source.name]
            effect.rows += changed("source", source, "", source.name, before)


def _checksums(released: NotebookNode, points: Points) -> dict[str, str]:
    """Return nbgrader's checksums of the released graded cells, which depend on their points."""
    set_points(released, points)
    cells = [cell for cell in released.cells if utils.is_grade(cell)]
    return {cell.metadata.nbgrader.grade_id: utils.compute_checksum(cell) for cell in cells}


def set_points(notebook: NotebookNode, points: Mapping[str, float]) -> None:
    """Set the points of graded cells of a notebook, and the checksums that depend on them."""
    for cell in notebook.cells:
        if utils.is_grade(cell) and cell.metadata.nbgrader.grade_id in points:
            marks = cell.metadata.nbgrader
            marks.points = number(points[marks.grade_id])
            if "checksum" in marks:
                marks.checksum = utils.compute_checksum(cell)


def number(points: float) -> float:
    """Return a whole number as an int, as Jupyter writes it."""
    return int(points) if points == int(points) else points
