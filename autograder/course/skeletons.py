"""Make from the solutions the skeletons that students fill in."""

from __future__ import annotations

import re

from autograder.errors import CourseError
from autograder.runtime.source_lines import source_lines

BEGIN, END = "### BEGIN SOLUTION", "### END SOLUTION"  # nbgrader's own markers
NAMED = re.compile(r"(?:class|def) (\w+)")  # at the top level


class UnmatchedMarker(CourseError):
    """The markers around reference code are not in pairs."""


def made_from(solution: str) -> str:
    """Return a solution's text with a stub in place of each passage between markers.

    Raises UnmatchedMarker.
    """
    lines: list[str] = []
    begun, name = 0, ""
    for number, line in enumerate(source_lines(solution), 1):
        marker = line.strip()
        if named := NAMED.match(line):
            name = named[1]
        if marker == BEGIN and not begun:
            begun = number
            indent = " " * (len(line) - len(line.lstrip()))
            lines.append(f'{indent}raise NotImplementedError("{name} is not written yet")\n')
        elif marker == END and begun:
            begun = 0
        elif marker in (BEGIN, END):
            raise UnmatchedMarker(f"line {number}: {marker} does not pair with one before")
        elif not begun:
            lines.append(line)
    if begun:
        raise UnmatchedMarker(f"line {begun}: {BEGIN} is never ended")
    text = "".join(lines)
    return text if text.endswith("\n") else f"{text}\n"
