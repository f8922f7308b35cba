"""An exercise begins with all its parts, written whole or not at all, and overwrites nothing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from conftest import Command, copied_course

from autograder import whole_file
from autograder.authoring import insertion, names
from autograder.authoring.beginning import begin
from autograder.authoring.names import CannotBegin
from autograder.checking.collect import collect
from autograder.course import texts
from autograder.report.writing import CannotWrite, NotOurs

PARTS = {
    "{0}.py", "test_{0}.py", "promises.toml", "misconceptions.toml",
    "right/{1}__another_way.py", "wrong/{1}__first_mistake__other_words.py",
}  # fmt: skip


@pytest.fixture
def other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of a copy of the tiny course, which this process uses."""
    return copied_course(tmp_path, monkeypatch)


def contents(folder: Path) -> dict[str, bytes]:
    """Return what is in a folder, empty folders too."""
    found = (path for path in folder.rglob("*") if "__pycache__" not in path.parts)
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else b""
        for path in found
    }


@pytest.mark.parametrize("assignment", ["powers", "means"])
@pytest.mark.parametrize("is_function", [False, True])
def test_all_parts_are_begun(assignment: str, is_function: bool, other: Path) -> None:
    before = contents(other)
    made = begin("LongestNameOfAnExercises", assignment, is_function)
    folder = other / assignment
    assert {str(path.relative_to(folder)) for path in made} == {
        part.format(assignment, "LongestNameOfAnExercises") for part in PARTS
    }
    [exercise] = [
        one for one in collect().exercises(assignment) if one.name == "LongestNameOfAnExercises"
    ]
    assert len(collect().of(exercise)) == (4 if is_function else 6)
    after = contents(other)
    for name, data in before.items():
        if name not in {str(path.relative_to(other)) for path in made}:
            assert after[name] == data
        else:
            assert {*data.splitlines()} <= {*after[name].splitlines()}
    code = [path for path in made if path.parent == folder and path.suffix == ".py"]
    for command in ("format --check", "check --select E,F,W,B --ignore F401"):
        ruff = [sys.executable, "-m", "ruff", *command.split(), "--config", "line-length = 100"]
        run = subprocess.run([*ruff, "--isolated", *map(str, code)], capture_output=True, text=True)
        assert run.returncode == 0, run.stdout


def test_a_new_assignment_comes_last_and_numbers_its_exercises(other: Path) -> None:
    begin("Mean", "means", False)
    begin("Median", "means", False)
    text = (other / "means" / "means.py").read_text()
    assert text.startswith("# ---\n# order: 2\n# hours: TODO(means): ")
    assert text.index("## Exercise 1: Mean") < text.index("## Exercise 2: Median")


def test_a_name_that_the_checks_have_for_something_else_is_avoided(other: Path) -> None:
    """MEAN is a trial there, and compare is imported."""
    for name in ("Mean", "Compare"):
        begin(name, "powers", False)
    text = (other / "powers" / "test_powers.py").read_text()
    assert 'mean_exercise = Exercise("Mean")\n' in text
    assert "def test_mean_exercise_agrees(" in text
    assert 'COMPARE_EXERCISE = Trial("Compare", (7,), compare_exercise_inputs)\n' in text


def test_an_exercise_stands_before_a_conclusion() -> None:
    module = "# %% [markdown]\n# ## Exercise 2: A\n\n# %% [markdown]\n# ## What it shows\n#\n# B\n"
    section = "# %% [markdown]\n# ## Exercise 3: C\n"
    assert insertion.next_number(module) == 3
    assert insertion.after_exercises(module, section) == module.replace(
        "# %% [markdown]\n# ## What", f"{section}\n# %% [markdown]\n# ## What"
    )


def test_imports_that_are_there_are_not_repeated() -> None:
    text = '"""Checks."""\n\nimport torch\nfrom a import b as c\n\nx = 1\n'
    needed = {"torch": "", "c": "a", "d": "e", "x": "y", "math": ""}
    added = "import math\nfrom e import d\n"
    assert insertion.with_imports(text, needed) == text.replace("\n\nx", f"\n{added}\nx")


@pytest.mark.parametrize(
    ("exercise", "assignment", "said"),
    [
        ("Polynomial", "powers", "There is an exercise Polynomial already. Choose another name."),
        ("polynomial", "powers", "There is an exercise Polynomial, which differs from polynomial"),
        ("powers", "powers", "powers is the name of an assignment. Choose another one."),
        ("Two__parts", "powers", "'Two__parts' is no name of an exercise. Use up to 24 letters,"),
        ("2nd", "powers", "'2nd' is no name of an exercise. Use up to 24 letters, digits and "),
        ("../a", "powers", "'../a' is no name of an exercise. "),
        ("A" * 25, "powers", f"{'A' * 25!r} is no name of an exercise. Use up to 24 letters"),
        ("lambda", "powers", "lambda is a name of Python's own. Choose another one."),
        ("print", "powers", "print is a name of Python's own. Choose another one."),
        ("Tensor", "powers", "powers.py has the name Tensor for something else. Choose another"),
        ("Draw_cases", "powers", "test_powers.py has the name draw_cases_exercise for something"),
        ("Mean", "no-name", "'no-name' is no name of an assignment. Use up to 24 small letters,"),
        ("Mean", "Means", "'Means' is no name of an assignment. "),
        ("Mean", "class", "'class' is no name of an assignment. "),
        ("Mean", "../means", "'../means' is no name of an assignment. "),
        ("Mean", "random", "random is the name of a module that Python or a package has. Choose "),
        ("Mean", "torch", "torch is the name of a module that Python or a package has. Choose "),
        ("Mean", "test_means", "test_means begins as the name of a file of checks. Choose "),
        ("Mean", "geometric_mean", "geometric_mean is the name of an exercise. Choose another one"),
        ("Mean", "texts", "texts is the folder of texts of your own. Choose another name."),
        ("Mean", "half_made", "half_made is there, but is no assignment: it has no half_made.py."),
        ("Taken", "powers", "Taken__another_way.py is there already. Move it away, or rename it."),
    ],
)
def test_what_cannot_be_begun_is_refused_in_a_sentence(
    exercise: str, assignment: str, said: str, other: Path
) -> None:
    (other / "half_made").mkdir()
    with (other / "powers" / "test_powers.py").open("a") as file:
        file.write("\ndraw_cases = draw_cases_exercise = 0\n")
    (other / "powers" / "right" / "Taken__another_way.py").touch()
    before = contents(other)
    with pytest.raises(CannotBegin) as refused:
        begin(exercise, assignment, False)
    assert said in str(refused.value)
    assert contents(other) == before


@pytest.mark.parametrize("assignment", ["powers", "means"])
@pytest.mark.parametrize("written", range(6))
def test_a_disk_that_is_full_leaves_nothing_half_written(
    written: int, assignment: str, other: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for path in (other / "powers" / "wrong").iterdir():
        path.unlink()
    (other / "powers" / "wrong").rmdir()
    before, write, calls = contents(other), whole_file.write, []

    def full(path: Path, *arguments: object) -> None:
        calls.append(path)
        if len(calls) == written + 1:
            raise OSError(28, "No space left on device")
        write(path, *arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(whole_file, "write", full)
    with pytest.raises(CannotWrite, match="cannot be written: No space left on device"):
        begin("Mean", assignment, False)
    assert contents(other) == before


def test_a_file_in_place_of_a_folder_is_refused(other: Path) -> None:
    folder = other / "powers" / "wrong"
    for path in folder.iterdir():
        path.unlink()
    folder.rmdir()
    folder.touch()
    before = contents(other)
    with pytest.raises(NotOurs, match="wrong is no folder"):
        begin("Mean", "powers", False)
    assert contents(other) == before


@pytest.mark.parametrize(
    ("name", "slug"),
    [
        ("RMSNorm", "rms_norm"),
        ("LayerNorm1d", "layer_norm1d"),
        ("geometric_mean", "geometric_mean"),
        ("Sum", "sum_exercise"),
        ("Lambda", "lambda_exercise"),
    ],
)
def test_a_name_in_the_checks_is_that_of_a_variable(name: str, slug: str) -> None:
    assert names.in_checks(name) == slug


def test_the_command_says_what_it_wrote_and_what_comes_next(other: Path, command: Command) -> None:
    run = command("--course", other, "exercise", "mean", "--assignment", "means", "--function")
    assert run.returncode == 0
    assert run.stdout.splitlines()[0] == "wrote solutions/means/means.py"
    assert run.stdout.splitlines()[-1] == (
        "Next: python -m autograder --course solutions audit --exercise mean lists what to write."
    )
    texts._exercises.cache_clear()  # another process knows nothing of it
    written = command("--course", other, "assignments")
    assert written.returncode == 0
    _, _, auditing = run.stdout.rstrip().rpartition("Next: ")
    assert written.stdout.splitlines()[-1] == f"mean is not finished: {auditing}"
    again = command("--course", other, "exercise", "mean", "--assignment", "means")
    assert (again.returncode, again.stdout) == (4, "")
    assert again.stderr == "There is an exercise mean already. Choose another name.\n"
    nothing = command("--course", other, "exercise", "", "--assignment", "")
    assert nothing.returncode == 4
    assert nothing.stderr.startswith("Name the exercise and its assignment: make exercise NAME=")
