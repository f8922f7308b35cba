"""Record which names each cell has bound in this kernel, whatever its text says now.

The text is graded. Where the kernel has something else, a remark says so.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Any

from autograder.course import assignments
from autograder.notebook.differences import by_the_kit, not_read
from autograder.notebook.own_imports import OwnImports
from autograder.notebook.ran import PLAIN, Ran
from autograder.notebook.stopped import of_error
from autograder.submissions.by_assignment import top
from autograder.submissions.cells import Cells, of_the_kit
from autograder.submissions.pasted import as_code
from autograder.submissions.work import exercises_of


class Kernel:
    """Notes the cells of a session as they run. folder: that of the notebook."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._imports = OwnImports(top(folder))
        self._ran: list[Ran] = []
        self._current: Ran | None = None
        self._before: dict[str, Callable[[object], bool]] = {}  # whether a value is as before
        self._names: Mapping[str, object] = {}
        self._shell: Any = None

    def begin(self, shell: Any) -> None:
        """Note the cells that run from now on. shell: IPython's shell."""
        self._shell, self._names = shell, shell.user_ns
        self._note_before()
        shell.events.register("pre_run_cell", self.note_begin)
        shell.events.register("post_run_cell", self.note_end)

    def note_begin(self, info: Any) -> None:
        """Note what is there before a cell runs. info: IPython's ExecutionInfo."""
        self._note_imports(is_between=self._current is None)
        if info.store_history and not info.silent:
            number = len(self._shell.history_manager.input_hist_raw)
            cell = str(getattr(info, "cell_id", None) or "")
            self._current = Ran(f"In [{number}]", cell, as_code(info.raw_cell))
            self._ran.append(self._current)
            self._note_before()

    def note_end(self, result: Any) -> None:
        """Note what a cell has done. result: IPython's ExecutionResult."""
        info = getattr(result, "info", None)
        self._note_imports(as_code(getattr(info, "raw_cell", None) or ""))
        if getattr(info, "store_history", False) and self._current:
            self._note_names()
            self._current.is_whole = bool(result.success)
            frames = of_error(result.error_in_exec)
            self._current.raised_in = {str(one.f_globals.get("__name__")) for one, _ in frames}
            self._current = None

    def _note_imports(self, text: str = "", is_between: bool = False) -> None:
        magics = self._shell.magics_manager.registry.get("AutoreloadMagics")
        times = getattr(getattr(magics, "_reloader", None), "modules_mtimes", {})
        self._imports.note(text, is_between, times)

    def _note_names(self) -> None:
        if self._current:
            both = {*self._before, *self._names}
            self._current.changed |= {name for name in both if self._is_changed(name)}
            self._current.versions = self._imports.versions()
            self._note_before()

    def _note_before(self) -> None:
        self._before = {name: _is_same_as(value) for name, value in self._names.items()}

    def _is_changed(self, name: str) -> bool:
        if (name in self._before) != (name in self._names):
            return True
        return name in self._names and not self._before[name](self._names[name])

    def kits_cells(self, exercise: str) -> dict[str, set[str]]:
        """Return the ids of the kit's own cells in the notebooks of assignments.

        exercise: one of the assignment that is meant; all are with "".
        """
        found = [one for one in assignments() if exercise in {"", *exercises_of(one)}]
        return of_the_kit(self._folder, found) if found else {}

    def remarks(
        self, exercises: Mapping[str, bool], cells: Cells, kits: Mapping[str, Collection[str]]
    ) -> list[str]:
        """Return sentences about what exercises use and the kernel has otherwise than their text.

        exercises: for each, whether the verdict is about what the cells make. cells: those that
        count. kits: the ids of the kit's own, by assignment.
        """
        self._note_imports()
        self._note_names()
        found: list[str] = []
        for assignment, ids in kits.items():
            own = [(label, text) for label, text, cell in cells if cell not in ids]
            texts = [text for _, text in own]
            for name in (one for one in exercises if one in exercises_of(assignment)):
                found += [
                    by_the_kit(name, texts, self._ran, ids),
                    self._imports.changed(name, own, self._ran, self._names, self._folder),
                    not_read(name, texts, self._ran, self._names, exercises[name]),
                ]
        return [*filter(None, found)]


def _is_same_as(value: object) -> Callable[[object], bool]:
    """Return a function that tells whether a name still has this value, or an equal plain one.

    Until then, it does not keep the value in memory, except of kinds that have no weak references,
    such as lists.
    """
    try:
        kept = weakref.ref(value)
    except TypeError:
        is_plain = isinstance(value, PLAIN)
        return lambda now: value is now or (is_plain and type(value) is type(now) and value == now)
    return lambda now: now is not None and kept() is now
