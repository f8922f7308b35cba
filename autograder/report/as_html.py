"""Show a grade as a self-contained page: no script, no network, no meaning by colour alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from markupsafe import Markup

from autograder.grading.grade import Grade, Outcome
from autograder.report import paste, table, templates
from autograder.report.feedback import (
    GLYPHS,
    HINTS,
    checks_with_feedback,
    has_feedback,
    located,
    named,
    why_it_waits,
)
from autograder.report.picture import svg
from autograder.report.terminal import next_step
from autograder.report.totals import is_optional, total


def page(grade: Grade, hints: int, comments: Mapping[str, str] = MappingProxyType({})) -> str:
    """Return a grade's page. hints: how many are shown, 0 to 3. comments: by exercise."""
    return templates.page(
        "page.html",
        {
            "grade": grade,
            "comments": comments,
            "told": [
                e for e in grade.exercises if grade.status != "unreadable" and has_feedback(e)
            ],
            "file": Path(grade.path).name,
            "tag": {"p": "p", "h": "h3", "title": "span", "bdi": "bdi"},
            **words(hints),
        },
    )


def progress(pages: Sequence[tuple[Grade, str]]) -> str:
    """Return the page of one person's progress. pages: each grade with its page's name."""
    grades = [grade for grade, _ in pages]
    return templates.page(
        "course.html",
        {
            "pages": pages,
            "submission": grades[0].submission,
            "total": total(grades),
            "is_optional": is_optional,
            "next": " ".join(next_step(grades)),
            "glyph": GLYPHS.__getitem__,
            "outcomes": [one for one in Outcome if any(_has(grade, one) for grade in grades)],
            **words(0),
        },
    )


def _has(grade: Grade, outcome: Outcome) -> bool:
    return any(exercise.outcome is outcome for exercise in grade.exercises)


def words(hints: int) -> dict[str, Callable[..., object]]:
    """Return the functions that templates call. hints: how many are shown, 0 to 3."""
    return {
        "points": templates.points,
        "word": templates.word,
        "diagnoses": lambda exercise: named(exercise, hints),
        "hints": lambda found: zip(HINTS, found.hints[:hints], strict=False),
        "located": lambda exercise: located(exercise, hints),
        "parted": lambda message: message.partition("\n")[::2],
        "why_it_waits": why_it_waits,
        "checks": checks_with_feedback,
        "heading": table.heading,
        "framed": lambda example: table.heading(example, "framed"),
        "weights": table.weights,
        "bands": table.bands,
        "paste": paste.lines,
        "picture": lambda one, band: Markup(svg(one, band)),  # which escapes texts
    }
