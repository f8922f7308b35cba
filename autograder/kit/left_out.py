"""Keep in a student's file what the student wrote for exercises that a new kit leaves out."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import TypeVar

from autograder.course import DEFINED

C = TypeVar("C")  # a cell


def with_work(
    old: Sequence[C],
    mine: str,
    new: Sequence[C],
    names: Collection[str],
    source: Callable[[C], str],
) -> list[C]:
    """Return a new kit's cells with the old one's of exercises that it leaves out.

    So the student's stay when the three are merged. old: the cells from which the student has
    begun. mine: the student's text. names: of the exercises that the new kit leaves out or gives.
    source: returns the text of a cell.
    """
    cells = [*new]
    for i, cell in enumerate(old):
        defined = {*names}.intersection(DEFINED.findall(source(cell)))
        if not defined or source(cell).strip() in mine:  # as it was given
            continue
        places = [j for j, one in enumerate(cells) if defined & {*DEFINED.findall(source(one))}]
        if places:
            cells[places[0]] = cell
        else:
            above = {source(one) for one in old[:i]}
            last = max((j for j, one in enumerate(cells) if source(one) in above), default=0)
            cells.insert(last + 1, cell)
    return cells
