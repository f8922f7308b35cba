"""The command line: what it prints where, and with which exit code it ends."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import Command

from autograder.course import ROOT, assignments
from autograder.release.skeleton import made_from


def test_grade_of_the_solutions(process: Command) -> None:
    run = process("grade", "solutions")
    assert run.returncode == 0
    assert run.stdout.endswith("\nScore: 139/139 (unlocked)\n")
    assert run.stdout.count("passed") == 21
    assert run.stderr.splitlines()[0] == "graded 1/7  running_averages"
    assert run.stderr.splitlines()[-1] == "graded 7/7  transformer"


def test_grade_of_the_skeletons(command: Command) -> None:
    run = command("grade", "assignments", "--strict")
    assert run.returncode == 1
    assert run.stdout.count("missing") == 21
    last = "Next: write running_mean_loop in assignments/running_averages.py\n"
    assert run.stdout.endswith(last)


def test_strict_with_full_marks(command: Command) -> None:
    assert command("grade", "solutions/multi_head.py", "--strict").returncode == 0


def test_one_exercise(command: Command) -> None:
    run = command("grade", "solutions", "--exercise", "ScaledDotProduct")
    assert run.returncode == 0
    assert "ScaledDotProduct         passed      6/6" in run.stdout
    assert "QueryKeyValue" not in run.stdout
    assert run.stdout.endswith("\nScore: 6/6 (unlocked)\n")


def test_json_alone_is_on_stdout(command: Command) -> None:
    run = command("grade", "solutions", "assignments", "--json")
    data = json.loads(run.stdout)
    found = [(s["submission"], s["assignment"], s["score"]) for s in data["submissions"]]
    names = list(assignments())
    assert [row[:2] for row in found] == [
        *(("solutions", name) for name in names),
        *(("assignments", name) for name in names),
    ]
    assert sum(row[2] for row in found) == 139.0
    assert {row[2] for row in found[7:]} == {0.0}
    assert run.stderr.count("graded ") == 14


def test_several_paths_give_a_line_each(command: Command) -> None:
    run = command("grade", "solutions", "assignments/multi_head.py")
    assert [line.split() for line in run.stdout.splitlines()][5:] == [
        ["solutions", "multi_head", "graded", "20/20"],
        ["solutions", "transformer", "graded", "20/20"],
        ["assignments", "multi_head", "graded", "0/20"],
        ["Graded", "locked."],
    ]


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


def test_folder_of_a_class(command: Command, tmp_path: Path, solutions: dict[str, str]) -> None:
    (tmp_path / "anna.py").write_text(solutions["attention_layer"], encoding="utf-8")
    (tmp_path / "ben.py").write_text(made_from(solutions["attention_layer"]), encoding="utf-8")
    run = command("grade", tmp_path, "--assignment", "attention_layer", "--json")
    found = json.loads(run.stdout)["submissions"]
    assert [(s["submission"], s["score"]) for s in found] == [("anna", 30.0), ("ben", 0.0)]


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
            ["grade", "solutions/multi_head.py", "--exercise", "LayerNorm1d"],
            "There is no work on normalization in what is to be graded, where LayerNorm1d would be",
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


def test_a_failing_sandbox_is_exit_code_3() -> None:
    """A Python without torch: the sentence says what is missing, and no grade is given."""
    program = (
        "import sys; from autograder import __main__ as m; from autograder.sandbox import child; "
        "child.sys = type('sys', (), {'executable': '/bin/false', 'platform': sys.platform}); "
        "sys.exit(m.main(['grade', 'solutions/multi_head.py']))"
    )
    run = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False
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
    """The terminal is a pseudo-terminal."""
    pty = pytest.importorskip("pty")
    for name, value in {"TERM": "xterm", **settings}.items():
        monkeypatch.setenv(name, value)
    ours, theirs = pty.openpty()
    with open(theirs, "w", encoding="utf-8") as terminal:
        monkeypatch.setattr(sys, "stdout", terminal)
        command("grade", "assignments/multi_head.py")
        print("THE END", file=terminal, flush=True)
        read = b""
        while b"THE END" not in read:  # it comes in pieces
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
    run = subprocess.run(["make"], cwd=ROOT, capture_output=True, text=True, check=True)
    assert max(map(len, run.stdout.splitlines())) <= 80
    for target in ("setup", "grade", "test", "assignments", "bench"):
        assert f"make {target} " in run.stdout
