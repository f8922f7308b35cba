"""A small change of a text."""

from __future__ import annotations

from dataclasses import dataclass

# Ranks: uses of what is unused, changes in one place, moves to another, additions in one place,
# changes in all alike, and repairs of wrong values that were made before.
USES, CHANGES, MOVES, ADDS, EVERYWHERE, REPAIRS = range(6)
Change = tuple[int, int, str]  # the positions of a text's characters to replace, and the new text


@dataclass(frozen=True)
class Edit:
    """Replacements in a text.

    line: the first one that it changes. rank: one of those above. theme: what it does, the same for
    edits that do the same elsewhere. origins: the lines that assign what it reads no more.
    """

    changes: tuple[Change, ...]
    line: int
    rank: int
    theme: str
    origins: tuple[int, ...] = ()

    def of(self, text: str) -> str:
        """Return the edited text."""
        for start, end, new in sorted(self.changes, reverse=True):
            text = f"{text[:start]}{new}{text[end:]}"
        return text
