"""Symptoms: visible effects of mistakes, which a student is told if no misconception fits.

`symptoms.toml`, next to an assignment's reference, lists those of its own checks. The key of each
table is the category of a failed check, or what its declaration names as its symptom:

    ["no buffer"]
    id = "plain_mask"
    mistake = "keeps a matrix as a plain attribute, not as a buffer or parameter"
    look = "Where to look, and what there is to see."
    think = "The question that this raises."
    nearly = "Nearly the answer, but not the line to write."
    implies = ["stays behind when moved"]  # may be left out: symptoms that always come with it
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograder.course import hints, place
from autograder.course.hints import STEPS, Hint, MalformedHints

KEYS = ("id", "mistake", *STEPS, "implies")


@dataclass(frozen=True)
class Symptom:
    """A visible effect of mistakes.

    id: for programs. mistake: a phrase that students read. implies: symptoms that always come with
    this one.
    """

    id: str
    mistake: str
    hint: Hint
    implies: frozenset[str] = frozenset()


def symptoms(assignment: str) -> dict[str, Symptom]:
    """Return the symptoms of an assignment's own checks, by their keys. Raises MalformedHints."""
    path = place.symptoms_file(assignment)
    return read(path) if os.path.lexists(path) else {}


def read(path: Path) -> dict[str, Symptom]:
    """Return the symptoms in a file, by their keys. Raises MalformedHints."""
    return {key: _symptom(table, f"{path}: [{key}]") for key, table in hints.tables(path).items()}


def _symptom(table: dict[str, Any], where: str) -> Symptom:
    for key in table.keys() - {*KEYS}:
        raise MalformedHints(
            f"{where} has {key}, which is not known. A symptom has {', '.join(KEYS)}."
        )
    implies = table.get("implies", [])
    if not isinstance(implies, list) or not all(isinstance(one, str) for one in implies):
        raise MalformedHints(f"{where}: implies is no list of symptoms. Write implies = ['…'].")
    id, mistake = (hints.text(table, key, where) for key in ("id", "mistake"))
    return Symptom(id, mistake, hints.hint(table, where), frozenset(implies))
