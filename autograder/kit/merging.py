"""Merge a student's text with that of a corrected kit."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from merge3 import Merge3

from autograder.errors import UsageError

DEFINITION = re.compile(r"\s*(?:@|(?:async\s+)?def\s|class\s)")  # of a method too
CELL = "# %%"  # the first line of a cell in a module
NAMED = re.compile(rf"^(?:{CELL}|([ \t]*)(?:(?:async[ \t]+)?def|class)[ \t]+(\w+))", re.MULTILINE)


class CannotUpdate(UsageError):
    """The student's work and the new kit cannot be merged. Nothing was changed."""


def merge(base: str, mine: str, new: str, what: str) -> str:
    """Merge the changes of two texts to a base. Raises CannotUpdate if both changed the same lines.

    what: the text's name, for the error.
    """
    if mine in (base, new):
        return new
    if new == base:
        return mine
    old, own, fresh = (text.split("\n") for text in (base, mine, new))
    lines: list[str] = []
    for region in Merge3(old, own, fresh).merge_groups():
        resolved = _resolved(*region[1:]) if region[0] == "conflict" else region[1]
        if resolved is None:
            at = len(lines) + 1
            raise CannotUpdate(
                f"{what}: around line {at} the new kit changes the same lines as you did, so "
                "nothing was updated. Save your code somewhere else, replace the file with the "
                "original (in autograder/recorded), update, and put your code in again."
            )
        lines += resolved
    return "\n".join(lines)


def assert_defined_once(mine: str, new: str, merged: str, what: str) -> None:
    """Raise CannotUpdate if code defines a name more often after merging than in either text.

    The last definition counts, and that may be the kit's, in which nothing is written.
    """
    before, given, found = map(_definitions, (mine, new, merged))
    for name, count in found.items():
        if count > max(before[name], given[name]):
            raise CannotUpdate(
                f"{what}: {name} would be defined twice, once by you and once by the new kit. If "
                "it is an exercise, write it where the kit has it, in a cell of its own; "
                "otherwise rename yours. Then update again. Nothing was updated."
            )


def _definitions(text: str) -> Counter[str]:
    """Count the names that code defines; a method's is Class.method."""
    found, around = Counter[str](), ""
    for indent, name in NAMED.findall(text):
        around = around if indent else name  # "" where a cell begins
        if name:
            found[f"{around}.{name}" if indent else name] += 1
    return found


def _resolved(base: Sequence[str], mine: Sequence[str], new: Sequence[str]) -> Sequence[str] | None:
    """Merge a conflict in which one text changed only the first lines, the other only the last.

    Examples: an exercise is added after the last one; a TODO is corrected above the student's code.
    All stubs of a class are alike, so the student's code could come to stand in place of another
    stub. Therefore definitions that the kit adds stay below it, and a passage that did not change
    must stand only once in the text. Returns None for other conflicts, and where lines fit in
    several ways.
    """
    end = len(new) if any(map(DEFINITION.match, base)) else _before_definitions(new)
    given, added = [*new[:end]], [*new[end:]]
    found: list[list[str]] = []
    for i in range(len(base) + 1) if base else ():
        first, last = base[:i], base[i:]
        for upper, lower in ((mine, given), (given, mine)):
            at = len(upper) - len(last)
            fits = upper[at:] == last and lower[:i] == first
            if fits and _is_sole(last, upper) and _is_sole(first, lower):
                found.append([*upper[:at], *lower[i:], *added])
    return found[0] if found and all(one == found[0] for one in found) else None


def _before_definitions(lines: Sequence[str]) -> int:
    """Return how many lines stand above the first definition and the blank lines before it."""
    at = next((i for i, line in enumerate(lines) if DEFINITION.match(line)), None)
    if at is None:
        return len(lines)
    while at and not lines[at - 1].strip():
        at -= 1
    return at


def _is_sole(passage: Sequence[str], lines: Sequence[str]) -> bool:
    """Return whether a passage that stands in these lines stands there only once."""
    size = len(passage)
    return not size or sum(lines[i : i + size] == passage for i in range(len(lines))) == 1
