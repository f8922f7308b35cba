"""What a student has built runs as a program, from whichever files count."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell

from autograder.course import declared, program, root, solution
from autograder.course.formulas import as_text
from autograder.kit.notebook import notebook
from autograder.submissions.files import Unreadable
from autograder.submissions.submission_files import SubmissionFiles

LAST, LAYER = program(), "attention_layer"
STEPS = "steps: int = 500"


def write(folder: Path, name: str, ending: str, *cells: str) -> None:
    """Write the solution of an assignment in place of a skeleton; a training of two steps."""
    text = solution(name).replace(STEPS, STEPS.replace("500", "2"))
    if ending == ".py":
        (folder / f"{name}.py").write_text(as_text(text), encoding="utf-8")
    else:
        made = notebook(text, name)
        made.cells[2:2] = map(new_code_cell, cells)
        nbformat.write(made, folder / f"{name}.ipynb")


def run(kit: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "autograder", "run", *arguments]
    return subprocess.run(command, cwd=kit, capture_output=True, text=True)


@pytest.mark.dear
@pytest.mark.parametrize("last", [".py", ".ipynb"])
@pytest.mark.parametrize("layer", [".py", ".ipynb"])
def test_a_transformer_trains_wherever_it_and_its_layer_are_written(
    layer: str, last: str, kit: Path
) -> None:
    folder = kit / "assignments"
    write(folder, LAYER, layer)
    write(folder, LAST, last, "check('TinyTransformer')", "print(1 / 0)")
    done = run(kit)
    assert "After training " in done.stdout, done.stderr
    assert (folder / "transformer_loss.png").exists()
    if last == ".py":
        assert (done.returncode, done.stderr) == (0, "")
    else:
        place = re.escape(f"{LAST}.ipynb cell 4, line 1 (ZeroDivisionError: division by zero)")
        assert re.fullmatch(f"An error: {place}\n", done.stderr)
        assert done.returncode == 1


@pytest.mark.dear
def test_what_prints_nothing_says_that_it_ran(kit: Path) -> None:
    path, said = kit / "assignments" / f"{LAST}.py", f"{LAST} ran to its end without an error."
    path.with_suffix(".ipynb").unlink()
    for text in ("x = 1\n", "import sys\nsys.stdout.write('x')\n", "1 / 0\n"):
        path.write_text(text)
        done = run(kit)
        assert (said in done.stdout) is (text == "x = 1\n"), done.stderr
        assert done.returncode == (text == "1 / 0\n")


@pytest.mark.dear
def test_what_is_not_written_is_said_in_a_sentence(kit: Path) -> None:
    done = run(kit, LAST)
    error = r"line \d+ \(NotImplementedError: TinyTransformer is not written yet\)"
    assert re.fullmatch(rf"An error: {LAST}\.ipynb cell \d+, {error}\n", done.stderr)
    assert done.returncode == 1


@pytest.mark.dear
def test_an_assignment_that_is_not_there_is_said_in_a_sentence(kit: Path) -> None:
    for ending in (".py", ".ipynb"):
        (kit / "assignments" / f"{LAST}{ending}").unlink()
    done = run(kit)
    assert re.fullmatch(
        rf"There is no {LAST}\.py in \S+, and no .* copy of the kit\.\n", done.stderr
    )
    assert done.returncode == 4


@pytest.mark.dear
def test_what_cannot_be_read_is_said_in_a_sentence(kit: Path) -> None:
    path = kit / "assignments" / f"{LAST}.ipynb"
    path.write_text("{")
    done = run(kit)
    with pytest.raises(Unreadable) as raised:
        SubmissionFiles(path.parent).code(path.name)
    assert done.stderr == f"{raised.value}\n"
    assert done.returncode == 4


@pytest.mark.dear
def test_an_assignment_runs_from_its_own_notebook(
    kit: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In any notebook, `!make run` runs an assignment with the imports that count."""
    folder = kit / "assignments"
    with (folder / f"{LAST}.py").open("a") as file:
        file.write(f"import {LAYER}\nprint('from', {LAYER}.__file__)\n")
    write(folder, LAYER, ".ipynb")
    for name in (LAST, LAYER):
        monkeypatch.setenv("JPY_SESSION_NAME", str(folder / f"{name}.ipynb"))
        done = run(kit)
        assert f"from {folder / LAYER}.ipynb\n" in done.stdout, done.stderr


@pytest.mark.dear
@pytest.mark.parametrize("ending", [".py", ".ipynb"])
@pytest.mark.parametrize(("said", "code"), [("", 0), ("3", 3), ("'at the end'", 1)])
def test_an_assignment_may_end_itself(said: str, code: int, ending: str, kit: Path) -> None:
    text = f"import sys\nprint(1 / 0)\nprint('before', '__file__' in vars())\nsys.exit({said})\n"
    path = kit / "assignments" / f"{LAST}{ending}"
    if ending == ".py":
        path.write_text(f"{path.read_text()}\n{text}print('after')\n")
    else:
        book = nbformat.read(path, as_version=4)
        book.cells += map(new_code_cell, (text, "print('after')"))
        nbformat.write(book, path)
    done = run(kit)
    assert done.returncode == code
    assert f"before {ending == '.py'}\n" in done.stdout and "after" not in done.stdout
    assert "ZeroDivisionError" in done.stderr
    assert done.stderr.endswith("\nat the end\n") == (code == 1)


def test_who_has_finished_is_told_a_command_that_there_is() -> None:
    [target] = re.findall(r"make (\w+)", declared().payoff)
    assert re.search(rf"^{target}: ", (root() / "Makefile").read_text(), re.MULTILINE)
