"""Build the folder of the nbgrader course, or update it; submissions are not touched."""

from __future__ import annotations

import os
from collections.abc import Collection
from pathlib import Path

import nbformat

from autograder import course, parsing, whole_file
from autograder.checking.collect import collect
from autograder.course import assignments, sources
from autograder.errors import NbgraderError
from autograder.nbgrader import fallback
from autograder.nbgrader.configuration import EXCHANGE
from autograder.nbgrader.fallback import CONFIGURATION, FALLBACK
from autograder.nbgrader.notebooks import ids, source_notebook
from autograder.parsing import DamagedData
from autograder.submissions.source_text import MAX_NOTEBOOK

UNRELEASED = frozenset({".ipynb_checkpoints", "__pycache__"})  # nbgrader skips these
HANDED_IN = ("submitted", "autograded")


def build(target: Path) -> list[str]:
    """Write the configuration, if there is none, and what has changed of all else.

    The gradebook, the release and submissions are not touched. Returns a line for each file that
    was written, and for each fact that the instructor should know.
    Raises ExerciseBroken, CannotBeGraded, NbgraderError, OSError.
    """
    checks = collect()
    made = {name: source_notebook(name, checks) for name in assignments()}
    target.mkdir(parents=True, exist_ok=True)
    lines = _write_configuration(target)
    for name, notebook in made.items():
        folder = target / "source" / name
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{name}.ipynb"
        text = nbformat.writes(notebook) + "\n"
        if _existing(path) == text.encode():
            pass
        elif _is_in_use(target, name) and _existing_ids(path) not in (None, {*ids(notebook)}):
            lines.append(
                f"left {path.relative_to(target)} as it was: its exercises have changed, and "
                "there are submissions. nbgrader would refuse it and delete the release."
            )
        else:
            whole_file.write(path, text, 0o644, target)  # beside a notebook it could be released
            lines.append(f"wrote {path.relative_to(target)}")
        lines += _warnings(folder, path, target)
    return [*lines, *_left_out(target, made)]


def _left_out(target: Path, made: Collection[str]) -> list[str]:
    """Return a line for each source notebook of an assignment that the course leaves out."""
    return [
        f"source/{name} is of an assignment that course.toml leaves out. Delete it."
        for name in sources()
        if name not in made and (target / "source" / name / f"{name}.ipynb").exists()
    ]


def _write_configuration(target: Path) -> list[str]:
    exchange = target / EXCHANGE
    if not exchange.exists():
        exchange.mkdir()
        exchange.chmod(0o777)  # nbgrader requires it: students write there
    path, lines = target / CONFIGURATION, []
    if not path.exists():
        template = Path(__file__).parent / CONFIGURATION
        text = template.read_text(encoding="utf-8")
        if not course.is_default():
            text = text.replace("configure(c)", f"configure(c, {str(course.folder())!r})")
        whole_file.write(path, text, 0o644, target)
        lines = [f"wrote {CONFIGURATION}"]
    return [*lines, f"wrote {FALLBACK}"] if fallback.write(target) else lines


def _is_in_use(target: Path, name: str) -> bool:
    """Return whether there are submissions for this assignment."""
    return any(True for step in HANDED_IN for _ in target.glob(f"{step}/*/{name}"))


def _existing(path: Path) -> bytes | None:
    """Return the contents of a source notebook, None if there is none. Raises NbgraderError."""
    if not os.path.lexists(path):
        return None
    try:
        return parsing.read_linked(path, MAX_NOTEBOOK, bytes)
    except DamagedData as problem:
        raise NbgraderError(
            f"{path} cannot be read: {problem}. Move it away, and run make course again."
        ) from None


def _existing_ids(path: Path) -> set[str] | None:
    """Return the grade ids in the existing notebook; None if no notebook can be read."""
    try:
        return {*ids(nbformat.reads((_existing(path) or b"").decode(), as_version=4))}
    except Exception:  # nbformat raises many kinds for a damaged notebook
        return None


def _warnings(folder: Path, notebook: Path, target: Path) -> list[str]:
    """Return a warning for each other file next to a source notebook: students would get it."""
    others = sorted(p for p in folder.iterdir() if p != notebook and p.name not in UNRELEASED)
    return [
        f"{path.relative_to(target)} is not part of the kit, and students will get it with the "
        "release. If you do not want that, move it away."
        for path in others
    ]
