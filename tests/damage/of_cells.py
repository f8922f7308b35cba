"""Cells that were copied, split, moved, deleted, or made of another kind."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

from damage.released import (
    EVERY,
    LEAF,
    Book,
    Damage,
    Released,
    answer,
    codes,
    graded_cell,
    graded_cells,
    on_notebook,
    own,
    put,
    written_out,
)


def place(book: Book, exercise: str) -> int:
    """Return the index of the cell that defines an exercise."""
    return next(i for i, cell in enumerate(book["cells"]) if cell is answer(book, exercise))


@on_notebook("nothing is damaged")
def undamaged(book: Book) -> None: ...


def _untouched(folder: Path, released: Released) -> None:
    (folder / released.file).write_bytes(written_out(released.notebook))


untouched = Damage("nothing is written yet", "Not written yet", _untouched, lost=EVERY)


# Copied and split


@on_notebook("a graded cell is there twice")
def graded_twice(book: Book) -> None:
    cell = graded_cell(book, LEAF)
    put(book, copy.deepcopy(cell), book["cells"].index(cell) + 1)


@on_notebook("every cell is there twice")
def all_twice(book: Book) -> None:
    book["cells"] += copy.deepcopy(book["cells"])


@on_notebook("an answer is there twice")
def answer_twice(book: Book) -> None:
    put(book, copy.deepcopy(answer(book, LEAF)), place(book, LEAF))


def _worked_in_the_copy(folder: Path, released: Released) -> None:
    book = released.filled()
    put(book, copy.deepcopy(answer(released.notebook, LEAF)), place(book, LEAF))
    (folder / released.file).write_bytes(written_out(book))


worked_in_the_copy = Damage("an answer is written in a copy of its cell", "", _worked_in_the_copy)


@on_notebook("an answer's helper is split off, with the same id")
def helper_split_off(book: Book) -> None:
    cell = answer(book, LEAF)
    code = "".join(cell["source"])
    assert '"Hello World"' in code
    helper = {**copy.deepcopy(cell), "source": ["def greeting():\n", "    return 'Hello World'\n"]}
    cell["source"] = code.replace('"Hello World"', "greeting()")
    put(book, helper, place(book, LEAF))


@on_notebook("an answer is split in its middle", "missing the required", lost=(LEAF,))
def split_in_the_middle(book: Book) -> None:
    cell, at = answer(book, LEAF), place(book, LEAF)
    cut = next(i for i, line in enumerate(cell["source"]) if "def forward" in line)
    put(book, {**copy.deepcopy(cell), "source": cell["source"][cut:]}, at + 1)
    cell["source"] = cell["source"][:cut]


@on_notebook("an answer is merged with the graded cell below it")
def merged_with_graded(book: Book) -> None:
    cell, below = answer(book, LEAF), graded_cell(book, LEAF)
    cell["source"] += ["\n", *below["source"]]
    book["cells"].remove(below)


# Deleted and moved


@on_notebook("an answer is deleted", "does not define it", lost=(LEAF,))
def answer_deleted(book: Book) -> None:
    del book["cells"][place(book, LEAF)]


@on_notebook("a graded cell is deleted")
def graded_deleted(book: Book) -> None:
    book["cells"].remove(graded_cell(book, LEAF))


@on_notebook("all graded cells are deleted")
def all_graded_deleted(book: Book) -> None:
    for cell in graded_cells(book):
        book["cells"].remove(cell)


def imports(book: Book) -> dict[str, Any]:
    """Return the first cell of code that is the statement's own, not the kit's."""
    return next(cell for cell in codes(book) if "".join(cell["source"]).startswith("import"))


@on_notebook("only the answers and the imports are left")
def only_answers(book: Book) -> None:
    book["cells"] = [imports(book), *(answer(book, exercise) for exercise in EVERY)]


@on_notebook("the imports are deleted", "name 'nn' is not defined", False)
def imports_deleted(book: Book) -> None:
    book["cells"].remove(imports(book))


@on_notebook("all cells are in reverse order", "name 'nn' is not defined", False)
def reversed_cells(book: Book) -> None:
    book["cells"].reverse()


@on_notebook("the answers are in reverse order")
def reversed_answers(book: Book) -> None:
    answers = [answer(book, exercise) for exercise in EVERY]
    at = sorted(book["cells"].index(cell) for cell in answers)
    for i, cell in zip(reversed(at), answers, strict=True):
        book["cells"][i] = cell


@on_notebook("a graded cell stands above its answer")
def graded_above(book: Book) -> None:
    cell = graded_cell(book, LEAF)
    book["cells"].remove(cell)
    put(book, cell, 0)


@on_notebook("the answer is written into the graded cell", "Not written yet", lost=(LEAF,))
def answer_in_graded(book: Book) -> None:
    cell = answer(book, LEAF)
    graded_cell(book, LEAF)["source"] = [*cell["source"], "\n"]
    stub = f'class {LEAF}(nn.Module):\n    def __init__(self):\n        raise NotImplementedError("'
    cell["source"] = f'{stub}{LEAF} is not written yet")\n'


@on_notebook("another definition stands below the answer", lost=(LEAF,))
def redefined_below(book: Book) -> None:
    put(book, own(f"class {LEAF}:\n    pass\n"))


@on_notebook("there are no cells", "does not define it", lost=EVERY)
def no_cells(book: Book) -> None:
    book["cells"] = []


@on_notebook("there is only text", "does not define it", lost=EVERY)
def only_text(book: Book) -> None:
    book["cells"] = [cell for cell in book["cells"] if cell["cell_type"] == "markdown"]


@on_notebook("there are 10,000 more cells of text")
def many_texts(book: Book) -> None:
    for i in range(10_000):
        put(book, {"cell_type": "markdown", "id": f"t{i}", "metadata": {}, "source": "more"})


@on_notebook("there are 10,000 more cells of code")
def many_codes(book: Book) -> None:
    for i in range(10_000):
        put(book, own(f"x = {i}", id=f"c{i}"), 3)


# Kinds


@on_notebook("an answer has become text", "does not define it", lost=(LEAF,))
def answer_is_text(book: Book) -> None:
    answer(book, LEAF)["cell_type"] = "markdown"


@on_notebook("an answer has become a raw cell", "does not define it", lost=(LEAF,))
def answer_is_raw(book: Book) -> None:
    answer(book, LEAF)["cell_type"] = "raw"


@on_notebook("a graded cell has become text")
def graded_is_text(book: Book) -> None:
    graded_cell(book, LEAF)["cell_type"] = "markdown"


@on_notebook("a text has become code", "Python cannot read the file")
def text_is_code(book: Book) -> None:
    book["cells"][0] = own("# This is\nof which no word is Python\n")


@on_notebook("there is a cell of an unknown kind")
def unknown_kind(book: Book) -> None:
    put(book, {"cell_type": "sql", "metadata": {}, "source": "SELECT 1"}, 2)
