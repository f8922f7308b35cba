"""Comments that an instructor writes once for all students whose work fails in the same way.

They stand in a TOML file, a table for each exercise: `group = "text"`. The page of a class shows
the names of the groups.
"""

from __future__ import annotations

import hashlib
from codecs import BOM_UTF8
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import Any

from autograder import course, parsing
from autograder.errors import UsageError
from autograder.grading.grade import ExerciseGrade, Grade, Outcome
from autograder.parsing import DamagedData

NAME = "comments.toml"
COMMENT = "From your instructor:"
MOST = 1_000_000  # bytes
HINT = 'Write a table for each exercise: [Exercise], then group = "text".'


class MalformedComments(UsageError):
    """A file of comments cannot be used; the text says why and what to do."""


def group(misconceptions: Sequence[str], alike: str) -> str:
    """Return the name of the group in which a failure is; see ExerciseGrade for both."""
    return "+".join(misconceptions) or alike


def groups(grade: Grade) -> set[tuple[str, str]]:
    """Return each exercise of a submission with its group, "" if it has not failed."""
    return {(one.name, group(one.misconceptions, one.alike)) for one in grade.exercises}


@dataclass(frozen=True)
class Comments:
    """Comments by exercise and group."""

    texts: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    def of(self, exercise: ExerciseGrade) -> str:
        """Return the comment on an exercise, "" if there is none."""
        if exercise.outcome is not Outcome.FAILED:
            return ""
        name = group(exercise.misconceptions, exercise.alike)
        return self.texts.get(exercise.name, {}).get(name, "")

    def on(self, grade: Grade) -> dict[str, str]:
        """Return the comments on a submission, by exercise."""
        found = {exercise.name: self.of(exercise) for exercise in grade.exercises}
        return {name: text for name, text in found.items() if text}

    def unused(self, seen: Set[tuple[str, str]]) -> list[str]:
        """Return the groups with a comment in which nobody is, of exercises that were graded.

        seen: of all grades, see `groups`.
        """
        graded = {exercise for exercise, _ in seen}
        wanted = ((exercise, one) for exercise, texts in self.texts.items() for one in texts)
        return [f"{one} of {e}" for e, one in wanted if e in graded and (e, one) not in seen]

    def mark(self, grade: Grade) -> str:
        """Return a digest of the comments on a submission, "" if there are none."""
        found = self.on(grade)
        return hashlib.sha256(repr(found).encode()).hexdigest() if found else ""


def as_html(comment: str) -> str:
    """Return a comment as HTML that survives nbconvert's sanitize_html."""
    lines = "<br>".join(map(escape, comment.splitlines()))
    return f"<div><strong>{COMMENT}</strong> {lines}</div>"


def read(path: Path) -> Comments:
    """Return the comments in a file. Raises MalformedComments."""
    if not path.is_file():
        raise MalformedComments(f"There is no file {path}. {HINT}")
    try:
        found = parsing.read_linked(path, MOST, _toml)
    except DamagedData as problem:
        raise MalformedComments(f"{path} cannot be read as TOML: {problem}. {HINT}") from None
    for name, table in found.items():
        if name not in course.exercises():
            known = ", ".join(sorted(course.exercises()))
            raise MalformedComments(f"{path}: there is no exercise {name}. There are: {known}.")
        texts = table.values() if isinstance(table, dict) else [None]
        if not all(isinstance(one, str) and one.strip() for one in texts):
            raise MalformedComments(f"{path}: {name} has something that is no text. {HINT}")
    return Comments(found)


def _toml(data: bytes) -> dict[str, Any]:
    """Parse TOML, also if an editor has put a mark in front."""
    return parsing.toml(data.removeprefix(BOM_UTF8))
