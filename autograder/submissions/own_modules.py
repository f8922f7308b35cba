"""The modules that a student has written beside the assignments, and imports from them."""

from __future__ import annotations

import importlib.machinery
import os
import re
import sys
from collections.abc import Callable, Iterable
from functools import cache
from typing import TYPE_CHECKING

from autograder.course import assignments, root

if TYPE_CHECKING:
    from autograder.runtime.source import Code

PLACE = re.compile(r"(?:[^\W\d]\w*/){0,3}[^\W\d]\w*\.py", re.IGNORECASE)
MOST = 40  # modules of one submission
MOST_TEXT = 500_000  # characters in all of them
TAKEN = {"autograder", "tests", "solutions", "assignments", "conftest", "submission"}


def dotted(name: str) -> str:
    """The name under which a file is imported: `helpers.masks` for `helpers/masks.py`."""
    plain = name[: -len(".py")] if name.lower().endswith(".py") else name
    return plain.removesuffix("/__init__").replace("/", ".")


def importable(names: Iterable[str]) -> dict[str, list[str]]:
    """Of a folder's files those that can be imported from it, by the first part of their names.

    What the course, Python or a library calls so is not among them: it could take its place.
    """
    found: dict[str, list[str]] = {}
    for name in names:
        if PLACE.fullmatch(name):
            found.setdefault(dotted(name).partition(".")[0], []).append(name)
    return {first: files for first, files in found.items() if not _is_taken(first)}


def add_own_modules(
    texts: dict[str, Code], names: Iterable[str], code: Callable[[str], Code]
) -> None:
    """Add those of a folder's files that the texts import, and what these import in their turn.

    names: relative to the folder. code: reads one of them; where it cannot be read, it says so when
    it is imported, in its own name.
    """
    left = importable(names)
    speaking = list(texts.values())
    room = MOST_TEXT
    while speaking:
        spoken = [first for first in left if _speaks_of(first, speaking[-1])]
        speaking.pop()
        for name in (name for first in spoken for name in sorted(left.pop(first))):
            own = code(name)
            room -= sum(len(text) for _, text in own) if not isinstance(own, str) else len(own)
            if room < 0 or sum(1 for one in texts if one not in assignments()) > MOST:
                own = [[name, f'raise ImportError("{name}: there are too many modules")']]
            texts[dotted(name)] = [[name, own]] if isinstance(own, str) else own
            speaking.append(texts[dotted(name)])
    for name in [one for one in texts if "." in one]:
        texts.setdefault(name.rpartition(".")[0], [])  # a folder without an __init__.py


def is_free(name: str) -> bool:
    """May a student's module be imported by this name?"""
    return name.isidentifier() and not _is_taken(name)


@cache
def _is_taken(name: str) -> bool:
    if name in sys.stdlib_module_names or name in TAKEN or name in assignments():
        return True
    beside = {"", os.getcwd(), str(root())}
    libraries = [path for path in sys.path if path not in beside]
    return importlib.machinery.PathFinder.find_spec(name, libraries) is not None


def _speaks_of(name: str, code: Code) -> bool:
    texts = [code] if isinstance(code, str) else [text for _, text in code]
    return any(re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) for text in texts)
