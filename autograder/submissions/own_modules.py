"""Find a student's own modules: those that are imported from the assignments' files."""

from __future__ import annotations

import importlib.machinery
import itertools
import keyword
import os
import posixpath
import re
import sys
from collections.abc import Callable, Iterable
from functools import cache
from typing import TYPE_CHECKING

from autograder.course import assignments, root

if TYPE_CHECKING:
    from autograder.runtime.source import Code

DEEPEST = 3  # folders that a module may be in
PLACE = re.compile(rf"(?:[^\W\d]\w*/){{0,{DEEPEST}}}[^\W\d]\w*\.py", re.IGNORECASE)
PACKAGE = "__init__.py"  # is usually empty
WORD = re.compile(r"\w+")
SEARCHED = re.compile(
    r"\bsys\.path(?:\.(?:append|extend|insert)\(|\s{0,9}\+=)\s{0,99}(?P<first>0\s{0,9},\s{0,99})?"
)
# A text, or a variable: no function, no attribute, no name of an argument.
PIECE = re.compile(
    r"""["'](?P<text>[^"'\n]{1,200})["']|(?<![\w.])(?P<name>[^\W\d]\w*)(?![\w(]|\s*=)"""
)
COMMENT = re.compile(r"^[ \t]*#.*\n?", re.MULTILINE)
ABOVE = re.compile(r"^(?:\.\.(?:/|$))+")  # what is above the top folder, which may lie deeper
MOST_SEARCHED = 20  # folders
LONGEST = 500  # characters of an expression that names a folder
MOST = 40  # modules of one submission
MOST_TEXT = 500_000  # characters in all of them
RESERVED = {"autograder", "tests", "solutions", "assignments", "conftest", "submission"}


def dotted(name: str) -> str:
    """Return the name under which a file is imported: `helpers.masks` for `helpers/masks.py`."""
    plain = name[: -len(".py")] if name.lower().endswith(".py") else name
    return plain.removesuffix("/__init__").replace("/", ".")


def precedence(name: str) -> tuple[bool, str]:
    """Return a sort key of files: a package comes before a module of its name, as in Python."""
    return not name.endswith(f"/{PACKAGE}"), name


def importable(names: Iterable[str]) -> dict[str, list[str]]:
    """Return the files of a folder that can be imported, by the first part of their dotted names.

    Names of the course's modules, of Python's and of libraries are left out: a student's module
    must not replace them.
    """
    found: dict[str, list[str]] = {}
    for name in sorted(names, key=precedence):
        if PLACE.fullmatch(name):
            found.setdefault(dotted(name).partition(".")[0], []).append(name)
    return {first: files for first, files in found.items() if not _is_taken(first)}


def add_own_modules(
    texts: dict[str, Code], names: Iterable[str], code: Callable[[str], list[list[str]]]
) -> None:
    """Add the files of a folder that the texts import, and the files that these import.

    names: relative to the folder. code: returns the code of one of them; if the file cannot be
    read, or there are too many, that code raises an ImportError that says so.
    """
    remaining = importable(names)
    to_search = list(texts.values())
    count = sum(name not in assignments() for name in texts)
    budget = MOST_TEXT
    while to_search:
        importing = to_search.pop()
        words = _words(importing)
        mentioned = [first for first in remaining if first in words]
        for name in (name for first in mentioned for name in remaining.pop(first)):
            if dotted(name) in texts:  # it is the graded file or its other form, or written there
                continue
            count += 1
            own = code(name) if count <= MOST and budget > 0 else too_many(name)
            budget -= sum(len(text) for _, text in own)
            texts[dotted(name)] = own if budget >= 0 else too_many(name)
            to_search.append(texts[dotted(name)])


def searched(texts: Iterable[Code], folder: str, top: str, first: bool) -> list[str]:
    """Return the folders that code in this one may add to sys.path, whose names stand in it.

    Several texts in one expression are each a folder, or its parts. They are relative to the folder
    or to the top one. first: those that are put before all others, not those after them.
    """
    found: list[str] = []
    for text in (text for code in texts for text in _texts(code)):
        text = COMMENT.sub("", text)
        for change in itertools.islice(SEARCHED.finditer(text), MOST_SEARCHED):
            parts = _named_in(text, change.end())
            if parts and bool(change["first"]) is first:
                found += [posixpath.join(base, *parts) for base in (folder, top)]
                found += [posixpath.join(folder, part) for part in parts]
    places = [ABOVE.sub("", posixpath.normpath(place)) for place in found[:MOST_SEARCHED]]
    return [one for one in dict.fromkeys(places) if one not in ("", ".") and one[0] != "/"]


def _named_in(text: str, start: int, depth: int = 2) -> list[str]:
    """Return the texts in the expression at a place, and in what its variables are set to before.

    depth: how many variables are followed, each set to an expression with the next one.
    """
    found: list[str] = []
    for piece in PIECE.finditer(_expression(text, start)):
        name = piece["name"]
        if not name:
            found.append(piece["text"])
        elif depth and not keyword.iskeyword(name):
            known = rf"(?<![\w.]){name}[ \t]*(?::[^=\n]*)?=(?!=)|\bfor[ \t]+{name}[ \t]+in\b"
            bound = [one.end() for one in re.finditer(known, text[:start])]
            found += _named_in(text, bound[-1], depth - 1) if bound else []
    return found[:MOST_SEARCHED]


def _expression(text: str, start: int) -> str:
    """Return the expression that begins at a place: up to its line's end, or a closing bracket."""
    depth = 0
    for end in range(start, min(len(text), start + LONGEST)):
        depth += (text[end] in "([{") - (text[end] in ")]}")
        if depth < 0 or (depth == 0 and text[end] == "\n"):
            return text[start:end]
    return text[start : start + LONGEST]


def add_folders(texts: dict[str, Code]) -> None:
    """Add the folders of modules that have no __init__.py, as empty packages."""
    for name in [*texts]:
        while name := name.rpartition(".")[0]:
            texts.setdefault(name, [])


def too_many(name: str) -> list[list[str]]:
    """Return the code of a module that cannot be imported because there are too many."""
    return [[name, f'raise ImportError("{name}: there are too many modules")']]


def is_free(name: str) -> bool:
    """Return whether a student's module may be imported by this name."""
    return name.isidentifier() and not _is_taken(name)


@cache
def _is_taken(name: str) -> bool:
    if name in sys.stdlib_module_names or name in RESERVED or name in assignments():
        return True
    own = {"", os.getcwd(), str(root())}
    libraries = [path for path in sys.path if path not in own]
    return importlib.machinery.PathFinder.find_spec(name, libraries) is not None


def _words(code: Code) -> set[str]:
    """Return all names and other words in code."""
    return {word for text in _texts(code) for word in WORD.findall(text)}


def _texts(code: Code) -> list[str]:
    return [code] if isinstance(code, str) else [text for _, text in code]
