"""Build the copy of the course that students take home: it grades itself and holds no answers."""

from __future__ import annotations

import re
import shutil
import tempfile
from pathlib import Path

import torch

from autograder import course
from autograder.course import CHECKS, ROOT, assignments
from autograder.grading.collect import BEGIN, END, collect
from autograder.release.assignments import texts
from autograder.release.recording import replies, traces

TEMPLATES = Path(__file__).parent / "student_copy"  # its README and its test
ROOMS = (
    "channel",
    "child",
    "comparison",
    "diagnosis",
    "feedback",
    "grading",
    "ingest",
    "sandbox",
    "student",
    "verbs",
)
MODULES = ("__init__.py", "__main__.py", "course.py", "exercise.py")
INSTRUCTORS = "# For instructors"  # where students' part of the Makefile ends
HIDDEN = re.compile(rf"^{BEGIN}$.*?^{END}$\n?", re.MULTILINE | re.DOTALL)
IGNORED = ".venv/\nhand-in/\n__pycache__/\n*.egg-info/\n.ipynb_checkpoints/\n"


def build(target: Path) -> Path:
    """Build a student's copy at `target`; what stood there is replaced when all is done."""
    torch.set_num_threads(1)  # as in grading, so that what is recorded is the same to the last bit
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent) as folder:
        made = Path(folder) / "kit"
        _write_engine(made)
        _write_assignments(made)
        before = Path(folder) / "before"
        if target.exists():
            target.rename(before)
        try:
            made.rename(target)
        except BaseException:
            if before.exists():
                before.rename(target)
            raise
    return target


def _write_engine(kit: Path) -> None:
    for room in ROOMS:
        unwanted = shutil.ignore_patterns("__pycache__", "*.pyc", "live")
        shutil.copytree(ROOT / "autograder" / room, kit / "autograder" / room, ignore=unwanted)
    for name in MODULES:
        shutil.copy(ROOT / "autograder" / name, kit / "autograder" / name)
    for name in ("pyproject.toml", "LICENSE"):
        shutil.copy(ROOT / name, kit / name)
    _write(kit / "README.md", (TEMPLATES / "README.md").read_text(encoding="utf-8"))
    _write(kit / "tests" / "test_kit.py", (TEMPLATES / "kit.py").read_text(encoding="utf-8"))
    _write(kit / "Makefile", (ROOT / "Makefile").read_text(encoding="utf-8").split(INSTRUCTORS)[0])
    _write(kit / ".gitignore", IGNORED)


def _write_assignments(kit: Path) -> None:
    for name, text in texts().items():
        _write(kit / "assignments" / name, text)
        if name != "README.md":
            _write(kit / "autograder" / course.RECORDED.name / name, text)
    for path in (CHECKS / "__init__.py", CHECKS / "conftest.py", *CHECKS.glob("test_*.py")):
        visible = HIDDEN.sub("", path.read_text(encoding="utf-8"))
        _write(kit / "autograder" / CHECKS.name / path.name, visible)
    checks = collect(CHECKS)
    for name in assignments():
        recording = kit / "autograder" / course.RECORDED.name / f"{name}.replies"
        recording.write_bytes(replies(checks, name))
        recording.with_suffix(".traces").write_bytes(traces(name))


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="\n")
