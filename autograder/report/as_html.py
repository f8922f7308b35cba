"""Write a grade as a self-contained page: no script, no network, no meaning by colour alone.

jinja2 makes the pages because it escapes every text, so that a student's texts stay text. It is
installed with PyTorch anyway.
"""

from __future__ import annotations

import base64
import hashlib
import itertools
import os
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
from autograder.report.writing import NotOurs, check_folders, check_ours, write
from autograder.submissions import ids

HERE = Path(__file__).parent
GENERATOR = "attention exercise kit"
PROGRESS = "progress.html"  # the page of one person's progress
MARK = f'<meta name="generator" content="{GENERATOR}">'  # identifies our own pages


def check_folder(folder: Path) -> None:
    """Raise UsageError if a folder cannot be there, or has pages that are not ours."""
    check_folders(folder)
    if not os.path.isdir(folder):
        check_ours(folder, MARK)
        return
    try:
        pages = sorted(path for path in folder.iterdir() if path.suffix == ".html")
    except OSError as problem:
        raise NotOurs(f"{folder} cannot be read: {problem.strerror}. Name another place.") from None
    for path in pages:
        check_ours(path, MARK)


class Pages:
    """The pages of all submissions, in a folder. hints: how many are shown, 0 to 3.

    students: the ids of all submissions. They decide whether an id alone can name a page, and no
    name that is made up is one of them.
    """

    def __init__(self, folder: Path, hints: int, students: Sequence[str]) -> None:
        self.folder = folder
        self.count = 0
        self._hints = hints
        self._students = {ids.key(student) for student in students}
        self._unique = len(self._students) == len(students)
        self._used: set[str] = set()
        self._written: list[tuple[Grade, str]] = []  # with the names of pages

    def write(self, grade: Grade) -> Path:
        """Write the next page. Raises NotOurs, CannotWrite."""
        path = self.next_path(grade)
        write(path, page(grade, self._hints), MARK)
        self._written.append((grade, path.name))
        return path

    def write_progress(self) -> Path:
        """Write a page that leads to all others, which are one person's. See `write`."""
        path = self.folder / PROGRESS
        self._used.add(ids.key(path.stem))
        write(path, progress(self._written), MARK)
        return path

    def earlier(self) -> list[str]:
        """Return the names of pages in the folder that none of these submissions has."""
        there = (path for path in self.folder.iterdir() if path.suffix == ".html")
        return sorted(path.name for path in there if ids.key(path.stem) not in self._used)

    def next_path(self, grade: Grade) -> Path:
        """Return the path of the next page, named after the student's id and made unique."""
        self.count += 1
        try:
            name = ids.checked(grade.submission)
            taken = self._used
        except ids.NoId:
            name = f"submission {self.count}"
            taken = self._used | self._students
        name = name if self._unique else f"{name} {grade.assignment or 'unknown'}"
        numbered = (f"{name} {number}" for number in itertools.count(self.count))
        name = next(one for one in itertools.chain([name], numbered) if ids.key(one) not in taken)
        self._used.add(ids.key(name))
        return self.folder / f"{name}.html"


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
