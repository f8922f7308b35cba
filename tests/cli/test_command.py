"""The command line prints to the right stream and ends with the right exit code."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import Command, points, sampled

from autograder.checking.collect import Checks
from autograder.course import assignments, root
from autograder.course.skeletons import made_from


@pytest.mark.dear
def test_grade_of_the_solutions(process: Command, checks: Checks) -> None:
    run = process("grade", "solutions")
    assert run.returncode == 0
    score = r"\nScore: (\d+)/\1, (\d+)/\2 optional \((?:un)?locked\)\n$"
    found = re.search(score, run.stdout)
    assert found and int(found[1]) + int(found[2]) == points()
    assert run.stdout.count("passed") == len(checks.homes())
    names = assignments()
    assert run.stderr.splitlines()[0] == f"graded 1/{len(names)}  {names[0]}"
    assert run.stderr.splitlines()[-1] == f"graded {len(names)}/{len(names)}  {names[-1]}"


@pytest.mark.dear
def test_grade_of_the_skeletons(command: Command, checks: Checks) -> None:
    run = command("grade", "assignments", "--strict")
    assert run.returncode == 1
    assert run.stdout.count("missing") == len(checks.homes())
    exercise, home = next(iter(checks.homes().items()))
    last = f"Next: write {exercise} in assignments/{home}.py\n"
    assert run.stdout.endswith(last)


@pytest.mark.dear
def test_strict_with_full_marks(command: Command) -> None:
    assert command("grade", "solutions/multi_head/multi_head.py", "--strict").returncode == 0


@pytest.mark.dear
def test_one_exercise(command: Command) -> None:
    run = command("grade", "solutions", "--exercise", "ScaledDotProduct")
    assert run.returncode == 0
    assert "ScaledDotProduct         passed      6/6" in run.stdout
    assert "QueryKeyValue" not in run.stdout
    assert run.stdout.endswith("\nScore: 6/6 (locked)\n")


@pytest.mark.skipif(os.name != "posix", reason="has links")
@pytest.mark.parametrize(("name", "code"), [("loop", 0), ("a" * 300, 4), ("loop/x.py", 4)])
def test_a_path_that_cannot_be_followed_costs_no_other(
    name: str, code: int, command: Command, tmp_path: Path, solutions: dict[str, str]
) -> None:
    """A shell's CLASS/* names broken links too; what is not there at all was mistyped."""
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "running_averages.py").write_text(solutions["running_averages"])
    run = command("grade", tmp_path / name, tmp_path / "running_averages.py", "--json")
    assert "Traceback" not in run.stderr
    odd, other = json.loads(run.stdout)["submissions"]
    found = run.returncode, odd["status"], other["score"]
    assert found == (code, "unreadable", other["max_score"])


@pytest.mark.skipif(os.name != "posix", reason="has links")
@pytest.mark.parametrize("name", ["loop", "a" * 300])
def test_a_course_that_cannot_be_followed(name: str, command: Command, tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to("loop")
    run = command("--course", tmp_path / name, "grade", "assignments")
    assert (run.returncode, run.stdout) == (4, "")
    assert "is not a course" in run.stderr


@pytest.mark.dear
def test_json_alone_is_on_stdout(command: Command) -> None:
    run = command("grade", "solutions", "assignments", "--json")
    data = json.loads(run.stdout)
    found = [(s["submission"], s["assignment"], s["score"]) for s in data["submissions"]]
    names = list(assignments())
    assert [row[:2] for row in found] == [
        *(("solutions", name) for name in names),
        *(("assignments", name) for name in names),
    ]
    assert sum(row[2] for row in found) == points()
    assert {row[2] for row in found[len(names) :]} == {0.0}
    assert run.stderr.count("graded ") == 2 * len(names)


@pytest.mark.dear
def test_several_paths_give_a_line_each(command: Command) -> None:
    run = command("grade", "solutions", "assignments/multi_head.py")
    full = {name: f"{points(name):g}" for name in assignments()}
    assert [line.split() for line in run.stdout.splitlines()] == [
        *(["solutions", name, "graded", f"{most}/{most}"] for name, most in full.items()),
        ["assignments", "multi_head", "graded", f"0/{full['multi_head']}"],
        ["Graded", "locked."],
    ]


@pytest.mark.dear
def test_assignment_is_found_by_what_a_module_defines(
    command: Command, tmp_path: Path, solutions: dict[str, str]
) -> None:
    for name, assignment in (("s01", "attention_layer"), ("s02", "multi_head")):
        (tmp_path / f"{name}.py").write_text(solutions[assignment], encoding="utf-8")
    (tmp_path / "s03.py").write_text("x = 1\n", encoding="utf-8")
    run = command("grade", *sorted(tmp_path.glob("*.py")), "--json")
    found = json.loads(run.stdout)["submissions"]
    assert [s["assignment"] for s in found] == ["attention_layer", "multi_head", None]
    assert [s["status"] for s in found] == ["graded", "graded", "unreadable"]
    assert "defines none of the exercises" in found[2]["message"]
    assert run.returncode == 0


@pytest.mark.dear
def test_folder_of_a_class(command: Command, tmp_path: Path, solutions: dict[str, str]) -> None:
    (tmp_path / "anna.py").write_text(solutions["attention_layer"], encoding="utf-8")
    (tmp_path / "ben.py").write_text(made_from(solutions["attention_layer"]), encoding="utf-8")
    run = command("grade", tmp_path, "--assignment", "attention_layer", "--json")
    found = json.loads(run.stdout)["submissions"]
    full = points("attention_layer")
    assert [(s["submission"], s["score"]) for s in found] == [("anna", full), ("ben", 0.0)]


@pytest.mark.dear
@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["grade"], "the following arguments are required: path"),
        (["grade", "solutions", "--exercise", "Scaled"], "There is no exercise Scaled."),
        (
            ["grade", "solutions", "--exercise", "scaledDotProducts"],
            "There is no exercise scaledDotProducts. Was ScaledDotProduct meant?",
        ),
        (
            ["grade", "solutions", "--exercise", "multi_head"],
            "It is an assignment, with MultiHeadList, MultiHeadAttention.",
        ),
        (
            ["grade", "solutions/multi_head/multi_head.py", "--exercise", "LayerNorm1d"],
            "There is no submission of normalization, which would have LayerNorm1d",
        ),
        (["grade", "solutions", "--assignment", "x"], "invalid choice: 'x'"),
        (["mark"], "invalid choice: 'mark'"),
        ([], "the following arguments are required: VERB"),
    ],
)
def test_wrong_use_is_told_in_a_sentence(
    command: Command, arguments: list[str], sentence: str
) -> None:
    run = command(*arguments)
    assert run.returncode == 4
    assert sentence in run.stderr
    assert run.stdout == ""
    assert "Traceback" not in run.stderr


@pytest.mark.dear
def test_a_failing_sandbox_is_exit_code_3() -> None:
    """In a Python without torch, a sentence says what is missing, and nothing is graded."""
    program = (
        "import sys; from autograder.cli import main as m; from autograder.sandbox import child; "
        "child.sys = type('sys', (), {'executable': '/bin/false', 'platform': sys.platform}); "
        "sys.exit(m.main(['grade', 'solutions/multi_head/multi_head.py', '--unlocked']))"
    )
    run = subprocess.run(
        [sys.executable, "-c", program], cwd=root(), capture_output=True, text=True, check=False
    )
    assert run.returncode == 3
    assert "the process for students' code does not work" in run.stdout + run.stderr


@pytest.mark.parametrize(
    ("settings", "colour"),
    [({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)],
    ids=["a terminal", "NO_COLOR", "a dumb terminal"],
)
def test_colour_is_for_terminals_that_want_it(
    settings: dict[str, str], colour: bool, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A pseudo-terminal stands for the terminal."""
    pty = pytest.importorskip("pty")
    for name, value in {"TERM": "xterm", **settings}.items():
        monkeypatch.setenv(name, value)
    ours, theirs = pty.openpty()
    with open(theirs, "w", encoding="utf-8") as terminal:
        monkeypatch.setattr(sys, "stdout", terminal)
        command("grade", "assignments/multi_head.py")
        print("THE END", file=terminal, flush=True)
        read = b""
        while b"THE END" not in read:  # the output comes in pieces
            read += os.read(ours, 1 << 16)
    os.close(ours)
    shown = read.decode()
    assert "MultiHeadList" in shown
    assert ("\x1b[36m" in shown) is colour
    assert colour or "\x1b" not in shown


def test_who_reads_the_output_may_leave(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    ours, theirs = os.pipe()
    os.close(ours)
    with open(theirs, "w", encoding="utf-8") as pipe:
        monkeypatch.setattr(sys, "stdout", pipe)
        run = command("grade", "assignments/multi_head.py", "--strict")
    assert run.returncode == 1
    assert "Traceback" not in run.stderr


def test_make_lists_its_targets() -> None:
    run = subprocess.run(["make"], cwd=root(), capture_output=True, text=True, check=True)
    assert max(map(len, run.stdout.splitlines())) <= 80
    for target in ("setup", "grade", "test", "assignments", "bench"):
        assert f"make {target} " in run.stdout


# Terminals and files with other encodings


def in_encoding(encoding: str, *arguments: str | Path) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "autograder", *map(str, arguments)],
        cwd=root(),
        env=os.environ | {"PYTHONIOENCODING": encoding},
        capture_output=True,
        timeout=120,
        check=False,
    )


@pytest.mark.dear
@pytest.mark.parametrize("encoding", sampled(["cp1252", "ascii", "latin-1", "utf-16"]))
def test_every_encoding_shows_a_grade(encoding: str) -> None:
    """Output of Windows that goes into a file, for example, is encoded as cp1252."""
    done = in_encoding(encoding, "grade", f"assignments/{assignments()[0]}.py")
    assert done.returncode == 0, done.stderr
    assert "Score: 0/" in done.stdout.decode(encoding)
    assert b"Traceback" not in done.stderr
    assert in_encoding(encoding, "grade", "nowhere\N{SNOWMAN}").returncode == 4


@pytest.mark.dear
def test_json_is_utf_8_in_every_encoding(tmp_path: Path) -> None:
    file = tmp_path / f"{assignments()[0]}.py"
    file.write_text("raise ValueError('\N{SNOWMAN}')\n", encoding="utf-8")
    done = in_encoding("ascii", "grade", file, "--json")
    [found] = json.loads(done.stdout.decode("utf-8"))["submissions"]
    assert "\N{SNOWMAN}" in found["message"]


@pytest.mark.dear
@pytest.mark.skipif(sys.platform != "linux", reason="other systems have UTF-8 names")
@pytest.mark.parametrize("more", [[], ["-X", "utf8=0"]], ids=str)
def test_no_locale_costs_points(more: list[str], tmp_path: Path, solutions: dict[str, str]) -> None:
    name = assignments()[0]
    file = os.fsencode(tmp_path) + "/José.py".encode()
    with open(file, "w", encoding="utf-8") as written:
        written.write(solutions[name])
    ascii_only = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    asked = ["grade", str(tmp_path), "--assignment", name, "--json", "--unlocked"]
    run = subprocess.run(
        [sys.executable, *more, "-m", "autograder", *asked],
        cwd=root(),
        env=os.environ | ascii_only,
        capture_output=True,
        timeout=120,
        check=False,
    )
    if more:
        assert (run.returncode, run.stdout) == (3, b"")
        assert b"This locale cannot read names" in run.stderr
    else:
        [found] = json.loads(run.stdout)["submissions"]
        assert (found["submission"], found["score"]) == ("José", points(name))


def in_folder(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Call a command of this kit where a shell stands in another folder."""
    return subprocess.run(
        [sys.executable, "-m", "autograder", *arguments],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(root())},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.mark.dear
def test_inside_a_class_its_files_are_no_modules_of_the_grader(
    tmp_path: Path, solutions: dict[str, str]
) -> None:
    name = assignments()[0]
    (tmp_path / "anna.py").write_text(solutions[name], encoding="utf-8")
    for module in ("torch", "argparse", "signal", "typing"):
        (tmp_path / f"{module}.py").write_text("open('was here', 'w')\n", encoding="utf-8")
    run = in_folder(tmp_path, "grade", ".", "--assignment", name, "--json", "--unlocked")
    found = {s["submission"]: s["score"] for s in json.loads(run.stdout)["submissions"]}
    assert found.pop("anna") == points(name)
    assert found == dict.fromkeys(("argparse", "signal", "torch", "typing"), 0.0)
    assert not (tmp_path / "was here").exists()


def test_inside_a_class_python_takes_a_file_there_for_the_grader(tmp_path: Path) -> None:
    """SECURITY.md says that it may: nothing of the grader runs before."""
    (tmp_path / "autograder.py").write_text("print('anyone')\n", encoding="utf-8")
    assert in_folder(tmp_path, "grade", ".").stdout == "anyone\n"


@pytest.mark.dear
@pytest.mark.parametrize("option", ["--unlocked", "--unl", "--locked"])
def test_an_option_that_is_a_files_name_is_refused(option: str, tmp_path: Path) -> None:
    """A shell's * would put it there, and the code of a class would run unlocked."""
    (tmp_path / option).mkdir()
    (tmp_path / "anna.py").write_text("x = 1\n", encoding="utf-8")
    run = in_folder(tmp_path, "grade", *sorted(os.listdir(tmp_path)))
    assert (run.returncode, run.stdout) == (4, "")
    assert run.stderr.startswith(f"{option} is an option, and there is a file of that name here")
    run = in_folder(tmp_path, "grade", "--", *sorted(os.listdir(tmp_path)))
    assert (run.returncode, "Graded locked." in run.stdout) == (0, True)


def test_an_empty_path_is_no_path(command: Command, tmp_path: Path) -> None:
    """An empty path, of an unset variable, would mean the current folder and all that is in it."""
    for arguments in (
        ["grade", ""],
        ["grade", "assignments", "--html", ""],
        ["grade", "assignments", "--csv", ""],
        ["class", ""],
        ["class", "assignments", "--out", ""],
        ["nbgrader", "course", ""],
        ["nbgrader", "undo", "--course", ""],
        ["--course", "", "doctor"],
    ):
        run = command(*arguments)
        assert (run.returncode, run.stdout) == (4, "")
        assert run.stderr.endswith("the path is empty\n")
    same = tmp_path / "same"
    run = command("grade", "assignments", "--html", same, "--csv", same)
    assert (run.returncode, run.stdout) == (4, "")
    assert run.stderr == f"--html and --csv both name {same}. Name two places.\n"
    assert not same.exists()
