"""What a statement promises or asks for is seen by a check, and each check by a sentence.

A table for each assignment, promises.toml in its folder, quotes the sentences and names the
checks, so that neither can change without the other.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from autograder.checking.collect import Checks
from autograder.course import assignments, solution_file

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib  # type: ignore[import-not-found, unused-ignore]  # pytest brings it

TABLES = [solution_file(name).with_name("promises.toml") for name in assignments()]
CELL = re.compile(r"^# %% \[markdown\]\n(.*?)(?=^# %%|\Z)", re.MULTILINE | re.DOTALL)


def promises(table: Path) -> list[tuple[str, list[str]]]:
    """Return the sentences of a table, each with the names of its checks."""
    rows = tomllib.loads(table.read_text(encoding="utf-8"))["promise"]
    return [(" ".join(row["sentence"].split()), row["checks"]) for row in rows]


def statement(solution: str) -> str:
    """Return the text of an assignment's markdown cells in one line."""
    cells = "\n".join(re.findall(CELL, solution))
    lines = [line.removeprefix("#").strip() for line in cells.splitlines() if line[:1] == "#"]
    return " ".join(" ".join(lines).split())


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.parent.name)
def test_each_promise_is_quoted_and_each_check_is_promised(
    table: Path, checks: Checks, solutions: dict[str, str]
) -> None:
    text = statement(solutions[table.parent.name])
    assert [s for s, _ in promises(table) if s not in text] == []
    names = {f"test_{c.name}" for c in checks.collected if c.assignment == table.parent.name}
    named = [name for _, of_sentence in promises(table) for name in of_sentence]
    assert set(named) == names
    assert all(of_sentence for _, of_sentence in promises(table))


def test_no_sentence_stands_in_a_table_twice() -> None:
    for table in TABLES:
        sentences = [sentence for sentence, _ in promises(table)]
        assert len(sentences) == len(set(sentences)) > 0
