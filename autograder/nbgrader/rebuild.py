"""Put a student's cells into the notebook that was released, whatever became of the rest of it.

What comes out has every cell that was released, with our text wherever it is not the student's to
write, in our order; and what the student added, as far behind the same cell as before.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell

from autograder.course import DEFINED
from autograder.submissions.notebook import Cell

NOTE, MODULE = "note-of-the-grader", "module"  # the names of cells
MOST_ADDED = 500  # cells
MOST_SHOWN = 20_000  # characters of a cell
MOST_IN_LINE = 500  # the time to colour a line may grow with its square
MOST_IN_ALL = 50_000  # characters of all that was added
# A page has an element for nearly each piece of code, to colour it, and takes 70 microseconds for
# it. So there are only so many: of all answers, of all that was added, and of a module.
PIECE = re.compile(r"[A-Za-z_]+|[0-9]+| +|.", re.DOTALL)
IN_ANSWERS, IN_ADDED, IN_MODULE = 5_000, 5_000, 10_000
FENCE = re.compile("~+")
TAG = re.compile(r"<(?=[A-Za-z/!?])")
# What makes an image, or a link to other places than the web: javascript: is such a place.
LINK = re.compile(r"!(?=\[)|\](?=\(|:)(?!.\s*https?://)", re.DOTALL)


@dataclass
class _Room:
    """How much more of a student's text a page has room for."""

    pieces: int
    characters: int = MOST_IN_ALL

    @property
    def is_left(self) -> bool:
        return self.pieces > 0 and self.characters > 0

    def shown(self, source: str) -> str:
        """Return the text, or its beginning, as a page can have it: no lone surrogates, no NUL, no
        end of its own."""
        text = source.encode("utf-8", "replace").decode().replace("\0", "\N{REPLACEMENT CHARACTER}")
        text = "".join(map(_cut, text.splitlines(keepends=True)))
        most = min(self.characters, MOST_SHOWN)
        ends = [found.end() for found in PIECE.finditer(text[:most])][: max(self.pieces, 0)]
        most = ends[-1] if ends else 0
        self.pieces -= len(ends)
        self.characters -= most
        left = len(text) - most
        return f"{text[:most]}\n… (and {left} characters more)" if left > 0 else text


def rebuilt(released: NotebookNode, handed_in: Iterable[Cell]) -> NotebookNode:
    """The released notebook with what a student wrote.

    A cell is known by its name, or else by what it defines or says. Of two that claim to be the
    same, the second counts as added.
    """
    made = copy.deepcopy(released)
    for cell in made.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    behind: dict[int, list[NotebookNode]] = {}
    place, added = -1, 0
    answers, room = _Room(IN_ANSWERS), _Room(IN_ADDED)
    for cell, known in _recognised(made.cells, list(handed_in)):
        if known is not None:
            place = known
            if _is_answer(made.cells[known]):
                made.cells[known].source = answers.shown(cell.source)
        elif cell.source.strip() and added < MOST_ADDED and room.is_left:
            added += 1
            behind.setdefault(place, []).append(_added(cell, added, room))
    made.cells = [
        *behind.get(-1, []),
        *(one for i, cell in enumerate(made.cells) for one in (cell, *behind.get(i, []))),
    ]
    return made


def with_module(notebook: NotebookNode, name: str, text: str) -> NotebookNode:
    """The same above the module that was handed in and counts in its place."""
    said = new_markdown_cell(f"Handed in as `{name}`, and graded so:", id="module-name")
    notebook.cells += [said, new_code_cell(_Room(IN_MODULE).shown(text), id=MODULE)]
    return notebook


def replace_note(notebook: NotebookNode, note: str) -> None:
    """Put a sentence on the whole of it above it, or none."""
    notebook.cells = [cell for cell in notebook.cells if cell.get("id") != NOTE]
    if note:
        notebook.cells.insert(0, new_markdown_cell(_escaped(note), id=NOTE))


def _recognised(
    released: list[NotebookNode], handed_in: list[Cell]
) -> Iterator[tuple[Cell, int | None]]:
    """Each cell, and which of those released it is."""
    found: dict[int, int] = {}
    ways = (
        ([_names(c) for c in released], [c.names for c in handed_in]),
        (
            [_said(c.cell_type, c.source) for c in released],
            [_said(c.kind, c.source) for c in handed_in],
        ),
    )
    for theirs, ours in ways:
        places: dict[str, list[int]] = {}
        for i, marks in enumerate(theirs):
            for mark in marks:
                places.setdefault(mark, []).append(i)
        for j, marks in enumerate(ours):
            taken = set(found.values())
            free = (i for mark in marks for i in places.get(mark, []) if i not in taken)
            i = next(free, -1)
            if j not in found and i >= 0:
                found[j] = i
    return ((cell, found.get(j)) for j, cell in enumerate(handed_in))


def _names(cell: NotebookNode) -> tuple[str, ...]:
    named = cell.metadata.get("nbgrader", {}).get("grade_id")
    return tuple(name for name in (named, cell.get("id")) if name)


def _said(kind: str, source: str) -> tuple[str, ...]:
    """What tells what a cell is: its whole text, and the names that it defines."""
    return (source.strip(), *(DEFINED.findall(source) if kind == "code" else ()))


def _is_answer(cell: NotebookNode) -> bool:
    return bool(cell.metadata.get("nbgrader", {}).get("solution"))


def _added(cell: Cell, number: int, room: _Room) -> NotebookNode:
    name, text = f"added-{number}", room.shown(cell.source)
    return new_code_cell(text, id=name) if cell.kind == "code" else _as_it_is(text, name)


def _as_it_is(text: str, name: str) -> NotebookNode:
    """A cell that shows Markdown, or what else was in a cell, as it was written.

    To make out what a stranger's Markdown means may take seconds for each line, and it may mean a
    script.
    """
    fence = max(("~~~", *(f"{run}~" for run in FENCE.findall(text))), key=len)
    return new_markdown_cell(f"{fence}\n{text}\n{fence}", id=name)


def _cut(line: str) -> str:
    """Return a line of a text, or its beginning."""
    left = len(line) - MOST_IN_LINE
    return f"{line[:MOST_IN_LINE]} … (and {left} characters more)\n" if left > 0 else line


def _escaped(text: str) -> str:
    """Markdown in which HTML is text, an image is a link, and a link leads to the web.

    nbgrader's pages clean no Markdown, and a script on them could do what the instructor can.
    """
    return LINK.sub(r"\g<0> ", TAG.sub("&lt;", text))
