"""Print the tree of the engine's errors, with the modules that define them."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Iterator
from types import ModuleType

import autograder
from autograder import errors
from autograder.errors import AutograderError

NO_MODULES = {"autograder.__main__", "autograder.nbgrader.nbgrader_config"}  # they run at once
WIDTH = 34  # of the column of names


def modules() -> Iterator[ModuleType]:
    """Yield all modules of the engine, imported."""
    for found in pkgutil.walk_packages(autograder.__path__, "autograder."):
        if found.name not in NO_MODULES and ".student_copy" not in found.name:
            yield importlib.import_module(found.name)


def lines(error: type[AutograderError] = AutograderError, depth: int = 0) -> Iterator[str]:
    """Yield a line for each error below this one, and for itself."""
    name = f"{'  ' * depth}{error.__name__}"
    if error.__module__ == errors.__name__:
        yield f"{name}: {inspect.cleandoc(error.__doc__ or '')}"
    else:
        yield f"{name:{WIDTH}}{error.__module__.removeprefix('autograder.')}"
    for below in sorted(error.__subclasses__(), key=lambda below: below.__name__):
        yield from lines(below, depth + 1)


if __name__ == "__main__":
    list(modules())
    print("\n".join(lines()))
