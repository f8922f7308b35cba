"""A table of numbers as text, some of them marked. It needs no torch."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Table:
    """A table of numbers, as text.

    rows: cells, each with True if it is marked. height: the rows of one sequence of a batch.
    is_cut: True if columns are left out. is_attention: True for weights, a row for each query and
    a column for each key. is_causal: True if no right row looks at a later key.
    """

    title: str
    rows: tuple[tuple[tuple[str, bool], ...], ...]
    height: int
    is_cut: bool = False
    is_attention: bool = False
    is_causal: bool = False


def largest(tables: Iterable[Table]) -> float:
    """Return the largest size of a finite number in some tables, 1 if all are 0."""
    found = (abs(value(text)) for table in tables for row in table.rows for text, _ in row)
    return max(found, default=0.0) or 1.0


def value(text: str) -> float:
    """Return a cell's number; 0 if it is not finite, which has no place among the others."""
    number = float(text)
    return number if math.isfinite(number) else 0.0
