"""README.md and the guides show what the commands print, and README names every folder."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from documents import DOCUMENTS, EXAMPLE, output

from autograder.audit.corpus import KINDS
from autograder.course import root

README = (root() / "README.md").read_text(encoding="utf-8")
EXAMPLES = [
    example for path in DOCUMENTS for example in EXAMPLE.finditer(path.read_text(encoding="utf-8"))
]


DEAR = [example for example in EXAMPLES if "audit --exercise geometric" in example["command"]]


@pytest.mark.dear
def test_the_commands_print_what_is_shown() -> None:
    """If they do not: `make documents`. All are tried each time: no proof covers documents."""
    for example in EXAMPLES:
        if example not in DEAR:
            assert output(example) == example["output"], example["command"]


@pytest.mark.dear
def test_an_audit_prints_what_is_shown() -> None:
    assert len(DEAR) == 1
    assert output(DEAR[0]) == DEAR[0]["output"]


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


def test_the_guide_for_authors_is_linked_and_names_what_there_is() -> None:
    page = root() / "autograder" / "AUTHORS.md"
    text = page.read_text(encoding="utf-8")
    assert f"({page.relative_to(root()).as_posix()})" in README
    assert len(text.splitlines()) <= 250
    assert dict(re.findall(r"^\| `(\w+)` \| ([^|`]+) \|$", text, re.MULTILINE)) == KINDS
    makefile = (root() / "Makefile").read_text(encoding="utf-8")
    targets = {*re.findall(r"`(?:\$ )?make (\w+)", text)}
    assert {"exercise", "mistake", "audit"} <= targets
    assert targets <= {*re.findall(r"^(\w+):", makefile, re.MULTILINE)}
