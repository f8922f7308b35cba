"""Code in the kit's own cells of a notebook: told if it is missing in what counts, else silent."""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest
from conftest import Command

from autograder.course import assignments, assignments_folder, solution
from autograder.kit.notebook import notebook
from autograder.submissions.source_text import DEMONSTRATION
from autograder.submissions.uncounted import remark, remark_on_file

ASSIGNMENT, EXERCISE = "attention_layer", "ScaledDotProduct"
USES = f"class {EXERCISE}(nn.Module):\n    def forward(self, *x):\n        return mine(*x)\n"
MISSING = {  # what a cell of the kit defines, and what a graded cell uses
    "a function": ("def mine(*x):\n    return x", USES),
    "a value": ("mine = print", USES),
    "a value with a type": ("mine: object = print", USES),
    "an import": ("from torch import add as mine", USES),
    "an exercise": (f"class {EXERCISE}: pass", "x = 1"),
}
SILENT = {
    "not used": ("def mine(): pass", "x = 1"),
    "defined in both": ("def mine(): pass", f"def mine(*x): return x\n{USES}"),
    "imported in both": ("import mine", f"import mine\n{USES}"),
    "a parameter": ("mine = 1", "def f(x, mine):\n    return mine"),
    "of a lambda": ("mine = 1", "f = lambda mine: mine"),
    "a loop": ("mine = 1", "for mine in range(3):\n    print(mine)"),
    "a keyword": ("mine = 1", "f(mine=2)"),
    "an attribute": ("def mine(): pass", "x.mine()"),
    "in a text": ("def mine(): pass", "'mine'  # mine"),
    "inside a function": ("def f():\n    mine = 1", USES),
    "only the kit's": ("import contextlib", "with contextlib.suppress(ValueError): pass"),
}


@pytest.mark.parametrize("case", MISSING)
def test_what_is_missing_is_told(case: str) -> None:
    own, graded = MISSING[case]
    said = remark([("In [3]", f"{own}\nassert True")], [("In [4]", graded)], ASSIGNMENT)
    name = EXERCISE if case == "an exercise" else "mine"
    assert said.startswith(f"In [3] is one of the kit's own cells, which are not graded: {name} ")


@pytest.mark.parametrize("case", SILENT)
def test_what_is_not_missing_is_not_told(case: str) -> None:
    own, graded = SILENT[case]
    assert not remark([("In [3]", own)], [("In [4]", graded)], ASSIGNMENT)


@pytest.mark.parametrize("assignment", assignments())
def test_of_the_kits_notebooks_nothing_is_told(assignment: str, tmp_path: Path) -> None:
    """The cells of another kit may define other names."""
    solved = notebook(solution(assignment), assignment)
    for cell in solved.cells:
        if DEMONSTRATION in cell.metadata.get("tags", []):
            cell.source = f"older = 1\nother = older  \n{cell.source}\n"
    path = tmp_path / f"{assignment}.ipynb"
    nbformat.write(solved, path)
    assert not remark_on_file(path, assignment)
    assert not remark_on_file(assignments_folder() / f"{assignment}.ipynb", assignment)
    assert not remark_on_file(tmp_path / "none.ipynb", assignment)


@pytest.mark.dear
def test_grade_tells_it(tmp_path: Path, command: Command) -> None:
    made = notebook(solution(ASSIGNMENT), ASSIGNMENT)
    [own] = [cell for cell in made.cells if cell.id == f"check-{EXERCISE}"]
    own.source = f"def mine(x):\n    return x\n\n{own.source}"
    made.cells.append(nbformat.v4.new_code_cell("mine(1)"))
    path = tmp_path / f"{ASSIGNMENT}.ipynb"
    nbformat.write(made, path)
    assert "mine there does not count" in command("grade", path).stderr
