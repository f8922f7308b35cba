"""Import a file of checks, and say in which of its lines a mistake of its author is."""

from __future__ import annotations

import ast
import importlib
import sys
import traceback
from pathlib import Path
from types import ModuleType

from autograder import course
from autograder.course.exercise import ExerciseBroken
from autograder.errors import CourseError


def imported(path: Path) -> ModuleType:
    """Import a check file, which may import those of other assignments by name, as with pytest.

    Raises ExerciseBroken.
    """
    known = sys.modules.get(path.stem)
    if known and known.__file__ == str(path):
        return importlib.import_module(path.stem)  # waits for another thread that imports it
    sys.modules.pop(path.stem, None)  # of another course
    folders = [str(folder) for folder in {path.parent, *course.check_folders()}]
    sys.path[:0] = folders
    try:
        return importlib.import_module(path.stem)
    except Exception as error:
        where, said = _place(path, folders, error), str(error)
        if isinstance(error, ImportError):
            said = said.removesuffix(f" ({error.path})")  # a file of the engine
        if isinstance(error, SyntaxError):
            said = error.msg
        if not isinstance(error, CourseError):
            said = f"{type(error).__name__}: {said}. Correct this line."
        raise ExerciseBroken(f"{where}: {said}") from error
    finally:
        for folder in folders:
            sys.path.remove(folder)


def _place(path: Path, folders: list[str], error: Exception) -> str:
    """Return the file of checks and its line that raised an error of importing `path`."""
    walked = traceback.walk_tb(error.__traceback__)
    frames = [(frame.f_code.co_filename, line) for frame, line in walked]
    if isinstance(error, SyntaxError) and error.filename:
        frames.append((error.filename, error.lineno or 1))
    own = [(file, line) for file, line in frames if str(Path(file).parent) in folders]
    return "{}, line {}".format(*own[-1]) if own else str(path)


def assert_defined_once(path: Path, text: str) -> None:
    """Raise ExerciseBroken if two checks of a file have one name: Python keeps only the last."""
    first: dict[str, int] = {}
    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            if node.name in first:
                raise ExerciseBroken(
                    f"{path}, line {node.lineno}: {node.name} is defined in line "
                    f"{first[node.name]} too, and that check is lost. Rename one of the two."
                )
            first[node.name] = node.lineno
