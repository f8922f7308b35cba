"""Merge a student's text with that of a corrected kit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from merge3 import Merge3

from autograder.course import DEFINED
from autograder.errors import UsageError


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
    before, given, found = (Counter(DEFINED.findall(text)) for text in (mine, new, merged))
    for name, count in found.items():
        if count > max(before[name], given[name]):
            raise CannotUpdate(
                f"{what}: {name} would be defined twice, once by you and once by the new kit. If "
                "it is an exercise, write it where the kit has it, in a cell of its own; "
                "otherwise rename yours. Then update again. Nothing was updated."
            )


def _resolved(base: Sequence[str], mine: Sequence[str], new: Sequence[str]) -> Sequence[str] | None:
    """Merge a conflict in which one text changed only the first lines, the other only the last.

    Examples: an exercise is added after the last one; a TODO is corrected above the student's code.
    Returns None for other conflicts.
    """
    for i in range(len(base) + 1) if base else ():
        first, last = base[:i], base[i:]
        for upper, lower in ((mine, new), (new, mine)):
            if upper[len(upper) - len(last) :] == last and lower[:i] == first:
                return [*upper[: len(upper) - len(last)], *lower[i:]]
    return None
