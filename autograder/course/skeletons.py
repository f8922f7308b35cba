"""Make from the solutions the skeletons that students fill in."""

from __future__ import annotations

import re

from autograder.errors import CourseError
from autograder.runtime.source_lines import source_lines

BEGIN, END = "### BEGIN SOLUTION", "### END SOLUTION"  # nbgrader's own markers
UNMATCHED = {
    BEGIN: f"there is {BEGIN} within a passage that has begun. Write {END} above it.",
    END: f"there is {END} where no passage has begun. Write {BEGIN} above it.",
}
NOT_ENDED = f"{BEGIN} is never ended. Write {END} below its passage."
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
            raise UnmatchedMarker(f"line {number}: {UNMATCHED[marker]}")
        elif not begun:
            lines.append(line)
    if begun:
        raise UnmatchedMarker(f"line {begun}: {NOT_ENDED}")
    text = "".join(lines)
    return text if text.endswith("\n") else f"{text}\n"
