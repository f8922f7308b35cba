"""Tests of the notebooks: solutions run from top to bottom, skeletons stop at the first gap."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest
from conftest import sampled
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_notebook

from autograder.course import assignments, assignments_folder, skeleton, solution
from autograder.course.calls import CALLS, FINISHES
from autograder.course.skeletons import made_from
from autograder.kit.notebook import notebook
from autograder.submissions.source_text import DEMONSTRATION, code_lines, of_cells, read_source

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


def execute(client: NotebookClient, made: NotebookNode) -> None:
    """Execute a notebook's cells in order in a client's kernel."""
    client.nb = made
    for number, cell in enumerate(made.cells):
        client.execute_cell(cell, number)


def pictures(executed: NotebookNode) -> int:
    return sum(
        "image/png" in output.get("data", {})
        for cell in executed.cells
        for output in cell.get("outputs", [])
    )


@pytest.fixture(scope="module")
def kernel(tmp_path_factory: pytest.TempPathFactory) -> Iterator[NotebookClient]:
    """Start a kernel next to solved notebooks and modules that nobody has written.

    It is one for all notebooks, since a start takes long.
    """
    folder = tmp_path_factory.mktemp("notebooks")
    for name in assignments():
        nbformat.write(notebook(solution(name), name), folder / f"{name}.ipynb")
        (folder / f"{name}.py").write_text(skeleton(name))
    resources = {"metadata": {"path": str(folder)}}
    client = NotebookClient(new_notebook(), timeout=300, kernel_name="python3", resources=resources)
    with client.setup_kernel():
        yield client


@pytest.mark.parametrize("name", sampled(assignments()))
def test_it_runs_with_the_reference_and_stops_without(name: str, kernel: NotebookClient) -> None:
    """Run the solution in an empty namespace, then the skeleton in the same one."""
    filled = notebook(solution(name), name)
    for cell in filled.cells:
        cell.source = cell.source.replace("steps: int = 500", "steps: int = 50")  # of training
        cell.source = CALLS.sub("", cell.source)  # of the grader
    execute(kernel, new_notebook(cells=[new_code_cell("%reset -f")]))
    execute(kernel, filled)
    with pytest.raises(CellExecutionError) as stopped:
        execute(kernel, notebook(skeleton(name), name))
    assert pictures(filled) > 0
    streams = [o for cell in filled.cells for o in cell.get("outputs", []) if "text" in o]
    assert not [o.text for o in streams if "Warning" in o.text]
    assert stopped.value.ename == "NotImplementedError"
    assert re.fullmatch(r"\w+ is not written yet", stopped.value.evalue)


@pytest.mark.parametrize("name", assignments())
def test_module_and_notebook_hold_the_same_code(name: str) -> None:
    modules = [read_source(assignments_folder() / f"{name}{form}") for form in (".py", ".ipynb")]
    assert code_lines(modules[0]) == code_lines(modules[1])


def test_a_demonstration_is_code_in_the_notebook_only() -> None:
    made = notebook(made_from(SCRIPT), "demo")
    _, shown, _ = [cell for cell in made.cells if DEMONSTRATION in cell.metadata.get("tags", ())]
    assert shown.source == '# a comment\nassert double(2) == 4, "not doubled"'


def test_cells_are_named_after_what_they_hold() -> None:
    made = notebook(SCRIPT, "demo")
    assert [cell.id for cell in made.cells] == [
        "demo-0", "demo-start", "double-0", "double-double", "double-2", "double-3",
        "double-double-5", "demo-progress",
    ]  # fmt: skip
    assert "order" not in made.cells[0].source


def test_each_exercise_has_one_line_that_calls_the_grader() -> None:
    for name in assignments():
        sources = [cell.source for cell in notebook(skeleton(name), name).cells]
        called = [source for source in sources if CALLS.fullmatch(source)]
        ended = [source for source in sources if FINISHES.search(source)]
        assert len(called) == len(ended) + 1 and called[-1] == "progress()"
        for source in ended:
            exercise = FINISHES.findall(source)[0]
            assert f'check("{exercise}")' == sources[sources.index(source) - 1]


@pytest.mark.parametrize("call", ['check("A")', "hint();", "progress()  # all", "check('A')"])
def test_a_call_of_the_grader_is_no_part_of_the_work(call: str) -> None:
    cell = f"def f(x):\n    return x\n{call}"
    found = of_cells([("In [1]", cell)], Path("demo.ipynb"))
    assert found == [["In [1]", f"def f(x):\n    return x\n# {call}"]]


@pytest.mark.parametrize("own", ["check(layer)", "x = check('A')", "    check('A')", "hint"])
def test_a_call_of_the_students_own_stays(own: str) -> None:
    assert CALLS.search(own) is None


@pytest.mark.dear
def test_ids_stay_when_a_statement_grows() -> None:
    before = notebook(SCRIPT, "demo")
    after = notebook(SCRIPT.replace("# # Title", "# # Title\n# and more"), "demo")
    assert [cell.id for cell in before.cells] == [cell.id for cell in after.cells]
    assert nbformat.writes(before) != nbformat.writes(after)
