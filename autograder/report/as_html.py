"""Show a grade as a self-contained page: no script, no network, no meaning by colour alone.

jinja2 makes the pages because it escapes every text, so that a student's texts stay text. It is
installed with PyTorch anyway.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template
from markupsafe import Markup

from autograder.checking.example import Example
from autograder.grading.grade import Grade, Outcome
from autograder.report import paste, table
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
from autograder.submissions.reports import GENERATOR

HERE = Path(__file__).parent


def page(grade: Grade, hints: int) -> str:
    """Return a grade's page. hints: how many are shown, 0 to 3."""
    return _framed(
        "page.html",
        grade=grade,
        told=[e for e in grade.exercises if grade.status != "unreadable" and has_feedback(e)],
        file=Path(grade.path).name,
        tag={"p": "p", "h": "h3", "title": "span", "bdi": "bdi"},
        **words(hints),
    )


def progress(pages: Sequence[tuple[Grade, str]]) -> str:
    """Return the page of one person's progress. pages: each grade with its page's name."""
    grades = [grade for grade, _ in pages]
    return _framed(
        "course.html",
        pages=pages,
        submission=grades[0].submission,
        got=sum(grade.points for grade in grades),
        most=sum(grade.max_points for grade in grades),
        next=" ".join(next_step(grades)),
        glyph=GLYPHS.__getitem__,
        outcomes=[one for one in Outcome if any(_has(grade, one) for grade in grades)],
        **words(0),
    )


def _has(grade: Grade, outcome: Outcome) -> bool:
    return any(exercise.outcome is outcome for exercise in grade.exercises)


def _framed(name: str, **told: object) -> str:
    """Return what a template makes of texts and functions, as a whole page."""
    css = (HERE / "page.css").read_text(encoding="utf-8")
    digest = base64.b64encode(hashlib.sha256(css.encode()).digest()).decode()
    # The style is our own text, so it is not escaped.
    return template(name).render(css=Markup(css), digest=digest, generator=GENERATOR, **told)


def words(hints: int) -> dict[str, Callable[..., object]]:
    """Return the functions that templates call. hints: how many are shown, 0 to 3."""
    return {
        "points": lambda number: f"{number:g}",
        "word": _word,
        "diagnoses": lambda exercise: named(exercise, hints),
        "hints": lambda found: zip(HINTS, found.hints[:hints], strict=False),
        "located": lambda exercise: located(exercise, hints),
        "parted": lambda message: message.partition("\n")[::2],
        "why_it_waits": why_it_waits,
        "checks": checks_with_feedback,
        "heading": table.heading,
        "framed": lambda example: table.heading(example, "framed"),
        "weights": table.weights,
        "bands": _bands,
        "paste": paste.lines,
        "picture": lambda one, band: Markup(svg(one, band)),  # which escapes texts
    }


@cache
def template(name: str) -> Template:
    """Return a template of this folder, which escapes every text."""
    loader = FileSystemLoader(HERE)
    environment = Environment(
        loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True
    )
    return environment.get_template(name)


def _word(outcome: Outcome) -> Markup:
    text = f"{GLYPHS[outcome]} {outcome.value}"
    return Markup('<span class="word {}">{}</span>').format(outcome.value, text)


def _bands(example: Example) -> list[list[table.Table]]:
    """Return the tables in rows: the inputs, then each pair of expected and actual results."""
    return [table.inputs(example), *table.results(example)]
