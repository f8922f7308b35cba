"""`make` passes its variables on literally: no name is executed, and printed commands can be
copied."""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import stat
import subprocess
import sys
from itertools import chain
from pathlib import Path

import pytest
from conftest import Command, sampled

from autograder import environment
from autograder.cli import grade_options, typed
from autograder.cli.main import main
from autograder.course import root
from autograder.grading.grade import CheckGrade, ExerciseGrade, Grade, Outcome
from autograder.kit.assignments import MAKEFILE as BELOW
from autograder.report.terminal import Terminal

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

MAKEFILE = (root() / "Makefile").read_text(encoding="utf-8")
TYPED = {*re.findall(r"\b([A-Z]+)=", "\n".join(re.findall(r"## (.*)", MAKEFILE)))}
TARGETS = re.findall(r"^(\w+):.*## .*\b([A-Z]+)=", MAKEFILE, re.MULTILINE)
HOSTILE = (
    "`touch MARKER`",
    "$(touch MARKER)",
    "$$(touch MARKER)",
    "$(shell touch MARKER)",
    "$$(shell touch MARKER)",
    "${shell touch MARKER}",
    "$(eval $(shell touch MARKER))",
    "$(info $(shell touch MARKER))",
    '"; touch MARKER; "',
    "'; touch MARKER; '",
    "'\"; touch MARKER; \"'",
    "a b; touch MARKER",
    "a && touch MARKER",
    "a | touch MARKER",
    "a > MARKER",
    "a\ntouch MARKER\nb",
    "a\n\ttouch MARKER",
    "-rf",
    "--unlocked",
    "--",
    "-",
    "~",
    "*",
    "!x",
    "#x",
    "a#b",
    "a\\",
    "a\\ b",
    "$",
    "$x",
    "$HOME",
    "%",
    "a=b",
    ":=",
    "(",
    "été.py",
    "a.py ",
)
RECORDER = f"""#!{sys.executable}
import json, os, sys
with open("called.json", "a") as file:
    print(json.dumps(sys.argv[1:]), file=file)
with open("folder.txt", "w") as file:
    file.write(os.environ.get("AUTOGRADER_FROM", ""))
"""


@pytest.fixture
def kit(tmp_path: Path) -> Path:
    """Return a folder with the Makefiles and a recorder of calls in place of Python."""
    python = tmp_path / ".venv" / ("Scripts" if os.name == "nt" else "bin") / "python"
    python.parent.mkdir(parents=True)
    python.write_text(RECORDER, encoding="utf-8")
    python.chmod(python.stat().st_mode | stat.S_IXUSR)
    (tmp_path / "autograder").mkdir()
    (tmp_path / "assignments").mkdir()
    (tmp_path / "assignments" / "Makefile").write_text(BELOW, encoding="utf-8")
    for name in ("Makefile", "pyproject.toml", "autograder/constraints.txt"):
        shutil.copy(root() / name, tmp_path / name)
    (tmp_path / ".venv" / ".ready").touch()
    return tmp_path


def started(kit: Path, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Call make as if no other make had called these tests."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("MAKE", "MFLAGS"))}
    return subprocess.run(
        ["make", *words], cwd=kit, env=kept | environment, capture_output=True, text=True
    )


def make(kit: Path, *words: str, **environment: str) -> list[list[str]]:
    """Call make, and return how it called Python."""
    called = kit / "called.json"
    called.unlink(missing_ok=True)
    run = started(kit, *words, **environment)
    assert run.returncode == 0, run.stderr
    assert not [*kit.rglob("MARKER")]
    return [json.loads(line) for line in called.open()] if called.exists() else []


def value(target: str, variable: str, arguments: list[str]) -> str:
    """Return what Python got for a variable; everything but options follows `--`."""
    named = [word for word in arguments[: arguments.index("--")] if word.startswith("--")]
    in_place = ("SUBMISSION", "KIT", "ASSIGNMENT", "CLASS", "NAME", "FILE")
    if variable in in_place and (target, variable) not in OPTIONAL:
        return arguments[arguments.index("--") + 1]
    [option] = [word for word in named if f" {variable}" in f" {OPTIONS[word.split('=')[0]]}"]
    return option.partition("=")[2]


OPTIONAL = (("class", "ASSIGNMENT"), ("exercise", "ASSIGNMENT"))  # given as options
OPTIONS = {
    "--resident": "",
    "--exercise": "EX",
    "--hints": "HINTS",
    "--student": "STUDENT",
    "--jobs": "JOBS",
    "--assignment": "ASSIGNMENT",
    "--paste": "PASTE",
    "--mutant": "MUTANT",
}


def test_each_variable_that_is_typed_is_tried() -> None:
    of_students = {"EX", "HINTS", "SUBMISSION", "KIT", "ASSIGNMENT", "PASTE"}
    of_authors = {"NAME", "FUNCTION", "FILE", "MUTANT", "MUTANTS"}
    assert of_students | {"STUDENT", "DRY", "CLASS", "JOBS", *of_authors} == TYPED
    with_variables = {"autograde", "regrade", "class", "audit", "exercise", "mistake"}
    assert {"grade", "run", "submit", "update"} | with_variables == {name for name, _ in TARGETS}


@pytest.mark.parametrize(("typed", "given"), [("", []), ("0", ["0"]), ("1", ["1"])])
def test_pasting_is_turned_on_by_1_alone(typed: str, given: list[str], kit: Path) -> None:
    [called] = make(kit, "grade", f"PASTE={typed}")
    assert [one for one in called if one.startswith("--paste")] == [
        f"--paste={one}" for one in given
    ]
    parser = argparse.ArgumentParser()
    grade_options.add_arguments(parser)
    options = parser.parse_args([*(f"--paste={one}" for one in given), "--", "x"])
    assert options.paste is (typed == "1")


def test_another_value_is_refused_in_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["grade", "--paste=yes", "--", "x"])
    assert "--paste: 'yes' is neither 1, for yes, nor 0, for no\n" in capsys.readouterr().err


def test_none_of_them_is_expanded_by_make() -> None:
    """Only the shell reads the variables, from its environment, and always quoted."""
    for name in TYPED:
        for found in re.finditer(rf".*\$[({{]{name}\b.*", MAKEFILE):
            assert re.search(rf"\$\${{{name}:[+-]", found[0]), found[0]
        for found in re.finditer(rf"(.)\$\${name}\b(.)", MAKEFILE):
            assert found[1] in '"=' and found[2] == '"', found[0]


@pytest.mark.dear
@pytest.mark.parametrize(
    "by_environment",
    [False, pytest.param(True, marks=pytest.mark.dear)],
    ids=["typed", "in the environment"],
)
@pytest.mark.parametrize(
    "passed",
    sampled(
        [
            ("grade", "SUBMISSION"),
            ("grade", "EX"),
            ("grade", "HINTS"),
            ("run", "ASSIGNMENT"),
            ("submit", "ASSIGNMENT"),
            ("update", "KIT"),
            ("autograde", "ASSIGNMENT"),
            ("autograde", "STUDENT"),
            ("autograde", "JOBS"),
            ("class", "ASSIGNMENT"),
            ("class", "CLASS"),
            ("regrade", "ASSIGNMENT"),
            ("exercise", "NAME"),
            ("exercise", "ASSIGNMENT"),
            ("mistake", "EX"),
            ("mistake", "FILE"),
            ("mistake", "MUTANT"),
        ],
        "-".join,
    ),
)
def test_a_hostile_value_arrives_as_it_stands(
    kit: Path, passed: tuple[str, str], by_environment: bool
) -> None:
    target, variable = passed
    for text in HOSTILE:
        typed = {variable: text} if by_environment else {}
        given = [] if typed else [f"{variable}={text}"]
        for place in ".", "assignments":
            [arguments] = make(kit, "-C", place, target, *given, **typed)
            assert value(target, variable, arguments) == text


@pytest.mark.parametrize("variable", sorted(TYPED))
@pytest.mark.parametrize("target", sorted({name for name, _ in TARGETS} | {"help", "doctor"}))
def test_no_variable_is_executed_by_another_target_nor_where_nothing_is_to_be_done(
    kit: Path, target: str, variable: str
) -> None:
    text = "$(shell touch MARKER)`touch MARKER`"
    for place in ".", "assignments":
        make(kit, "-C", place, target, f"{variable}={text}")
        assert make(kit, "-C", place, "-n", target, f"{variable}={text}") == []
        assert make(kit, "-C", place, "-n", target, **{variable: text}) == []


def test_what_is_not_typed_has_its_default(kit: Path) -> None:
    assert make(kit, "grade") == [["-m", "autograder", "grade", "--resident", "--", "assignments"]]
    assert make(kit, "submit") == [["-m", "autograder", "submit", "--"]]
    assert make(kit, "update") == [["-m", "autograder", "update", "--", ""]]
    assert make(kit, "regrade", "ASSIGNMENT=a", "DRY=1") == [
        ["-m", "autograder", "nbgrader", "regrade", "--dry", "--", "a"]
    ]


@pytest.mark.parametrize(
    ("words", "folder"),
    [
        (("grade", "SUBMISSION=mine.py"), "assignments"),
        (("update", "KIT=../../v2"), "assignments"),
        (("grade",), ""),
        (("grade", "EX=a", "KIT=../v2"), ""),
        (("submit", "ASSIGNMENT=a"), ""),
    ],
)
def test_a_path_that_is_typed_begins_where_it_is_typed(
    kit: Path, words: tuple[str, ...], folder: str
) -> None:
    """The default begins in the folder above."""
    make(kit, "-C", "assignments", *words)
    assert (kit / "folder.txt").read_text() == folder
    make(kit, *words)
    assert (kit / "folder.txt").read_text() == ""


@pytest.mark.parametrize("is_there", [True, False])
def test_jupyterlab_is_opened_and_installed_where_it_is_missing(is_there: bool, kit: Path) -> None:
    [python] = kit.glob(".venv/*/python")
    shutil.copy(python, python.with_name("jupyter"))
    if not is_there:
        python.write_text(f"{RECORDER}sys.exit('import jupyterlab' in sys.argv)\n", "utf-8")
    pip = ["-m", "pip", "install", "--quiet", "--constraint", "autograder/constraints.txt"]
    kernel = ["-m", "ipykernel", "install", "--sys-prefix", "--name", "python3", "--display-name"]
    assert make(kit, "lab") == [
        ["-c", "import jupyterlab"],
        *([] if is_there else [[*pip, "jupyterlab"]]),
        [*kernel, "Attention exercise kit"],
        ["lab", "assignments"],
    ]


def test_a_path_is_what_the_user_means(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("USERPROFILE", str(tmp_path / "home"))
    assert typed.path("~/kit") == tmp_path / "home" / "kit"
    assert typed.path("mine.py") == Path("mine.py")
    monkeypatch.setenv("AUTOGRADER_FROM", "assignments")
    assert typed.path("~/kit") == tmp_path / "home" / "kit"
    assert typed.path("../../v2") == Path("assignments/../../v2")
    assert typed.path(str(tmp_path)) == tmp_path
    (tmp_path / "assignments" / "~").mkdir(parents=True)
    assert typed.path("~") == Path("assignments/~")
    assert typed.path("assignments/~") == Path("assignments/~")  # as a report prints it


def test_the_commands_take_such_paths(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(name, str(tmp_path))
    missing = tmp_path / "kit.py"
    assert f"({missing})" in command("grade", "--", "~/kit.py").stdout
    assert f"There is no folder {missing}" in command("update", "--", "~/kit.py").stderr


def test_what_stands_behind_two_dashes_is_never_an_option(command: Command) -> None:
    for name in ("-rf", "--unlocked", "--", "-"):
        run = command("grade", "--", name)
        assert f"There is no file {name}" in run.stdout
        assert run.returncode == 4
        assert "Say where the new kit is" in command("update", "--", name).stderr
        assert "invalid choice" in command("submit", "--", name).stderr
        assert "invalid choice" in command("nbgrader", "autograde", "--", name).stderr
    assert command("update", "--", "").stderr.startswith("Say where the new kit is")


def refused(kit: Path, *words: str) -> str:
    """Call make, which fails, and return what it says."""
    run = started(kit, *words)
    assert run.returncode == 2
    return run.stderr


@pytest.mark.parametrize("python", ["/nonexistent/python", "false", "python2.7"])
def test_a_python_that_cannot_set_up_the_kit_is_refused_in_a_sentence(
    python: str, kit: Path
) -> None:
    (kit / ".venv" / ".ready").unlink()
    newest = "python{}.{}".format(*environment.NEWEST)
    for target in ("setup", "grade"):
        said, *rest = refused(kit, target, f"PYTHON={python}").splitlines()
        assert said == f"{python} is no Python 3 that runs. Name one: make setup PYTHON={newest}"
        assert all(line.startswith("make: *** ") for line in rest)


@pytest.mark.skipif(os.name != "posix", reason="has links")
def test_a_virtual_environment_whose_python_is_gone_is_told(kit: Path) -> None:
    shutil.copy(environment.__file__, kit / "autograder")
    python = kit / ".venv" / "bin" / "python"
    python.unlink()
    python.symlink_to("/nowhere/python3")
    for target in ("grade", "setup"):
        said = refused(kit, target, f"PYTHON={sys.executable}").splitlines()[0]
        assert said == (
            "The Python for which .venv was made is gone. Install all anew: rm -r .venv && make "
            "setup"
        )


@pytest.mark.dear
@pytest.mark.parametrize("package", ["torch", "wcwidth"])
@pytest.mark.parametrize("words", [("grade", "assignments"), ("watch", "--once"), ("run",)])
def test_a_command_that_lacks_a_package_says_what_to_do(
    package: str, words: tuple[str, ...], tmp_path: Path
) -> None:
    (tmp_path / "sitecustomize.py").write_text(f"import sys\nsys.modules[{package!r}] = None\n")
    path = f"{tmp_path}{os.pathsep}{root()}"
    own = {"PYTHONPATH": path, "AUTOGRADER_RESIDENT": "0"}
    command = [sys.executable, "-m", "autograder", *words]
    run = subprocess.run(command, cwd=root(), env=os.environ | own, capture_output=True, text=True)
    assert (run.stdout + run.stderr) == (
        f"The kit cannot start here: import of {package} halted; None in sys.modules. Call make "
        "setup in its folder.\n"
    )


def to_copy(path: str) -> str:
    """Return the command that a report of this file prints."""
    check = CheckGrade("c", "Title", Outcome.FAILED, 1, True, "It is wrong.")
    exercises = (ExerciseGrade("E", (check,)), ExerciseGrade("F", ()))
    grade = Grade("a", path, "multi_head", "graded", exercises)
    lines = "\n".join(Terminal().report([grade]))
    [command] = re.findall(r"Only this one:\s+(make .*)$", lines, re.MULTILINE)
    return str(command)


@pytest.mark.parametrize("name", [*HOSTILE, " begins with a space", "\tbegins with a tab"])
def test_what_is_printed_can_be_pasted(kit: Path, name: str) -> None:
    """The command grades that file, or its path has to be filled in; no name is executed."""
    command = to_copy(f"{name}/multi_head.py")
    assert command.isprintable()
    subprocess.run(["sh", "-c", command], cwd=kit, capture_output=True, check=True)
    assert not [*kit.rglob("MARKER")]
    [arguments] = [json.loads(line) for line in (kit / "called.json").open()]
    place = value("grade", "SUBMISSION", arguments)
    told = name.isprintable()
    assert Path(place) == Path(name if told else "...")


def test_a_name_of_which_a_part_was_replaced_is_to_be_filled_in() -> None:
    for name in ("a\N{REPLACEMENT CHARACTER}b", "a\nb", "a\u202eb"):
        assert to_copy(f"{name}/multi_head.py") == "make grade SUBMISSION=... EX=E"


def test_each_package_but_pytorch_has_a_pinned_version() -> None:
    """`make constraints` writes the file."""
    project = tomllib.loads((root() / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    named = list(chain(project["dependencies"], *project["optional-dependencies"].values()))
    pinned = (root() / "autograder" / "constraints.txt").read_text(encoding="utf-8")
    needed = {re.split(r"[><=;]", one)[0].strip() for one in named}
    versions = {line.partition("==")[0] for line in pinned.splitlines()}
    assert needed - versions == {"torch"}
