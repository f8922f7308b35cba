"""A student who writes notebooks only can import earlier ones, up to the last assignment."""

from __future__ import annotations

import importlib
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook

from autograder.course import assignments, skeleton, solution
from autograder.kit.notebook import notebook
from autograder.notebook.importing import FromFiles, begin, file_of
from autograder.submissions.cells import submission

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


TROUBLED = {  # cells, the place and the error that are told
    "an error": ("x = 1 / 0\ny = 2", "line 1 (ZeroDivisionError: division by zero)"),
    "an exit": ("import sys\nsys.exit()\ny = 2", "line 2 (SystemExit)"),
    "a syntax error": ("y = 2\nx = (1", "line 2 (SyntaxError: "),
    "an error and what needs it": (
        "x = unknown\ny = 2\nx + 1",
        "line 1 (NameError: name 'unknown' is not defined).",
    ),
    "a file that is not there": ("%run none.py\ny = 2", "line 1 (FileNotFoundError: "),
}


@pytest.mark.parametrize("case", TROUBLED)
def test_a_statement_that_raises_costs_what_it_defines(case: str, tmp_path: Path) -> None:
    """An import leaves out each statement that raises, as the grader does, and warns of it."""
    cell, told = TROUBLED[case]
    write(tmp_path, solution(NAME), cell, "z = 3")
    with pytest.warns(UserWarning) as found:
        module = importlib.import_module(NAME)
    assert (module.y, module.z) == (2, 3) and not hasattr(module, "x")
    [said] = [str(one.message) for one in found]
    assert said.startswith(f"{NAME}.ipynb is imported without the statements that raise an error: ")
    assert told in said


def test_many_errors_are_one_sentence(tmp_path: Path) -> None:
    write(tmp_path, solution(NAME), *["1 / 0"] * 5)
    said = r": (cell \d+, line 1 [^,]*(, )?){3} and 2 more\. Mend"
    with pytest.warns(UserWarning, match=said):
        module = importlib.import_module(NAME)
    with pytest.warns(UserWarning, match=said):
        warnings.simplefilter("ignore")
        importlib.reload(module)


def test_calls_of_the_grader_do_nothing(tmp_path: Path, recwarn: pytest.WarningsRecorder) -> None:
    write(tmp_path, solution(NAME), "if True:\n    print(check('TestModule'))\nx = hint()", "z = 3")
    module = importlib.import_module(NAME)
    assert module.z == 3 and not hasattr(module, "check")
    assert [str(one.message) for one in recwarn] == []


def test_the_names_of_what_a_notebook_runs_are_its_own(tmp_path: Path) -> None:
    """Also of a file beside it, if the folder of the kernel is another."""
    (tmp_path / "mine.py").write_text("one = 1\nif __name__ == '__main__':\n    two = 2\nx = 1 / 0")
    nbformat.write(new_notebook(cells=[new_code_cell("three = 3")]), tmp_path / "more.ipynb")
    run = "%run mine.py\n%run more\n%run more.ipynb"
    write(tmp_path, solution(NAME), run, "four = one + three")
    with pytest.warns(UserWarning, match=r"line 2 \(FileNotFoundError: %run finds no file more\)"):
        module = importlib.import_module(NAME)
    assert (module.two, module.four) == (2, 4)


FORMS = [f"{NAME}.py", f"{NAME}.ipynb"]
IMPORT = f"from {NAME} import AttentionHead\nclass MultiHeadList(AttentionHead): pass"
KERNEL = "multi_head"


def put(path: Path, text: str) -> None:
    path.parent.mkdir(exist_ok=True)
    if path.suffix == ".py":
        path.write_text(text)
    else:
        nbformat.write(notebook(text, NAME), path)


WORK = solution(NAME)
PARTLY = skeleton(NAME).replace("raise NotImplementedError", "return None  #", 1)
TREES = {  # files from the folder of all assignments, and the one that is imported
    "both forms": ({FORMS[0]: WORK + "x = 1", FORMS[1]: WORK}, FORMS[1]),
    "more in the module": ({FORMS[0]: WORK, FORMS[1]: PARTLY}, FORMS[0]),
    "more in the notebook": ({FORMS[0]: PARTLY, FORMS[1]: WORK}, FORMS[1]),
    "an edited module": ({FORMS[0]: WORK, FORMS[1]: skeleton(NAME)}, FORMS[0]),
    "an edited notebook": ({FORMS[0]: skeleton(NAME), FORMS[1]: WORK}, FORMS[1]),
}


@pytest.mark.parametrize("is_nested", [False, True], ids=["one folder", "a folder for each"])
@pytest.mark.parametrize("case", TREES)
def test_the_kernel_imports_the_file_that_the_grader_imports(
    case: str, is_nested: bool, tmp_path: Path
) -> None:
    """Wherever the work stands; the kernel is in the folder of the notebook that imports."""
    files, expected = TREES[case]
    above = f"{NAME}/" if is_nested else ""
    for name, text in files.items():
        put(tmp_path / above / name, text)
    folder = tmp_path / KERNEL if is_nested else tmp_path
    begin(folder)
    assert file_of(NAME) == tmp_path / above / expected
    assert importlib.import_module(NAME).__file__ == str(file_of(NAME))
    assert submission(folder, [("In [1]", IMPORT, "")], KERNEL).homes[NAME] == above + expected


def test_what_an_earlier_assignment_imports_is_found_in_its_folder(tmp_path: Path) -> None:
    put(tmp_path / NAME / FORMS[0], WORK + "\nfrom my_helpers import one")
    put(tmp_path / NAME / "my_helpers.py", "one = 1")
    begin(tmp_path / KERNEL)
    assert importlib.import_module(NAME).one == 1


def test_in_a_folder_for_each_assignment_the_others_are_beside(tmp_path: Path) -> None:
    for name in (NAME, "transformer"):
        (tmp_path / name).mkdir()
    write(tmp_path / NAME, solution(NAME))
    begin(tmp_path / "transformer")
    assert sum(isinstance(one, FromFiles) for one in sys.meta_path) == 1
    assert importlib.import_module(NAME).FeedForwardLayer(2, 3)


@pytest.mark.parametrize("told_by", ["Jupyter", "VS Code"])
def test_in_a_notebook_its_own_name_is_that_of_the_module(
    told_by: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A notebook that imports its own name gets the module, and is not run once more.

    The notebook is known by the path from Jupyter or VS Code, or by its folder's name.
    """
    module = tmp_path / FORMS[0]
    for folder in (tmp_path, tmp_path / NAME):
        put(folder / FORMS[0], WORK + "x = 1")
        put(folder / FORMS[1], WORK)
    assert file_of(NAME) == tmp_path / FORMS[1]
    with monkeypatch.context() as patched:
        if told_by == "Jupyter":
            patched.setenv("JPY_SESSION_NAME", str(tmp_path / FORMS[1]))
        else:
            main, path = sys.modules["__main__"], str(tmp_path / FORMS[1])
            patched.setattr(main, "__vsc_ipynb_file__", path, raising=False)
        assert importlib.import_module(NAME).__file__ == str(module)
        assert file_of(NAME) is None
    assert FromFiles(tmp_path / NAME).find_spec(NAME, None) is None


def test_nothing_else_is_found(tmp_path: Path) -> None:
    assert FromFiles(tmp_path).find_spec("json", None) is None
    assert FromFiles(tmp_path).find_spec("running_averages", None) is None
