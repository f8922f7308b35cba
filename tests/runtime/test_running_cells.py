"""The cells of a notebook run as in Jupyter; a module, as an import runs it."""

from __future__ import annotations

import ast
import sys
from pathlib import Path
from typing import Any

import nbformat
import pytest

from autograder.course import assignments, solution
from autograder.kit.notebook import notebook
from autograder.runtime.main_blocks import needed
from autograder.runtime.source import Source
from autograder.runtime.statements import bound
from autograder.submissions.source_text import decode

BLOCK = 'if __name__ == "__main__":\n    '
USE = "def f(): return x"
FUTURE = "from __future__ import annotations"
TYPED = "def f(x: Unknown): return x"
CELL = "m.ipynb, cell {}"


def load(*cells: str, label: str = CELL, **more: Any) -> tuple[dict[str, Any], Any]:
    """Return the names of the loaded module `m`, and the problem."""
    parts = [[label.format(number), cell] for number, cell in enumerate(cells, 1)]
    source = Source("m", {"m": parts}, [], **more)
    problem = source.load(keep=False)
    return source.namespace, problem


@pytest.mark.parametrize("label", [CELL, "In [{}]", "a\nb.ipynb, cell {}", "m.py, cell {}"])
def test_both_kinds_of_labels_are_of_cells(label: str) -> None:
    names, problem = load(FUTURE, BLOCK + "x = 1", USE, TYPED.replace("f(", "g("), label=label)
    assert problem is None
    assert names["f"]() == 1


TRIALS = {
    "alone": (BLOCK + "x = train()",),
    "a parameter": (BLOCK + "x = train()", "def f(x): return x"),
    "a local variable": (BLOCK + "x = train()", "def f():\n    x = 1\n    return x"),
    "an attribute": (BLOCK + "x = train()", "def f(a): return a.x"),
    "no name": (BLOCK + "train()", USE),
    "an exit": (BLOCK + "raise SystemExit",),
    "one that needs another": (BLOCK + "y = train()", BLOCK + "x = y"),
    "another name in it": (BLOCK + "x = 1; train(); y = x", "def f(): return 1"),
    "with an alternative": (BLOCK + "train()\nelse:\n    train()", USE),
}


@pytest.mark.parametrize("name", TRIALS)
def test_a_block_that_nothing_needs_is_skipped(name: str) -> None:
    names, problem = load(*TRIALS[name])
    assert problem is None
    assert "x" not in names


PREPARED = {
    "sys.path": "import sys\n    sys.path.append('src')",
    "sys.path by a variable": "import sys\n    here = 'src'\n    sys.path += [here]",
    "the working folder": "import os\n    os.chdir('src')",
    "in a loop": "import sys\n    for one in ['src']:\n        sys.path.append(one)",
}


@pytest.mark.parametrize("way", PREPARED)
def test_of_a_block_that_nothing_needs_what_prepares_imports_runs(
    way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "src").mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    trial = "\n    y = train()\n    x = 1"
    names, problem = load(BLOCK + PREPARED[way] + trial, "import os, sys\ndef f(): pass")
    assert problem is None
    assert {"x", "y"}.isdisjoint(names)
    assert sys.path[-1] == "src" or Path.cwd() == tmp_path / "src"


def test_of_a_block_that_nothing_needs_what_imports_all_names_runs() -> None:
    names, problem = load(BLOCK + "from math import *\n    x = train()", "def f(): return pi")
    assert (problem, int(names["f"]())) == (None, 3)


def test_a_lambda_needs_a_block_too() -> None:
    names, _ = load(BLOCK + "x = 1", "f = lambda: x")
    assert names["f"]() == 1


@pytest.mark.parametrize("cell", ["f = g", "f = lambda: 1", "g = h(g)", "from m2 import g"])
def test_a_block_that_names_a_function_runs(cell: str) -> None:
    names, problem = load("def g(): return 1\ndef h(g): return lambda: 2", BLOCK + cell)
    assert problem is None or problem["type"] == "ModuleNotFoundError"
    assert problem or "f" in names or names["g"]() == 2


def test_a_value_that_only_the_notebook_shows_does_not_need_a_block() -> None:
    _, problem = load(BLOCK + "x = train()", "y = x + 1", "def f(): return 1")
    assert problem["text"] == "name 'x' is not defined"


@pytest.mark.parametrize("broken", ["def g(:\n    return 1", "return x", "x = '\0'"])
def test_a_broken_cell_decides_nothing(broken: str) -> None:
    names, problem = load(broken, BLOCK + "x = 1", USE)
    assert problem["kind"] in ("syntax", "raised")
    assert names["f"]() == 1


def test_the_kits_own_training_is_skipped() -> None:
    guards = 0
    for name in assignments():
        made = nbformat.writes(notebook(solution(name), name)).encode()
        code = decode(made, Path(f"{name}.ipynb"))
        assert isinstance(code, list)
        trees = [ast.parse(text) for _, text in code]
        for node in (one for tree in trees for one in tree.body if isinstance(one, ast.If)):
            guards += 1
            assert needed(trees).isdisjoint(bound(node))
    assert guards


@pytest.mark.parametrize("text", ["x = 1", "def f(): return 1"])
@pytest.mark.parametrize("label", ["m.py", "impl.py"])
def test_a_module_is_read_as_an_import_reads_it(text: str, label: str) -> None:
    names, _ = load(BLOCK + text + "\ndef g(): return x, f", label=label)
    assert not {"x", "f"} & names.keys()


def test_what_a_module_imports_from_the_future_ends_with_it() -> None:
    parts = [["impl.py", FUTURE], ["m.ipynb, cell 1", TYPED]]
    problem = Source("m", {"m": parts}, []).load(keep=False)
    assert problem and problem["text"] == "name 'Unknown' is not defined"
    parts = [["m.ipynb, cell 1", FUTURE], ["impl.py", TYPED], ["m.ipynb, cell 2", "x = 1"]]
    problem = Source("m", {"m": parts}, []).load(keep=False)
    assert problem and problem["text"] == "name 'Unknown' is not defined"


def test_the_future_also_holds_behind_what_raises_and_with_substitutes() -> None:
    names, problem = load(FUTURE, f"1 / 0\n{TYPED}", substitutes={"A": int})
    assert problem["type"] == "ZeroDivisionError"
    assert names["f"](3) == 3


def test_awaiting_outside_functions_goes_on_behind_what_raises() -> None:
    names, problem = load("async def f(): return 3\nx = await f()\n1 / 0\ny = await f()")
    assert (names["x"], names["y"], problem["frames"][0]["line"]) == (3, 3, 3)
