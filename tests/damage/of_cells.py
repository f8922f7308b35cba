"""Cells that were copied, split, moved, deleted; metadata that was edited."""

from __future__ import annotations

import copy
from pathlib import Path

from damage.released import (
    LEAF,
    Book,
    Damage,
    Released,
    answer,
    codes,
    graded_cell,
    graded_cells,
    marks,
    on_notebook,
    own,
    put,
    written_out,
)

EVERY = (
    "TestModule",
    "QueryKeyValue",
    "ScaledDotProduct",
    "AttentionHead",
    "FeedForwardLayer",
    "SimpleAttentionLayer",
)


def place(book: Book, exercise: str) -> int:
    """Where the cell stands that defines an exercise."""
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


@on_notebook("an answer is split in its middle", "indent", lost=(LEAF,), mended=None)
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


@on_notebook("only the answers and the imports are left")
def only_answers(book: Book) -> None:
    book["cells"] = [codes(book)[0], *(answer(book, exercise) for exercise in EVERY)]


@on_notebook("the imports are deleted", "name 'nn' is not defined", lost=EVERY, mended=True)
def imports_deleted(book: Book) -> None:
    book["cells"].remove(codes(book)[0])


@on_notebook("all cells are in reverse order", "'nn' is not defined", lost=EVERY, mended=True)
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


@on_notebook("another definition stands below the answer", lost=(LEAF,), mended=None)
def redefined_below(book: Book) -> None:
    put(book, own(f"class {LEAF}(nn.Module):\n    def forward(self):\n        print('Hello')\n"))


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


@on_notebook("an answer has become text", "does not define it", lost=(LEAF,), mended=True)
def answer_is_text(book: Book) -> None:
    answer(book, LEAF)["cell_type"] = "markdown"


@on_notebook("an answer has become a raw cell", "does not define it", lost=(LEAF,), mended=True)
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


# nbgrader's metadata


@on_notebook("the id of an answer is changed")
def answer_renamed(book: Book) -> None:
    marks(answer(book, LEAF))["grade_id"] = "mine"


@on_notebook("the id of a graded cell is changed")
def graded_renamed(book: Book) -> None:
    marks(graded_cell(book, LEAF))["grade_id"] = "mine"


@on_notebook("the ids of two graded cells are exchanged")
def graded_exchanged(book: Book) -> None:
    one, other = (marks(cell) for cell in graded_cells(book)[:2])
    one["grade_id"], other["grade_id"] = other["grade_id"], one["grade_id"]


@on_notebook("the ids of two answers are exchanged")
def answers_exchanged(book: Book) -> None:
    one, other = (marks(answer(book, exercise)) for exercise in EVERY[:2])
    one["grade_id"], other["grade_id"] = other["grade_id"], one["grade_id"]


@on_notebook("all cells have the same id of nbgrader's")
def one_id(book: Book) -> None:
    for cell in codes(book):
        cell["metadata"]["nbgrader"] = dict(marks(graded_cell(book, LEAF)))


@on_notebook("an answer and a graded cell have each other's flags")
def flags_flipped(book: Book) -> None:
    for cell in (answer(book, LEAF), graded_cell(book, LEAF)):
        for flag in ("grade", "solution", "locked"):
            marks(cell)[flag] = not marks(cell)[flag]


@on_notebook("flags are no flags")
def flags_are_texts(book: Book) -> None:
    for cell in (answer(book, LEAF), graded_cell(book, LEAF)):
        marks(cell).update(grade="yes", solution=None, locked=[], task={})


@on_notebook("points are edited")
def points_edited(book: Book) -> None:
    for cell, points in zip(graded_cells(book), (1000, -5, "all", None, 1e300), strict=False):
        marks(cell)["points"] = points


@on_notebook("points are NaN")
def points_are_nan(book: Book) -> None:
    marks(graded_cell(book, LEAF))["points"] = float("nan")


@on_notebook("a graded cell's text is edited")
def graded_edited(book: Book) -> None:
    graded_cell(book, LEAF)["source"] = ["assert True\n", "10.0"]


@on_notebook("a graded cell only raises")
def graded_raises(book: Book) -> None:
    graded_cell(book, LEAF)["source"] = "raise SystemExit(0)"


def _schema(version: object) -> Damage:
    @on_notebook(f"nbgrader's metadata has schema {version!r}")
    def other_schema(book: Book) -> None:
        for cell in book["cells"]:
            if marks(cell):
                marks(cell)["schema_version"] = version

    return other_schema


schema_1, schema_2, schema_99, schema_text = map(_schema, (1, 2, 99, "three"))


def _grade_id(said: str, grade_id: object) -> Damage:
    @on_notebook(f"an id of nbgrader's {said}")
    def other_id(book: Book) -> None:
        marks(answer(book, LEAF))["grade_id"] = grade_id
        marks(graded_cell(book, EVERY[1]))["grade_id"] = grade_id

    return other_id


huge_id = _grade_id("has 100,000 letters", "a" * 100_000)
slash_id = _grade_id("is a path", "../../../etc/passwd")
nul_id = _grade_id("has a NUL in it", "Test\0Module")
number_id = _grade_id("is a number", 7)
no_id = _grade_id("is null", None)
list_id = _grade_id("is a list", ["TestModule"])
markup_id = _grade_id("is markup", "<script>alert(1)</script>")


@on_notebook("nbgrader's metadata is a list")
def marks_are_a_list(book: Book) -> None:
    answer(book, LEAF)["metadata"]["nbgrader"] = ["solution"]


@on_notebook("nbgrader's metadata is gone")
def marks_gone(book: Book) -> None:
    for cell in book["cells"]:
        cell["metadata"].pop("nbgrader", None)


# Other metadata


@on_notebook("all metadata of cells is gone", "matplotlib")
def metadata_gone(book: Book) -> None:
    """So the kit's own demonstrations cannot be told from a student's code."""
    for cell in book["cells"]:
        cell["metadata"] = {}


@on_notebook("cells have no metadata", "matplotlib")
def no_metadata(book: Book) -> None:
    for cell in book["cells"]:
        del cell["metadata"]


@on_notebook("a cell's metadata is a list")
def metadata_is_a_list(book: Book) -> None:
    answer(book, LEAF)["metadata"] = []


@on_notebook("a cell's metadata is null")
def metadata_is_null(book: Book) -> None:
    answer(book, LEAF)["metadata"] = None


@on_notebook("tags are no list of texts")
def odd_tags(book: Book) -> None:
    answer(book, LEAF)["metadata"]["tags"] = [None, 5, ["active-ipynb"], {}]
    answer(book, EVERY[1])["metadata"]["tags"] = "active"


@on_notebook("a cell's metadata is nested 200 deep")
def nested_metadata(book: Book) -> None:
    inner: dict[str, object] = {}
    for _ in range(200):
        inner = {"more": inner}
    answer(book, LEAF)["metadata"]["more"] = inner


@on_notebook("ids of cells are there twice, as in no notebook of format 4.5")
def ids_twice(book: Book) -> None:
    for cell in book["cells"]:
        cell["id"] = "a"


@on_notebook("ids of cells are none, as in no notebook of format 4.5")
def odd_ids(book: Book) -> None:
    for cell, odd in zip(book["cells"], ("", "a b/ü", "x" * 1000, None, 5, []), strict=False):
        cell["id"] = odd


@on_notebook("cells have no ids, as in no notebook of format 4.5")
def no_ids(book: Book) -> None:
    for cell in book["cells"]:
        del cell["id"]


@on_notebook("there are attachments and widgets")
def attachments(book: Book) -> None:
    picture = {"image.png": {"image/png": "iVBORw0KGgo="}}
    book["cells"][0]["attachments"] = picture
    state = {"state": {"a1": {"model_name": "HBoxModel", "state": {"children": []}}}}
    book["metadata"]["widgets"] = {"application/vnd.jupyter.widget-state+json": state}
    view = {"application/vnd.jupyter.widget-view+json": {"model_id": "a1"}}
    output = {"output_type": "display_data", "data": view, "metadata": {}}
    put(book, own("x = 1", outputs=[output]))
