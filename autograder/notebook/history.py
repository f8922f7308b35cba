"""The code cells that were run in a session of IPython, as far as they still count."""

from __future__ import annotations

import ast
from typing import Any

Cells = list[tuple[str, str, str]]  # labels, texts and ids


class History:
    """Notes the cells of a session, in the order in which they were first run.

    Of a cell that was run again, only the last text counts. Where the notebook does not tell which
    cell it is, two cells that define the same names count as the same.

    shell: IPython's shell, whose cells so far are taken from its history.
    """

    def __init__(self, shell: Any) -> None:
        self._texts: dict[object, str] = {}
        self._labels: dict[object, str] = {}
        self._shell = shell
        for number, text in enumerate(shell.history_manager.input_hist_raw[:-1]):
            self._add(_identity(text), number, text)
        shell.events.register("pre_run_cell", self.note)
        self._add(_identity(_current(shell)), shell.execution_count, _current(shell))

    def note(self, info: Any) -> None:
        """Note a cell that is about to run. info: IPython's ExecutionInfo."""
        if info.store_history and not info.silent:
            identity = getattr(info, "cell_id", None) or _identity(info.raw_cell)
            self._add(identity, self._shell.execution_count, info.raw_cell)

    def cells(self) -> Cells:
        """Return the cells, labelled as the notebook numbers them: `In [7]`."""
        return [(self._labels[one], text, str(one)) for one, text in self._texts.items()]

    def _add(self, identity: object, number: int, text: str) -> None:
        if text.strip():
            self._texts[identity] = text
            self._labels[identity] = f"In [{number}]"


def _current(shell: Any) -> str:
    """Return the text of the cell that is running."""
    texts = shell.history_manager.input_hist_raw
    return str(texts[-1]) if texts else ""


def _identity(text: str) -> object:
    """Return what is the same for two versions of a cell: the names that it defines."""
    try:
        body = ast.parse(text).body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return text
    kinds = (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    return tuple(node.name for node in body if isinstance(node, kinds)) or text
