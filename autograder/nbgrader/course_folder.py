"""Build the folder of the nbgrader course, or bring it up to date; students' work stays."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import nbformat

from autograder import course
from autograder.checking.collect import collect
from autograder.course import assignments
from autograder.nbgrader.configuration import CONFIGURATION, EXCHANGE
from autograder.nbgrader.notebooks import ids, source_notebook

UNRELEASED = frozenset({".ipynb_checkpoints", "__pycache__"})  # what nbgrader passes over
HANDED_IN = ("submitted", "autograded")


def build(target: Path) -> list[str]:
    """Write the configuration, if there is none, and the source notebooks that have changed.

    Nothing else is touched: no gradebook, no release, nothing of students. Returns a sentence for
    each file that was written, and for each thing that the instructor should know. Raises
    CheckBroken, CannotBeGraded, OSError.
    """
    checks = collect()
    made = {name: source_notebook(name, checks) for name in assignments()}
    target.mkdir(parents=True, exist_ok=True)
    said = _write_configuration(target)
    for name, notebook in made.items():
        folder = target / "source" / name
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{name}.ipynb"
        text = nbformat.writes(notebook) + "\n"
        if path.exists() and path.read_bytes() == text.encode():
            pass
        elif _is_in_use(target, name) and _ids_there(path) not in (None, {*ids(notebook)}):
            said.append(
                f"left {path.relative_to(target)} as it was: its exercises have changed, and "
                "there are submissions. nbgrader would refuse it and delete the release."
            )
        else:
            _replace(path, text, target)
            said.append(f"wrote {path.relative_to(target)}")
        said += _foreign(folder, path, target)
    return said


def _write_configuration(target: Path) -> list[str]:
    exchange = target / EXCHANGE
    if not exchange.exists():
        exchange.mkdir()
        exchange.chmod(0o777)  # as nbgrader wants it: students write there
    path = target / CONFIGURATION
    if path.exists():
        return []
    template = Path(__file__).parent / CONFIGURATION
    text = template.read_text(encoding="utf-8")
    if not course.is_default():
        text = text.replace("configure(c)", f"configure(c, {str(course.folder())!r})")
    _replace(path, text, target)
    return [f"wrote {CONFIGURATION}"]


def _is_in_use(target: Path, name: str) -> bool:
    """Has anyone handed in this assignment?"""
    return any(True for step in HANDED_IN for _ in target.glob(f"{step}/*/{name}"))


def _ids_there(path: Path) -> set[str] | None:
    """The names of the cells in the notebook that is there; None if there is none to be read."""
    try:
        return {*ids(nbformat.read(path, as_version=4))}
    except Exception:  # what nbformat raises for damage is of many kinds
        return None


def _foreign(folder: Path, ours: Path, target: Path) -> list[str]:
    """Of each thing beside a source notebook: nbgrader would give it to students."""
    beside = sorted(p for p in folder.iterdir() if p != ours and p.name not in UNRELEASED)
    return [
        f"{path.relative_to(target)} is not of the kit, and students will get it with the "
        "release. If that is not meant, move it away."
        for path in beside
    ]


def _replace(path: Path, text: str, target: Path) -> None:
    """Write a file so that it is whole at any time.

    What is unfinished lies in the target: beside a notebook it could be released.
    """
    descriptor, unfinished = tempfile.mkstemp(dir=target, prefix=".unfinished-")
    try:
        with open(descriptor, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
        os.chmod(unfinished, 0o644)
        os.replace(unfinished, path)
    except BaseException:
        os.unlink(unfinished)
        raise
