"""Build the students' copy of the course, which grades by itself and contains no answers."""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from string import Template

import torch

from autograder.checking.collect import BEGIN, END, Checks, collect
from autograder.course import (
    RECORDED,
    Declaration,
    assignments,
    check_files,
    check_folders,
    declared,
    readme,
    text_of,
)
from autograder.course.declaration import ExerciseChoice, written
from autograder.course.place import DECLARATION, ENGINE, symptoms_file
from autograder.kit.assignments import texts
from autograder.kit.recording import recorded
from autograder.submissions.source_text import form

TEMPLATES = Path(__file__).parent / "student_copy"  # the copy's README and test
ROOMS = (
    "checking",
    "child",
    "cli",
    "client",
    "course",
    "diagnosis",
    "grading",
    "kit",
    "notebook",
    "report",
    "resident",
    "runtime",
    "sandbox",
    "submissions",
)
MODULES = (
    "__init__.py",
    "__main__.py",
    "constraints.txt",
    "cpu_limit.py",
    "environment.py",
    "errors.py",
    "file_lock.py",
    "interrupts.py",
    "parsing.py",
    "plain_file.py",
    "whole_file.py",
)
UNWANTED = {  # files and folders of ROOMS that are left out
    "cli": ("export.py",),
    "course": ("secret_file.py",),
    "diagnosis": ("live",),
    "kit": ("assignments.py", "build.py", "notebook.py", "recording.py", "student_copy"),
}
INSTRUCTORS = "# For instructors"  # ends the students' part of the Makefile
IMPORTED = re.compile(r"^(?:from|import) (test_\w+)", re.MULTILINE)
HIDDEN = re.compile(rf"^{BEGIN}$.*?^{END}$\n?", re.MULTILINE | re.DOTALL)
IGNORED = ".venv/\nbackups/\nhand-in/\n__pycache__/\n*.egg-info/\n.ipynb_checkpoints/\n"


def build(target: Path, done: Callable[[int, int], None] = lambda count, total: None) -> Path:
    """Build a student's copy at `target`, and replace an older one when all is done.

    done: called with how many of all assignments are recorded, which takes seconds for each.
    """
    torch.set_num_threads(1)  # as in grading, so that recordings match to the last bit
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent) as folder:
        made = Path(folder) / "kit"
        _write_engine(made)
        _write_assignments(made, done)
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
        unwanted = shutil.ignore_patterns("__pycache__", "*.pyc", *UNWANTED.get(room, ()))
        shutil.copytree(ENGINE / room, kit / ENGINE.name / room, ignore=unwanted)
    for name in MODULES:
        shutil.copy(ENGINE / name, kit / ENGINE.name / name)
    for name in ("pyproject.toml", "LICENSE"):
        shutil.copy(ENGINE.parent / name, kit / name)
    _write(kit / "README.md", _readme())
    _write(kit / "tests" / "test_kit.py", (TEMPLATES / "kit.py").read_text(encoding="utf-8"))
    makefile = (ENGINE.parent / "Makefile").read_text(encoding="utf-8")
    _write(kit / "Makefile", makefile.split(INSTRUCTORS)[0])
    _write(kit / ".gitignore", IGNORED)


def _readme() -> str:
    """Return the copy's README: the instructor's own, or one with examples of this course."""
    if own := readme():
        return own
    order = assignments()
    first = collect().exercises(order[0])[0]
    template = Template((TEMPLATES / "README.md").read_text(encoding="utf-8"))
    return template.substitute(
        title=declared().title, first=order[0], exercise=first.name, last=order[-1]
    )


def _write_assignments(kit: Path, done: Callable[[int, int], None]) -> None:
    answers = kit / ENGINE.name / RECORDED.name
    for name, text in texts().items():
        _write(kit / "assignments" / name, text)
        if form(name):
            _write(answers / name, text)
    _write(answers / DECLARATION, written(_of_copy(declared(), collect())))
    for path in _with_imported(check_files()):
        visible = HIDDEN.sub("", text_of(path))
        _write(answers / "checks" / path.name, visible)
    for name in assignments():
        if symptoms_file(name).exists():
            shutil.copy(symptoms_file(name), answers / f"{name}.toml")
    for count, name in enumerate(assignments()):
        done(count, len(assignments()))
        found = recorded(name)
        (answers / f"{name}.replies").write_bytes(found.replies)
        (answers / f"{name}.traces").write_bytes(found.traces)
    done(len(assignments()), len(assignments()))


def _of_copy(declared: Declaration, checks: Checks) -> Declaration:
    """Return the declaration of a student's copy, with the points of each visible check."""
    chosen = {name for name, one in declared.exercises.items() if one.points is not None}
    points: dict[str, dict[str, float]] = {name: {} for name in chosen}
    for one in checks.collected:
        if one.visible and one.check.exercise.name in chosen:
            points[one.check.exercise.name][one.name] = one.check.points
    left_out = {name: ExerciseChoice(leave_out=True) for name in declared.left_out()}
    return replace(
        declared,
        assignments={name: one for name, one in declared.assignments.items() if not one.leave_out},
        exercises={**left_out, **{name: ExerciseChoice(points=p) for name, p in points.items()}},
    )


def _with_imported(files: Iterable[Path]) -> list[Path]:
    """Return check files and all from which they import, such as of an assignment left out."""
    known = {path.stem: path for folder in check_folders() for path in folder.glob("test_*.py")}
    found = [*files]
    for path in found:  # which grows
        named = IMPORTED.findall(text_of(path))
        found += [known[name] for name in named if name in known and known[name] not in found]
    return found


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="\n")
