"""The code cells that were run in a session of IPython, as far as they still count."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import Any

DEFINITIONS = (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
Cells = list[tuple[str, str, str]]  # labels, texts and ids


@dataclass
class Run:
    """A cell that was run: which one, its number in the notebook, its text, and if it failed."""

    cell: object
    number: int
    text: str
    failed: bool = False


class History:
    """Notes the cells of a session, in the order in which they were first run without an error.

    Of a cell that was run again, only the last text counts. It stands twice if another cell defined
    the same names meanwhile, or used them before it ran without an error. Where the notebook does
    not tell which cell it is, two cells that define the same names count as the same.

    shell: IPython's shell, whose cells so far are taken from its history.
    """

    def __init__(self, shell: Any) -> None:
        self._runs: list[Run] = []
        self._shell = shell
        for number, text in enumerate(shell.history_manager.input_hist_raw[:-1]):
            self._add(_identity(text), number, text)
        shell.events.register("pre_run_cell", self.note)
        shell.events.register("post_run_cell", self.note_end)
        self._add(_identity(_current(shell)), shell.execution_count, _current(shell))

    def note(self, info: Any) -> None:
        """Note a cell that is about to run. info: IPython's ExecutionInfo."""
        if info.store_history and not info.silent:
            identity = getattr(info, "cell_id", None) or _identity(info.raw_cell)
            self._add(identity, self._shell.execution_count, info.raw_cell)

    def note_end(self, result: Any) -> None:
        """Note whether the cell that has run failed. result: IPython's ExecutionResult."""
        text = getattr(getattr(result, "info", None), "raw_cell", None)
        if self._runs and self._runs[-1].text == text:
            self._runs[-1].failed = not result.success

    def cells(self) -> Cells:
        """Return the cells, labelled as the notebook numbers them: `In [7]`."""
        last = {run.cell: i for i, run in enumerate(self._runs)}
        places = sorted(place for end in last.values() for place in self._places(end))
        found = [self._runs[last[self._runs[place].cell]] for place in places]
        return [(f"In [{run.number}]", run.text, str(run.cell)) for run in found]

    def _places(self, last: int) -> set[int]:
        """Return where among the runs a cell counts, whose last run is given."""
        cell = self._runs[last].cell
        runs = [i for i, run in enumerate(self._runs) if run.cell == cell]
        first = next((i for i in runs if not self._runs[i].failed), runs[0])
        names = _bound(self._runs[last].text) if len(runs) > 1 else set()
        places = {first}
        if any(names & _read(text) for text in self._others(cell, runs[0], first)):
            places.add(runs[0])  # although it failed, it had defined what another cell uses
        if any(names & _bound(text) for text in self._others(cell, first, last)):
            places.add(last)
        return places

    def _others(self, cell: object, start: int, end: int) -> list[str]:
        """Return the texts of other cells that were run without an error in between."""
        runs = (run for run in self._runs[start:end] if run.cell != cell)
        return [run.text for run in runs if not run.failed]

    def _add(self, identity: object, number: int, text: str) -> None:
        if text.strip():
            self._runs.append(Run(identity, number, text))


def _current(shell: Any) -> str:
    """Return the text of the cell that is running."""
    texts = shell.history_manager.input_hist_raw
    return str(texts[-1]) if texts else ""


def _identity(text: str) -> object:
    """Return what is the same for two versions of a cell: the names that it defines."""
    return tuple(node.name for node in _body(text) if isinstance(node, DEFINITIONS)) or text


def _bound(text: str) -> set[str]:
    """Return the names that a cell defines, assigns or imports; none if Python cannot read it."""
    names: set[str] = set()
    for node in _body(text):
        match node:
            case ast.Assign(targets):
                parts = (part for target in targets for part in ast.walk(target))
                names |= {part.id for part in parts if isinstance(part, ast.Name)}
            case ast.Import(found) | ast.ImportFrom(names=found):
                names |= {one.asname or one.name.partition(".")[0] for one in found}
            case ast.ClassDef(name) | ast.FunctionDef(name) | ast.AsyncFunctionDef(name):
                names.add(name)
    return names


def _read(text: str) -> set[str]:
    """Return the names that stand in a cell."""
    nodes = (node for statement in _body(text) for node in ast.walk(statement))
    return {node.id for node in nodes if isinstance(node, ast.Name)}


def _body(text: str) -> list[ast.stmt]:
    try:
        return ast.parse(text).body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return []
