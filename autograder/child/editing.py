"""Make one of the small changes of a submission's code by which its mistake is looked for."""

from __future__ import annotations

import contextlib
from functools import lru_cache
from typing import Any

from autograder.child.clock import Clock
from autograder.runtime.edits import Edit, Part, edits_of, parts, returned
from autograder.runtime.problems import TimeUp


def edit(clock: Clock, job: dict[str, Any]) -> dict[str, Any] | None:
    """Change one of a job's texts by the edit that the job asks for.

    Returns where it is, or None if there is no such edit.
    """
    texts = job["texts"]
    there = tuple(parts(texts, job["stem"]))
    made = None
    clock.install()
    with contextlib.suppress(TimeUp), clock.limit(job["seconds"]):
        made = _made(there, *job["edit"])
    if made is None:
        return None
    number, new, place = made
    file, cell, _, _ = there[number]
    if isinstance(texts[file], str):
        texts[file] = new
    else:
        texts[file][cell] = [texts[file][cell][0], new]
    return {"cell": number, **place}


def _made(
    there: tuple[Part, ...], name: str, number: int, rest: int | list[str]
) -> tuple[int, str, dict[str, Any]] | None:
    """Return the index of a part, its edited text, and the line and rank of the edit.

    number: of one of `edits_of`, and rest: the names of definitions that it leaves alone; or the
    index of the part with the line `rest`, whose value is to be returned.
    """
    if isinstance(rest, int):
        with contextlib.suppress(SyntaxError, ValueError, RecursionError, MemoryError):
            new = returned(there[number].text, name, rest)
            return None if new is None else (number, new, {"line": rest, "rank": 0, "origins": []})
        return None
    found = _edits(there, name, tuple(rest))
    if number >= len(found):
        return None
    part, chosen = found[number]
    place = {"line": chosen.line, "rank": chosen.rank, "origins": [*chosen.origins]}
    return part, chosen.of(there[part].text), place


@lru_cache(maxsize=1)
def _edits(there: tuple[Part, ...], name: str, others: tuple[str, ...]) -> list[tuple[int, Edit]]:
    return edits_of(there, name, others)
