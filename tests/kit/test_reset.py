"""An exercise gets its first text back, everything else stays, and nothing is lost."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import nbformat
import pytest
from damaged_data import CONTENTS, put_damaged

from autograder.course import assignments, skeleton, solution
from autograder.kit import backups
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
        ("version 3.ipynb", '{"worksheets": [{"cells": []}]}'),
    ],
)
def test_what_cannot_be_reset_is_said_and_stays(name: str, text: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(CannotReset, match="Nothing was changed"):
        reset(EXERCISE, path)
    assert path.read_text() == text
    assert not (tmp_path / "backups").exists()


MINE = f"@decorated\nclass {EXERCISE}:\n    def forward(self):\n        return 1  # mine\n"
ABOVE = {  # an exercise
    "nothing": "",
    "characters that end no line of Python": "# a\x0bb\x0cc\x1cd\x85e\u2028f\u2029g\n",
    "a form feed": "\x0c\n",
    "the same text in a string": f'TEXT = """\n{MINE}"""\n',
    "the same name in a string": f'TEXT = """\nclass {EXERCISE}: that was one of mine\n"""\n',
    "a magic": "%matplotlib inline\n",
}
HEAD, TAIL = "import torch\n\n\ndef before():\n    return 1\n\n\n", "\n\ndef after():\n    return 2"
ENCODINGS = {  # of a line "# é" and other lines
    "UTF-8": lambda text: text.encode(),
    "a byte order mark": lambda text: text.encode("utf-8-sig"),
    "UTF-16": lambda text: text.encode("utf-16"),
    "CR LF": lambda text: text.replace("\n", "\r\n").encode(),
    "CR": lambda text: text.replace("\n", "\r").encode(),
}


def stub() -> str:
    found = re.search(rf"class {EXERCISE}.*?\n(?=\n\n)", skeleton(NAME), re.DOTALL)
    assert found
    return found[0]


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("above", ABOVE)
def test_no_other_byte_of_a_module_changes(above: str, encoding: str, tmp_path: Path) -> None:
    path = tmp_path / f"{NAME}.py"
    before, after = (
        ENCODINGS[encoding](f"# é\n{ABOVE[above]}{HEAD}{text}{TAIL}") for text in (MINE, stub())
    )
    path.write_bytes(before)
    copy = reset(EXERCISE, path)
    assert copy.read_bytes() == before
    assert path.read_bytes() == after


def test_a_coding_line_is_followed(tmp_path: Path) -> None:
    path = tmp_path / f"{NAME}.py"
    head = "# -*- coding: latin-1 -*-\n# é\n"
    path.write_bytes((head + MINE).encode("latin-1"))
    reset(EXERCISE, path)
    assert path.read_bytes() == (head + stub()).encode("latin-1")


@pytest.mark.parametrize("above", ABOVE)
def test_nothing_else_in_a_notebook_changes(above: str, tmp_path: Path) -> None:
    path = tmp_path / f"{NAME}.ipynb"
    cells = [
        {
            "cell_type": "code",
            "id": "a",
            "metadata": {"tags": ["mine"]},
            "execution_count": 7,
            "outputs": [{"output_type": "stream", "name": "stdout", "text": "3 h"}],
            "source": text,
        }
        for text in (f"{ABOVE[above]}{HEAD}{MINE}{TAIL}", f'"""\n{MINE}"""', "x = 1")
    ]
    picture = {"a.png": {"image/png": "AA=="}}
    odd: list[Any] = [None, {"cell_type": "code"}, {"cell_type": "code", "source": None}, {}]
    cells += odd
    cells.append({"cell_type": "markdown", "metadata": {}, "source": MINE, "attachments": picture})
    made = {"cells": cells, "metadata": {"mine": 1}, "nbformat": 4, "nbformat_minor": 5, "own": 2}
    path.write_text(json.dumps(made), encoding="utf-8-sig")
    reset(EXERCISE, path)
    cells[0]["source"] = f"{ABOVE[above]}{HEAD}{stub()}{TAIL}".splitlines(keepends=True)
    assert json.loads(path.read_bytes()) == made


@pytest.mark.parametrize("ending", [".py", ".ipynb"])
@pytest.mark.parametrize(
    "body", ["    return x[", "    return (1 +\n)]", '    """never closed', "  return 1\n    pass"]
)
def test_what_python_cannot_read_is_reset_alone(body: str, ending: str, tmp_path: Path) -> None:
    """It is when a student is stuck in such a line that a reset is wanted."""
    path, name = tmp_path / f"running_averages{ending}", "running_mean_loop"
    text = skeleton("running_averages").replace("matmul is not written yet", "matmul is my own")
    line = f'    raise NotImplementedError("{name} is not written yet")'
    assert line in text
    made = notebook(text, "running_averages")
    sources = [cell.source for cell in made.cells]
    for cell in made.cells:
        cell.source = cell.source.replace(line, body)
    written = text.replace(line, body) if ending == ".py" else nbformat.writes(made)
    path.write_text(written)
    assert reset(name, path).read_text() == written
    if ending == ".py":
        assert path.read_text() == text
    else:
        assert [cell.source for cell in nbformat.read(path, 4).cells] == sources


def test_where_another_exercise_is_broken_too_the_line_is_named(tmp_path: Path) -> None:
    path = tmp_path / "running_averages.py"
    text = re.sub("raise NotImplementedError.*", "return )", skeleton("running_averages"))
    path.write_text(text)
    line = text[: text.index("return )")].count("\n") + 1
    with pytest.raises(CannotReset) as refused:
        reset("running_mean_softmax", path)
    assert str(refused.value) == (
        f"{path} cannot be reset: Python cannot read its line {line} (unmatched ')'). "
        "Correct that line, then reset again. Nothing was changed."
    )
    assert path.read_text() == text


def test_a_link_stays_one(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(solution(NAME))
    path = tmp_path / f"{NAME}.py"
    path.symlink_to("mine.py")
    reset(EXERCISE, path)
    assert path.is_symlink()
    assert "is not written yet" in (tmp_path / "mine.py").read_text()


def test_a_copy_that_cannot_be_written_leaves_all_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    path = tmp_path / f"{NAME}.py"
    path.write_text(text := solution(NAME))
    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(CannotReset, match=r"No space left on device\. Nothing was changed"):
        reset(EXERCISE, path)
    assert path.read_text() == text
    assert list((tmp_path / "backups").iterdir()) == []


def test_a_missing_file_and_an_unknown_exercise_are_said(tmp_path: Path) -> None:
    with pytest.raises(CannotReset, match="cannot be reset"):
        reset(EXERCISE, tmp_path / "gone.py")
    with pytest.raises(CannotReset, match="No assignment defines Nothing"):
        reset("Nothing", tmp_path / "gone.py")


def test_a_backup_of_the_same_name_in_capitals_is_kept(tmp_path: Path) -> None:
    """On some disks, the two names are one file's."""
    (tmp_path / "backups").mkdir()
    (tmp_path / "backups" / "Mine-1.py").touch()
    assert backups.free(tmp_path, "mine", ".py").name == "mine-2.py"


@pytest.mark.parametrize(
    ("code", "said"),
    [
        (
            "",
            f"cannot be reset: no line begins with `class {EXERCISE}`. Write one, then reset ",
        ),
        (
            f"{EXERCISE} = len\n",
            f"cannot be reset: no line begins with `class {EXERCISE}`. Write one,",
        ),
        (
            f"def {EXERCISE}(x):\n    return x\n\n\n" * 2,
            f"cannot be reset: it defines {EXERCISE} 2 times. Delete all but one, and reset it.",
        ),
        ("x = 1\0\n", " contains NUL bytes, which no code has. Delete them, and save it again."),
        ("x = 'caf\xe9'\n", "is not UTF-8 text (line 1). Save it as UTF-8. Nothing was changed."),
    ],
)
def test_what_cannot_be_reset_says_what_to_do(code: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / f"{NAME}.py"
    path.write_bytes(data := code.encode("latin-1"))
    with pytest.raises(CannotReset) as refused:
        reset(EXERCISE, path)
    assert said in str(refused.value)
    assert str(refused.value).startswith(f"{path} ")
    assert str(refused.value).endswith(". Nothing was changed.")
    assert path.read_bytes() == data
