"""The released notebook, and the class of a damaged submission."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograder.checking.collect import collect
from autograder.course import DEFINED, skeleton, solution
from autograder.kit.notebook import notebook

Book = dict[str, Any]  # a notebook as it stands in its file
Cell = dict[str, Any]
ASSIGNMENT = "attention_layer"
EVERY = tuple(exercise.name for exercise in collect().exercises(ASSIGNMENT))
LEAF = "TestModule"  # an exercise that no other one needs
MARKER = re.compile(r"^ *### (BEGIN|END) SOLUTION\n", re.MULTILINE)
VISIBLE = re.compile(r'^print\("(\w+): the visible checks of this cell pass"\)', re.MULTILINE)


@dataclass(frozen=True)
class Released:
    """A released assignment and a right solution.

    notebook: as it is released, with nbgrader's metadata. right: by exercise, correct code of the
    cell that defines it.
    """

    assignment: str
    notebook: Book
    right: Mapping[str, str]

    @property
    def file(self) -> str:
        return f"{self.assignment}.ipynb"

    def filled(self) -> Book:
        """Return a copy with all answers filled in correctly."""
        book = copy.deepcopy(self.notebook)
        for exercise, code in self.right.items():
            answer(book, exercise)["source"] = code.splitlines(keepends=True)
        return book


@dataclass(frozen=True)
class Damage:
    """One kind of damage to a student's folder, and the grade that is expected.

    make: writes the submission into the existing folder, starting from a right notebook.
    phrase: is part of the message. lost: exercises that get no points.
    graded: True if all exercises except the lost ones get full points; False if the submission is
    refused, with a reason, for this student alone.
    student: the name of the student's folder.
    """

    name: str
    phrase: str
    make: Callable[[Path, Released], None]
    graded: bool = True
    lost: tuple[str, ...] = ()
    student: str = "anna"


def release(name: str = ASSIGNMENT, mark: Callable[[Book, str], None] | None = None) -> Released:
    """Return an assignment as it is released.

    mark: adds nbgrader's metadata to it; by default, `mark_cells`.
    """
    book = _as_file(skeleton(name), name)
    (mark or mark_cells)(book, name)
    right = by_exercise(MARKER.sub("", solution(name)), name)
    return Released(name, book, right)


def by_exercise(text: str, name: str) -> dict[str, str]:
    """Return by exercise the code of the cell that defines it in a module's text."""
    names = {e.name for e in collect().exercises(name)}
    sources = ["".join(cell["source"]) for cell in codes(_as_file(text, name))]
    return {found: code for code in sources for found in DEFINED.findall(code) if found in names}


def mark_cells(book: Book, assignment: str) -> None:
    """Add nbgrader's metadata.

    A cell that defines an exercise becomes a solution, one with visible checks is graded.
    """
    checks = collect()
    points = {
        e.name: sum(c.check.points for c in checks.of(e)) for e in checks.exercises(assignment)
    }
    for cell in book["cells"]:
        source = "".join(cell["source"])
        tested, defined = VISIBLE.search(source), DEFINED.search(source)
        if cell["cell_type"] == "code" and tested and tested[1] in points:
            cell["metadata"]["nbgrader"] = _marked(tested[1], points[tested[1]])
        elif cell["cell_type"] == "code" and defined and defined[1] in points:
            cell["metadata"]["nbgrader"] = _marked(f"{defined[1]}-answer", None)


def answer(book: Book, exercise: str) -> Cell:
    """Return the cell that defines an exercise."""
    return next(c for c in codes(book) if exercise in DEFINED.findall("".join(c["source"])))


def graded_cell(book: Book, exercise: str) -> Cell:
    """Return the graded cell of an exercise."""
    return next(c for c in codes(book) if marks(c).get("grade") and exercise in c["source"][-1])


def codes(book: Book) -> list[Cell]:
    """Return the code cells."""
    return [cell for cell in book["cells"] if cell["cell_type"] == "code"]


def graded_cells(book: Book) -> list[Cell]:
    """Return the graded cells."""
    return [cell for cell in codes(book) if marks(cell).get("grade")]


def marks(cell: Cell) -> dict[str, Any]:
    """Return nbgrader's metadata of a cell; {} if it has none."""
    found: dict[str, Any] = cell["metadata"].get("nbgrader", {})
    return found


def put(book: Book, cell: Cell, at: int | None = None) -> None:
    """Insert a cell at an index, or at the end."""
    cells = book["cells"]
    cells.insert(len(cells) if at is None else at, cell)


def own(source: Any, **more: Any) -> Cell:
    """Return a code cell that a student has added."""
    cell = {"cell_type": "code", "id": "own", "metadata": {}, "source": source}
    return {**cell, "execution_count": 1, "outputs": [], **more}


def on_notebook(
    name: str, phrase: str = "", graded: bool = True, **expected: Any
) -> Callable[[Callable[[Book], None]], Damage]:
    """Return a decorator for a change to the right notebook, which makes it a case."""

    def case(change: Callable[[Book], None]) -> Damage:
        def make(folder: Path, released: Released) -> None:
            book = released.filled()
            change(book)
            (folder / released.file).write_bytes(written_out(book))

        return Damage(name, phrase, make, graded, **expected)

    return case


def on_bytes(
    name: str, phrase: str = "", graded: bool = True, **expected: Any
) -> Callable[[Callable[[bytes], bytes]], Damage]:
    """Return a decorator for a change to the bytes of the right notebook's file."""

    def case(change: Callable[[bytes], bytes]) -> Damage:
        def make(folder: Path, released: Released) -> None:
            (folder / released.file).write_bytes(change(written_out(released.filled())))

        return Damage(name, phrase, make, graded, **expected)

    return case


def on_folder(
    name: str, phrase: str = "", graded: bool = True, **expected: Any
) -> Callable[[Callable[[Path, Released], None]], Damage]:
    """Return a decorator for a change to the folder that holds the right notebook."""

    def case(change: Callable[[Path, Released], None]) -> Damage:
        def make(folder: Path, released: Released) -> None:
            (folder / released.file).write_bytes(written_out(released.filled()))
            change(folder, released)

        return Damage(name, phrase, make, graded, **expected)

    return case


def written_out(book: Any) -> bytes:
    """Return the bytes of a notebook's file; lone surrogates become escapes."""
    return json.dumps(book, indent=1).encode()


def _marked(grade_id: str, points: float | None) -> dict[str, Any]:
    graded = {"grade": True, "solution": False, "locked": True, "points": points}
    solution = {"grade": False, "solution": True, "locked": False}
    told = solution if points is None else graded
    return {"schema_version": 3, "grade_id": grade_id, "task": False, **told}


def _as_file(text: str, name: str) -> Book:
    """Return a notebook as Jupyter saves it, with texts as lists of lines."""
    book: Book = json.loads(json.dumps(notebook(text, name)))
    for cell in book["cells"]:
        cell["source"] = cell["source"].splitlines(keepends=True)
    return book
