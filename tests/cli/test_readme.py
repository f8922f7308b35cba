"""The README shows what the commands print."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from conftest import Command, GradeText

from autograder.course import root
from autograder.grading.grade import Grade
from autograder.report.terminal import Terminal

README = (root() / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```text\n(.*?)```", README, re.DOTALL)


def test_grade_of_the_skeletons_is_as_shown(command: Command) -> None:
    assert command("grade", "assignments").stdout == BLOCKS[0]


def test_grade_of_a_wrong_exercise_is_as_shown(
    grade_text: GradeText, solutions: dict[str, str]
) -> None:
    wrong = solutions["attention_layer"].replace("sqrt(Q.shape[-1])", "sqrt(2 * Q.shape[-1])")
    found = grade_text(wrong, "attention_layer", "ScaledDotProduct", named=True)
    path = "assignments/attention_layer.py"
    grade = Grade(found.submission, path, found.assignment, found.status, found.exercises)
    assert "\n".join(Terminal(False).report([grade])) + "\n" == BLOCKS[1]


def test_every_folder_is_named() -> None:
    rooms = [p for p in (root() / "autograder").iterdir() if (p / "__init__.py").exists()]
    assert rooms
    for room in rooms:
        assert f"`autograder/{room.name}/`" in README


@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
def test_nothing_else_stands_at_the_top() -> None:
    listed = subprocess.run(
        ["git", "ls-files"], cwd=root(), capture_output=True, text=True, check=True
    )
    top = {Path(name).parts[0] for name in listed.stdout.splitlines()}
    assert {name for name in top if not name.startswith(".")} == {
        "assignments", "solutions", "autograder", "tests",
        "Makefile", "README.md", "pyproject.toml", "LICENSE",
    }  # fmt: skip
