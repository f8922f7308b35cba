"""Find what stands apart from a syntax error: the statements that Python can read by themselves."""

from __future__ import annotations

import re

BEGINS = re.compile(r"(?!(else|elif|except|finally)\b)[^\s)\]}#]")  # a statement at the top level
MOST_JOINED = 60  # lines at the margin inside of one statement: a text or a bracket goes on there
MOST_PARSED = 3_000_000  # characters in all


def without_broken(text: str) -> str:
    """The text with every top-level statement blank that cannot be read; lines keep their numbers.

    What begins at the margin is read apart from what stands above and below it. Nothing is left
    where even that cannot be read as a whole.
    """
    lines = text.split("\n")
    begins = [i for i, line in enumerate(lines) if BEGINS.match(line)] + [len(lines)]
    kept = [""] * len(lines)
    at, budget = 0, MOST_PARSED
    while at < len(begins) - 1 and budget > 0:
        first, step = begins[at], 1
        for joined, last in enumerate(begins[at + 1 : at + 1 + MOST_JOINED], 1):
            part = "\n".join(lines[first:last])
            budget -= len(part)
            if budget < 0:
                break
            if _can_be_read(part):
                kept[first:last], step = lines[first:last], joined
                break
        at += step
    whole = "\n".join(kept)
    return whole if _can_be_read(whole) else ""


def _can_be_read(text: str) -> bool:
    try:
        compile(text, "", "exec", dont_inherit=True)  # more than it can parse: a lone await
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True
