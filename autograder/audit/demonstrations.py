"""The cells of a solution that are comments in the module and code in the notebook."""

from __future__ import annotations

from dataclasses import dataclass

from autograder.course.calls import FINISHES
from autograder.submissions.demonstrations import TAGGED


@dataclass(frozen=True)
class Demonstration:
    """Such a cell. line, last: where its code begins and ends in the module; source: its code."""

    line: int
    last: int
    source: str

    @property
    def exercise(self) -> str:
        """Return the exercise whose visible checks it holds; "" if it holds none."""
        found = FINISHES.search(self.source)
        return found[1] if found else ""


def demonstrations(text: str) -> list[Demonstration]:
    """Return the cells of a solution's text in their order."""
    found = []
    for match in TAGGED.finditer(text):
        lines = match[1].rstrip("\n").split("\n")
        line = text.count("\n", 0, match.start(1)) + 1
        code = "\n".join(one.removeprefix("#").removeprefix(" ") for one in lines)
        found.append(Demonstration(line, line + len(lines) - 1, code))
    return found
