"""A grade as a page that stands alone: no script, no network, nothing told by colour only.

Made with jinja2, which comes with PyTorch, because it escapes every text by itself: what a
student's code has said is never more than text.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template
from markupsafe import Markup

from autograder.checking.example import Example
from autograder.grading.grade import CheckGrade, ExerciseGrade, Grade, Outcome
from autograder.report import table
from autograder.report.terminal import GLYPHS, HINTS, leads
from autograder.report.writing import check_ours, write
from autograder.submissions import ids

HERE = Path(__file__).parent
GENERATOR = "attention exercise kit"
MARK = f'<meta name="generator" content="{GENERATOR}">'  # by which our own pages are known


def check_folder(folder: Path) -> None:
    """Would only pages of our own be replaced in it? Raises NotOurs."""
    for path in sorted(folder.glob("*.html")) if folder.is_dir() else [folder]:
        check_ours(path, MARK)


class Pages:
    """A page for each submission, in a folder. hints: how many are shown, 0 to 3.

    students: the ids of all submissions, by which it is known whether an id alone names a page.
    """

    def __init__(self, folder: Path, hints: int, students: Sequence[str]) -> None:
        self.folder = folder
        self.count = 0
        self._hints = hints
        self._once = len({ids.key(student) for student in students}) == len(students)
        self._met: set[str] = set()

    def write(self, grade: Grade) -> Path:
        """Write the next page. Raises NotOurs, OSError."""
        path = self.next_path(grade)
        write(path, page(grade, self._hints), MARK)
        return path

    def next_path(self, grade: Grade) -> Path:
        """Return where the next page goes: the student's id, and what it takes to tell it apart."""
        self.count += 1
        try:
            name = ids.checked(grade.submission)
        except ids.NoId:
            name = f"submission {self.count}"
        name = name if self._once else f"{name} {grade.assignment or 'unknown'}"
        name = f"{name} {self.count}" if ids.key(name) in self._met else name
        self._met.add(ids.key(name))
        return self.folder / f"{name}.html"


def page(grade: Grade, hints: int) -> str:
    """The page."""
    css = (HERE / "page.css").read_text(encoding="utf-8")
    digest = base64.b64encode(hashlib.sha256(css.encode()).digest()).decode()
    return template("page.html").render(
        css=Markup(css),  # ours
        digest=digest,
        generator=GENERATOR,
        grade=grade,
        told=[] if grade.status == "unreadable" else [e for e in grade.exercises if is_told(e)],
        file=Path(grade.path).name,
        tag={"p": "p", "h": "h3", "title": "span", "bdi": "bdi"},
        **words(hints),
    )


def words(hints: int) -> dict[str, Callable[..., object]]:
    """What templates say things with. hints: how many are shown, 0 to 3."""
    return {
        "points": lambda number: f"{number:g}",
        "word": _word,
        "diagnoses": lambda exercise: zip(leads(exercise), exercise.diagnoses, strict=False),
        "hints": lambda found: zip(HINTS, found.hints[:hints], strict=False),
        "parted": lambda message: message.partition("\n")[::2],
        "checks": _told,
        "asked": table.asked,
        "weights": table.weights,
        "bands": _bands,
    }


@cache
def template(name: str) -> Template:
    """One of this room; every text in it is escaped."""
    loader = FileSystemLoader(HERE)
    environment = Environment(
        loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True
    )
    return environment.get_template(name)


def is_told(exercise: ExerciseGrade) -> bool:
    """Is there more to say of it than its outcome?"""
    if exercise.outcome is Outcome.MISSING and not exercise.points:
        return False
    return any(True for _ in _told(exercise))


def _told(exercise: ExerciseGrade) -> Iterator[tuple[CheckGrade, str, str]]:
    """The checks of which there is something to say, what it is, and what was printed; what was
    said of a check above it is not said again."""
    said: set[str] = set()
    for check in exercise.checks:
        again = check.visible and check.message in said
        if check.outcome is Outcome.BLOCKED or (check.outcome is Outcome.PASSED and again):
            continue
        if check.outcome is not Outcome.PASSED or check.message:
            yield check, "As above." if again else check.message, check.printed * (not again)
        said.add(check.message)


def _word(outcome: Outcome) -> Markup:
    text = f"{GLYPHS[outcome]} {outcome.value}"
    return Markup('<span class="word {}">{}</span>').format(outcome.value, text)


def _bands(example: Example) -> list[list[table.Table]]:
    """The tables that belong beside each other: the inputs, then each pair."""
    return [table.given(example), *table.differing(example)]
