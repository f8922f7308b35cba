"""Tell the own files that a notebook imports or runs, and that have changed since then."""

from __future__ import annotations

import ast
import importlib.util
import math
import os
import sys
import time
from collections.abc import Iterator, Mapping, Sequence, Set
from functools import cache, lru_cache
from pathlib import Path
from types import FunctionType
from typing import Any, NamedTuple

from autograder.course.place import ENGINE
from autograder.notebook.cell_names import bound_in, last_makers, makers, reached
from autograder.notebook.former import is_as_now, made_otherwise
from autograder.notebook.importing import file_of
from autograder.notebook.ran import Ran, Version
from autograder.notebook.stopped import body
from autograder.runtime.commands import options_and_words, path_of
from autograder.runtime.statements import bound
from autograder.submissions.files import Unreadable
from autograder.submissions.imports import imports
from autograder.submissions.kinds import IGNORED
from autograder.submissions.source_text import code_lines, form, of_cells, read_source
from autograder.submissions.written import written

CHANGED = (
    "{} has changed since this kernel imported it: graded is the new text, and your cells use the "
    "old one. Reload it, or restart the kernel and run the cells again."
)
WRITTEN = (
    "{} has changed since %%writefile wrote it: graded is what that cell writes, and your cells "
    "use the new text. Make the change in that cell, and run it."
)
RAN = (
    "{} has changed since %run ran it: run that cell again, so that your cells and the verdict use "
    "the same text."
)
OLD = (
    "{0} is still what {1} had before it was reloaded: graded is the new text. Run the cell that "
    "makes {0} again."
)
FAILED = (
    "{0} is not there in this kernel, since importing {1} stopped at an error: graded is what that "
    "file defines nevertheless. Correct it, and run the cell that imports {0} again."
)


class Noted(NamedTuple):
    """An imported module. spec: its ModuleSpec, which a reload replaces.

    version: the code that was imported. time: of the file that %autoreload has taken, if it has.
    is_updated: it has, in place of an older one, and has updated the functions and classes of that.
    """

    spec: object
    version: Version
    time: float | None = None
    is_updated: bool = False


class OwnImports:
    """Notes own files before and after each cell; see `changed`. folder: that holds them.

    What a cell has imported or run is sure if the file was not written since the cell began. Of a
    module that was imported before, it is if the module was compiled from the file as it is.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._below = f"{folder}{os.sep}"
        installed = (f"{one}{os.sep}" for one in (sys.prefix, sys.base_prefix, ENGINE))
        self._installed = tuple(one for one in installed if one.startswith(self._below))
        self._noted: dict[str, Noted] = {}
        self._files: dict[str, Path] = {}  # of the own modules
        self._ran: dict[Path, Version] = {}  # the scripts of %run
        self._time = 0.0  # of the last call of `note`
        self.note()

    def note(
        self, text: str = "", is_between: bool = False, times: Mapping[str, float] | None = None
    ) -> None:
        """Note what was imported, reloaded or run since the last call.

        text: of the cell that has run. is_between: none has, so that what was reloaded was so just
        now. times: those of the files that %autoreload has taken, by the names of the modules.
        """
        now = time.time()
        since = now if is_between else self._time
        imported = [*self._imported()]
        self._files = {name: file for name, _, file in imported}
        # Until the next call, each file is read once.
        self._lines, self._words, self._file_of = cache(_lines), cache(_imports), cache(file_of)
        for name, spec, file in imported:
            before, taken = self._noted.get(name), (times or {}).get(name)
            is_taken = before is not None and before.time not in (None, taken)
            if not before or before.spec is not spec or is_taken:
                found = _lines(file, since) if self._time else _compiled_lines(file)
                is_kept = before and found is not None and not _is_readable(found)
                self._noted[name] = Noted(spec, before.version if before and is_kept else found)
            is_updated = is_taken or (before is not None and before.is_updated)
            self._noted[name] = self._noted[name]._replace(time=taken, is_updated=is_updated)
        for file in _scripts(text) if "run" in text else ():
            if self._is_own(str(file)) and file.is_file():
                self._ran[file] = _lines(file, self._time)
        self._time = now

    def versions(self) -> dict[str, Version]:
        """Return those of the own modules as they are now, by their names."""
        return {name: one.version for name, one in self._noted.items()}

    def changed(
        self,
        exercise: str,
        cells: Sequence[tuple[str, str]],
        ran: Sequence[Ran],
        names: Mapping[str, object],
        notebook: Path,
    ) -> str:
        """Return a sentence about the first file that an exercise uses and that has changed, or "".

        cells: the labels and texts of those that count. ran: all that ran. names: those of the
        notebook, with their values. notebook: its folder.
        """
        scripts = {
            file: "\n".join(lines or self._lines(file) or ()) for file, lines in self._ran.items()
        }
        texts = [*(text for _, text in cells), *scripts.values()]
        needed = reached(texts, {exercise})
        for file, before in self._ran.items():
            if needed & bound_in(scripts[file]) and _differ(before, self._lines(file)):
                return RAN.format(file.relative_to(self._folder))
        graded = _written_lines(tuple(cells), notebook)
        made = [one for one in last_makers(texts, needed) if _makes(one, needed)]
        for name, file in self._used(made).items():
            # An assignment may have been written in its other form.
            there = self._file_of(name) or file
            now, shown = graded.get(file) or self._lines(there), there.relative_to(self._folder)
            if _differ(self._noted[name].version, now):
                is_written = file in graded and _differ(now, self._lines(file))
                return (WRITTEN if is_written else CHANGED).format(shown)
        for one in sorted(needed):
            if said := self._old(one, texts, ran, names) or self._failed(one, ran, names):
                return said
        return ""

    def _old(
        self, name: str, texts: Sequence[str], ran: Sequence[Ran], names: Mapping[str, object]
    ) -> str:
        """Return a sentence about a name that was made of a module before that was reloaded."""
        last = next((one for one in reversed(ran) if name in one.bound), None)
        before, now = last.versions if last and name in names else {}, self.versions()
        old = {one for one in before if before[one] and _differ(before[one], now.get(one))}
        made = makers(last.text, {name}) if last and old else []
        if not last or not made or is_as_now(made[-1], name, names):
            return ""
        former = {**now, **{one: before[one] for one in old}}
        is_definition = isinstance(names[name], FunctionType | type)
        for module in made_otherwise(name, names[name], [*texts, last.text], former, now):
            is_updated = is_definition and self._noted[module].is_updated
            if module in old & self._files.keys() and not is_updated:
                return OLD.format(name, self._files[module].relative_to(self._folder))
        return ""

    def _failed(self, name: str, ran: Sequence[Ran], names: Mapping[str, object]) -> str:
        """Return a sentence about a name that was not imported since its module raised an error."""
        last = next((one for one in reversed(ran) if name in bound_in(one.text)), None)
        if not last or last.is_whole or name in names:
            return ""
        for one in makers(last.text, {name}):
            module = one.module if isinstance(one, ast.ImportFrom) else None
            if module in last.raised_in and name in bound(one):
                return FAILED.format(name, module)
        return ""

    def _used(self, statements: Sequence[ast.stmt]) -> dict[str, Path]:
        """Return the own files among the modules that statements import, and those these import."""
        words = imports("\n".join(ast.unparse(one) for one in statements))
        found: dict[str, Path] = {}
        while new := {
            name: file
            for name, file in self._files.items()
            if name not in found and name.rpartition(".")[2] in words
        }:
            found |= new
            words = {word for file in new.values() for word in self._words(file)}
        return found

    def _imported(self) -> Iterator[tuple[str, object, Path]]:
        """Yield the name, the spec and the file of each own module."""
        for name, module in [*sys.modules.items()]:
            spec: Any = getattr(module, "__dict__", {}).get("__spec__")
            file = getattr(spec, "origin", None)
            if isinstance(file, str) and self._is_own(file):
                yield name, spec, Path(file)

    def _is_own(self, file: str) -> bool:
        """Return whether a file is the student's, not of Python, a package or the kit's engine."""
        if not file.startswith(self._below) or not form(os.path.basename(file)):
            return False
        parts = file[len(self._below) :].split(os.sep)
        return not file.startswith(self._installed) and not any(map(IGNORED.fullmatch, parts))


def _differ(before: Version, now: Version) -> bool:
    """Return whether a file has other lines than before, if both are known."""
    return before is not None and now is not None and before != now


def _makes(statement: ast.stmt, names: Set[str]) -> bool:
    """Return whether a statement binds one of these names, if it takes all that a module has."""
    if not isinstance(statement, ast.ImportFrom) or statement.names[0].name != "*":
        return True
    return not names.isdisjoint(getattr(sys.modules.get(statement.module or ""), "__dict__", {}))


@lru_cache(maxsize=1)
def _written_lines(cells: tuple[tuple[str, str], ...], notebook: Path) -> dict[Path, list[str]]:
    """Return the lines of the modules that cells write. notebook: the folder of the notebook."""
    try:
        code = of_cells(cells, notebook)
    except Unreadable:
        return {}
    return {notebook / one.places[0]: code_lines(one.text) for one in written(code)}


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


def _is_readable(lines: list[str]) -> bool:
    """Return whether Python can read a module, as one must that was imported."""
    return not lines or bool(body("\n".join(lines)))


def _imports(file: Path) -> set[str]:
    """Return the words in the lines of a file that import."""
    try:
        return imports(read_source(file))
    except Unreadable:
        return set()


def _lines(file: Path, written_before: float = math.inf) -> Version:
    """Return the lines of code in a file; None if it was written later or cannot be read."""
    try:
        lines = code_lines(read_source(file))
        return lines if file.stat().st_mtime < written_before else None
    except (Unreadable, OSError):
        return None


def _compiled_lines(file: Path) -> Version:
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
