"""Compare what a statement promises or asks for with the checks that test it.

`promises.toml`, next to the reference, quotes sentences of the statement, so that neither a
sentence nor a check can change without the other:

    [[promise]]
    sentence = "Do not change `x`."
    checks = ["test_mean_behaves"]

Spaces and line ends in a quotation may differ from the statement's.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograder import course, parsing
from autograder.audit.todos import is_unwritten
from autograder.checking.collect import Checks
from autograder.checking.nearest_names import nearest
from autograder.course.place import MOST
from autograder.errors import CourseError
from autograder.parsing import DamagedData

CELL = re.compile(r"^# %% \[markdown\]\n(.*?)(?=^# %%|\Z)", re.MULTILINE | re.DOTALL)
FORM = 'Write [[promise]], then sentence = "…" and checks = ["test_…"].'
LIKENESS = 0.6  # of a mistyped name to the check's name that is suggested
SHOWN = 60  # characters of a sentence in a message


@dataclass(frozen=True)
class Promise:
    """A sentence of the statement, and the functions that check it."""

    sentence: str
    checks: tuple[str, ...]

    @property
    def shown(self) -> str:
        """Return the beginning of the sentence, in quotation marks."""
        more = "…" if len(self.sentence) > SHOWN else ""
        return f'"{self.sentence[:SHOWN]}{more}"'


def promises_file(assignment: str) -> Path:
    """Return the file of an assignment's promises."""
    return course.solution_file(assignment).with_name("promises.toml")


def promises(assignment: str) -> list[Promise]:
    """Return an assignment's promises; none if there is no file. Raises CourseError."""
    path = promises_file(assignment)
    return list(read(path)) if os.path.lexists(path) else []


def read(path: Path) -> Iterator[Promise]:
    """Yield the promises in a file. Raises CourseError."""
    try:
        found = parsing.read_linked(path, MOST, parsing.toml)
    except DamagedData as problem:
        raise CourseError(f"{path} cannot be read as TOML: {problem}.") from None
    for key in found.keys() - {"promise"}:
        raise CourseError(f"{path} has {key}, which is not known. {FORM}")
    rows = found.get("promise", [])
    for number, row in enumerate(rows if isinstance(rows, list) else [rows], 1):
        yield _promise(f"{path}: promise {number}", row)


def _promise(where: str, row: Any) -> Promise:
    for key in row.keys() - {"sentence", "checks"} if isinstance(row, dict) else ():
        raise CourseError(f"{where} has {key}, which is not known. {FORM}")
    match row:
        case {"sentence": str(sentence), "checks": [*checks]}:
            if sentence.strip() and checks and all(isinstance(one, str) for one in checks):
                return Promise(" ".join(sentence.split()), tuple(checks))
    raise CourseError(f"{where} is not a sentence with its checks. {FORM}")


def statement(solution: str) -> str:
    """Return the text of an assignment's markdown cells in one line."""
    cells = "\n".join(CELL.findall(solution))
    lines = [line.removeprefix("#").strip() for line in cells.splitlines() if line[:1] == "#"]
    return " ".join(" ".join(lines).split())


def check_promises(assignment: str, checks: Checks) -> None:
    """Raise CourseError if a promise quotes no sentence of the statement or names no check."""
    path, text = promises_file(assignment), statement(course.solution(assignment))
    names = check_names_of(assignment, checks)
    seen: set[str] = set()
    for promise in promises(assignment):
        if is_unwritten(promise.sentence):
            continue
        if promise.sentence not in text:
            raise CourseError(
                f"{path}: {promise.shown} does not stand in the statement. Quote a sentence of "
                f"{course.solution_file(assignment).name} word for word."
            )
        if promise.sentence in seen:
            raise CourseError(f"{path}: {promise.shown} stands here twice. Join the two.")
        seen.add(promise.sentence)
        for name in promise.checks:
            if name not in names:
                close = nearest(name, names, LIKENESS)
                raise CourseError(
                    f"{path}: {promise.shown} names {name}, which is no check of {assignment}. "
                    + (f"Was {close} meant?" if close else "Correct the name.")
                )


def check_names_of(assignment: str, checks: Checks) -> list[str]:
    """Return the names of the functions that check an assignment."""
    return [one.function.__name__ for one in checks.collected if one.assignment == assignment]
