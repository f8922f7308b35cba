"""README.md and INSTRUCTORS.md show what the commands print, and README names every folder."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from documents import DOCUMENTS, EXAMPLE, output

from autograder.course import root

README = (root() / "README.md").read_text(encoding="utf-8")
EXAMPLES = [
    example for path in DOCUMENTS for example in EXAMPLE.finditer(path.read_text(encoding="utf-8"))
]


def test_the_commands_print_what_is_shown() -> None:
    """If they do not: `make documents`. All are tried each time: no proof covers documents."""
    for example in EXAMPLES:
        assert output(example) == example["output"], example["command"]


def test_each_document_has_examples() -> None:
    """No marker is passed over because it is written in another way."""
    for path in DOCUMENTS:
        text = path.read_text(encoding="utf-8")
        assert len(EXAMPLE.findall(text)) == text.count("<!-- output of:") > 0


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
