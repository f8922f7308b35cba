"""A text whose edits are looked for, by the nodes of its syntax tree."""

from __future__ import annotations

import ast
from bisect import bisect_right
from typing import NamedTuple

from autograder.runtime.edits.edit import CHANGES, Edit
from autograder.runtime.source_lines import source_lines

Node = ast.expr | ast.stmt | ast.keyword | ast.arg
OPERATIONS = (
    ast.BinOp, ast.BoolOp, ast.Compare, ast.IfExp, ast.Lambda, ast.NamedExpr, ast.UnaryOp,
)  # fmt: skip


class Read(NamedTuple):
    """Where a name or an attribute is read, and the lines that assign it."""

    start: int
    end: int
    lines: tuple[int, ...]


class Whole:
    """A text, the edits of it that have been found, and what is read in it."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.found: list[Edit] = []
        self.reads: list[Read] = []
        self._lines = source_lines(text)
        self._starts = [0]
        for line in self._lines:
            self._starts.append(self._starts[-1] + len(line))

    def position(self, line: int, column: int) -> int:
        """Return the position of a place as Python's parser gives it, in bytes of UTF-8."""
        text = self._lines[line - 1] if line <= len(self._lines) else ""
        return self._starts[line - 1] + len(text.encode()[:column].decode())

    def span(self, node: Node) -> tuple[int, int]:
        """Return where the text of a node begins and ends."""
        end = self.position(node.end_lineno or node.lineno, node.end_col_offset or 0)
        return self.position(node.lineno, node.col_offset), end

    def of(self, node: Node) -> str:
        """Return the text of a node, in parentheses where it needs some as an operand."""
        start, end = self.span(node)
        text = self.text[start:end]
        return f"({text})" if isinstance(node, OPERATIONS) else text

    def put(self, node: Node, new: str, theme: str = "", rank: int = CHANGES) -> None:
        """Note an edit that puts a new text in the place of a node's."""
        start, end = self.span(node)
        old = self.text[start:end]
        if new != old:
            self.change(start, end, new, theme or f"{old} {new}", rank)

    def change(self, start: int, end: int, new: str, theme: str, rank: int = CHANGES) -> None:
        """Note an edit that puts a new text in the place of another."""
        line = bisect_right(self._starts, start)
        self.found.append(Edit(((start, end, new),), line, rank, theme))
