"""The feedback to one exercise as the output of a notebook's cell, as HTML and as text.

Of HTML only those elements are used that survive where a notebook is shown as its author's, with
all that could do harm taken out (nbconvert's sanitize_html): headings, paragraphs and style
sheets do not, nor do tables, to which a parser adds what does not.
"""

from __future__ import annotations

from autograder.grading.grade import ExerciseGrade, Grade
from autograder.report.as_html import is_told, template, words
from autograder.report.table import numbers
from autograder.report.terminal import WIDTH, Terminal

TAGS = {"p": "div", "h": "div", "title": "strong", "bdi": "span"}


def html(exercise: ExerciseGrade, grade: Grade, hints: int) -> str:
    """What `make grade --html` says of it. hints: how many are shown, 0 to 3."""
    return template("cell.html").render(
        exercise=exercise,
        grade=grade,
        unreadable=grade.status == "unreadable",
        told=is_told(exercise),
        tag=TAGS,
        numbers="\n".join(numbers(exercise.example, WIDTH)) if exercise.example else "",
        **words(hints),
    )


def text(exercise: ExerciseGrade, grade: Grade, hints: int) -> str:
    """What `make grade` says of it, in lines of 80 columns."""
    return "\n".join(Terminal(colour=False, hints=hints).exercise(exercise, grade))


def note_html(grade: Grade) -> str:
    """What there is to say of a submission as a whole, and how it was run."""
    return template("note.html").render(grade=grade)


def note_text(grade: Grade) -> str:
    """The same in lines of 80 columns."""
    return "\n".join(Terminal(colour=False, locked=grade.locked).note(grade))
