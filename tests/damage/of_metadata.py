"""Edited or lost metadata of nbgrader and Jupyter."""

from __future__ import annotations

from damage.released import (
    EVERY,
    LEAF,
    Book,
    Damage,
    answer,
    codes,
    graded_cell,
    graded_cells,
    marks,
    on_notebook,
    own,
    put,
)

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


# Jupyter's metadata


@on_notebook("all metadata of cells is gone")
def metadata_gone(book: Book) -> None:
    """Remove the tags too, by which the kit's demonstrations differ from a student's code."""
    for cell in book["cells"]:
        cell["metadata"] = {}


@on_notebook("cells have no metadata")
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
    odd: list[object] = ["", "a b/ü", "x" * 1000, None, 5, []]
    for cell, odd_id in zip(book["cells"], odd, strict=False):
        cell["id"] = odd_id


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
