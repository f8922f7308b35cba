"""Make the skeletons that students fill in out of the solutions."""

from __future__ import annotations

import re
from pathlib import Path

from autograder.course import ASSIGNMENTS, SOLUTIONS, assignments

BEGIN, END = "### BEGIN SOLUTION", "### END SOLUTION"  # nbgrader's own markers
STUB = "raise NotImplementedError"


class UnmatchedMarker(ValueError):
    """The markers around reference code do not come in pairs."""


def skeleton(solution: str) -> str:
    """A solution's text with a stub in place of each passage between the markers.

    Raises UnmatchedMarker.
    """
    lines: list[str] = []
    begun = 0
    for number, line in enumerate(solution.splitlines(), 1):
        marker = line.strip()
        if marker == BEGIN and not begun:
            begun = number
            lines.append(re.match(r"\s*", line)[0] + STUB)  # type: ignore[index]
        elif marker == END and begun:
            begun = 0
        elif marker in (BEGIN, END):
            raise UnmatchedMarker(f"line {number}: {marker} does not pair with one before")
        elif not begun:
            lines.append(line)
    if begun:
        raise UnmatchedMarker(f"line {begun}: {BEGIN} is never ended")
    return "\n".join(lines) + "\n"


def write_all() -> list[Path]:
    """Write every skeleton under assignments/. Returns the files."""
    written = []
    for name in assignments():
        text = (SOLUTIONS / f"{name}.py").read_text(encoding="utf-8")
        path = ASSIGNMENTS / f"{name}.py"
        path.write_text(skeleton(text), encoding="utf-8", newline="\n")
        written.append(path)
    return written
