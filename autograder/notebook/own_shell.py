"""Stand in for get_ipython() in an earlier notebook that is imported in a kernel."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from autograder.runtime.commands import AS_MODULE, options_and_words, path_of, run_script
from autograder.runtime.compiling import Compiler
from autograder.runtime.going_on import GoingOn
from autograder.runtime.own_files import is_notebook
from autograder.submissions.files import Unreadable
from autograder.submissions.source_text import read_source


class OwnShell:
    """The kernel's shell, but for %run: what it runs has its names in the imported notebook.

    folder: that of the notebook, in which files of %run are looked for after the working folder.
    names: those of the notebook.
    """

    def __init__(self, folder: Path, names: dict[str, Any]) -> None:
        self._folder, self._names = folder, names

    def __getattr__(self, name: str) -> Any:
        return getattr(_shell(), name)

    def run_line_magic(self, name: str, text: str, *more: Any) -> Any:
        """Run a magic. Raises FileNotFoundError, and what a script raises that ends it."""
        if name != "run":
            return _shell().run_line_magic(name, text, *more)
        options, words = options_and_words(text)
        if words:
            file = self._file(words[0], AS_MODULE in options)
            if is_notebook(file):
                self._run(file, self._names)
            else:
                run_script(file, options, words[1:], self._names, self._run)
        return None

    def _file(self, word: str, is_module: bool) -> str:
        found = importlib.util.find_spec(word) if is_module else None
        path = (found and found.origin) or path_of(word)
        places = [os.path.abspath(path), str(self._folder / path)]
        if there := [one for one in places if os.path.isfile(one)]:
            return there[0]
        raise FileNotFoundError(f"%run finds no file {word}")

    def _run(self, file: str, names: dict[str, Any]) -> None:
        """Run a script, or the cells of a notebook, in a namespace."""
        try:
            code = read_source(Path(file))
        except Unreadable as problem:
            raise ImportError(str(problem)) from None
        parts = [(file, code)] if isinstance(code, str) else [(a, b) for a, b in code]
        compiler, going_on = Compiler(parts), GoingOn((KeyboardInterrupt,), _ends)
        lost: dict[str, BaseException] = {}
        for label, text in parts:
            errors = going_on.run(text, label, names, lost, compiler)
            if errors and _ends(errors):
                raise errors[-1]


def _ends(errors: Sequence[BaseException]) -> bool:
    """Return whether the last error ends a script, as it does in the grader."""
    is_final = isinstance(errors[-1], ImportError | SyntaxError)
    return is_final or not isinstance(errors[-1], Exception)


def _shell() -> Any:
    """Return IPython's shell; None outside a notebook."""
    from IPython.core.getipython import get_ipython

    return get_ipython()
