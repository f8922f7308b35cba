"""Make notebooks from the same text as the modules."""

from __future__ import annotations

import re

import jupytext
import nbformat
from nbformat import NotebookNode

from autograder.course import DEFINED, HEADER

KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}
SECTION = re.compile(r"## (?:Exercise \d+: )?(.+)")


def notebook(text: str, name: str) -> NotebookNode:
    """Return the notebook of an assignment.

    text: a percent-format script, either a solution or a skeleton. Its cells tagged active-ipynb
    are comments in the script and code in the notebook. A cell's id comes from its section or
    definition, so that it stays the same when texts change.
    """
    made = jupytext.reads(HEADER.sub("", text, count=1).lstrip(), fmt="py:percent")
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
    made.nbformat, made.nbformat_minor = 4, 5
    nbformat.validate(made)
    return made


def _slug(title: str) -> str:
    return re.sub(r"[^A-Za-z0-9_]+", "-", title).strip("-")[:40]
