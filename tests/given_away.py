"""What must be found in nothing that students get: lines of answers, hidden checks and mistakes."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from conftest import contents

from autograder import course
from autograder.course import assignments
from autograder.course.misconceptions import misconceptions
from autograder.runtime import wire

SHORTEST = 12  # characters of a line that would give something away


@cache
def needles(kind: str) -> frozenset[str]:
    """The lines of one kind that give something away; but for those that students are given."""
    if kind == "secret":
        return frozenset({course.secret()})
    solutions = {n: course.solution(n) for n in assignments()}
    tests = [path.read_text(encoding="utf-8") for path in course.check_files()]
    hidden, visible = parted("\n".join(tests), "# {} HIDDEN TESTS")
    answers, _ = parted("\n".join(solutions.values()), "### {} SOLUTION")
    lines = {"reference": answers, "hidden check": hidden, "mistake": []}[kind]
    for name, solution in solutions.items() if kind == "mistake" else ():
        for mistake in misconceptions(name):
            wrong = mistake.source(solution).splitlines()
            lines += set(wrong).difference(solution.splitlines())
    visible = visible if kind == "hidden check" else []
    shown = "\n".join([*map(course.skeleton, assignments()), *visible])
    stripped = {line.split("  # ")[0].strip() for line in lines}
    return frozenset(line for line in stripped if len(line) >= SHORTEST and line not in shown)


def parted(text: str, marker: str) -> tuple[list[str], list[str]]:
    """The lines between pairs of a marker, with BEGIN or END in the place of {}, and the others."""
    parts: tuple[list[str], list[str]] = [], []
    outside = True
    for line in text.splitlines():
        if line.strip() in (marker.format("BEGIN"), marker.format("END")):
            outside = not outside
        else:
            parts[outside].append(line)
    return parts


def leaks(kit: Path, lines: Iterable[str]) -> list[tuple[str, str]]:
    """Where one of the lines stands in a file of the kit, also within JSON."""
    files = {name: data for name, data in contents(kit).items() if not name.endswith("/")}
    texts = {name: "\n".join(texts_in(name, data)) for name, data in files.items()}
    return [(name, line) for line in lines for name, text in texts.items() if line in text]


def texts_in(name: str, data: bytes) -> Iterator[str]:
    """A file's name, its bytes as text, and the texts in a notebook or a recording."""
    yield name
    yield data.decode("utf-8", "replace")
    if name.endswith(".ipynb"):
        yield from strings(json.loads(data))
    if name.endswith(".replies"):
        yield from strings(wire.decode(data))


def strings(tree: Any) -> Iterator[str]:
    """The texts in a tree of lists and dictionaries."""
    if isinstance(tree, str):
        yield tree
    elif isinstance(tree, dict | list):
        for item in [*tree, *tree.values()] if isinstance(tree, dict) else tree:
            yield from strings(item)
