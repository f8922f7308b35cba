"""Notes the files of a student's own that a session has imported or run, as they were then."""

from __future__ import annotations

import ast
import importlib.util
import math
import os
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from autograder.notebook.cell_names import bound_in, reached
from autograder.notebook.importing import file_of
from autograder.notebook.stopped import body
from autograder.runtime.commands import options_and_words, path_of
from autograder.submissions.files import Unreadable
from autograder.submissions.imports import imports
from autograder.submissions.pasted import as_code
from autograder.submissions.source_text import code_lines, form, read_source

AUTORELOAD = "IPython.extensions.autoreload"
CHANGED = (
    "{} has changed since this kernel imported it: graded is the new text, and your cells use the "
    "old one. Reload it, or restart the kernel and run the cells again."
)
RAN = (
    "{} has changed since %run ran it: run that cell again, so that your cells and the verdict use "
    "the same text."
)
OLD = (
    "{} is still what {} had before it was reloaded: graded is the new text. Run the cell that "
    "imports {} again."
)


class Noted(NamedTuple):
    """An imported module. spec: its ModuleSpec, which a reload replaces.

    lines: of the code that was imported; None if that is not sure. is_reloaded: it had others
    before.
    """

    spec: object
    lines: list[str] | None
    is_reloaded: bool = False


class OwnImports:
    """Notes own files before and after each cell; see `changed`. folder: that holds them.

    What a cell has imported or run is sure if the file was not written since the cell began. Of a
    module that was imported before, it is if the module was compiled from the file as it is.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._noted: dict[str, Noted] = {}
        self._ran: dict[Path, list[str] | None] = {}  # lines of the scripts of %run
        self._time = 0.0  # of the last call of `note`
        self.note()

    def note(self, happened: object = None) -> None:
        """Note what was imported, reloaded or run since the last call.

        happened: after a cell, IPython's ExecutionResult.
        """
        now = time.time()
        for name, spec, file in self._imported():
            before = self._noted.get(name)
            if not before or before.spec is not spec:
                lines = _lines(file, self._time) if self._time else _compiled_lines(file)
                is_reloaded = bool(before and _differ(before.lines, lines))
                self._noted[name] = Noted(spec, lines, is_reloaded)
        text = getattr(getattr(happened, "info", None), "raw_cell", None) or ""
        for file in _scripts(as_code(text)) if "run" in text else ():
            if self._is_own(str(file)) and file.is_file():
                self._ran[file] = _lines(file, self._time)
        self._time = now

    def changed(self, exercise: str, texts: Sequence[str], names: Mapping[str, object]) -> str:
        """Return a sentence about the first file that an exercise uses and that has changed, or "".

        With %autoreload, which takes the new code by itself, it says nothing of modules.
        texts: of the cells that were run. names: those of the notebook.
        """
        self.note()
        ran = {file: "\n".join(lines or _lines(file) or ()) for file, lines in self._ran.items()}
        everything = [*texts, *ran.values()]
        needed = reached(everything, {exercise})
        for file, before in self._ran.items():
            if needed & bound_in(ran[file]) and _differ(before, _lines(file)):
                return RAN.format(file.relative_to(self._folder))
        if AUTORELOAD in sys.modules:
            return ""
        bound = [one for text in everything for one in _bound_by_imports(text, needed)]
        for name, file in self._used({module for module, _, _ in bound}).items():
            now = file_of(name) or file  # an assignment may have been written in its other form
            shown = now.relative_to(self._folder)
            if _differ(self._noted[name].lines, _lines(now)):
                return CHANGED.format(shown)
            if self._noted[name].is_reloaded:
                for module, part, own in bound:
                    if module == name and part and _is_old(names.get(own), name, part):
                        return OLD.format(own, shown, own)
        return ""

    def _used(self, modules: set[str]) -> dict[str, Path]:
        """Return the own files among imported modules, and those that they import, by their names.

        modules: their names.
        """
        known = {name: file for name, _, file in self._imported()}
        found: dict[str, Path] = {}
        while new := {name: file for name, file in known.items() if name in modules - {*found}}:
            found |= new
            words = {word for file in new.values() for word in _imports(file)}
            modules = {name for name in known if name.rpartition(".")[2] in words} | modules
        return found

    def _imported(self) -> Iterator[tuple[str, object, Path]]:
        """Yield the name, the spec and the file of each own module."""
        for name, module in [*sys.modules.items()]:
            spec: Any = getattr(module, "__dict__", {}).get("__spec__")
            file = getattr(spec, "origin", None)
            if isinstance(file, str) and self._is_own(file):
                yield name, spec, Path(file)

    def _is_own(self, file: str) -> bool:
        return file.startswith(f"{self._folder}{os.sep}") and bool(form(os.path.basename(file)))


def _differ(before: list[str] | None, now: list[str] | None) -> bool:
    """Return whether a file has other lines than before, if both are known."""
    return before is not None and now is not None and before != now


def _is_old(value: object, module: str, part: str) -> bool:
    """Return whether a class or a function was part of a module, before it was reloaded."""
    is_its = getattr(value, "__module__", None) == module
    return is_its and value is not getattr(sys.modules.get(module), part, value)


def _bound_by_imports(text: str, names: set[str]) -> Iterator[tuple[str, str, str]]:
    """Yield module, part and own name of what the imports in a text bind to these names.

    The part is "" if it is the module itself.
    """
    for node in (node for statement in body(text) for node in ast.walk(statement)):
        if isinstance(node, ast.Import):
            for one in node.names:
                if (one.asname or one.name.partition(".")[0]) in names:
                    yield one.name, "", one.asname or one.name
        elif isinstance(node, ast.ImportFrom) and node.module:
            for one in node.names:
                if one.name == "*" or (one.asname or one.name) in names:
                    yield node.module, one.name, one.asname or one.name
                    yield f"{node.module}.{one.name}", "", one.asname or one.name


def _scripts(text: str) -> Iterator[Path]:
    """Yield the files that a cell runs with %run."""
    for node in (node for statement in body(text) for node in ast.walk(statement)):
        match node:
            case ast.Call(
                func=ast.Attribute(attr="run_line_magic"),
                args=[ast.Constant("run"), ast.Constant(str() as given)],
            ):
                _, words = options_and_words(given)
                yield from (Path(os.path.abspath(path_of(word))) for word in words[:1])


def _imports(file: Path) -> set[str]:
    """Return the words in the lines of a file that import."""
    try:
        return imports(read_source(file))
    except Unreadable:
        return set()


def _lines(file: Path, written_before: float = math.inf) -> list[str] | None:
    """Return the lines of code in a file; None if it was written later or cannot be read."""
    try:
        lines = code_lines(read_source(file))
        return lines if file.stat().st_mtime < written_before else None
    except (Unreadable, OSError):
        return None


def _compiled_lines(file: Path) -> list[str] | None:
    """Return the lines of code from which a module was compiled; none if it was another text.

    None if that is not sure.
    """
    try:
        head = Path(importlib.util.cache_from_source(str(file))).read_bytes()[:16]
        found = file.stat()
    except (OSError, NotImplementedError):
        return None
    if sys.dont_write_bytecode or head[4:8] != bytes(4):  # compiled without the time of the file
        return None
    written = [int(found.st_mtime), found.st_size]
    is_same = written == [int.from_bytes(head[at : at + 4], "little") for at in (8, 12)]
    return _lines(file) if is_same else []
