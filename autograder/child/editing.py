"""Make one of the small changes of a submission's code by which its mistake is looked for."""

from __future__ import annotations

import contextlib
from functools import lru_cache
from typing import Any

from autograder.child.clock import Clock
from autograder.runtime.edits import Edit, edits_of
from autograder.runtime.problems import TimeUp


def edit(clock: Clock, job: dict[str, Any]) -> dict[str, Any] | None:
    """Change the text of a job's module by the edit of the number that the job gives.

    Returns where it is, or None if there are not so many edits.
    """
    (name, number, others), texts, stem = job["edit"], job["texts"], job["stem"]
    code = texts[stem]
    cells = (("", code),) if isinstance(code, str) else tuple((one[0], one[1]) for one in code)
    found: list[tuple[int, Edit]] = []
    clock.install()
    with contextlib.suppress(TimeUp), clock.limit(job["seconds"]):
        found = _edits(cells, name, tuple(others))
    if number >= len(found):
        return None
    cell, chosen = found[number]
    label, text = cells[cell]
    new = chosen.of(text)
    texts[stem] = new if isinstance(code, str) else [*code[:cell], [label, new], *code[cell + 1 :]]
    return {"cell": cell, "line": chosen.line, "rank": chosen.rank}


@lru_cache(maxsize=1)
def _edits(
    cells: tuple[tuple[str, str], ...], name: str, others: tuple[str, ...]
) -> list[tuple[int, Edit]]:
    return edits_of(cells, name, others)
