"""Equivalents: mutants that the author of a course declares to be right, each with a reason.

`equivalents.toml`, next to the reference, lists them. Each table is a reason; the tables in it, by
exercise, are what it is true of: single mutants by their ids, as the audit prints them, and rules,
which are true of all mutants that an operator makes, or of those that say the same:

    [loop_backwards]
    reason = "The rounds of the loop do not depend on each other."
    [loop_backwards.running_mean_loop]
    3e02a41550 = "reference: for b in list(range(B))[::-1]:"

    [no_gradient_asked]
    reason = "The statement asks for no gradient."
    [no_gradient_asked.running_mean_loop]
    operators = ["detached"]
    said = ["hidden scores are -1e9"]
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograder import parsing
from autograder.course import place
from autograder.errors import CourseError
from autograder.mutants.making import OPERATORS, Mutant
from autograder.parsing import DamagedData

ID = re.compile(r"[0-9a-f]{10}(-\d+)?")
RULES = ("operators", "said")


class MalformedEquivalents(CourseError):
    """A file of equivalent mutants is malformed, or out of date; the text says where."""


@dataclass(frozen=True)
class Equivalent:
    """One entry. kind: "id" or one of RULES. value: an id, an operator, or what mutants say.

    where: the file and the table, for messages. label: the changed line, of an id.
    """

    exercise: str
    kind: str
    value: str
    reason: str
    where: str
    label: str = ""

    def is_of(self, mutant: Mutant) -> bool:
        """Return whether the entry is about a mutant."""
        own = {"id": mutant.id, "operators": mutant.operator, "said": mutant.said}[self.kind]
        return self.exercise == mutant.exercise and self.value == own


def equivalents(assignment: str) -> list[Equivalent]:
    """Return the entries of an assignment, none without a file. Raises MalformedEquivalents."""
    path = place.solution_file(assignment).with_name("equivalents.toml")
    return list(read(path)) if os.path.lexists(path) else []


def read(path: Path) -> Iterator[Equivalent]:
    """Yield the entries of a file. Raises MalformedEquivalents."""
    try:
        tables = parsing.read_linked(path, place.MOST, parsing.toml)
    except DamagedData as problem:
        raise MalformedEquivalents(f"{path} cannot be read as TOML: {problem}.") from None
    seen: dict[tuple[str, str, str], str] = {}
    for key, table in tables.items():
        where = f"{path}: [{key}]"
        reason = table.get("reason") if isinstance(table, dict) else None
        if not isinstance(reason, str) or not reason.strip():
            raise MalformedEquivalents(f'{where} has no reason. Write reason = "…".')
        exercises = {name: own for name, own in table.items() if name != "reason"}
        if not exercises:
            raise MalformedEquivalents(f"{where} is true of no mutant. Name one, or delete it.")
        for exercise, own in exercises.items():
            at = f"{path}: [{key}.{exercise}]"
            for one in _entries(at, exercise, own, reason):
                identity = (one.exercise, one.kind, one.value)
                if identity in seen:
                    text = f"{at} has {one.value}, which is in {seen[identity]} too. Delete one."
                    raise MalformedEquivalents(text)
                seen[identity] = f"[{key}.{exercise}]"
                yield one


def _entries(where: str, exercise: str, table: Any, reason: str) -> Iterator[Equivalent]:
    if not isinstance(table, dict) or not table:
        raise MalformedEquivalents(f"{where} is no table of mutants. Give it an id, or a rule.")
    for key, value in table.items():
        if key in RULES:
            if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
                raise MalformedEquivalents(f'{where} has {key}, no list. Write {key} = ["…"].')
            for one in value:
                if key == "operators" and one not in OPERATORS:
                    known = ", ".join(OPERATORS)
                    text = f"{where} has the operator {one}, which is not known: {known}."
                    raise MalformedEquivalents(text)
                yield Equivalent(exercise, key, one, reason, where)
        elif ID.fullmatch(key) and isinstance(value, str):
            yield Equivalent(exercise, "id", key, reason, where, value)
        else:
            raise MalformedEquivalents(
                f"{where} has {key}, which is not known. Write an id as the audit prints it, with "
                f"its line, or {' or '.join(RULES)}."
            )
