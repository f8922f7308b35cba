"""A student who writes notebooks only can import earlier ones, up to the last assignment."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell

from autograder.course import assignments, skeleton, solution
from autograder.kit.notebook import notebook
from autograder.notebook.importing import FromNotebooks, begin

NAME = "attention_layer"


@pytest.fixture(autouse=True)
def _importing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "meta_path", [*sys.meta_path])
    kept = {name: sys.modules.pop(name, None) for name in assignments()}
    begin(tmp_path)
    yield
    for name, module in kept.items():
        sys.modules.pop(name, None)
        if module:
            sys.modules[name] = module


def write(folder: Path, text: str, *more: str) -> None:
    made = notebook(text, NAME)
    made.cells += map(new_code_cell, more)
    nbformat.write(made, folder / f"{NAME}.ipynb")
    (folder / f"{NAME}.py").write_text(skeleton(NAME))


def test_an_assignment_is_imported_from_its_notebook(tmp_path: Path) -> None:
    write(tmp_path, solution(NAME), "check('TestModule')", "%matplotlib inline")
    layer = importlib.import_module(NAME).FeedForwardLayer(2, 3)
    assert layer.firstlayer.weight.shape == (3, 2)


def test_cells_run_as_in_jupyter(tmp_path: Path) -> None:
    future, main = "from __future__ import annotations", 'if __name__ == "__main__":\n    one = 1'
    use = "def f(x: Unknown): return one"
    write(tmp_path, solution(NAME), future, main, use, "%time two = 2")
    module = importlib.import_module(NAME)
    assert (module.f(0), module.two) == (1, 2)


def test_an_edited_module_counts_as_before(tmp_path: Path) -> None:
    write(tmp_path, skeleton(NAME))
    (tmp_path / f"{NAME}.py").write_text(solution(NAME))
    assert importlib.import_module(NAME).__file__ == str(tmp_path / f"{NAME}.py")


def test_a_cell_that_raises_costs_what_it_defines(tmp_path: Path) -> None:
    write(tmp_path, solution(NAME), "x = 1 / 0\ny = 2", "z = 3")
    with pytest.warns(UserWarning, match="ZeroDivisionError: division by zero"):
        module = importlib.import_module(NAME)
    assert module.z == 3 and not hasattr(module, "y")


def test_in_a_folder_for_each_assignment_the_others_are_beside(tmp_path: Path) -> None:
    for name in (NAME, "transformer"):
        (tmp_path / name).mkdir()
    write(tmp_path / NAME, solution(NAME))
    begin(tmp_path / "transformer")
    assert sum(isinstance(one, FromNotebooks) for one in sys.meta_path) == 1
    assert importlib.import_module(NAME).FeedForwardLayer(2, 3)


def test_nothing_else_is_found(tmp_path: Path) -> None:
    assert FromNotebooks(tmp_path).find_spec("json", None) is None
    assert FromNotebooks(tmp_path).find_spec("running_averages", None) is None
