"""The notebooks: made from the solutions, run from top to bottom, stop where work begins."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from nbformat import NotebookNode

from autograder.course import ASSIGNMENTS, SOLUTIONS, assignments, skeleton
from autograder.grading.source_text import DEMONSTRATION, essence, read_source
from autograder.release.notebook import notebook
from autograder.release.skeleton import made_from

SCRIPT = """\
# ---
# order: 1
# ---

# %% [markdown]
# # Title

# %% [markdown]
# ## Exercise 1: double

# %%
def double(x):
    # TODO: double it
    ### BEGIN SOLUTION
    return 2 * x
    ### END SOLUTION


# %% tags=["active-ipynb"]
# # a comment
# assert double(2) == 4, "not doubled"

# %% [markdown]
# ## Exercise 2: double

# %%
def double(x):
    return x + x
"""


def run(made: NotebookNode, folder: Path) -> NotebookNode:
    """Execute a notebook in a folder in which the right modules lie."""
    for name in assignments():
        shutil.copy(SOLUTIONS / f"{name}.py", folder)
    resources = {"metadata": {"path": str(folder)}}
    executed: NotebookNode = NotebookClient(
        made, timeout=300, kernel_name="python3", resources=resources
    ).execute()
    return executed


def pictures(executed: NotebookNode) -> int:
    return sum(
        "image/png" in output.get("data", {})
        for cell in executed.cells
        for output in cell.get("outputs", [])
    )


@pytest.mark.parametrize("name", assignments())
def test_with_the_reference_it_runs_from_top_to_bottom(name: str, tmp_path: Path) -> None:
    text = (SOLUTIONS / f"{name}.py").read_text(encoding="utf-8")
    executed = run(notebook(text, name), tmp_path)
    assert pictures(executed) > 0
    streams = [o for cell in executed.cells for o in cell.get("outputs", []) if "text" in o]
    assert not [o.text for o in streams if "Warning" in o.text]


@pytest.mark.parametrize("name", assignments())
def test_unwritten_it_stops_at_the_first_exercise(name: str, tmp_path: Path) -> None:
    with pytest.raises(CellExecutionError) as stopped:
        run(notebook(skeleton(name), name), tmp_path)
    assert stopped.value.ename == "NotImplementedError"
    assert re.fullmatch(r"\w+ is not written yet", stopped.value.evalue)


@pytest.mark.parametrize("name", assignments())
def test_module_and_notebook_hold_the_same_code(name: str) -> None:
    modules = [read_source(ASSIGNMENTS / f"{name}{form}") for form in (".py", ".ipynb")]
    assert essence(modules[0]) == essence(modules[1])


def test_a_demonstration_is_code_in_the_notebook_only() -> None:
    made = notebook(made_from(SCRIPT), "demo")
    [shown] = [cell for cell in made.cells if DEMONSTRATION in cell.metadata.get("tags", ())]
    assert shown.source == '# a comment\nassert double(2) == 4, "not doubled"'


def test_cells_are_named_after_what_they_hold() -> None:
    made = notebook(SCRIPT, "demo")
    assert [cell.id for cell in made.cells] == [
        "demo-0", "double-0", "double-double", "double-2", "double-3", "double-double-5",
    ]  # fmt: skip
    assert "order" not in made.cells[0].source


def test_ids_stay_when_a_statement_grows() -> None:
    before = notebook(SCRIPT, "demo")
    after = notebook(SCRIPT.replace("# # Title", "# # Title\n# and more"), "demo")
    assert [cell.id for cell in before.cells] == [cell.id for cell in after.cells]
    assert nbformat.writes(before) != nbformat.writes(after)
