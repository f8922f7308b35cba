"""The notebook that students are given, and one case of what comes back."""

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
EVERY = (
    "TestModule",
    "QueryKeyValue",
    "ScaledDotProduct",
    "AttentionHead",
    "FeedForwardLayer",
    "SimpleAttentionLayer",
)
LEAF = "TestModule"  # an exercise that no other one needs
MARKER = re.compile(r"^ *### (BEGIN|END) SOLUTION\n", re.MULTILINE)
VISIBLE = re.compile(r'^print\("(\w+): the visible checks of this cell pass"\)', re.MULTILINE)


@dataclass(frozen=True)
class Released:
    """What students are given of an assignment, and what they could have written.

    notebook: as it is released, with nbgrader's metadata. right: correct code of the cell that
    defines an exercise, by the exercise.
    """

    assignment: str
    notebook: Book
    right: Mapping[str, str]

    @property
    def file(self) -> str:
        return f"{self.assignment}.ipynb"

    def filled(self) -> Book:
        """A copy in which everything is written, and right."""
        book = copy.deepcopy(self.notebook)
        for exercise, code in self.right.items():
            answer(book, exercise)["source"] = code.splitlines(keepends=True)
        return book


@dataclass(frozen=True)
class Damage:
    """One way in which a student's folder is damaged, and what is expected all the same.

    make: writes what was handed in into the folder, which is there; it begins with a notebook in
    which everything is right.
    graded: True where there are all points but those of the exercises that are lost; False where it
    is refused, for this student alone and with a reason; None where either will do.
    phrase: stands in what is said about it. lost: exercises that have no points. mended: where the
    notebook that was released is known, as nbgrader does, all the same nothing is lost, nor is it
    refused (None: either).
    student: the name of the student's folder.
    """

    name: str
    phrase: str
    make: Callable[[Path, Released], None]
    graded: bool | None = True
    lost: tuple[str, ...] = ()
    mended: bool | None = False
    student: str = "anna"


def release(name: str = ASSIGNMENT, mark: Callable[[Book, str], None] | None = None) -> Released:
    """The notebook of an assignment, released.

    mark: adds nbgrader's metadata to it; by default, `mark_cells`.
    """
    book = _as_file(skeleton(name), name)
    (mark or mark_cells)(book, name)
    right = by_exercise(MARKER.sub("", solution(name)), name)
    return Released(name, book, right)


def by_exercise(text: str, name: str) -> dict[str, str]:
    """The code of the cell that defines an exercise, by the exercise, out of a module's text."""
    names = {e.name for e in collect().exercises(name)}
    sources = ["".join(cell["source"]) for cell in codes(_as_file(text, name))]
    return {found: code for code in sources for found in DEFINED.findall(code) if found in names}


def mark_cells(book: Book, assignment: str) -> None:
    """Add nbgrader's metadata: a cell that defines an exercise is its solution, one with visible
    checks is graded."""
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
    """The cell that defines an exercise."""
    return next(c for c in codes(book) if exercise in DEFINED.findall("".join(c["source"])))


def graded_cell(book: Book, exercise: str) -> Cell:
    """The graded cell of an exercise."""
    return next(c for c in codes(book) if marks(c).get("grade") and exercise in c["source"][-1])


def codes(book: Book) -> list[Cell]:
    """The code cells."""
    return [cell for cell in book["cells"] if cell["cell_type"] == "code"]


def graded_cells(book: Book) -> list[Cell]:
    """The graded cells."""
    return [cell for cell in codes(book) if marks(cell).get("grade")]


def marks(cell: Cell) -> dict[str, Any]:
    """What nbgrader knows of a cell; nothing of one that is no business of its."""
    found: dict[str, Any] = cell["metadata"].get("nbgrader", {})
    return found


def put(book: Book, cell: Cell, at: int | None = None) -> None:
    """Put a cell in, behind all others or at a place."""
    cells = book["cells"]
    cells.insert(len(cells) if at is None else at, cell)


def own(source: Any, **more: Any) -> Cell:
    """A code cell that a student has added."""
    cell = {"cell_type": "code", "id": "own", "metadata": {}, "source": source}
    return {**cell, "execution_count": 1, "outputs": [], **more}


def on_notebook(
    name: str, phrase: str = "", graded: bool | None = True, **expected: Any
) -> Callable[[Callable[[Book], None]], Damage]:
    """A case in which the filled notebook is changed."""

    def case(change: Callable[[Book], None]) -> Damage:
        def make(folder: Path, released: Released) -> None:
            book = released.filled()
            change(book)
            (folder / released.file).write_bytes(written_out(book))

        return Damage(name, phrase, make, graded, **expected)

    return case


def on_bytes(
    name: str, phrase: str = "", graded: bool | None = True, **expected: Any
) -> Callable[[Callable[[bytes], bytes]], Damage]:
    """A case in which the bytes of the filled notebook's file are changed."""

    def case(change: Callable[[bytes], bytes]) -> Damage:
        def make(folder: Path, released: Released) -> None:
            (folder / released.file).write_bytes(change(written_out(released.filled())))

        return Damage(name, phrase, make, graded, **expected)

    return case


def on_folder(
    name: str, phrase: str = "", graded: bool | None = True, **expected: Any
) -> Callable[[Callable[[Path, Released], None]], Damage]:
    """A case in which the right notebook is in the folder, and then something is done to it."""

    def case(change: Callable[[Path, Released], None]) -> Damage:
        def make(folder: Path, released: Released) -> None:
            (folder / released.file).write_bytes(written_out(released.filled()))
            change(folder, released)

        return Damage(name, phrase, make, graded, **expected)

    return case


def written_out(book: Any) -> bytes:
    """The bytes of a notebook's file; half characters are written as escapes."""
    return json.dumps(book, indent=1).encode()


def _marked(grade_id: str, points: float | None) -> dict[str, Any]:
    graded = {"grade": True, "solution": False, "locked": True, "points": points}
    solution = {"grade": False, "solution": True, "locked": False}
    told = solution if points is None else graded
    return {"schema_version": 3, "grade_id": grade_id, "task": False, **told}


def _as_file(text: str, name: str) -> Book:
    """A notebook as Jupyter saves it: texts are lists of lines."""
    book: Book = json.loads(json.dumps(notebook(text, name)))
    for cell in book["cells"]:
        cell["source"] = cell["source"].splitlines(keepends=True)
    return book
