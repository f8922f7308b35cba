"""Give an exercise back its first text, and keep a copy of what was written."""

from __future__ import annotations

import ast
import json
import shutil
from pathlib import Path
from typing import Any

from autograder import parsing, whole_file
from autograder.course import DEFINED, assignments, root, skeleton
from autograder.errors import UsageError
from autograder.parsing import DamagedData
from autograder.submissions.source_text import MAX_NOTEBOOK


class CannotReset(UsageError):
    """An exercise cannot be reset; the text says why. Nothing was changed."""


def reset(exercise: str, path: Path) -> Path:
    """Reset an exercise in a module or a notebook. Returns the path of the copy made before.

    Raises CannotReset.
    """
    stub = _stub(exercise)
    try:
        text = parsing.read_linked(path, MAX_NOTEBOOK, parsing.text)
        new = _in_notebook if path.suffix == ".ipynb" else _in_module
        changed = new(text, exercise, stub)
        copy = _copied(path)
        whole_file.write(path, changed, mode=path.stat().st_mode & 0o777)
    except (RecursionError, MemoryError):  # of Python's own parser as well
        raise CannotReset(f"{path} is nested too deeply. Nothing was changed.") from None
    except (DamagedData, OSError, ValueError, SyntaxError, KeyError, TypeError) as problem:
        raise CannotReset(f"{path} cannot be reset: {problem}. Nothing was changed.") from None
    return copy


def _stub(exercise: str) -> str:
    """Return the text with which students begin an exercise."""
    for name in assignments():
        for node in ast.parse(text := skeleton(name)).body:
            if getattr(node, "name", "") == exercise:
                return _lines(text, node)
    raise CannotReset(f"No assignment defines {exercise}.")


def _in_module(text: str, exercise: str, stub: str) -> str:
    """Return a module with the stub in place of the exercise. Raises ValueError."""
    found = [node for node in ast.parse(text).body if getattr(node, "name", "") == exercise]
    if len(found) != 1:
        raise ValueError(f"it defines {exercise} {len(found)} times")
    return text.replace(_lines(text, found[0]), stub, 1)


def _in_notebook(text: str, exercise: str, stub: str) -> str:
    """Return a notebook with the stub in the cell that defines the exercise. Raises ValueError."""
    made: dict[str, Any] = json.loads(text)
    found = [
        cell
        for cell in made["cells"]
        if cell["cell_type"] == "code" and exercise in DEFINED.findall("".join(cell["source"]))
    ]
    if len(found) != 1:
        raise ValueError(f"it defines {exercise} in {len(found)} cells")
    source = _in_module("".join(found[0]["source"]), exercise, stub)
    found[0]["source"] = source.splitlines(keepends=True)
    return json.dumps(made, indent=1, ensure_ascii=False) + "\n"


def _lines(text: str, node: ast.stmt) -> str:
    """Return the lines of a definition, with its decorators."""
    decorators = getattr(node, "decorator_list", [])
    first = min([node.lineno, *(one.lineno for one in decorators)])
    return "".join(text.splitlines(keepends=True)[first - 1 : node.end_lineno])


def _copied(path: Path) -> Path:
    """Copy a file to the folder of backups, under a name that is free. Raises OSError."""
    folder = root() / "backups"
    folder.mkdir(exist_ok=True)
    taken = {one.name for one in folder.iterdir()}
    numbered = (f"{path.stem}-{number}{path.suffix}" for number in range(1, len(taken) + 2))
    copy = folder / next(name for name in numbered if name not in taken)
    shutil.copy2(path, copy)
    return copy
