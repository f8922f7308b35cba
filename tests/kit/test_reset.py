"""An exercise gets its first text back, everything else stays, and nothing is lost."""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest
from damaged_data import CONTENTS, put_damaged

from autograder.course import assignments, skeleton, solution
from autograder.kit import reset as resetting
from autograder.kit.notebook import notebook
from autograder.kit.reset import CannotReset, reset

NAME, EXERCISE = "attention_layer", "ScaledDotProduct"


@pytest.fixture(autouse=True)
def _root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resetting, "root", lambda: tmp_path)


def exercises(name: str) -> list[str]:
    from autograder.checking.collect import collect

    return [exercise.name for exercise in collect().exercises(name)]


@pytest.mark.parametrize("name", assignments())
def test_resetting_all_of_a_module_gives_its_skeleton(name: str, tmp_path: Path) -> None:
    path = tmp_path / f"{name}.py"
    path.write_text(skeleton(name).replace("raise NotImplementedError(", "return ("))
    named = exercises(name)
    for one in named:
        reset(one, path)
    text = path.read_text()
    for one in named:
        assert f'raise NotImplementedError("{one} is not written yet")' in text
    assert len(list((tmp_path / "backups").iterdir())) == len(named)


def test_only_that_exercise_changes_and_the_copy_has_the_rest(tmp_path: Path) -> None:
    path = tmp_path / f"{NAME}.py"
    path.write_text(text := f"# mine\n{solution(NAME)}\n# also mine\n")
    copy = reset(EXERCISE, path)
    assert copy.read_text() == text
    changed = path.read_text()
    assert f'raise NotImplementedError("{EXERCISE} is not written yet")' in changed
    assert changed.startswith("# mine\n") and changed.endswith("# also mine\n")
    assert "self.firstlayer = " in changed


@pytest.mark.parametrize("ending", [".py", ".ipynb"])
@pytest.mark.parametrize("kind", CONTENTS)
def test_what_cannot_be_parsed_is_one_sentence(kind: str, ending: str, tmp_path: Path) -> None:
    put_damaged(path := tmp_path / f"{NAME}{ending}", kind)
    with pytest.raises(CannotReset, match=r"Nothing was changed\.$"):
        reset(EXERCISE, path)


def test_a_notebook_keeps_its_other_cells(tmp_path: Path) -> None:
    path = tmp_path / f"{NAME}.ipynb"
    made = notebook(solution(NAME), NAME)
    nbformat.write(made, path)
    reset(EXERCISE, path)
    after = nbformat.read(path, 4)
    changed = [one.id for one, new in zip(made.cells, after.cells, strict=True) if one != new]
    assert changed == [one.id for one in made.cells if f"class {EXERCISE}" in one.source]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("broken.py", "def f(:"),
        ("without.py", "x = 1"),
        ("twice.py", f"class {EXERCISE}: 1\nclass {EXERCISE}: 2\n"),
        ("broken.ipynb", "{"),
        ("without.ipynb", '{"cells": []}'),
    ],
)
def test_what_cannot_be_reset_is_said_and_stays(name: str, text: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(CannotReset, match="Nothing was changed"):
        reset(EXERCISE, path)
    assert path.read_text() == text
    assert not (tmp_path / "backups").exists()


def test_a_missing_file_and_an_unknown_exercise_are_said(tmp_path: Path) -> None:
    with pytest.raises(CannotReset, match="cannot be reset"):
        reset(EXERCISE, tmp_path / "gone.py")
    with pytest.raises(CannotReset, match="No assignment defines Nothing"):
        reset("Nothing", tmp_path / "gone.py")
