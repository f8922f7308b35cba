"""Tests of the notebooks: solutions run from top to bottom, skeletons stop at the first gap."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
import pytest
from conftest import corpus, sampled
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_notebook

from autograder.audit.demonstrations import demonstrations
from autograder.audit.statement import check_cell
from autograder.checking.collect import Checks
from autograder.course import assignments, assignments_folder, skeleton, solution, solution_file
from autograder.course.calls import CALLS, FINISHES, START
from autograder.course.skeletons import made_from
from autograder.kit.notebook import PICTURE, notebook
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


@pytest.fixture
def _importable(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let the cells of a notebook import earlier assignments."""
    for name in assignments():
        monkeypatch.syspath_prepend(solution_file(name).parent)
    yield
    for name in assignments():
        sys.modules.pop(name, None)


def run(text: str, name: str, other: str = "") -> Iterator[tuple[str, BaseException | None]]:
    """Run the cells of a solution or skeleton, but no picture; yield what is checked.

    With each exercise comes what its cell of checks raises, or None. What is not written yet
    stops no other cell. other: code that is run before each cell of checks.
    """
    space: dict[str, Any] = {"__name__": __name__}  # a module there is: dataclasses ask for it
    for cell in notebook(text, name).cells:
        if not is_code(cell) or PICTURE.search(cell.source) or CALLS.search(cell.source):
            continue
        checked = FINISHES.search(cell.source)
        try:
            exec(other if checked else "", space)
            exec(cell.source, space)
        except (AssertionError, NotImplementedError) as raised:
            if checked:
                yield checked[1], raised
        else:
            if checked:
                yield checked[1], None


def is_code(cell: NotebookNode) -> bool:
    return bool(cell.cell_type == "code")


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


@pytest.mark.dear
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
    assert pictures(filled) > 0, "the notebook draws nothing: add a cell of active-ipynb that does"
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


@pytest.mark.parametrize("name", assignments())
def test_checks_pictures_and_helpers_are_folded_and_nothing_else(name: str) -> None:
    given, folded = set(), set()
    for cell in filter(is_code, notebook(skeleton(name), name).cells):
        if "# TODO" not in cell.source and re.search(r"\bassert |\bplt\.|\bdef ", cell.source):
            given.add(cell.id)
        if cell.metadata.get("jupyter") == {"source_hidden": True}:
            assert cell.metadata.cellView == "form"  # the same in Colab
            folded.add(cell.id)
    assert folded == given != set()


def test_each_exercise_has_one_line_that_calls_the_grader() -> None:
    for name in assignments():
        sources = [cell.source for cell in notebook(skeleton(name), name).cells]
        called = [source for source in sources if CALLS.fullmatch(source)]
        ended = [source for source in sources if FINISHES.search(source)]
        assert len(called) == len(ended) + 1 and called[-1] == "progress()"
        for source in ended:
            exercise = FINISHES.findall(source)[0]
            assert f'check("{exercise}")' == sources[sources.index(source) - 1]


@pytest.mark.parametrize("name", assignments())
def test_a_call_of_the_grader_names_an_exercise(name: str, checks: Checks) -> None:
    sources = [cell.source for cell in notebook(skeleton(name), name).cells]
    named = [exercise for source in sources for exercise in FINISHES.findall(source)]
    assert named == [exercise.name for exercise in checks.exercises(name)]


@pytest.mark.usefixtures("_importable")
@pytest.mark.parametrize("name", assignments())
def test_checks_in_a_notebook_pass_with_the_reference_only(name: str) -> None:
    assert {raised for _, raised in run(solution(name), name)} == {None}
    assert {type(raised) for _, raised in run(skeleton(name), name)} == {NotImplementedError}


@pytest.mark.usefixtures("_importable")
@pytest.mark.parametrize("path", corpus("right"), ids=lambda path: path.stem)
def test_checks_in_a_notebook_pass_with_right_solutions(path: Path) -> None:
    name, exercise = path.parts[-3], path.stem.split("__")[0]
    found = dict(run(solution(name), name, path.read_text(encoding="utf-8")))
    assert found[exercise] is None


@pytest.mark.parametrize("name", assignments())
def test_checks_in_a_notebook_are_short_and_say_what_is_expected(name: str) -> None:
    """A student reads them; what a mistake is and how to mend it, the grader says."""
    cells = [cell for cell in demonstrations(solution(name)) if cell.exercise]
    assert cells
    for cell in cells:
        check_cell(solution_file(name), cell)


@pytest.mark.parametrize("name", assignments())
def test_pictures_need_no_cell_of_checks(name: str) -> None:
    code = [cell.source for cell in notebook(solution(name), name).cells if is_code(cell)]
    others = "\n".join(source for source in code if not FINISHES.search(source))
    ruff = [sys.executable, "-m", "ruff", "check", "--isolated", "--select=F821", "-q", "-"]
    found = subprocess.run(ruff, input=others, capture_output=True, text=True, check=False)
    assert (found.returncode, found.stdout, found.stderr) == (0, "", "")


def test_the_first_notebook_alone_says_how_to_call_the_grader() -> None:
    told = []
    for name in assignments():
        cells = [c.source for c in notebook(skeleton(name), name).cells if not is_code(c)]
        told.append("\n".join(cells).count("check("))
        assert cells[0].count("check(") == told[-1]
    assert told == [1, *(0 for _ in told[1:])]


# As in a kernel in which the kit is not installed: a `.pth` file makes it known in this one.
UNINSTALLED = """
import sys
sys.meta_path[:] = [one for one in sys.meta_path if "editable" not in str(one)]
sys.path[:] = [one for one in sys.path if "site-packages" in one or "lib/python" in one]
"""


@pytest.mark.dear
@pytest.mark.parametrize(
    ("folder", "said"),
    [
        ("kit/assignments", "check() is for notebooks."),
        ("", "The kit is not found: call make lab in its folder, or open this notebook there."),
    ],
)
def test_the_first_cell_finds_the_kit_where_it_is_not_installed(
    folder: str, said: str, kit: Path
) -> None:
    """The kit is not installed in Colab, or in an editor that uses another kernel."""
    code = f"{UNINSTALLED}\n{START}\nprint(check('TestModule'))"
    run = subprocess.run(
        [sys.executable, "-c", code],
        cwd=kit.parent / folder,
        env={key: value for key, value in os.environ.items() if key != "PYTHONPATH"},
        capture_output=True,
        text=True,
    )
    assert run.stdout.startswith(said), run.stderr


LACKING = """
class Lacking:
    def find_spec(self, name, *_):
        if name == "autograder.notebook":
            raise ImportError("No module named '_lzma'", name="_lzma")

sys.meta_path.insert(0, Lacking())
"""


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (
            "sys.modules['wcwidth'] = None",
            "The kit cannot start here: import of wcwidth halted; None in sys.modules. Call make "
            "lab in its folder, or run %pip install -U wcwidth here and restart the kernel.\n",
        ),
        (
            "sys.modules['wcwidth'] = type(sys)('wcwidth')",
            "The kit cannot start here: cannot import name 'clip' from 'wcwidth' (unknown "
            "location). Call make lab in its folder, or run %pip install -U wcwidth here and "
            "restart the kernel.\n",
        ),
        (
            "sys.modules['torch'] = None",
            "The kit cannot start here: import of torch halted; None in sys.modules. Call make "
            "setup in its folder.\n",
        ),
        (
            LACKING,
            "The kit cannot start here: No module named '_lzma'. Call make setup in its folder.\n",
        ),
        (
            "sys.modules['autograder'] = type(sys)('autograder')",
            "The kit cannot start here: No module named 'autograder.notebook'; 'autograder' is not "
            "a package. Call make lab in its folder.\n",
        ),
    ],
    ids=[
        "missing package",
        "old package",
        "a package of a certain version",
        "a part of Python",
        "another package of the kit's name",
    ],
)
def test_the_first_cell_names_what_the_kit_lacks_and_says_what_to_do(
    damage: str, said: str, kit: Path
) -> None:
    code = f"import sys\n{damage}\n{START}\ncheck('TestModule')"
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=kit / "assignments", capture_output=True, text=True
    )
    assert run.stdout == said, run.stderr


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
