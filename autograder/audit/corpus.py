"""The cases of an audit: right and wrong solutions of one exercise, each as a module's text."""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from autograder import course
from autograder.course.commands import command
from autograder.course.misconceptions import EditDoesNotApply, Misconception, misconceptions
from autograder.errors import CourseError


class Kind(str, Enum):
    """Origin of a solution, which determines the result that is expected."""

    REFERENCE = "reference"
    SKELETON = "skeleton"
    EQUIVALENT = "equivalent"  # right, but written differently
    REMARKED = "remarked"  # misconceptions that cost only precision, and no points
    MISCONCEPTION = "misconception"
    MISTAKE = "mistake"  # a misconception in other people's code
    UNSEEN = "unseen"  # wrong where graders seldom look, and not a known misconception
    PAIR = "pair"  # two misconceptions at once


FORMS = {"right": "Exercise__how", "wrong": "Exercise__mistake__how"}  # of files, by folder
# Mistakes where graders seldom look: what a file in wrong/ is if it is no known misconception.
KINDS = {
    "sizes": "right for some sizes and numbers only",
    "optional": "wrong for an optional argument",
    "float32": "wrong in float32 only",
    "start": "starts with the wrong numbers",
    "again": "wrong when it is called again",
    "promise": "breaks a sentence of the statement",
    "notebook": "wrong in what the statement or the notebook shows",
}


@dataclass(frozen=True)
class Case:
    """One solution of an exercise. mistakes: its misconceptions, as Exercise/id."""

    kind: Kind
    exercise: str
    name: str
    text: str
    mistakes: tuple[str, ...] = ()


def cases(assignment: str, exercise: str) -> Iterator[Case]:
    """Yield all solutions of an exercise except the pairs."""
    text = course.statement(assignment)
    yield Case(Kind.REFERENCE, exercise, f"{exercise}/reference", text)
    yield Case(Kind.SKELETON, exercise, f"{exercise}/skeleton", course.skeleton(assignment))
    for path in of_exercise(assignment, exercise, "right"):
        yield Case(Kind.EQUIVALENT, exercise, path.stem, course.text_of(path))
    own = [m for m in misconceptions(assignment) if m.exercise == exercise]
    for mistake in own:
        kind = Kind.REMARKED if mistake.costs_no_points else Kind.MISCONCEPTION
        name = f"{exercise}/{mistake.id}"
        yield Case(kind, exercise, name, mistake.source(text), (name,))
    known = {mistake.id for mistake in own}
    for path in of_exercise(assignment, exercise, "wrong"):
        _, what, _ = path.stem.split("__", 2)
        kind, names = (
            (Kind.MISTAKE, (f"{exercise}/{what}",)) if what in known else (Kind.UNSEEN, ())
        )
        yield Case(kind, exercise, path.stem, course.text_of(path), names)


def of_exercise(assignment: str, exercise: str, kind: str) -> list[Path]:
    """Return the files of an exercise in `right` or `wrong`, named `<Exercise>__<what>...`."""
    files = course.corpus(assignment, kind)
    return [path for path in files if path.stem.split("__")[0] == exercise]


def check_names(assignment: str, exercises: Collection[str]) -> None:
    """Raise CourseError if a solution or a misconception is for none of the exercises.

    Also if a wrong solution is no known misconception and of no known kind, or says nothing of
    itself.
    """
    there = f"The exercises of {assignment} are {', '.join(exercises)}."
    for mistake in misconceptions(assignment):
        if mistake.exercise not in exercises:
            path = course.solution_file(assignment).with_name("misconceptions.toml")
            at = f"{mistake.exercise}.{mistake.id}"
            raise CourseError(f"{path}: {at} is a mistake in no exercise. {there}")
    for kind, form in FORMS.items():
        for path in course.corpus(assignment, kind):
            parts = path.stem.split("__")
            if len(parts) < len(form.split("__")) or parts[0] not in exercises:
                raise CourseError(f"{path} is for no exercise. Call it {form}.py. {there}")
    for path in course.corpus(assignment, "wrong"):
        _check_wrong(assignment, path)


def _check_wrong(assignment: str, path: Path) -> None:
    """Raise CourseError if a wrong solution does not say which mistake it makes."""
    exercise, what, _ = path.stem.split("__", 2)
    known = [mistake.id for mistake in misconceptions(assignment) if mistake.exercise == exercise]
    if what not in known and what not in KINDS:
        make = f"make mistake EX={exercise} FILE=path of this file"
        recording = command(make, f"mistake --exercise {exercise} path of this file")
        ids = ", ".join(known) or "none yet"
        raise CourseError(
            f"{path}: {what} is no known mistake. Put in its place the id of a misconception of "
            f"{exercise} ({ids}) or a kind ({', '.join(KINDS)}); or record it: {recording}."
        )
    if not course.text_of(path).startswith('"""'):
        raise CourseError(f'{path}: line 1 does not say what is wrong. Begin it with """.')


def pairs(assignment: str, exercise: str) -> Iterator[Case]:
    """Yield the solutions with two misconceptions at once, in a shuffled but fixed order.

    A misconception that is added changes the order of no others.
    """
    text = course.statement(assignment)
    own = [
        m for m in misconceptions(assignment) if m.exercise == exercise and not m.costs_no_points
    ]
    both = itertools.combinations(own, 2)
    for one, other in sorted(both, key=lambda two: _drawn(exercise, *two)):
        try:
            wrong = other.source(one.source(text))
        except EditDoesNotApply:
            continue
        mistakes = f"{exercise}/{one.id}", f"{exercise}/{other.id}"
        yield Case(Kind.PAIR, exercise, f"{mistakes[0]} + {other.id}", wrong, mistakes)


def _drawn(exercise: str, *mistakes: Misconception) -> bytes:
    """Return a sort key that is random, but always the same for these misconceptions."""
    return hashlib.sha256(" ".join([exercise, *(one.id for one in mistakes)]).encode()).digest()
