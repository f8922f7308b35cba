"""Patterns of einops and einsum: other order of axes in a group, in an operand, in the result."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from itertools import combinations

from autograder.mutants.operators import Change, Operator, Place
from autograder.mutants.syntax import called, literal

WORD = re.compile(r"[A-Za-z_]\w*")
SPACED = ("rearrange", "repeat", "reduce", "Rearrange", "EinMix", "unpack", "pack")


def other_axes(place: Place) -> Iterator[Change]:
    """Exchange two axes in one operand of a pattern, or in its result."""
    match place.node:
        case ast.Constant(str() as pattern) if "->" in pattern:
            pass
        case _:
            return
    words = is_spaced(place, pattern)
    sides = re.split(r"(->|,)", pattern)
    for i, side in enumerate(sides):
        names = WORD.findall(side) if words else [one for one in side if one.isalpha()]
        for one, other in combinations(dict.fromkeys(names), 2):
            swap = {one: other, other: one}
            axis = rf"\b(?:{one}|{other})\b" if words else f"[{one}{other}]"
            new = re.sub(axis, lambda found, swap=swap: swap[found[0]], side)
            text = "".join([*sides[:i], new, *sides[i + 1 :]])
            where = "the result" if i == len(sides) - 1 else "an operand"
            yield literal(text), f"axes {one} and {other} of {where} of a pattern are exchanged"


def is_spaced(place: Place, pattern: str) -> bool:
    """Return whether the axes of a pattern are words between spaces, not single letters."""
    calls = [one for one in place.parents if isinstance(one, ast.Call)]
    if calls and called(calls[0]) in SPACED:
        return True
    sides = re.split(r"->|,", pattern)
    return any(len(WORD.findall(side)) > 1 for side in sides) and all(
        len(word) == 1 or len(sides) < 2 for word in WORD.findall(pattern)
    )


OPERATORS: dict[str, Operator] = {"other axes in a pattern": other_axes}
