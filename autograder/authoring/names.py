"""Names of new exercises and assignments: which are free."""

from __future__ import annotations

import ast
import builtins
import keyword
import os
import re
import sys
from collections.abc import Iterable
from importlib.machinery import PathFinder

from autograder import course
from autograder.course import place, replaced
from autograder.errors import UsageError

LONGEST = 24  # characters of a name: a line of a report has a column of that width
EXERCISE = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)*")  # `__` separates parts of a name
ASSIGNMENT = re.compile(r"[a-z][a-z0-9]*(?:_[a-z0-9]+)*")
WORD = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")  # between two words


class CannotBegin(UsageError):
    """An exercise cannot be begun; the text says why and what to do."""


def check_exercise(name: str) -> None:
    """Raise CannotBegin if an exercise cannot have this name."""
    if not EXERCISE.fullmatch(name) or len(name) > LONGEST:
        raise CannotBegin(
            f"{name!r} is no name of an exercise. Use up to {LONGEST} letters, digits and single "
            "underscores, as in RMSNorm or running_mean."
        )
    if keyword.iskeyword(name) or hasattr(builtins, name):
        raise CannotBegin(f"{name} is a name of Python's own. Choose another one.")
    for other in sorted(course.exercises()):
        if other == name:
            raise CannotBegin(f"There is an exercise {name} already. Choose another name.")
        if other.lower() == name.lower():
            raise CannotBegin(
                f"There is an exercise {other}, which differs from {name} in capitals only. Choose "
                "another name."
            )
    if name in place.names():
        raise CannotBegin(f"{name} is the name of an assignment. Choose another one.")


def check_assignment(name: str) -> None:
    """Raise CannotBegin if there is no such assignment and there cannot be one."""
    if name in place.names():
        return
    if not ASSIGNMENT.fullmatch(name) or len(name) > LONGEST or keyword.iskeyword(name):
        raise CannotBegin(
            f"{name!r} is no name of an assignment. Use up to {LONGEST} small letters, digits and "
            "single underscores, as in attention_layer."
        )
    if name in course.exercises():
        raise CannotBegin(f"{name} is the name of an exercise. Choose another one.")
    if name.startswith("test_"):
        raise CannotBegin(f"{name} begins as the name of a file of checks. Choose another one.")
    if name == replaced.FOLDER:
        raise CannotBegin(f"{name} is the folder of texts of your own. Choose another name.")
    folder = course.folder() / name
    if os.path.lexists(folder):
        raise CannotBegin(
            f"{folder} is there, but is no assignment: it has no {name}.py. Move it away, or "
            "choose another name."
        )
    for module in (name, f"test_{name}"):  # both are imported by their names
        if module in sys.stdlib_module_names or PathFinder.find_spec(module):
            raise CannotBegin(
                f"{module} is the name of a module that Python or a package has. Choose another "
                "name of the assignment."
            )


def check_free(names: Iterable[str], text: str, file: str) -> None:
    """Raise CannotBegin if a module's text defines or imports one of these names."""
    taken = defined(text)
    for name in names:
        if name in taken:
            raise CannotBegin(f"{file} has the name {name} for something else. Choose another one.")


def defined(text: str) -> set[str]:
    """Return the names that a module's text defines or imports at its top level."""
    found: set[str] = set()
    for node in ast.parse(text).body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            found |= {(one.asname or one.name).partition(".")[0] for one in node.names}
        elif isinstance(node, ast.ClassDef | ast.FunctionDef):
            found.add(node.name)
        else:
            stored = (one for one in ast.walk(node) if isinstance(one, ast.Name))
            found |= {one.id for one in stored if isinstance(one.ctx, ast.Store)}
    return found


def in_checks(name: str) -> str:
    """Return what an exercise is called in the checks: rms_norm for RMSNorm."""
    small = "_".join(WORD.split(name)).lower()
    is_taken = keyword.iskeyword(small) or hasattr(builtins, small)
    return f"{small}_exercise" if is_taken else small
