"""Make notebooks from the same text as the modules."""

from __future__ import annotations

import re

import jupytext
import nbformat
from nbformat import NotebookNode

from autograder.course import DEFINED, HEADER
from autograder.course.calls import CALL, FINISHES, PROGRESS, START
from autograder.course.formulas import as_latex
from autograder.submissions.source_text import DEMONSTRATION

KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}
PICTURE = re.compile(r"\bplt\.|\bfig\b")
GIVEN = re.compile(rf"{PICTURE.pattern}|^ *(?:assert|class|def)\b", re.MULTILINE)
TO_WRITE = "# TODO"  # is in each definition that a student completes
# A cell's metadata that hides its code: in Jupyter and VS Code, and in Colab.
FOLDED = {"jupyter": {"source_hidden": True}, "cellView": "form"}
SECTION = re.compile(r"## (?:[^:\n]*\d ?: )?(.+)")  # in any language


def notebook(text: str, name: str) -> NotebookNode:
    """Return the notebook of an assignment.

    text: a percent-format script, either a solution or a skeleton. Its cells tagged active-ipynb
    are comments in the script and code in the notebook. A cell's id comes from its section or
    definition, so that it stays the same when texts change.
    """
    script = as_latex(HEADER.sub("", text, count=1).lstrip())
    made = jupytext.reads(script, fmt="py:percent")
    made.metadata = nbformat.from_dict({"kernelspec": KERNEL, "language_info": {"name": "python"}})
    section, count = name, 0
    for cell in made.cells:
        heading = SECTION.match(cell.source) if cell.cell_type == "markdown" else None
        named = DEFINED.search(cell.source) if cell.cell_type == "code" else None
        if heading and _slug(heading[1]) != section:
            section, count = _slug(heading[1]), 0
        cell.id = f"{section}-{_slug(named[1])}" if named and count else f"{section}-{count}"
        count += 1
        tags = cell.metadata.get("tags")
        cell.metadata = nbformat.from_dict({"tags": tags} if tags else {})
    ids = [cell.id for cell in made.cells]
    for i, cell in enumerate(made.cells):
        if cell.id in ids[:i]:  # another cell of the section defines the same name
            cell.id = f"{cell.id}-{i}"
    title, *others = [one for cell in made.cells for one in _with_call(cell)]
    ending = _own(PROGRESS, f"{name}-progress")
    made.cells = [title, _own(START, f"{name}-start", folded=True), *others, ending]
    made.nbformat, made.nbformat_minor = 4, 5
    nbformat.validate(made)
    return made


def _own(source: str, name: str, folded: bool = False) -> NotebookNode:
    """Return a cell of the kit's own."""
    cell = nbformat.v4.new_code_cell(source, id=name)
    cell.metadata = nbformat.from_dict({"tags": [DEMONSTRATION], **(FOLDED if folded else {})})
    return cell


def _with_call(cell: NotebookNode) -> list[NotebookNode]:
    """Return a cell, with a call of the grader before an exercise's checks.

    Checks, pictures and definitions that the kit gives are folded: the student's own code is seen.
    """
    if cell.cell_type != "code":
        return [cell]
    if GIVEN.search(cell.source) and TO_WRITE not in cell.source:
        cell.metadata.update(nbformat.from_dict(FOLDED))
    exercise = FINISHES.search(cell.source)
    return [_own(CALL.format(exercise[1]), f"check-{exercise[1]}"), cell] if exercise else [cell]


def _slug(title: str) -> str:
    return re.sub(r"[^A-Za-z0-9_]+", "-", title).strip("-")[:40]
