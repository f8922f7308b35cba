"""Carry out IPython's %run and %cd with the files of a submission, which are on no disk."""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import os
import posixpath
import re
import shlex
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

from autograder.runtime.own_files import OwnFiles, is_notebook
from autograder.runtime.standin import stand_in

VARIABLE = re.compile(r"\$(\w+)|\{(\w+)\}")  # whose value IPython puts into a command
SEPARATOR = re.compile(r"\\(?=[\w.])")  # of folders on Windows; elsewhere it stands before spaces
HIDDEN = re.compile(r"__\w+__")  # names that %run does not hand over
WITH_NAMES, AS_MODULE, NOT_MAIN = "-i", "-m", "-n"  # options of %run
WITH_VALUE = {"-b", "-D", "-l", "-N", "-s", "-T"}  # options that the next word belongs to


class Commands:
    """Carries out a notebook's commands as `get_ipython().run_line_magic(name, text)`."""

    def __init__(self, files: OwnFiles) -> None:
        self._files = files
        self._before = os.getcwd()  # where the last %cd came from

    def __call__(self, name: str = "", text: str = "", *_: object, **__: object) -> Any:
        names = sys._getframe(2).f_globals  # of the code that calls the stand-in that calls this
        text = VARIABLE.sub(lambda found: _value(found, names), text)
        if name == "run":
            self._run(*options_and_words(text), names)
        elif name == "cd":
            self._change(text.strip().removeprefix("-q").strip().strip("'\""))
        return stand_in("get_ipython.run_line_magic")

    def _change(self, folder: str) -> None:
        """Change the working folder. If it cannot be changed, IPython goes on as well."""
        before = os.getcwd()
        with contextlib.suppress(OSError):
            os.chdir(self._before if folder == "-" else folder)
            self._before = before

    def _run(self, options: list[str], words: list[str], names: dict[str, Any]) -> None:
        """Run a file as a script, and add its names to those of the notebook.

        The cells of another notebook run as if they were in this one.
        words: the file or after -m a module, and the arguments that the file sees. Raises
        FileNotFoundError, and what the file raises, after its names have been added.
        """
        if not words:
            return
        path = _origin(words[0]) if AS_MODULE in options else path_of(words[0])
        place = self._files.to_run(path)
        stem = posixpath.splitext(posixpath.basename(path))[0]
        is_home = is_notebook(path) and place in self._files.homes  # a module may lie beside it
        if is_home or place not in self._files.modules:
            known = self._files.homes.get(place, stem)
            if known not in self._files.homes.values():  # the modules of assignments
                raise FileNotFoundError(f"%run finds no file {words[0]} in what was handed in")
            names.update(_shown(vars(importlib.import_module(known))))
            return
        if is_notebook(place):
            self._files.run(place, names)
            return
        run_script(place, options, words[1:], names, self._files.run)


def run_script(
    place: str,
    options: list[str],
    arguments: list[str],
    names: dict[str, Any],
    run: Callable[[str, dict[str, Any]], None],
) -> None:
    """Run a file as a script, and add its names to those of the notebook.

    run: runs the file of a place in a namespace. Raises what the file raises, after its names have
    been added.
    """
    stem = posixpath.splitext(posixpath.basename(place))[0]
    module = ModuleType(stem if NOT_MAIN in options else "__main__")
    module.__dict__.update(_shown(names) if WITH_NAMES in options else {})
    module.__file__ = place
    argv, sys.argv = sys.argv, [place, *arguments]
    sys.path.insert(0, posixpath.dirname(place))
    try:
        run(place, vars(module))
    except SystemExit:
        pass  # as if the script ended there
    finally:
        sys.argv = argv
        if posixpath.dirname(place) in sys.path:
            sys.path.remove(posixpath.dirname(place))
        names.update(_shown(vars(module)))


def options_and_words(text: str) -> tuple[list[str], list[str]]:
    """Return the options of a %run, and the words behind them: a file or module, and arguments."""
    words, options = _words(text), list[str]()
    while words and words[0].startswith("-") and AS_MODULE not in options:
        options.append(words.pop(0))
        if options[-1] in WITH_VALUE:
            words = words[1:]
    return options, words


def path_of(file: str) -> str:
    """Return the path of a file, whose ending may be left out, with slashes."""
    file = file.replace("\\", "/")
    return file if file.lower().endswith((".py", ".ipynb")) else f"{file}.py"


def _origin(module: str) -> str:
    """Return the path of a module's file, or the name of a module that is not found."""
    found = importlib.util.find_spec(module)
    return (found and found.origin) or module


def _words(text: str) -> list[str]:
    """Return the words of a command, in which a backslash may be part of a path of Windows."""
    try:
        return shlex.split(SEPARATOR.sub(r"\\\\", text))
    except ValueError:  # a quote without its partner
        return text.split()


def _value(found: re.Match[str], names: dict[str, Any]) -> str:
    name = found[1] or found[2]
    return str(names[name]) if name in names else found[0]


def _shown(names: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in names.items() if not HIDDEN.fullmatch(name)}
