"""A short comment on a grade, for a platform that shows HTML and a table that may be opened.

Moodle's feedback comments are HTML (assignfeedback_comments, FORMAT_HTML). In a spreadsheet, or in
one that takes another character to separate cells, no part of the text is a formula.
"""

from __future__ import annotations

import html
import unicodedata
from collections.abc import Iterator
from typing import TYPE_CHECKING

from autograder.gradebooks.points import exact, written
from autograder.grading.fitting import TextLimit, cut
from autograder.report.comments import COMMENT
from autograder.report.writing import FORMULA, harmless

if TYPE_CHECKING:
    from autograder.classroom.document import Exercise, Submission

MESSAGE = TextLimit(300, 1)
BREAK = "<br>"


def comment(submission: Submission) -> str:
    """Return the text of a cell: the points, then a line for each exercise that lacks some.

    The comments of an instructor are among them.
    """
    lines = [_text(line) for line in _lines(submission)]
    return harmless(BREAK.join(lines))


def _lines(submission: Submission) -> Iterator[str]:
    if submission.status == "unreadable":
        yield f"Nothing could be graded, so there are no points. {submission.message}"
        return
    yield f"{_of(submission.score, submission.max_score)} points. {submission.message}"
    for exercise in submission.exercises:
        said = _said(exercise)
        has_all = exercise.score == exercise.max_score
        if not has_all or exercise.status != "passed":
            points = _of(exercise.score, exercise.max_score)
            yield f"{exercise.name}: {exercise.status}, {points}. {said}"
        if exercise.comment:
            yield f"{exercise.name}: {COMMENT} {exercise.comment}"


def _of(points: float, most: float) -> str:
    return f"{written(exact(points))} of {written(exact(most))}"


def _said(exercise: Exercise) -> str:
    """Return the message of the first check that has not passed, a visible one if there is any."""
    wanting = [check for check in exercise.checks if check.status != "passed" and check.message]
    wanting.sort(key=lambda check: not check.visible)
    return f"{wanting[0].title}: {wanting[0].message}" if wanting else ""


def _text(line: str) -> str:
    """Return a line as HTML without formulas.

    What begins one is written as HTML's number of that character, except after a letter or digit.
    """
    parts, before = [], ""
    for c in html.escape(cut(" ".join(line.split()), MESSAGE), quote=False):
        begins = unicodedata.normalize("NFKC", c)[:1] in FORMULA and not before.isalnum()
        parts.append(f"&#{ord(c)};" if begins else c)
        before = before if c.isspace() else c
    return "".join(parts)
