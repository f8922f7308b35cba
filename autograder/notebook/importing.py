"""Let a notebook import earlier assignments that were written in notebooks, as the grader does."""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import importlib.util
import sys
import warnings
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

from autograder.course import assignments
from autograder.runtime.compiling import Compiler, run
from autograder.submissions.by_assignment import top
from autograder.submissions.submission import Submission
from autograder.submissions.submission_files import SubmissionFiles


class FromNotebooks(importlib.abc.MetaPathFinder):
    """Finds an assignment's module in its notebook, if that is the one that was edited.

    folder: that of the notebook in which the import stands.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """Return how to import an assignment from its notebook; None for everything else."""
        if name not in assignments():
            return None
        files = SubmissionFiles(top(self._folder), own=True)
        if not files.forms(name):
            return None
        chosen = files.submission("you", name)
        if chosen.path.suffix != ".ipynb" or chosen.problem:
            return None
        return importlib.util.spec_from_loader(name, _Loader(chosen), origin=str(chosen.path))


class _Loader(importlib.abc.Loader):
    def __init__(self, chosen: Submission) -> None:
        self._chosen = chosen

    def exec_module(self, module: ModuleType) -> None:
        """Run the cells without the kit's own; a cell that raises costs only what it defines."""
        code = self._chosen.texts[module.__name__]
        parts = [("", code)] if isinstance(code, str) else [(label, text) for label, text in code]
        compiler = Compiler(parts)
        for label, text in parts:
            try:
                run(compiler.code(text, label), module.__dict__)
            except Exception as problem:
                warnings.warn(f"{label}: {type(problem).__name__}: {problem}", stacklevel=2)


def begin(folder: Path) -> None:
    """Import assignments from notebooks from now on, in this process."""
    sys.meta_path[:] = [one for one in sys.meta_path if not isinstance(one, FromNotebooks)]
    sys.meta_path.insert(0, FromNotebooks(folder))
