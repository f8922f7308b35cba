"""Show a grade where the student works: as the output of a notebook cell, and as plain text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from autograder.course import is_students_copy, root
from autograder.grading.grade import ExerciseGrade, Grade, Outcome
from autograder.report.as_cell import TAGS
from autograder.report.as_html import words
from autograder.report.feedback import GLYPHS, Stopped, has_feedback
from autograder.report.streams import Screen
from autograder.report.templates import template
from autograder.report.terminal import Terminal
from autograder.submissions.submission import Submission

HIDDEN = "The visible checks pass. Hidden ones are run when you hand in."
NOT_RUN = "Write it in a cell above, run that cell, and then this one again."
SAVED = "No cell that was run here defines it: this is {} as it was saved."
STOPPED = (
    "{} stopped at line {} ({}), so what it did not reach does not count: correct it and run it "
    "again."
)
NOT_WRITTEN = "Open that file, and write what its TODO asks for."
MORE = "For the next hint, run hint()."
LAST = "That was the last hint."
NO_HINT = (
    "There is no hint: no known mistake gives these results. Look at the first check that fails."
)
NONE_NEEDED = "It passes, so there is no hint."
WAITS = 'For hints on {0}, which it waits for, run check("{0}") and then hint().'
NAME = "The mistake is a known one. For its name and a hint, run hint()."


@dataclass(frozen=True)
class Output:
    """A text for students, as HTML and as text for a screen."""

    text: str
    html: str


def verdict(
    grade: Grade,
    hints: int,
    in_notebook: bool,
    screen: Screen | None = None,
    submission: Submission | None = None,
    stopped: Sequence[Stopped] = (),
    hint: int = 0,
) -> Output:
    """Return the verdict on one exercise, of which the grade is.

    hints: how many are shown. screen: where the text is, by default in a notebook. submission: what
    was graded, about which there may be more to say. stopped: the label, line and error of each
    cell that stopped above what the exercise uses. hint: the number of the hint that was asked for,
    0 for none.
    """
    exercise = grade.exercises[0]
    is_absent = exercise.outcome is Outcome.MISSING and not exercise.is_begun
    remarks = [] if is_absent and stopped else _remarks(exercise, hints, in_notebook)
    if hint > _most(exercise) and grade.status == "graded":
        remarks += _no_hint(exercise)
    is_saved = in_notebook and submission and not submission.from_cells
    if is_saved and exercise.outcome is not Outcome.MISSING:
        remarks.append(SAVED.format(Path(grade.path).name))
        if grade.message and grade.status == "graded":  # else it is said above
            remarks.append(grade.message)
    remarks += [STOPPED.format(*one) for one in stopped]
    if submission and submission.remark:
        remarks.append(submission.remark)
    terminal = Terminal(screen, hints)
    lines = [*terminal.exercise(exercise, grade)]
    if not in_notebook:
        lines += terminal.rebuild(exercise, _in_the_kit(grade))
    lines += remarks if in_notebook else terminal.sentences(remarks)
    html = template("output.html").render(
        exercise=exercise,
        grade=grade,
        unreadable=grade.status == "unreadable",
        told=has_feedback(exercise),
        remarks=remarks,
        tag=TAGS,
        **words(hints),
    )
    return Output("\n".join(line.removeprefix("  ") for line in lines), html)


def progress(
    grades: Sequence[Grade], screen: Screen | None = None, said: Sequence[str] = ()
) -> Output:
    """Return what has been reached in each assignment, and what to do next; see `verdict`.

    said: sentences about what was graded.
    """
    terminal = Terminal(screen)
    rows = [line for grade in grades for line in terminal.row(grade)]
    ending = [*terminal.ending([*map(_in_the_kit, grades)]), *said]
    html = template("progress.html").render(
        grades=grades, ending=ending, glyph=GLYPHS.__getitem__, **words(0)
    )
    return Output("\n".join([*rows, "", *ending]), html)


def _in_the_kit(grade: Grade) -> Grade:
    """Return a grade with the path of its work as it is seen from the kit's folder."""
    path = Path(grade.path)
    is_inside = path.is_relative_to(root())
    return replace(grade, path=path.relative_to(root()).as_posix()) if is_inside else grade


def _remarks(exercise: ExerciseGrade, hints: int, in_notebook: bool) -> list[str]:
    if exercise.outcome is Outcome.PASSED:
        return [HIDDEN] if is_students_copy() else []
    if exercise.outcome is Outcome.MISSING and not exercise.is_begun:
        return [NOT_RUN if in_notebook else NOT_WRITTEN]
    return [MORE if hints else NAME] if hints < _most(exercise) and in_notebook else []


def _most(exercise: ExerciseGrade) -> int:
    """Return how many hints there are about an exercise."""
    return max((len(found.hints) for found in exercise.diagnoses), default=0)


def _no_hint(exercise: ExerciseGrade) -> list[str]:
    """Return why there is no further hint about an exercise, unless that is said already."""
    match exercise.outcome:
        case Outcome.PASSED:
            return [NONE_NEEDED]
        case Outcome.BLOCKED:
            return [WAITS.format(exercise.waits_for)]
        case Outcome.FAILED:
            return [LAST if _most(exercise) else NO_HINT]
    return []
