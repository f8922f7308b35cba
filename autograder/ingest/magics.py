"""Jupyter's own commands in a cell, which are no Python."""

from __future__ import annotations

import re

MAGIC = re.compile(  # also where its output is kept, and `name?`
    r"\s*(%%?[A-Za-z]|!|\?|\w[\w, ]*=\s*(!|%[A-Za-z])|[\w.]+\?\??\s*$)"
)
OF_PYTHON = re.compile(r"%%(time|timeit|capture|prun)\b")  # cell magics with Python in the cell
MARK = re.compile(r"\\.|'''|\"\"\"|['\"#()\[\]{}]")  # what tells where a statement goes on


def without_magics(cell: str) -> str:
    """A cell in which such commands are comments; lines keep their numbers.

    A command begins where a statement does: `!= b` in brackets and `%s` in a text are none.
    """
    begin = cell.lstrip()  # Jupyter passes over empty lines above a cell magic
    foreign = begin.startswith("%%") and not OF_PYTHON.match(begin)
    lines: list[str] = []
    quote, depth, is_magic = "", 0, False
    for line in cell.split("\n"):
        if not (lines and lines[-1].endswith("\\")):  # else it is still what that line was
            is_magic = not (quote or depth) and bool(MAGIC.match(line))
        lines.append(f"# {line}" if foreign or is_magic else line)
        quote, depth = _behind(lines[-1], quote, depth)
    return "\n".join(lines)


def _behind(line: str, quote: str, depth: int) -> tuple[str, int]:
    """What is open behind a line: the quotes of a text, or "", and how many brackets."""
    for mark in MARK.findall(line):
        if quote:
            quote = "" if mark == quote else quote
        elif mark == "#":
            break
        elif mark[0] in "'\"":
            quote = mark
        elif mark in "([{":
            depth += 1
        elif mark in ")]}":
            depth = max(0, depth - 1)
    if len(quote) == 1 and not line.endswith("\\"):  # such a text ends with its line
        quote = ""
    return quote, depth
