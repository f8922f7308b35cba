"""What an audit grades: right and wrong solutions of one exercise, each as a module's text."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from autograder import course
from autograder.misconceptions import EditDoesNotApply, misconceptions

TESTS = course.ROOT / "tests"


class Kind(str, Enum):
    """Where a solution comes from, and so what is to become of it."""

    REFERENCE = "reference"
    SKELETON = "skeleton"
    EQUIVALENT = "equivalent"  # right, and written otherwise
    REMARKED = "remarked"  # misconceptions that cost no points, only digits
    MISCONCEPTION = "misconception"
    MISTAKE = "mistake"  # a misconception in other people's code
    PAIR = "pair"  # two misconceptions at a time


@dataclass(frozen=True)
class Case:
    """One solution of an exercise. mistakes: what is wrong in it, as Exercise/id."""

    kind: Kind
    exercise: str
    name: str
    text: str
    mistakes: tuple[str, ...] = ()


def solution(assignment: str) -> str:
    """The text of an assignment's solution."""
    return (course.SOLUTIONS / f"{assignment}.py").read_text(encoding="utf-8")


def cases(assignment: str, exercise: str) -> Iterator[Case]:
    """All solutions of an exercise but the pairs."""
    text = solution(assignment)
    yield Case(Kind.REFERENCE, exercise, f"{exercise}/reference", text)
    yield Case(Kind.SKELETON, exercise, f"{exercise}/skeleton", course.skeleton(assignment))
    for path in sorted((TESTS / "equivalents").glob(f"{exercise}__*.py")):
        yield Case(Kind.EQUIVALENT, exercise, path.stem, path.read_text(encoding="utf-8"))
    for mistake in misconceptions(assignment):
        if mistake.exercise == exercise:
            kind = Kind.REMARKED if mistake.is_remarked else Kind.MISCONCEPTION
            name = f"{exercise}/{mistake.id}"
            yield Case(kind, exercise, name, mistake.source(text), (name,))
    for path in sorted((TESTS / "mistakes").glob(f"{exercise}__*.py")):
        name = f"{exercise}/{path.stem.split('__')[1]}"
        yield Case(Kind.MISTAKE, exercise, path.stem, path.read_text(encoding="utf-8"), (name,))


def pairs(assignment: str, exercise: str) -> Iterator[Case]:
    """All that two edits of an exercise make of it together, in an order that only looks random."""
    text = solution(assignment)
    own = [m for m in misconceptions(assignment) if m.exercise == exercise and not m.is_remarked]
    both = list(itertools.combinations(own, 2))
    random.Random(exercise).shuffle(both)
    for one, other in both:
        try:
            wrong = other.source(one.source(text))
        except EditDoesNotApply:
            continue
        mistakes = f"{exercise}/{one.id}", f"{exercise}/{other.id}"
        yield Case(Kind.PAIR, exercise, f"{mistakes[0]} + {other.id}", wrong, mistakes)
