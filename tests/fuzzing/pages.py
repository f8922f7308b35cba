"""What a student has written in a notebook, through the pages that nbgrader makes of it."""

from __future__ import annotations

import copy
import re
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

import nbformat
import nbgrader
from hypothesis import strategies as st
from nbconvert.exporters import HTMLExporter
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from traitlets.config import Config

from autograder.grading.fitting import printable
from autograder.nbgrader.configuration import configure
from autograder.nbgrader.rebuild import as_code, rebuilt, replace_note, with_module
from autograder.submissions.notebook import Cell
from fuzzing.case import Case
from fuzzing.names import CODE, edited

FORMGRADER = Path(nbgrader.__file__).parent / "server_extensions" / "formgrader"
STYLES = next((FORMGRADER / "static").rglob("bootstrap.min.css")).parent
TEMPLATES = ("feedback", "feedback", "feedback", "formgrade")
PIECES = (
    "*", "a*", "**a", "_a", "`", "~~~", "~", "[", "](", "![", "[^a]", "<", "<a ", "<!--", "</pre>",
    "<script>evil()</script>", "<img src=x onerror=evil()>", "</textarea>", "&", "&#", "&lt", "$",
    "$$", "\\(", "\\[", "\\begin{a}", "\\", "|", "|-|\n", "#", "> ", "- ", "1. ", "\t", "    ",
    "http://", "a@b.", "{{", "{%", "{#", '"', "'", '"""', "f'{", "%(", "@a", "0x", "1_", "1e1",
    "(", "[[", "{", ";", "x\n", "\n", "\n\n", "\r", "\x00", "\x1b[2J", "\ud800", "\u202e", "\u2028",
    "\u0301", "\uffff", "\U0001f600", " ", "class a", "import a.", "from .", "lambda:", "\x0c",
)  # fmt: skip
TIMES = (1, 1, 1, 2, 3, 10, 50)
FLOOD = (200, 1000, 7000)  # and for a few
RESOURCES = {
    "nbgrader": {"score": 0, "max_score": 0, "late_penalty": 0},
    "index": 0,
    "total": 1,
}  # what nbgrader hands to its templates
ACTS = re.compile(r"^(on\w+|srcdoc|style)$")


@st.composite
def texts(draw: st.DrawFn) -> str:
    """Markup, code and neither, some of it again and again."""
    if draw(st.integers(0, 5)) == 0:
        return draw(st.sampled_from((CODE, "# Title\n\n**b** $x_1$ `c`\n")).flatmap(edited))
    count = draw(st.integers(1, 5))
    parts = [draw(st.sampled_from(PIECES)) * draw(st.sampled_from(TIMES)) for _ in range(count)]
    if draw(st.integers(0, 40)) == 0:
        parts = ["".join(parts) * draw(st.sampled_from(FLOOD))]
        lines = draw(st.sampled_from((80, 499, 10**9)))
        text = parts[0][:150_000]
        return "\n".join(text[at : at + lines] for at in range(0, len(text), lines))
    return "".join(parts)


cells = st.builds(
    Cell,
    st.sampled_from(("markdown", "markdown", "code", "raw", "heading", "")),
    texts(),
    st.just(()),
    st.sampled_from(((), (), (), ("answer",), ("task",), ("x",), ("title",))),
)


@cache
def released() -> NotebookNode:
    """A notebook with a cell of each kind, and an answer in Markdown as an instructor may want."""
    plain = {"schema_version": 3, "task": False, "locked": False, "grade": False, "solution": False}
    marks = {
        "answer": {**plain, "grade_id": "answer", "solution": True},
        "task": {**plain, "grade_id": "task", "solution": True},
        "x": {**plain, "grade_id": "x", "grade": True, "points": 1, "score": 0.0, "locked": True},
    }
    metadata = {name: nbformat.from_dict({"nbgrader": mark}) for name, mark in marks.items()}
    return new_notebook(
        cells=[
            new_markdown_cell("# Title", id="title"),
            new_code_cell("pass", id="answer", metadata=metadata["answer"]),
            new_markdown_cell("Why?", id="task", metadata=metadata["task"]),
            new_code_cell("assert True", id="x", metadata=metadata["x"]),
        ]
    )


def new_exporter(template: str) -> HTMLExporter:
    """What nbgrader makes pages with, for students ("feedback") or in the formgrader."""
    c = Config()
    configure(c)
    c.HTMLExporter.template_name = template
    c.HTMLExporter.extra_template_basedirs = [str(FORMGRADER / "templates")]
    c.HTMLExporter.extra_template_paths = [str(STYLES)]
    return HTMLExporter(config=c)


@cache
def exporter(template: str) -> HTMLExporter:
    """What makes pages, which has made one before."""
    made = new_exporter(template)
    made.from_notebook_node(released(), resources=copy.deepcopy(RESOURCES))
    return made


def showing(case: Case) -> str:
    """Put a student's cells into the released notebook, and make a page of it."""
    handed_in = case.draw(st.lists(cells, min_size=1, max_size=6))
    handed_in *= case.draw(st.sampled_from((1, 1, 1, 1, 1, 1, 1, 1, 100)))
    template = case.draw(st.sampled_from(TEMPLATES))
    note = case.draw(st.just("") | texts().map(lambda text: printable(text[:1200])))
    module = case.draw(st.just("") | texts())
    maker = exporter(template)
    with case.timed():
        made = rebuilt(released(), handed_in)
        if module:
            made = with_module(made, f"{note[:20]}.py", module)
        replace_note(made, note and as_code(note))
        for cell in made.cells:
            if note and "nbgrader" in cell.metadata:
                cell.metadata.nbgrader.comment = f"Refused: {as_code(note)}"
        page, _ = maker.from_notebook_node(made, resources=copy.deepcopy(RESOURCES))
    shown = _Acting()
    shown.feed(page[page.index('id="notebook-container"') :])
    assert not shown.found, shown.found
    page.encode()
    [task] = [cell for cell in made.cells if cell.get("id") == "task"]
    if task.source != "Why?":
        case.reaches("with an answer in Markdown")
    added = [cell for cell in made.cells if str(cell.get("id", "")).startswith("added-")]
    case.reaches("a page was made")
    if added:
        case.reaches("with added cells")
    if any(cell.cell_type == "code" for cell in added) or module:
        case.reaches("with code in colours")
    if any("characters more" in cell.source for cell in made.cells):
        case.reaches("with a text that was cut")
    if note:
        case.reaches("with a sentence that quotes it")
    return f"shown with {template}"


class _Acting(HTMLParser):
    """Looks for what would act in a browser, as a browser reads a page."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        for name, value in attributes:
            if "evil()" in (value or "") and (ACTS.match(name) or "script:" in (value or "")):
                self.found.append(f"<{tag} {name}={value}>")

    def handle_data(self, data: str) -> None:
        if "evil()" in data and self.lasttag == "script" and self.cdata_elem == "script":
            self.found.append(data[:80])
