"""Rebuild a student's notebook from the released one, however damaged it is.

The result has every released cell in the released order. Cells that students may not write keep
the released text. Cells that the student added follow the same cell as before.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell

from autograder.course import DEFINED
from autograder.grading.fitting import printable
from autograder.submissions.notebook import Cell

NOTE, MODULE = "note-of-the-grader", "module"  # the names of cells
MOST_ADDED = 500  # cells
MOST_SHOWN = 20_000  # characters of a cell
MOST_IN_LINE = 500  # characters: colouring may take quadratic time in the length of a line
MOST_IN_ALL = 50_000  # characters of all added cells
WHITE_LINES = re.compile(r"\n{20,}")  # shortened, for colouring reads on to their end from each one
# To colour code, a page has an element for nearly each piece, which takes 70 microseconds. So the
# pieces are limited: for all answers, for all added cells, and for a module.
PIECE = re.compile(r"[A-Za-z_]+|[0-9]+| +|.", re.DOTALL)
IN_ANSWERS, IN_ADDED, IN_MODULE = 5_000, 5_000, 10_000
LINE_END = re.compile("[\v\f\x1c-\x1e\x85\u2028\u2029]")  # each ends a line for str.splitlines
OTHER_SPACE = re.compile(r"[^\S\n\r\t ]")  # such as one at which no line breaks
FENCE = re.compile("~+")
MARKS = re.compile("`+")


@dataclass
class _Limit:
    """The pieces and characters that a page can still show of a student's text."""

    pieces: int
    characters: int = MOST_IN_ALL

    @property
    def is_left(self) -> bool:
        return self.pieces > 0 and self.characters > 0

    def shown(self, source: str) -> str:
        """Return the text or its beginning, printable, and count it.

        Nothing in it turns the direction of writing, hides text, or moves a terminal's cursor.
        """
        text = LINE_END.sub("\n", source.encode("utf-8", "replace").decode())
        text = OTHER_SPACE.sub(" ", text)
        text = WHITE_LINES.sub("\n" * 20, "".join(map(_cut, text.splitlines(keepends=True))))
        most = min(self.characters, MOST_SHOWN)
        ends = [found.end() for found in PIECE.finditer(text[:most])][: max(self.pieces, 0)]
        most = ends[-1] if ends else 0
        self.pieces -= len(ends)
        self.characters -= most
        rest = len(text) - most
        kept = printable(text[:most])
        return f"{kept}\n… (and {rest} characters more)" if rest > 0 else kept


def rebuilt(released: NotebookNode, handed_in: Iterable[Cell]) -> NotebookNode:
    """Return the released notebook with a student's answers and added cells.

    Cells are matched by their names, or else by their definitions or text. If two match the same
    cell, the second one counts as added.
    """
    made = copy.deepcopy(released)
    for cell in made.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    behind: dict[int, list[NotebookNode]] = {}  # added cells by the index that they follow
    place, added = -1, 0
    answers, limit = _Limit(IN_ANSWERS), _Limit(IN_ADDED)
    for cell, known in _recognised(made.cells, list(handed_in)):
        if known is not None:
            place = known
            if _is_answer(made.cells[known]):
                _answer(made.cells[known], cell.source, answers)
        elif cell.source.strip() and added < MOST_ADDED and limit.is_left:
            added += 1
            behind.setdefault(place, []).append(_added(cell, added, limit))
    made.cells = [
        *behind.get(-1, []),
        *(one for i, cell in enumerate(made.cells) for one in (cell, *behind.get(i, []))),
    ]
    return made


def with_module(notebook: NotebookNode, name: str, text: str) -> NotebookNode:
    """Append the submitted module, which is graded instead of the notebook."""
    said = f"Handed in as {as_code(name)}; this file was graded:"
    heading = new_markdown_cell(said, id="module-name")
    notebook.cells += [heading, new_code_cell(_Limit(IN_MODULE).shown(text), id=MODULE)]
    return notebook


def replace_note(notebook: NotebookNode, note: str) -> None:
    """Put a note on the whole submission at the top of a notebook; "" only removes the old one.

    note: Markdown.
    """
    notebook.cells = [cell for cell in notebook.cells if cell.get("id") != NOTE]
    if note:
        notebook.cells.insert(0, new_markdown_cell(note, id=NOTE))


def _recognised(
    released: list[NotebookNode], handed_in: list[Cell]
) -> Iterator[tuple[Cell, int | None]]:
    """Yield each submitted cell with the index of the released cell that it matches, or None."""
    found: dict[int, int] = {}
    ways = (
        ([_names(c) for c in released], [c.names for c in handed_in]),
        (
            [_contents(c.cell_type, c.source) for c in released],
            [_contents(c.kind, c.source) for c in handed_in],
        ),
    )
    for released_marks, submitted_marks in ways:
        places: dict[str, list[int]] = {}
        for i, marks in enumerate(released_marks):
            for mark in marks:
                places.setdefault(mark, []).append(i)
        for j, marks in enumerate(submitted_marks):
            taken = set(found.values())
            free = (i for mark in marks for i in places.get(mark, []) if i not in taken)
            i = next(free, -1)
            if j not in found and i >= 0:
                found[j] = i
    return ((cell, found.get(j)) for j, cell in enumerate(handed_in))


def _names(cell: NotebookNode) -> tuple[str, ...]:
    named = cell.metadata.get("nbgrader", {}).get("grade_id")
    return tuple(name for name in (named, cell.get("id")) if name)


def _contents(kind: str, source: str) -> tuple[str, ...]:
    """Return the texts that identify a cell: its whole source, and the names that it defines."""
    return (source.strip(), *(DEFINED.findall(source) if kind == "code" else ()))


def _is_answer(cell: NotebookNode) -> bool:
    return bool(cell.metadata.get("nbgrader", {}).get("solution"))


def _answer(released: NotebookNode, source: str, limit: _Limit) -> None:
    """Put an answer into its released cell. What is there unchanged is the instructor's."""
    if released.cell_type != "markdown":
        released.source = limit.shown(source)
    elif source != released.source:
        released.source = _verbatim(limit.shown(source))


def _added(cell: Cell, number: int, limit: _Limit) -> NotebookNode:
    name, text = f"added-{number}", limit.shown(cell.source)
    if cell.kind == "code":
        return new_code_cell(text, id=name)
    return new_markdown_cell(_verbatim(text), id=name)


def _verbatim(text: str) -> str:
    """Return Markdown that shows a text as it was written.

    Rendering a student's Markdown may take seconds per line, and may give a script.
    """
    fence = max(("~~~", *(f"{run}~" for run in FENCE.findall(text))), key=len)
    return f"{fence}\n{text}\n{fence}"


def _cut(line: str) -> str:
    """Return a line, its beginning if it is too long, or an empty line for white space."""
    if not line.strip():
        return "\n"
    rest = len(line) - MOST_IN_LINE
    return f"{line[:MOST_IN_LINE]} … (and {rest} characters more)\n" if rest > 0 else line


def as_code(text: str) -> str:
    """Return text as Markdown that shows it in one line as it is, without a link, HTML or formula.

    nbgrader's pages do not clean Markdown, and a script on them has the instructor's rights.
    """
    marks = max(("`", *(f"{run}`" for run in MARKS.findall(text))), key=len)
    return f"{marks} {' '.join(text.split())} {marks}"
