"""Find the kit's own cells of checks and pictures in a student's file, which are not graded.

A notebook marks them with a tag. The tag is lost in a script that was made from a notebook, and in
a notebook that another program has saved.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import cache, lru_cache

from autograder.course import DEFINED, assignments, skeleton
from autograder.course.calls import CALLS, FUNCTIONS, START
from autograder.submissions.magics import cells_of_script

TAGGED = re.compile(r'^# %% tags=\["active-ipynb"\]\n((?:#.*\n|\n(?!# %%))*)', re.MULTILINE)
FEWEST = 3  # lines of code; anyone may write a shorter cell that equals one of the kit's
LIKE = 0.7  # the share of a cell's lines that are the kit's if a student has changed it a little


def without_demonstrations(text: str) -> str:
    """Return a module's or cell's text with demonstrations commented out; lines keep numbers."""
    may_call = any(f"{name}(" in text for name in FUNCTIONS)  # CALLS takes long to search
    lines = (CALLS.sub(r"# \g<0>", text) if may_call else text).split("\n")
    for first, last in _exact(lines):
        _comment_out(lines, first, last)
    cells = cells_of_script("\n".join(lines))
    if len(cells) > 1:
        cells = tuple(_commented(cell) if _is_like_one(cell) else cell for cell in cells)
    return "\n".join(cells)


@cache
def texts() -> tuple[str, ...]:
    """Return the text of each of the kit's cells, as in a notebook."""
    found = [
        "\n".join(line.removeprefix("# ").rstrip() for line in block.split("\n"))
        for name in assignments()
        for block in TAGGED.findall(skeleton(name))
    ]
    return (*found, START)


@cache
def _demonstrations() -> tuple[tuple[str, ...], ...]:
    """Return the lines of each of the kit's cells, without comments and blank lines."""
    found = [text.split("\n") for text in texts()]
    plain = [tuple(line for line in block if _is_code(line)) for block in found]
    return tuple(dict.fromkeys(block for block in plain if len(block) >= FEWEST))


def _exact(lines: list[str]) -> list[tuple[int, int]]:
    """Return the first and last line number of each unchanged demonstration."""
    code = [(i, line.rstrip()) for i, line in enumerate(lines) if _is_code(line)]
    texts = [line for _, line in code]
    places: dict[str, list[int]] = {line: [] for line in _firsts()}
    for i, line in enumerate(texts):
        if line in places:
            places[line].append(i)
    return [
        (code[at][0], code[at + len(block) - 1][0])
        for block in _demonstrations()
        for at in places[block[0]]
        if tuple(texts[at : at + len(block)]) == block
    ]


@cache
def _of_lines() -> dict[str, frozenset[int]]:
    """Return the numbers of the demonstrations that have a line, by the line."""
    blocks = _demonstrations()
    lines = {line for block in blocks for line in block}
    return {line: frozenset(n for n, b in enumerate(blocks) if line in b) for line in lines}


@cache
def _firsts() -> frozenset[str]:
    return frozenset(block[0] for block in _demonstrations())


@lru_cache(maxsize=512)  # most cells of a class are as they were given out
def _is_like_one(cell: str) -> bool:
    """Return whether a cell is a slightly changed demonstration of the kit, by what it defines."""
    code = [line.rstrip() for line in cell.split("\n") if _is_code(line)]
    if len(code) < FEWEST:
        return False
    known = _of_lines()
    if known.keys().isdisjoint(code):
        return False
    shared = Counter(number for line in code for number in known.get(line, ()))
    alike = [number for number, count in shared.items() if count >= LIKE * len(code)]
    defined = set(DEFINED.findall("\n".join(code))) if alike else set()
    return any(defined <= _defined_in(number) for number in alike)


@cache
def _defined_in(number: int) -> frozenset[str]:
    return frozenset(DEFINED.findall("\n".join(_demonstrations()[number])))


def _commented(cell: str) -> str:
    lines = cell.split("\n")
    _comment_out(lines, 0, len(lines) - 1)
    return "\n".join(lines)


def _comment_out(lines: list[str], first: int, last: int) -> None:
    for i in range(first, last + 1):
        lines[i] = f"# {lines[i]}" if _is_code(lines[i]) else lines[i]


def _is_code(line: str) -> bool:
    return bool(line.strip()) and not line.lstrip().startswith("#")
