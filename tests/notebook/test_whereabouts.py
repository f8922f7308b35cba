"""What is written in another notebook than the one that is graded is told as that."""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest

from autograder.notebook import whereabouts
from autograder.notebook.whereabouts import (
    changed,
    elsewhere,
    gone,
    out_of_order,
    saved_elsewhere,
    unreadable,
    without,
)
from autograder.submissions.cells import Cells

FIRST, SECOND = "running_mean_loop", "running_mean_matmul"
HOME = "running_averages"
CELLS = [("In [1]", f"def {SECOND}(x): ...", "b"), ("In [2]", f"def {FIRST}(x): ...", "a")]
BOTH = (
    "running_mean_loop and running_mean_matmul are written in Untitled.ipynb, where they are not "
    "graded: only running_averages.ipynb counts."
)


def write(path: Path, *ids: str, texts: str = "x = 1", minor: int = 5) -> Path:
    """Write a notebook with cells of these ids and texts, in this minor version of its format."""
    path.parent.mkdir(parents=True, exist_ok=True)
    written = texts.split(";")
    cells = [
        nbformat.v4.new_code_cell(written[i % len(written)], id=one) for i, one in enumerate(ids)
    ]
    made = nbformat.v4.new_notebook(cells=cells)
    if minor < 5:
        made.nbformat_minor = minor
        for cell in made.cells:
            del cell["id"]
    nbformat.write(made, path)
    return path


@pytest.fixture(autouse=True)
def _no_session(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("JPY_SESSION_NAME", raising=False)


def said(folder: Path, **names: object) -> list[str]:
    return [*map(str, elsewhere(folder, names, [FIRST, SECOND], CELLS))]


def test_cells_of_another_notebook_are_told_in_one_sentence(tmp_path: Path) -> None:
    write(tmp_path / f"{HOME}.ipynb", "c")
    write(tmp_path / "Untitled.ipynb", "a", "b")
    assert said(tmp_path) == [BOTH]


def test_each_exercise_is_told_where_it_is(tmp_path: Path) -> None:
    write(tmp_path / f"{HOME}.ipynb", "a")
    write(tmp_path / "Untitled.ipynb", "b")
    [sentence] = said(tmp_path)
    assert sentence.startswith(f"{SECOND} is written in Untitled.ipynb, where it is not graded")


def test_what_the_cells_do_not_make_is_not_told(tmp_path: Path) -> None:
    write(tmp_path / f"{HOME}.ipynb", "c")
    write(tmp_path / "Untitled.ipynb", "a", "b")
    assert elsewhere(tmp_path, {}, [], CELLS) == []


@pytest.mark.parametrize("saved", [("a", "b"), ()])
def test_cells_of_the_graded_notebook_are_not_told_nor_new_ones(
    saved: tuple[str, ...], tmp_path: Path
) -> None:
    write(tmp_path / f"{HOME}.ipynb", *saved)
    assert said(tmp_path) == []


def test_a_copy_is_told_by_the_name_of_the_session(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / f"{HOME}.ipynb", "a", "b")
    write(tmp_path / "Untitled.ipynb", "a", "b")
    assert said(tmp_path) == []
    monkeypatch.setenv("JPY_SESSION_NAME", "folder/of/the server/Untitled.ipynb")
    assert said(tmp_path) == [BOTH]


def test_cells_that_are_not_saved_yet_are_those_of_the_sessions_notebook(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / f"{HOME}.ipynb")
    own = write(tmp_path / "Untitled.ipynb")
    assert said(tmp_path, __vsc_ipynb_file__=str(own)) == [BOTH]
    monkeypatch.setenv("JPY_SESSION_NAME", f"{HOME}.ipynb")
    assert said(tmp_path) == []


def test_a_session_that_has_another_name_now_is_told_by_its_cells(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JPY_SESSION_NAME", "renamed.ipynb")
    write(tmp_path / f"{HOME}.ipynb", "a", "b")
    assert said(tmp_path) == []
    write(tmp_path / f"{HOME}.ipynb", "c")
    write(tmp_path / "Untitled.ipynb", "a", "b")
    assert said(tmp_path) == [BOTH]


def test_two_notebooks_that_share_a_kernel_are_told_apart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JPY_SESSION_NAME", "Untitled.ipynb")
    write(tmp_path / f"{HOME}.ipynb", "a", "b")
    write(tmp_path / "Untitled.ipynb", "c")
    assert said(tmp_path) == []


@pytest.fixture
def copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a copy, in a folder of the kit, of the notebook that counts."""
    monkeypatch.setattr(whereabouts, "assignments_folder", lambda: tmp_path)
    write(tmp_path / f"{HOME}.ipynb", "a", "b")
    return write(tmp_path / "mine" / f"{HOME}.ipynb", "a", "b")


def assert_is_told(copy: Path) -> None:
    [sentence] = said(copy.parent)
    assert "are written in mine/running_averages.ipynb, where" in sentence.replace("\\", "/")


def test_a_copy_in_a_folder_of_the_kit_is_told(copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JPY_SESSION_NAME", str(copy))
    assert_is_told(copy)


def test_a_module_counts_where_no_notebook_is(tmp_path: Path) -> None:
    write(tmp_path / "Untitled.ipynb", "a", "b")
    assert said(tmp_path) == []
    (tmp_path / f"{HOME}.py").write_text("")
    assert said(tmp_path) == [BOTH.replace("averages.ipynb", "averages.py")]


def test_nbgraders_folder_of_an_assignment_has_its_own_notebook(tmp_path: Path) -> None:
    folder = tmp_path / HOME
    write(folder / f"{HOME}.ipynb", "a", "b")
    assert said(folder) == []
    write(folder / f"{HOME}.ipynb")
    write(folder / "Untitled.ipynb", "a", "b")
    assert said(folder) == [BOTH]


DONE = ";".join(text for _, text, _ in reversed(CELLS))  # of the cells a and b


def test_a_copy_is_told_by_what_was_run(tmp_path: Path) -> None:
    write(tmp_path / f"{HOME}.ipynb", "a", "b")
    write(tmp_path / "Untitled.ipynb", "a", "b", texts=DONE)
    assert said(tmp_path) == [BOTH]
    write(tmp_path / f"{HOME}.ipynb", "a", "b", texts=DONE)
    assert said(tmp_path) == []


def test_a_copy_in_another_folder_is_the_likelier_one_if_the_kernel_was_started_there(
    tmp_path: Path, copy: Path
) -> None:
    assert_is_told(copy)
    write(tmp_path / f"{HOME}.ipynb", "a", "b", texts=DONE)
    assert said(copy.parent) == []


def test_cells_without_ids_are_told_by_their_texts(tmp_path: Path) -> None:
    write(tmp_path / f"{HOME}.ipynb", "c", minor=4)
    write(tmp_path / "Untitled.ipynb", "a", "b", texts=DONE, minor=4)
    assert said(tmp_path) == [BOTH]
    write(tmp_path / f"{HOME}.ipynb", "a", "b", texts=DONE, minor=4)
    assert said(tmp_path) == []


def test_what_stands_elsewhere_can_be_left_out(tmp_path: Path) -> None:
    write(tmp_path / f"{HOME}.ipynb", "a")
    write(tmp_path / "Untitled.ipynb", "b")
    apart = elsewhere(tmp_path, {}, [FIRST, SECOND], CELLS)
    assert without(apart, CELLS) == CELLS[1:]
    assert without([], CELLS) == CELLS


def test_the_cell_that_counts_when_graded_may_be_another(tmp_path: Path) -> None:
    again = [("In [3]", f"def {FIRST}(y): ...", "z"), *CELLS[1:]]  # a ran last, z stands below
    for texts, ids, is_told in (
        (f"{CELLS[1][1]};{again[0][1]}", ("a", "z"), True),
        (f"{again[0][1]};{CELLS[1][1]}", ("z", "a"), False),
        (f"{CELLS[1][1]};x = 1", ("a", "z"), False),  # not saved, or deleted
        (f"{CELLS[1][1]};{CELLS[1][1]}", ("a", "z"), False),  # the same text
        (f"x = 1;{again[0][1]}", ("a", "z"), False),  # the one that ran last is not saved
    ):
        write(tmp_path / f"{HOME}.ipynb", *ids, texts=texts)
        said = out_of_order(tmp_path, [FIRST, SECOND], again)
        assert [one.split()[0] for one in said] == [FIRST] * is_told, texts
    assert out_of_order(tmp_path / "none", [FIRST], again) == []


def test_a_file_that_counts_and_cannot_be_read_is_told(tmp_path: Path) -> None:
    assert unreadable(tmp_path, [FIRST]) == []
    path = write(tmp_path / f"{HOME}.ipynb", "a")
    assert unreadable(tmp_path, [FIRST]) == []
    path.write_text("{")
    assert unreadable(tmp_path, []) == []
    [sentence] = unreadable(tmp_path, [FIRST])
    assert sentence.startswith(f"{HOME}.ipynb cannot be read as a notebook (")
    assert sentence.endswith("As it is now, it cannot be graded, though the cells here can.")


def test_a_damaged_notebook_has_no_cells(tmp_path: Path) -> None:
    (tmp_path / f"{HOME}.ipynb").write_text("{")
    assert said(tmp_path) == []
    write(tmp_path / "Untitled.ipynb", "a", "b")
    assert said(tmp_path) == [BOTH]


def test_what_the_saved_notebook_no_longer_makes_is_told(tmp_path: Path) -> None:
    """A cell was changed or deleted after it ran, and the notebook was saved since then."""
    cells = [
        ("In [1]", "def mean(x): ...", "h"),
        ("In [2]", f"def {FIRST}(x): return mean(x)", "a"),
    ]
    file = tmp_path / f"{HOME}.ipynb"
    early, late = dict.fromkeys(["In [1]", "In [2]"], 0.0), dict.fromkeys(["In [1]", "In [2]"], 9e9)

    def told(*texts: str, began: dict[str, float] = early) -> list[str]:
        write(file, *"ab"[: len(texts)], texts=";".join(texts))
        return gone(tmp_path, [FIRST], cells, began)

    assert told("def mean(x): ...", f"def {FIRST}(x): return mean(x)") == []
    assert told("def mean(x): ...", f"{FIRST} = print") == []
    [helper] = told("mean_of = 1", f"def {FIRST}(x): return mean(x)")
    assert helper.startswith(
        f"mean counts here as In [1] made it. In {HOME}.ipynb, which was saved "
    )
    [both] = told("x = 1", f"def my_{FIRST}(x): ...")
    assert both.startswith(f"{FIRST} counts here as In [2] made it")
    assert told("x = 1", "y = 2", began=late) == []  # it is not saved yet
    assert told("from helpers import *", "y = 2") == []  # which may make both
    assert told() == []
    file.write_text("{")
    assert gone(tmp_path, [FIRST], cells, early) == []


def test_a_cell_that_was_changed_and_saved_after_it_ran_is_told(tmp_path: Path) -> None:
    """What counts is what ran, not what the notebook shows now."""
    first, mean = f"def {FIRST}(x): return mean(x)", "def mean(x): return x"
    ran = [("In [1]", mean, "a"), ("In [2]", first, "b")]
    file = tmp_path / f"{HOME}.ipynb"
    early, late = dict.fromkeys(["In [1]", "In [2]"], 0.0), dict.fromkeys(["In [1]", "In [2]"], 9e9)

    def told(*texts: str, cells: Cells = ran, began: dict[str, float] = early) -> list[str]:
        write(file, *"ab"[: len(texts)], texts=";".join(texts))
        return changed(tmp_path, [FIRST], cells, began)

    again = "which counts here: run its cell again."
    assert told(mean, f"# a remark\n{first}\nother = 1") == []
    assert told(mean, f"def {FIRST}(x): return 2 * mean(x)") == [
        f"{FIRST} was changed in {HOME}.ipynb after it ran as In [2], {again}"
    ]
    helper = f"{mean} / 2"
    [sentence] = told(helper, first)
    assert sentence == f"mean was changed in {HOME}.ipynb after it ran as In [1], {again}"
    assert told(helper, first, began=late) == []  # it is not saved yet
    assert told(helper, first, cells=[*ran, ("In [3]", mean, "c")]) == []  # it was made anew
    assert told(helper, f"def {FIRST}(x): return x", cells=[("In [2]", first, "c")]) == []
    assert told("x = 1", first) == []  # see `gone`


def test_saved_work_that_is_not_graded_where_it_is_saved_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The notebook that is open is a copy, or was moved into a folder of the kit."""
    text, saved = f"def {FIRST}(x): return x", f"{HOME}.ipynb"
    write(tmp_path / f"{HOME}.ipynb", "a", texts=text)
    write(tmp_path / f"{HOME} (1).ipynb", "a", texts=text)
    assert saved_elsewhere(tmp_path, {}, FIRST, saved) is None
    monkeypatch.setenv("JPY_SESSION_NAME", f"{HOME} (1).ipynb")
    copy = saved_elsewhere(tmp_path, {}, FIRST, saved)
    assert str(copy).startswith(f"{FIRST} is written in {HOME} (1).ipynb, where it is not graded")
    assert saved_elsewhere(tmp_path, {}, SECOND, saved) is None
    unwritten = f"def {FIRST}(x):\n    raise NotImplementedError"
    write(tmp_path / f"{HOME} (1).ipynb", "a", texts=unwritten)
    assert saved_elsewhere(tmp_path, {}, FIRST, saved) is None
    monkeypatch.delenv("JPY_SESSION_NAME")
    monkeypatch.setattr(whereabouts, "assignments_folder", lambda: tmp_path)
    moved = write(tmp_path / "week1" / f"{HOME}.ipynb", "a", texts=text)
    (tmp_path / f"{HOME}.ipynb").unlink()
    one = saved_elsewhere(moved.parent, {}, FIRST, saved)
    assert one and (one.home, one.counted) == (f"week1/{HOME}.ipynb", f"{HOME}.ipynb")
