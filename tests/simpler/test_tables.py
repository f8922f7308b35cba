"""The references give the numbers that the five source notebooks print (tables.json)."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
import torch

from autograder.client import LiveReference, Text
from autograder.course import assignments
from simpler.notebooks import SETUPS, References, Row, Values, rows, table

ROWS = rows()
EXACT = [row for row in ROWS if row.status == "exact"]


@pytest.fixture(scope="module")
def references(solutions: dict[str, str]) -> References:
    """Return the references' classes and functions."""
    found: dict[str, Any] = {}
    for name in assignments():
        space = LiveReference(Text(name, solutions, assignments())).namespace
        found |= {k: v for k, v in space.items() if getattr(v, "__module__", None) == name}
    return found


@pytest.fixture(scope="module")
def computed(references: References) -> Callable[[str], Values]:
    """Return a function that runs a setup, each only once."""

    @cache
    def values(setup: str) -> Values:
        with torch.no_grad(), torch.random.fork_rng():
            torch.manual_seed(0)  # for those that set no seed
            return SETUPS[setup](references)

    return values


def numbers(row: Row) -> list[list[float]]:
    """Return the lines of a row's table without minus infinity."""
    lines = table(row.expected)
    lines = lines.reshape(-1, lines.shape[-1] if lines.dim() else 1)
    return [[number for number in line if math.isfinite(number)] for line in lines.tolist()]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.key)
def test_row_is_what_the_references_give(row: Row, computed: Callable[[str], Values]) -> None:
    got = computed(row.setup)[row.name]
    assert row.is_met_by(got), got


@pytest.mark.parametrize(
    ("status", "expected", "tolerance", "got"),
    [
        ("exact", "Hello\n", None, "Hello"),
        ("exact", [2, 3], None, [3, 2]),
        ("exact", [1.0, 2.0], 1e-4, torch.tensor([1.0, 2.001])),
        ("exact", [1.0, 1.0], 1e-4, torch.tensor([1.0])),
        ("rounding noise", [1e-9], 1e-6, torch.tensor([1e-5])),
        ("rounding noise", [1e-9], 1e-6, torch.tensor([1e-9, 1e-9])),
        ("unseeded", [[1.0, 2.0], [1.0, 2.0]], None, torch.tensor([[1.0, 2.0]])),
        ("unseeded", [[1.0, 2.0], [1.0, 2.0]], None, torch.tensor([[1.0, 2.0], [2.0, 1.0]])),
    ],
)
def test_row_is_met_by_nothing_else(
    status: str, expected: Any, tolerance: float | None, got: Any
) -> None:
    assert not Row("a.b", "000", "any", status, expected, tolerance).is_met_by(got)


def test_no_row_is_forgotten(computed: Callable[[str], Values]) -> None:
    """61 rows. 54 are met number for number: one of the unseeded has weights of 1 in any case."""
    assert Counter(row.status for row in ROWS) == {"exact": 53, "rounding noise": 4, "unseeded": 4}
    assert Counter(row.where[:3] for row in ROWS) == {
        "000": 18, "001": 11, "002": 17, "003": 7, "004": 8,
    }  # fmt: skip
    keys = [row.key for row in ROWS]
    assert len(keys) == len(set(keys)) == 61
    assert {f"{setup}.{name}" for setup in SETUPS for name in computed(setup)} == set(keys)


def test_tolerances_fit_the_decimals() -> None:
    """Tolerances fit four decimals or three; shapes, texts and booleans have none."""
    decimals = {1e-4: 4, 6e-4: 3}
    for row in EXACT:
        if row.tolerance is None:
            assert isinstance(row.expected, bool | str) or "." not in json.dumps(row.expected)
        else:
            numbers = table(row.expected)
            assert torch.equal(numbers, numbers.round(decimals=decimals[row.tolerance]))


def prose(text: str) -> str:
    """Return what a solution tells students: the statements and other notebook cells."""
    lines = [line.removeprefix("#") for line in text.splitlines() if line.startswith("#")]
    return "\n".join(lines).replace("−", "-")


def said(text: str) -> list[float]:
    """Return all numbers of a text in their order."""
    return [float(number) for number in re.findall(r"(?<![\w.])-?\d+(?:\.\d+)?(?!\w)", text)]


@pytest.mark.parametrize(
    "row",
    [row for row in EXACT if not isinstance(row.expected, bool)],
    ids=lambda row: row.key,
)
def test_row_stands_in_its_assignment(row: Row, solutions: dict[str, str]) -> None:
    """A row's numbers are in its assignment with all digits, those of the last line in sequence.

    A line of equal fractions may be said in one number ("0.1250 eight times"); a number that
    stands alone is written with all its zeros, or every 1 would do.
    """
    text = prose(solutions[row.assignment])
    if isinstance(row.expected, str):
        assert row.expected.strip() in text
        return
    found, lines = said(text), numbers(row)
    assert {number for line in lines for number in line} - set(found) == set()
    last = lines[-1]
    if len(last) == 1:
        assert f"{last[0]:.4f}" in text
    if len(set(last)) == 1 and not last[0].is_integer():
        last = last[:1]
    assert any(found[i : i + len(last)] == last for i in range(len(found))), last
