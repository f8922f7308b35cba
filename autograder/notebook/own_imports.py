"""Notes which of a student's own modules a session has imported, and their text at that time."""

from __future__ import annotations

import math
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from autograder.submissions.files import Unreadable
from autograder.submissions.source_text import code_lines, read_source

AUTORELOAD = "IPython.extensions.autoreload"
CHANGED = (
    "{} has changed since this kernel imported it: graded is the new text, and your cells use the "
    "old one. Reload it, or restart the kernel and run the cells again."
)


class Noted(NamedTuple):
    """An imported module. spec: its ModuleSpec, which a reload replaces.

    lines: of the code that was imported; None if that is not sure.
    """

    spec: object
    lines: list[str] | None


class OwnImports:
    """Notes own modules before and after each cell; see `changed`. folder: that holds them.

    What a cell has imported is sure if the file was not written since the cell began. Of modules
    that were imported before, it is not.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._noted: dict[str, Noted] = {}
        self._time = 0.0  # of the last call of `note`
        self.note()

    def note(self, *_: object) -> None:
        """Note the modules that were imported or reloaded since the last call."""
        now = time.time()
        for name, spec, file in self._imported():
            if name not in self._noted or self._noted[name].spec is not spec:
                self._noted[name] = Noted(spec, _lines(file, written_before=self._time))
        self._time = now

    def changed(self) -> str:
        """Return a sentence about the first module whose code on the disk is another, or "".

        With %autoreload, which takes the new code by itself, it says nothing.
        """
        self.note()
        if AUTORELOAD in sys.modules:
            return ""
        for name, _, file in self._imported():
            before, now = self._noted[name].lines, _lines(file)
            if before is not None and now is not None and before != now:
                return CHANGED.format(file.relative_to(self._folder))
        return ""

    def _imported(self) -> Iterator[tuple[str, object, Path]]:
        """Yield the name, the spec and the file of each own module."""
        start = f"{self._folder}{os.sep}"
        for name, module in [*sys.modules.items()]:
            spec: Any = getattr(module, "__dict__", {}).get("__spec__")
            file = getattr(spec, "origin", None)
            if isinstance(file, str) and file.startswith(start) and file.endswith(".py"):
                yield name, spec, Path(file)


def _lines(file: Path, written_before: float = math.inf) -> list[str] | None:
    """Return the lines of code in a module; None if it was written later or cannot be read."""
    try:
        lines = code_lines(read_source(file))
        return lines if file.stat().st_mtime < written_before else None
    except (Unreadable, OSError):
        return None
