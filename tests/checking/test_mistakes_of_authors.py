"""A mistake in the checks or in the reference is told to the author, and costs no points."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from conftest import Command, copied_course

from autograder.course import solution
from autograder.course.misconceptions import EditDoesNotApply, misconceptions


@pytest.fixture
def powers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the only assignment of a copy of the tiny course, which this process uses."""
    return copied_course(tmp_path, monkeypatch) / "powers"


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def refusal(powers: Path, command: Command, *words: str | Path) -> str:
    run = command("--course", powers.parent, *words)
    assert (run.returncode, run.stdout) == (3, "")
    return run.stderr


def test_a_check_of_a_name_that_the_reference_lacks_is_refused(
    powers: Path, command: Command
) -> None:
    checks = powers / "test_powers.py"
    edit(checks, 'Trial.function("geometric_mean"', 'Trial.function("geometric_mea"')
    assert refusal(powers, command, "grade", powers / "powers.py") == (
        f"{checks}: test_mean_by_hand asks for geometric_mea, which powers.py does not define. Was "
        "geometric_mean meant?\n"
    )


@pytest.mark.parametrize("needs", ['("geometric_mean",)', '"geometric_mean"', "(geometric_mean)"])
def test_needs_are_exercises(needs: str, powers: Path, command: Command) -> None:
    checks = powers / "test_powers.py"
    edit(checks, 'Exercise("Polynomial"', f'Exercise("Polynomial", needs={needs}')
    said = refusal(powers, command, "grade", powers / "powers.py")
    assert said.startswith(f"{checks}, line ")
    assert "needs of Polynomial is no tuple of exercises: write needs=(head,)" in said


def test_an_edit_that_makes_no_python_is_named(powers: Path) -> None:
    [first, *_] = misconceptions("powers")
    broken = replace(first, edits=((first.edits[0][0], "(0"),))
    with pytest.raises(EditDoesNotApply, match=r"misconceptions\.toml makes no Python of"):
        broken.source(solution("powers"))


def test_what_a_student_has_not_written_is_missing_still(
    powers: Path, command: Command, tmp_path: Path
) -> None:
    (tmp_path / "powers.py").write_text("import torch\n")
    run = command("--course", powers.parent, "grade", tmp_path / "powers.py")
    assert run.returncode == 0
    assert run.stdout.count("missing") == 2


@pytest.mark.parametrize("words", [("grade",), ("grade", "--assignment", "powers")])
def test_a_reference_that_cannot_be_loaded_is_named_with_its_line(
    words: tuple[str, ...], powers: Path, command: Command, tmp_path: Path
) -> None:
    """Also for a class, of which everybody would wait for a person."""
    handed_in = tmp_path / "class" / "anna" / "powers.py"
    handed_in.parent.mkdir(parents=True)
    handed_in.write_text((powers / "powers.py").read_text())
    edit(powers / "powers.py", "import torch\n", "import torhc\n")
    line = (powers / "powers.py").read_text().splitlines().index("import torhc") + 1
    path = handed_in if len(words) == 1 else handed_in.parents[1]
    assert refusal(powers, command, words[0], path, *words[1:]) == (
        f"{powers / 'powers.py'}, line {line}: ModuleNotFoundError: No module named 'torhc'. "
        "Correct this line of the reference.\n"
    )


def test_a_declaration_that_is_misspelt_is_named(powers: Path, command: Command) -> None:
    """The function above Polynomial is no part of it, which does not use it."""
    edit(powers / "test_powers.py", 'Exercise("geometric_mean")', 'Exercise("geometric_mea")')
    run = command("--course", powers.parent, "audit", "--exercise", "geometric_mean")
    assert run.stderr == (
        "There is no exercise geometric_mean. test_powers.py declares geometric_mea, which "
        "powers.py does not define: was geometric_mean meant there?\n"
    )


def test_what_a_reference_uses_is_a_part_of_its_exercise(powers: Path, command: Command) -> None:
    helpers = "def base(x):\n    return x\n\n\ndef total(x):\n    return base(x)\n\n\n"
    edit(powers / "powers.py", "class Polynomial", f"{helpers}class Polynomial")
    run = command("--course", powers.parent, "audit", "--exercise", "base")
    assert (
        run.stderr == "There is no exercise base. The exercises are: geometric_mean, Polynomial.\n"
    )
    edit(
        powers / "powers.py",
        "class Polynomial(nn.Module):\n",
        "class Polynomial(total(nn.Module)):\n",
    )
    run = command("--course", powers.parent, "audit", "--exercise", "base")
    assert run.stderr == (
        "There is no exercise base. base is a part of Polynomial, and is graded with it.\n"
    )
