"""Wrong solutions in which someone who did not write the search has marked the line of the mistake.

In `<assignment>.txt`, each begins with `=== `, the exercise and what is wrong. A marked line ends
with MARK; of two, either is right. Only the exercise is there, which replaces the solution's.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

MARK = "  # <--"
FOLDER = Path(__file__).parent
HEADING = re.compile(r"^=== (\w+): (.*)\n", re.M)


@dataclass(frozen=True)
class Marked:
    """A wrong solution of one exercise. lines: those of its code that are marked, from 1."""

    assignment: str
    exercise: str
    mistake: str
    code: str
    lines: frozenset[int]

    @property
    def name(self) -> str:
        return f"{self.exercise}: {self.mistake}"

    def below(self, solution: str) -> tuple[str, frozenset[int]]:
        """Return a whole module, in which this replaces the solution's, and the marked lines."""
        above = f"{solution}\n\n"
        offset = above.count("\n")
        return above + self.code, frozenset(line + offset for line in self.lines)


def marked() -> list[Marked]:
    """Return all of them."""
    found = []
    for file in sorted(FOLDER.glob("*.txt")):
        _, *parts = HEADING.split(file.read_text(encoding="utf-8"))
        for exercise, mistake, text in zip(parts[::3], parts[1::3], parts[2::3], strict=True):
            lines = text.split("\n")
            numbers = frozenset(i for i, line in enumerate(lines, 1) if line.endswith(MARK))
            code = "\n".join(line.removesuffix(MARK) for line in lines)
            found.append(Marked(file.stem, exercise, mistake, code, numbers))
    return found
