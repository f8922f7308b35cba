"""Decide whether a line of Python continues the statement of the lines above it."""

from __future__ import annotations

import re
from dataclasses import dataclass

# What opens or closes strings and brackets, begins a comment, or assigns a command's output.
MARK = re.compile(r"\\.|'''|\"\"\"|['\"#()\[\]{}]|=[ \t]*(?=%[^\W\d]|!(?!=))")
BLOCK = re.compile(r":\s*(#.*)?$")  # the end of a line that begins a block


@dataclass
class Lines:
    """Counts what is open after some lines of Python: a string, brackets, a block.

    quote: of an open string, or "". depth: how many brackets are open. is_continued: the last line
    ends with a backslash. begins_block: the last line of code does. indent: of the last statement.
    """

    quote: str = ""
    depth: int = 0
    is_continued: bool = False
    begins_block: bool = False
    indent: str = ""

    @property
    def can_begin(self) -> bool:
        """Return whether a statement can begin in the next line."""
        return not (self.quote or self.depth or self.is_continued)

    def read(self, line: str) -> None:
        """Read a line of Python."""
        can_begin = self.can_begin
        self.quote, self.depth, comment, _ = _open_after(line, self.quote, self.depth)
        self.is_continued = comment < 0 and line.endswith("\\")
        code = line if comment < 0 else line[:comment]
        if code.strip():
            self.begins_block = bool(BLOCK.search(line))
            self.indent = line[: len(line) - len(line.lstrip())] if can_begin else self.indent

    def could_stand(self, indent: str) -> bool:
        """Return whether a statement with this indent could follow."""
        return self.begins_block or self.indent.startswith(indent)


def command_of(line: str) -> int:
    """Return where the command begins whose output a line assigns, as in `x = !ls`, or -1."""
    return _open_after(line, "", 0)[3]


def ends_in_code(line: str) -> bool:
    """Return whether a line that begins a statement ends outside strings and comments."""
    quote, _, comment, _ = _open_after(line, "", 0)
    return not quote and comment < 0


def _open_after(line: str, quote: str, depth: int) -> tuple[str, int, int, int]:
    """Return quote and depth after a line, and where a comment and a command begin, or -1."""
    comment = command = -1
    for found in MARK.finditer(line):
        mark = found[0]
        if quote:
            quote = "" if mark == quote else quote
        elif mark == "#":
            comment = found.start()
            break
        elif mark[0] in "'\"":
            quote = mark
        elif mark[0] == "=":
            if not depth:
                command = found.end()
                break
        elif mark in "([{":
            depth += 1
        elif mark in ")]}":
            depth = max(0, depth - 1)
    if len(quote) == 1 and not line.endswith("\\"):  # such a string ends with its line
        quote = ""
    return quote, depth, comment, command
