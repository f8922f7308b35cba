"""Hints in the files of a course, for misconceptions and for symptoms."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograder import parsing
from autograder.course import place
from autograder.errors import CourseError
from autograder.parsing import DamagedData

STEPS = ("look", "think", "nearly")  # of a hint


class MalformedHints(CourseError):
    """A file of misconceptions or symptoms is malformed; the text says where and what to do."""


@dataclass(frozen=True)
class Hint:
    """A hint in three steps, from an observation to the change, of at most 160 words in all."""

    look: str
    think: str
    nearly: str


def tables(path: Path) -> dict[str, dict[str, Any]]:
    """Return the tables of a TOML file of hints, by their names. Raises MalformedHints."""
    try:
        found = parsing.read_linked(path, place.MOST, parsing.toml)
    except DamagedData as problem:
        raise MalformedHints(f"{path} cannot be read as TOML: {problem}.") from None
    for name, table in found.items():
        if not isinstance(table, dict):
            raise MalformedHints(f"{path}: {name} is outside of any table. Put it in one.")
    return found


def hint(table: Mapping[str, Any], where: str) -> Hint:
    """Return the hint in a table. where: named if it lacks a step. Raises MalformedHints."""
    return Hint(**{step: text(table, step, where) for step in STEPS})


def text(table: Mapping[str, Any], key: str, where: str) -> str:
    """Return a text in a table. where: named if there is none. Raises MalformedHints."""
    found = table.get(key)
    if not isinstance(found, str) or not found.strip():
        raise MalformedHints(f'{where} has no {key}. Write {key} = "…".')
    return found
