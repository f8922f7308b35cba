"""A course's `course.toml`: how it is called, and what its instructor has chosen.

    title = "Attention, built by hand"
    id = "attention"
    take_over = ["causal_attention"]  # assignments of the kit's own course
    language = "de"                   # of the statements, where they are translated

    [assignments.transformer]
    optional = true                   # its points are extra; or leave_out = true
    minutes = 90                      # said to students, measured by nobody

    [exercises.ScaledDotProduct]
    points = 10                       # or leave_out = true

Whatever is not named is as its author has it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from autograder.errors import CourseError

REQUIRED = ("title", "id")
OPTIONAL = ("introduction", "payoff", "language")
TABLES = ("assignments", "exercises")
LANGUAGE = re.compile(r"[A-Za-z]{2,3}(?:-[A-Za-z0-9]+)*")
ID = re.compile(r"\w[\w.-]*")  # nbgrader names folders by it
MOST_POINTS = 1000  # of an exercise, and of a check


@dataclass(frozen=True)
class AssignmentChoice:
    """An instructor's choice for an assignment. minutes: the time for it, 0 for any."""

    leave_out: bool = False
    optional: bool = False
    minutes: int = 0


@dataclass(frozen=True)
class ExerciseChoice:
    """An instructor's choice for an exercise.

    points: of all its checks together, or of some of them, by name; None for those of the checks.
    """

    leave_out: bool = False
    points: int | Mapping[str, float] | None = None


@dataclass(frozen=True)
class Declaration:
    """A course's `course.toml`.

    title: heading of the list of its assignments. id: the course's id in nbgrader. introduction: a
    sentence below that heading, or "". payoff: what a student who has finished can look at, or "".
    language: of the statements, "" for that of their author. take_over: assignments of the kit's
    own course that belong to this one too. assignments, exercises: what is chosen, by name.
    """

    title: str
    id: str
    introduction: str = ""
    payoff: str = ""
    language: str = ""
    take_over: tuple[str, ...] = ()
    assignments: Mapping[str, AssignmentChoice] = field(default_factory=dict, hash=False)
    exercises: Mapping[str, ExerciseChoice] = field(default_factory=dict, hash=False)

    def leaves_out(self, assignment: str) -> bool:
        """Return whether an assignment is left out."""
        return assignment in self.assignments and self.assignments[assignment].leave_out

    def left_out(self) -> frozenset[str]:
        """Return the names of the exercises that are left out."""
        return frozenset(name for name, one in self.exercises.items() if one.leave_out)

    def optional(self) -> frozenset[str]:
        """Return the names of the assignments that are optional."""
        return frozenset(name for name, one in self.assignments.items() if one.optional)

    def minutes(self, assignment: str) -> int:
        """Return how many minutes students may work at an assignment; 0 for any time."""
        return self.assignments[assignment].minutes if assignment in self.assignments else 0


def _is_flag(value: Any) -> bool:
    return isinstance(value, bool)


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not _is_flag(value) and value > 0


def _is_points(value: Any) -> bool:
    if isinstance(value, dict):
        return all(isinstance(one, int | float) and _is_share(one) for one in value.values())
    return _is_whole(value) and _is_share(value)


def _is_share(points: float) -> bool:
    return not _is_flag(points) and 0 <= points <= MOST_POINTS


Kind = tuple[Callable[[Any], bool], str]
FLAG: Kind = (_is_flag, "true or false")
ASSIGNMENT: dict[str, Kind] = {
    "leave_out": FLAG,
    "optional": FLAG,
    "minutes": (_is_whole, "a whole number above 0"),
}
EXERCISE: dict[str, Kind] = {
    "leave_out": FLAG,
    "points": (
        _is_points,
        f"a whole number from 1 to {MOST_POINTS}, or numbers by check: {{ name = 2 }}",
    ),
}


def parsed(found: Mapping[str, Any], path: Path) -> Declaration:
    """Return a declaration. found: its file as TOML. Raises CourseError, which names the file."""
    for key in found.keys() - {*REQUIRED, *OPTIONAL, *TABLES, "take_over"}:
        raise CourseError(f"{path} has {key}, which is not known. Delete it.")
    texts = {key: found.get(key, "") for key in (*REQUIRED, *OPTIONAL)}
    if missing := [key for key in REQUIRED if not texts[key]]:
        lines = " and ".join(f'{key} = "…"' for key in missing)
        raise CourseError(f"{path} has no {' and no '.join(missing)}. Write {lines}.")
    for key, text in texts.items():
        if not isinstance(text, str):
            raise CourseError(f'{path}: {key} is {text!r}, no text. Write {key} = "…".')
    if not ID.fullmatch(texts["id"]):
        raise CourseError(
            f"{path}: id is {texts['id']!r}. Use letters, digits, dots, hyphens and underscores."
        )
    if texts["language"] and not LANGUAGE.fullmatch(texts["language"]):
        raise CourseError(
            f"{path}: language is {texts['language']!r}. Write a code such as de or pt-BR."
        )
    names = found.get("take_over", [])
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise CourseError(f"{path}: take_over is no list of assignments. Write take_over = ['…'].")
    if twice := next((name for name in names if names.count(name) > 1), ""):
        raise CourseError(f"{path}: take_over names {twice} twice. Delete one.")
    chosen = {kind: _tables(found.get(kind, {}), kind, path) for kind in TABLES}
    return Declaration(
        **texts,
        take_over=tuple(names),
        assignments={n: AssignmentChoice(**one) for n, one in chosen["assignments"].items()},
        exercises={n: ExerciseChoice(**one) for n, one in chosen["exercises"].items()},
    )


def _tables(found: Any, kind: str, path: Path) -> dict[str, dict[str, Any]]:
    """Return what is chosen, by name. kind: one of TABLES. Raises CourseError."""
    known = ASSIGNMENT if kind == "assignments" else EXERCISE
    if not isinstance(found, dict):
        raise CourseError(f"{path}: {kind} is no table. Write [{kind}.NAME] above what you choose.")
    for name, table in found.items():
        if not isinstance(table, dict):
            raise CourseError(f"{path}: {kind}.{name} is no table. Write [{kind}.{name}].")
        where = f"{path}: [{kind}.{name}] has"
        for key, value in table.items():
            if key not in known:
                raise CourseError(f"{where} {key}, which is not known. It has {', '.join(known)}.")
            is_right, said = known[key]
            if not is_right(value):
                raise CourseError(f"{where} {key} = {value!r}. Write {said}.")
        if table.get("leave_out") and len(table) > 1:
            raise CourseError(f"{where} leave_out = true and more. Delete one of the two.")
    return found


def written(declared: Declaration) -> str:
    """Return the text of a declaration for a student's copy, which has only what is asked for."""
    texts = {key: getattr(declared, key) for key in (*REQUIRED, *OPTIONAL)}
    lines = [f"{key} = {_quoted(text)}" for key, text in texts.items() if text]
    for kind in TABLES:
        for name, one in sorted(getattr(declared, kind).items()):
            lines += ["", f"[{kind}.{_quoted(name)}]"]
            chosen = {key: value for key, value in vars(one).items() if value}
            lines += [f"{key} = {_value(value)}" for key, value in chosen.items()]
    return "\n".join([*lines, ""])


def _value(value: bool | int | Mapping[str, float]) -> str:
    if isinstance(value, Mapping):
        return f"{{ {', '.join(f'{_quoted(name)} = {p:g}' for name, p in value.items())} }}"
    return str(value).lower()


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
