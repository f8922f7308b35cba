"""Stubs in place of solutions in released notebooks, as in the skeleton modules."""

from __future__ import annotations

from typing import Any

from nbformat import NotebookNode
from nbgrader.preprocessors import ClearSolutions

from autograder.course import DEFINED


class Skeleton(ClearSolutions):
    """Preprocessor that replaces solutions with stubs that the grader recognizes as unwritten.

    With nbgrader's own stub, an untouched notebook next to a submitted module would count as begun.
    """

    code_stub: dict[str, str]  # nbgrader's option: the stub by language

    def preprocess_cell(self, cell: NotebookNode, resources: Any, cell_index: int) -> Any:
        """Replace a cell's solution with a stub that names the cell's definition."""
        defined = DEFINED.search(cell.source) if cell.cell_type == "code" else None
        text = f"{defined[1]} is not written yet" if defined else "not written yet"
        self.code_stub = {**self.code_stub, "python": f'raise NotImplementedError("{text}")'}
        return super().preprocess_cell(cell, resources, cell_index)
