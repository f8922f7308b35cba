"""A student's own modules: which files they are, by their names, and how many there may be."""

from __future__ import annotations

import importlib.machinery
import os
import re
import sys
from collections.abc import Callable, Iterable
from functools import cache
from typing import TYPE_CHECKING

from autograder.course import assignments, root
from autograder.runtime.own_files import PACKAGE, composed

if TYPE_CHECKING:
    from autograder.runtime.source import Code

MODULE = re.compile(r".+\.py", re.IGNORECASE | re.DOTALL)
NOTEBOOK = re.compile(r".+\.ipynb", re.IGNORECASE | re.DOTALL)
ENDING = re.compile(r"\.(?:py|ipynb)\Z", re.IGNORECASE)
MOST = 200  # modules of one submission
MOST_TEXT = 500_000  # characters in all of them
RESERVED = {"autograder", "tests", "solutions", "assignments", "conftest", "submission"}


def dotted(name: str) -> str:
    """Return the name under which a file is imported: `helpers.masks` for `helpers/masks.py`."""
    return composed(ENDING.sub("", name)).removesuffix("/__init__").replace("/", ".")


def precedence(name: str) -> tuple[bool, str]:
    """Return a sort key of files: a package comes before a module of its name, as in Python."""
    return not name.endswith(f"/{PACKAGE}"), name


class Limit:
    """Limit how many own modules a submission may have, and how long they may be together."""

    def __init__(self, there: Iterable[Code]) -> None:
        sizes = [*map(_length, there)]
        self._modules, self._text = MOST - len(sizes), MOST_TEXT - sum(sizes)

    @property
    def remaining(self) -> int:
        """How many modules there may be more."""
        return max(0, self._modules) if self._text > 0 else 0

    def within(self, name: str, read: Callable[[], list[list[str]]]) -> list[list[str]]:
        """Return the code of a module; if it would be too much, code that raises ImportError."""
        code = read() if self.remaining else too_many(name)
        self._modules -= 1
        self._text -= _length(code)
        return code if self._text >= 0 else too_many(name)


def too_many(name: str) -> list[list[str]]:
    """Return the code of a module that cannot be imported because there are too many."""
    return [[name, f"raise ImportError({f'{name}: there are too many modules'!r})"]]


def _length(code: Code) -> int:
    return len(code) if isinstance(code, str) else sum(len(text) for _, text in code)


def is_free(name: str) -> bool:
    """Return whether a student's module may be imported by this name."""
    return name.isidentifier() and not is_taken(name)


@cache
def is_taken(name: str) -> bool:
    """Return whether a name is one of the course's modules, of Python's or of a library's.

    A student's module must not replace them.
    """
    if name in sys.stdlib_module_names or name in RESERVED or name in assignments():
        return True
    own = {"", os.getcwd(), str(root())}
    libraries = [path for path in sys.path if path not in own]
    return importlib.machinery.PathFinder.find_spec(name, libraries) is not None
