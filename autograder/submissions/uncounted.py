"""Tell which code does not count because it stands in one of the kit's own cells of a notebook."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from autograder.course import DEFINED
from autograder.submissions import demonstrations, notebook
from autograder.submissions.bindings import WORD, binds, without_strings
from autograder.submissions.files import Unreadable
from autograder.submissions.imports import imported
from autograder.submissions.source_text import (
    DEMONSTRATION,
    MAX_SOURCE,
    code_lines,
    form,
    read_data,
)
from autograder.submissions.work import exercises_of

ASSIGNED = re.compile(r"^(\w+)[ \t]*(?::[^=\n]*)?=(?!=)", re.MULTILINE)  # at the top level
PARAMETERS = re.compile(r"\bdef[ \t]+\w+[ \t]*\(([^)]{0,1000})|\blambda\b([^:\n]{0,1000})")
SAID = (
    "{} is one of the kit's own cells, which are not graded: {} there does not count. Write it in "
    "the exercise's cell or in one of your own."
)
MOST = 20  # names that are looked for
Cells = Sequence[tuple[str, str]]  # labels and texts


def remark(of_the_kit: Cells, graded: Cells, assignment: str) -> str:
    """Return a sentence about the first of the kit's cells with code that is missing, or "".

    Missing is the definition of an exercise, or of a name that graded cells use and do not define.
    What the kit has defined is not the student's.
    """
    if sum(len(text) for _, text in (*of_the_kit, *graded)) > MAX_SOURCE:
        return ""
    texts = ["\n".join(code_lines([[label, text]])) for label, text in graded]
    code = without_strings("\n".join(texts))
    wanted = {*WORD.findall(code), *exercises_of(assignment)} - _of_the_kit()
    defined = [(label, one) for label, text in of_the_kit for one in _defined(text)]
    for label, name in [(label, one) for label, one in defined if one in wanted][:MOST]:
        if name in exercises_of(assignment) or _is_missing(name, code):
            return SAID.format(label, name)
    return ""


def remark_on_file(path: Path, assignment: str) -> str:
    """Return the sentence about a saved notebook, see `remark`; "" for any other file."""
    if not assignment or form(path.name) != ".ipynb" or not path.is_file():
        return ""
    try:
        found = notebook.cells(read_data(path))
    except (Unreadable, notebook.DamagedNotebook):
        return ""  # its grade says so
    cells = [
        (f"Cell {number} of {path}", cell)
        for number, cell in enumerate(found, 1)
        if cell.kind == "code"
    ]
    own = [(label, cell.source) for label, cell in cells if DEMONSTRATION in cell.tags]
    rest = [(label, cell.source) for label, cell in cells if DEMONSTRATION not in cell.tags]
    return remark(own, rest, assignment)


def _is_missing(name: str, code: str) -> bool:
    """Return whether code, without its strings, uses a name and does not bind it."""
    if not re.search(rf"(?<![\w.]){name}\b(?!\s*=(?!=))", code):
        return False
    known = {one.bound for one in imported(code)}
    known |= {word for found in PARAMETERS.findall(code) for word in WORD.findall("".join(found))}
    return name not in known and not binds(code, {name})


def _defined(text: str) -> list[str]:
    """Return the names that a cell defines, assigns or imports at its top level, in this order."""
    names = [*DEFINED.findall(text), *ASSIGNED.findall(text)]
    return [*names, *(one.bound for one in imported(text) if one.bound.isidentifier())]


@cache
def _of_the_kit() -> frozenset[str]:
    return frozenset(name for text in demonstrations.texts() for name in _defined(text))
