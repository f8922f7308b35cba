"""Write the feedback to one exercise as a notebook cell's output, in HTML and in plain text.

The HTML has only elements that survive nbconvert's sanitize_html, which removes headings,
paragraphs, style sheets and elements that a parser adds to tables.
"""

from __future__ import annotations

from autograder.grading.grade import ExerciseGrade, Grade
from autograder.report.as_html import words
from autograder.report.columns import WIDTH
from autograder.report.feedback import has_feedback
from autograder.report.shaded import numbers
from autograder.report.templates import template
from autograder.report.terminal import Terminal

TAGS = {"p": "div", "h": "div", "title": "strong", "bdi": "span"}


def html(exercise: ExerciseGrade, grade: Grade, hints: int) -> str:
    """Return the feedback that a page has, as HTML. hints: how many are shown, 0 to 3."""
    return template("cell.html").render(
        exercise=exercise,
        grade=grade,
        unreadable=grade.status == "unreadable",
        told=has_feedback(exercise),
        tag=TAGS,
        numbers="\n".join(numbers(exercise.example, WIDTH)) if exercise.example else "",
        **words(hints),
    )


def text(exercise: ExerciseGrade, grade: Grade, hints: int) -> str:
    """Return the feedback that `make grade` prints, in lines of 80 columns."""
    return "\n".join(Terminal(hints=hints).exercise(exercise, grade))


def note_html(grade: Grade) -> str:
    """Return the message about a submission as a whole, and how it was run, as HTML."""
    return template("note.html").render(grade=grade)


def note_text(grade: Grade) -> str:
    """Return the message about a submission as a whole, and how it was run, in 80 columns."""
    return "\n".join(Terminal(locked=grade.locked).note(grade))
