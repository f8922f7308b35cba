"""Recover the top-level statements of a text that a syntax error does not affect."""

from __future__ import annotations

import re

BEGINS = re.compile(r"(?!(else|elif|except|finally)\b)[^\s)\]}#]")  # a top-level statement
MOST_JOINED = 60  # unindented lines within one statement, e.g. in a string or in brackets
MOST_PARSED = 3_000_000  # characters in all


def without_broken(text: str) -> str:
    """Return the text with each top-level statement that cannot be parsed replaced by blank lines.

    Line numbers do not change. Returns "" if the remaining statements cannot be parsed together.
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
        compile(text, "", "exec", dont_inherit=True)  # ast.parse would accept a lone await
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True
