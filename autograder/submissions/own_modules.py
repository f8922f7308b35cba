"""Find a student's own modules: those that are imported from the assignments' files."""

from __future__ import annotations

import importlib.machinery
import os
import re
import sys
from collections.abc import Callable, Iterable
from functools import cache
from typing import TYPE_CHECKING

from autograder.course import assignments, root
from autograder.submissions.source_text import WRITES

if TYPE_CHECKING:
    from autograder.runtime.source import Code

PLACE = re.compile(r"(?:[^\W\d]\w*/){0,3}[^\W\d]\w*\.py", re.IGNORECASE)
WORD = re.compile(r"\w+")
MOST = 40  # modules of one submission
MOST_TEXT = 500_000  # characters in all of them
TAKEN = {"autograder", "tests", "solutions", "assignments", "conftest", "submission"}


def dotted(name: str) -> str:
    """Return the name under which a file is imported: `helpers.masks` for `helpers/masks.py`."""
    plain = name[: -len(".py")] if name.lower().endswith(".py") else name
    return plain.removesuffix("/__init__").replace("/", ".")


def importable(names: Iterable[str]) -> dict[str, list[str]]:
    """Return the files of a folder that can be imported, by the first part of their dotted names.

    Names of the course's modules, of Python's and of libraries are left out: a student's module
    must not replace them.
    """
    found: dict[str, list[str]] = {}
    for name in names:
        if PLACE.fullmatch(name):
            found.setdefault(dotted(name).partition(".")[0], []).append(name)
    return {first: files for first, files in found.items() if not _is_taken(first)}


def add_written(texts: dict[str, Code]) -> None:
    """Add the modules that the notebooks among the texts write with %%writefile.

    Such cells are comments by now, line by line.
    """
    for cells in [code for code in texts.values() if not isinstance(code, str)]:
        found: dict[str, str] = {}
        for _, text in cells:
            lines = text.split("\n")
            if not all(line.startswith("# ") for line in lines):
                continue
            own = "\n".join(line[len("# ") :] for line in lines)
            if begin := WRITES.match(own):
                before = found.get(begin["name"], "") if begin["more"] else ""
                found[begin["name"]] = f"{before}{own[begin.end() :]}\n"
        for name, text in found.items():
            if is_free(name):
                texts.setdefault(name, [[f"{name}.py", text]])


def add_own_modules(
    texts: dict[str, Code], names: Iterable[str], code: Callable[[str], list[list[str]]]
) -> None:
    """Add the files of a folder that the texts import, and the files that these import.

    A module that a notebook writes counts before a file of that name, which it would replace.
    names: relative to the folder. code: returns the code of one of them; if the file cannot be
    read, or there are too many, that code raises an ImportError that says so.
    """
    add_written(texts)
    remaining = importable(names)
    to_search = list(texts.values())
    count = sum(name not in assignments() for name in texts)
    budget = MOST_TEXT
    while to_search:
        importing = to_search.pop()
        words = _words(importing)
        mentioned = [first for first in remaining if first in words]
        for name in (name for first in mentioned for name in sorted(remaining.pop(first))):
            if dotted(name) in texts:  # it is the graded file or its other form, or written there
                continue
            count += 1
            own = code(name) if count <= MOST and budget > 0 else _too_many(name)
            budget -= sum(len(text) for _, text in own)
            texts[dotted(name)] = own if budget >= 0 else _too_many(name)
            to_search.append(texts[dotted(name)])
    for name in [*texts]:
        while name := name.rpartition(".")[0]:
            texts.setdefault(name, [])  # a folder without an __init__.py


def _too_many(name: str) -> list[list[str]]:
    return [[name, f'raise ImportError("{name}: there are too many modules")']]


def is_free(name: str) -> bool:
    """Return whether a student's module may be imported by this name."""
    return name.isidentifier() and not _is_taken(name)


@cache
def _is_taken(name: str) -> bool:
    if name in sys.stdlib_module_names or name in TAKEN or name in assignments():
        return True
    own = {"", os.getcwd(), str(root())}
    libraries = [path for path in sys.path if path not in own]
    return importlib.machinery.PathFinder.find_spec(name, libraries) is not None


def _words(code: Code) -> set[str]:
    """Return all names and other words in code."""
    texts = [code] if isinstance(code, str) else [text for _, text in code]
    return {word for text in texts for word in WORD.findall(text)}
