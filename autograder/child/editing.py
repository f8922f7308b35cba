"""Make one of the small changes of a submission's code by which its mistake is looked for."""

from __future__ import annotations

import contextlib
from functools import lru_cache
from typing import Any

from autograder.child.clock import Clock
from autograder.runtime.edits import Edit, edits_of, returned
from autograder.runtime.problems import TimeUp

Cells = tuple[tuple[str, str], ...]  # label and text of each


def edit(clock: Clock, job: dict[str, Any]) -> dict[str, Any] | None:
    """Change the text of a job's module by the edit that the job asks for.

    Returns where it is, or None if there is no such edit.
    """
    texts, stem = job["texts"], job["stem"]
    code = texts[stem]
    cells = (("", code),) if isinstance(code, str) else tuple((one[0], one[1]) for one in code)
    made = None
    clock.install()
    with contextlib.suppress(TimeUp), clock.limit(job["seconds"]):
        made = _made(cells, *job["edit"])
    if made is None:
        return None
    cell, new, place = made
    label = cells[cell][0]
    texts[stem] = new if isinstance(code, str) else [*code[:cell], [label, new], *code[cell + 1 :]]
    return {"cell": cell, **place}


def _made(
    cells: Cells, name: str, number: int, rest: int | list[str]
) -> tuple[int, str, dict[str, Any]] | None:
    """Return the index of a cell, its edited text, and the line and rank of the edit.

    number: of one of `edits_of`, and rest: the names of definitions that it leaves alone; or the
    index of the cell with the line `rest`, whose value is to be returned.
    """
    if isinstance(rest, int):
        with contextlib.suppress(SyntaxError, ValueError, RecursionError, MemoryError):
            new = returned(cells[number][1], name, rest)
            return None if new is None else (number, new, {"line": rest, "rank": 0, "origins": []})
        return None
    found = _edits(cells, name, tuple(rest))
    if number >= len(found):
        return None
    cell, chosen = found[number]
    place = {"line": chosen.line, "rank": chosen.rank, "origins": [*chosen.origins]}
    return cell, chosen.of(cells[cell][1]), place


@lru_cache(maxsize=1)
def _edits(cells: Cells, name: str, others: tuple[str, ...]) -> list[tuple[int, Edit]]:
    return edits_of(cells, name, others)
