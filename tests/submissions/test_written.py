"""Modules that a notebook writes with %%writefile: as if it was run in an empty folder."""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest
from conftest import written
from own_files import BASE, OWN, Texts, has_all, put, using

from autograder.course import skeleton
from autograder.grading.grader import Grader
from autograder.kit.notebook import notebook
from autograder.submissions.finding import find
from autograder.submissions.own_modules import MOST
from autograder.submissions.written import DEEPEST

BUILT = "multi_head"  # it imports from the other one
WRITE = f"%%writefile {BASE}.py\n"
IMPORT = f"from {BASE} import *"


def book(*cells: str) -> str:
    made = nbformat.v4.new_notebook()
    made.cells = [nbformat.v4.new_code_cell(cell) for cell in cells]
    return str(nbformat.writes(made))


def unwritten() -> list[str]:
    """Return the code cells of the notebook as the kit gives it."""
    return [one.source for one in notebook(skeleton(BASE), BASE).cells if one.cell_type == "code"]


# Helpers

FIRST, REST = OWN.split("return ")
FOLDERS: dict[str, tuple[list[str], str, str]] = {
    "a folder": ([f"%%writefile src/impl.py\n{OWN}"], "from src.impl import *", "root(Q)"),
    "from the folder": (
        [f"%%writefile src/impl.py\n{OWN}"],
        "from src import impl",
        "impl.root(Q)",
    ),
    "from here": ([f"%%writefile ./src/impl.py\n{OWN}"], "import src.impl", "src.impl.root(Q)"),
    "in quotes": ([f'%%file "src/impl.py"\n{OWN}'], "from src.impl import root", "root(Q)"),
    "of Windows": ([f"%%file src\\impl.py\n{OWN}"], "from src.impl import root", "root(Q)"),
    "of Colab": ([f"%%file /content/src/impl.py\n{OWN}"], "from src.impl import *", "root(Q)"),
    "folders": ([f"%%file a/b/c/impl.py\n{OWN}"], "from a.b.c.impl import *", "root(Q)"),
    "on the path": (
        [f"%%file src/impl.py\n{OWN}"],
        "import sys; sys.path.append('src')\nfrom impl import *",
        "root(Q)",
    ),
    "a package": (
        [f"%%file src/impl.py\n{OWN}", "%%file src/__init__.py\nfrom .impl import root\n"],
        "from src import root",
        "root(Q)",
    ),
    "appended": (
        [f"%%file src/impl.py\n{FIRST}", f"%%writefile -a ./src/impl.py\n    return {REST}"],
        "from src.impl import root",
        "root(Q)",
    ),
    "run": ([f"%%writefile impl.py\n{OWN}"], "%run impl.py", "root(Q)"),
    "with a hyphen": ([f"%%writefile my-impl.py\n{OWN}"], "%run my-impl.py", "root(Q)"),
    "with a hyphen, changed then": (
        [f"%%file my-impl.py\n{OWN}", "%run my-impl.py", "%%file my-impl.py\nroot = None"],
        "import math",
        "root(Q)",
    ),
    "changed after the import": (
        [f"%%file src/impl.py\n{OWN}", "import src.impl", "%%file src/impl.py\nroot = None"],
        "from src.impl import root",
        "root(Q)",
    ),
    "changed and loaded again": (
        [
            "%%file src/impl.py\nroot = None",
            "import src.impl",
            f"%%file src/impl.py\n{OWN}",
            "import importlib\nimportlib.reload(src.impl)",
        ],
        "from src.impl import root",
        "root(Q)",
    ),
}


@pytest.mark.dear
@pytest.mark.parametrize("way", FOLDERS)
def test_a_module_in_a_folder_is_imported_from_it(
    way: str, grader: Grader, tmp_path: Path, solutions: Texts
) -> None:
    """Other files of the same names do not come first, whether they lie there or higher up."""
    cells, imported, call = FOLDERS[way]
    work = book(*cells, using(solutions, imported, call))
    beside = {"anna/src/impl.py": "root = None\n", "anna/a/b/c/impl.py": "root = None\n"}
    put(tmp_path, {f"anna/{BASE}.ipynb": work, "ben.ipynb": work, **beside})
    assert [has_all(grader.grade(one)) for one in find(tmp_path, BASE)] == [True, True]


def test_a_file_comes_before_a_written_one_in_another_folder(
    grader: Grader, tmp_path: Path, solutions: Texts
) -> None:
    work = using(solutions, "from impl import root", "root(Q)")
    cell = "%%writefile src/impl.py\nroot = None"
    put(tmp_path, {f"{BASE}.ipynb": book(cell, work), "impl.py": OWN})
    assert has_all(grader.grade(find(tmp_path, None)[0]))


def test_a_path_that_leaves_the_folder_is_no_package(tmp_path: Path, solutions: Texts) -> None:
    cells = [f"%%writefile {place}\nx = 1" for place in ("../src/one.py", "/src/torch.py")]
    put(tmp_path, {f"{BASE}.ipynb": book(*cells, written(solutions[BASE]))})
    [found] = find(tmp_path, None)
    assert "src/one.py" not in found.texts
    assert "torch.py" not in found.texts


@pytest.mark.dear
def test_there_may_be_so_many_written_modules(tmp_path: Path) -> None:
    cells = [f"%%writefile a/m{number}.py\nx = 1" for number in range(2000)]
    deep = f"%%writefile {'a/' * 40_000}deep.py\nx = 2"
    put(tmp_path, {f"{BASE}.ipynb": book(deep, *cells)})
    [found] = find(tmp_path, None)
    assert f"{'a/' * DEEPEST}deep.py" in found.texts
    written = [code for name, code in found.texts.items() if name.startswith("a/m")]
    assert sum("x = 1" in str(code) for code in written) == MOST - 1
    assert "there are too many modules" in str(found.texts["a/m1999.py"])


# Answers

ANSWERS: dict[str, tuple[bool, list[str]]] = {  # whether it counts, with the answer for "ANSWER"
    "imported": (True, [WRITE + "ANSWER", IMPORT]),
    "only written": (True, [WRITE + "ANSWER"]),
    "only written, below what the kit gives": (True, ["kit", WRITE + "ANSWER"]),
    "imported below what the kit gives": (True, [WRITE + "ANSWER", "kit", IMPORT]),
    "imported above what the kit gives": (False, [WRITE + "ANSWER", IMPORT, "kit"]),
    "imported from a folder": (
        True,
        [f"%%writefile src/{BASE}.py\nANSWER", "kit", f"from src.{BASE} import *"],
    ),
    "imported from a folder on the path": (
        True,
        [f"%%writefile src/{BASE}.py\nANSWER", "import sys; sys.path.append('src')", "kit", IMPORT],
    ),
    "appended": (True, [f"{WRITE}import math", f"%%file -a ./{BASE}.py\nANSWER", "kit", IMPORT]),
    "run": (True, [WRITE + "ANSWER", "kit", f"%run {BASE}.py"]),
    "run by a path of Windows, and changed then": (
        True,
        [WRITE + "ANSWER", "kit", f"%run .\\{BASE}.py", f"{WRITE}AttentionHead = None"],
    ),
    "changed after the import": (True, [WRITE + "ANSWER", IMPORT, f"{WRITE}AttentionHead = None"]),
}


@pytest.mark.dear
@pytest.mark.parametrize("name", [BASE, "anna"])
@pytest.mark.parametrize("way", ANSWERS)
def test_an_answer_counts_as_in_jupyter(
    way: str, name: str, grader: Grader, tmp_path: Path, solutions: Texts
) -> None:
    """The notebook's name does not matter, with or without --assignment."""
    counts, cells = ANSWERS[way]
    text = written(solutions[BASE])
    work = [one for cell in cells for one in (unwritten() if cell == "kit" else [cell])]
    put(tmp_path, {f"{name}.ipynb": book(*(cell.replace("ANSWER", text) for cell in work))})
    for assignment in (BASE, None):
        grade = grader.grade(find(tmp_path / f"{name}.ipynb", assignment)[0])
        assert (has_all(grade), grade.points > 0) == (counts, counts)


@pytest.mark.parametrize("name", [BUILT, "anna"])
@pytest.mark.parametrize("is_written", [False, True])
def test_another_assignment_is_the_one_that_the_notebook_writes(
    is_written: bool, name: str, grader: Grader, tmp_path: Path, solutions: Texts
) -> None:
    """A module that the notebook writes comes before the file that it would replace."""
    own = written(solutions[BUILT])
    more = [f"%%writefile {BUILT}.py\n{own}", f"from {BUILT} import *"] if is_written else [own]
    put(tmp_path, {f"{name}.ipynb": book(WRITE + written(solutions[BASE]), *more)})
    put(tmp_path, {f"{BASE}.py": "AttentionHead = None\n"})
    assert has_all(grader.grade(find(tmp_path / f"{name}.ipynb", BUILT)[0]))


@pytest.mark.dear
def test_a_notebook_can_write_a_module_of_its_own_name(
    grader: Grader, tmp_path: Path, solutions: Texts
) -> None:
    work = using(solutions, "from anna import root", "root(Q)")
    put(tmp_path, {"anna.ipynb": book(f"%%writefile anna.py\n{OWN}", work)})
    for assignment in (BASE, None):
        assert has_all(grader.grade(find(tmp_path / "anna.ipynb", assignment)[0]))


def test_a_notebook_that_only_writes_an_answer_was_edited(tmp_path: Path, solutions: Texts) -> None:
    """Module and notebook of the kit are there: the notebook counts."""
    put(tmp_path, {f"{BASE}.py": skeleton(BASE)})
    put(tmp_path, {f"{BASE}.ipynb": book(*unwritten(), WRITE + written(solutions[BASE]))})
    [found] = find(tmp_path, None)
    assert (found.path.suffix, found.other) == (".ipynb", None)
