"""Let a notebook import earlier assignments as the grader does, from the same file."""

from __future__ import annotations

import builtins
import importlib.abc
import importlib.machinery
import importlib.util
import os
import sys
import traceback
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from autograder.course import assignments
from autograder.notebook.own_shell import OwnShell
from autograder.runtime.compiling import Compiler
from autograder.runtime.going_on import GoingOn
from autograder.runtime.own_files import remember
from autograder.runtime.packages import CALLS, KIT
from autograder.runtime.problems import text_of
from autograder.runtime.standin import stand_in
from autograder.submissions.by_assignment import beside
from autograder.submissions.files import Unreadable
from autograder.submissions.source_text import form

if TYPE_CHECKING:
    from autograder.runtime.source import Code

LEFT_OUT = (
    "{} is imported without the statements that raise an error: {}. Mend them there, and import it "
    "again."
)
SESSION = "JPY_SESSION_NAME"  # in the environment: the path of a kernel's notebook
MOST_TOLD = 3  # statements
MOST_SAID = 100  # characters of an error's text


class FromFiles(importlib.abc.MetaPathFinder):
    """Finds an assignment's module in the file from which the grader would import it.

    folder: that of the notebook in which the import stands.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """Return how to import an assignment; None for everything else."""
        found = self.found(name)
        if found is None:
            return None
        file, code = found
        return importlib.util.spec_from_file_location(name, file, loader=_Loader(file, code))

    def file_of(self, name: str) -> Path | None:
        """Return the file from which an assignment is imported now; None if there is none."""
        found = self.found(name)
        return found[0] if found else None

    def found(self, name: str) -> tuple[Path, Code] | None:
        """Return the file of an assignment and its code, or None.

        In a notebook, its own assignment is the module of this name, which Python finds itself.
        """
        if name not in assignments() or name in (self._folder.name, _own_name()):
            return None
        try:
            return imported(name, self._folder)
        except Unreadable:
            return None


def imported(name: str, folder: Path) -> tuple[Path, Code] | None:
    """Return the file that an import of an assignment means in a folder, and its code.

    None if there is none. Raises Unreadable if those that there are cannot be read.
    """
    files, near = beside(folder, folder.name)
    if found := files.imported_from(name, near):
        return files.whereabouts(found), files.imported_code(found, name)
    for one in files.forms(name, near):
        files.code(one)
    return None


class _Loader(importlib.abc.Loader):
    def __init__(self, file: Path, code: Code) -> None:
        self._file, self._code = file, code

    def exec_module(self, module: ModuleType) -> None:
        """Run a module or the cells of a notebook, see `carry_out`, and warn of what raises."""
        file, code = str(self._file), self._code
        parts = [(file, code)] if isinstance(code, str) else [(a, b) for a, b in code]
        if told := [*carry_out(self._file, parts, module.__dict__)]:
            more = f" and {len(told) - MOST_TOLD} more" if len(told) > MOST_TOLD else ""
            places = ", ".join(told[:MOST_TOLD]) + more
            with warnings.catch_warnings():
                warnings.simplefilter("always")  # also when it is imported again
                warnings.warn(LEFT_OUT.format(self._file.name, places), stacklevel=2)


def carry_out(
    file: Path,
    parts: Sequence[tuple[str, str]],
    names: dict[str, Any],
    exits: bool = False,
) -> Iterator[str]:
    """Run the parts of a file, given as (label, text), in a namespace.

    What raises costs only what it defines. The calls of check() do nothing, and the names of what
    is run with %run are the namespace's. The file's folder is searched after all others for what it
    imports. exits: whether to raise SystemExit as a program does. Yields the other errors as text,
    each once, with its place.
    """
    folder = str(file.parent)
    if folder not in map(os.path.abspath, sys.path):
        sys.path.append(folder)
    known = {name: stand_in(f"{KIT}.{name}") for name in CALLS}
    shell = OwnShell(file.parent, names)
    names["__builtins__"] = {**vars(builtins), **known, "get_ipython": lambda: shell}
    compiler = Compiler(parts)
    going_on = GoingOn((KeyboardInterrupt,), lambda errors: exits and _is_exit(errors[-1]))
    lost: dict[str, BaseException] = {}
    errors: list[BaseException] = []
    for label, text in parts:
        if label != str(file):
            remember(label, text)
        for error in going_on.run(text, label, names, lost, compiler):
            if exits and _is_exit(error):
                raise error
            if not any(error is one for one in errors):  # of what was defined above
                yield _described(label, error)
            errors.append(error)


def _is_exit(error: BaseException) -> bool:
    return isinstance(error, SystemExit)


def _described(label: str, error: BaseException) -> str:
    """Return where a statement raised an error in the part of a label, and the error."""
    frames = traceback.walk_tb(error.__traceback__)
    line = next((line for frame, line in frames if frame.f_code.co_filename == label), 0)
    line = line or getattr(error, "lineno", None) or 1
    place = f"{label.rpartition(', ')[2]}, " if form(label) != ".py" else ""
    said = " ".join(text_of(error).split())[:MOST_SAID]
    return f"{place}line {line} ({type(error).__name__}{f': {said}' if said else ''})"


def _own_name() -> str:
    """Return the name of this kernel's notebook, if Jupyter or VS Code has told it, or ""."""
    own = os.environ.get(SESSION, "")
    known = getattr(sys.modules["__main__"], "__vsc_ipynb_file__", own)
    return Path(str(known)).stem


def begin(folder: Path) -> None:
    """Import assignments as the grader does from now on, in this process."""
    sys.meta_path[:] = [one for one in sys.meta_path if not isinstance(one, FromFiles)]
    sys.meta_path.insert(0, FromFiles(folder))


def file_of(name: str) -> Path | None:
    """Return the file from which an import of an assignment would be now; None for any other."""
    finders = (one for one in sys.meta_path if isinstance(one, FromFiles))
    return next((one.file_of(name) for one in finders), None)
