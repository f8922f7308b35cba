"""What students find in the place of a solution: the same as in the skeleton modules."""

from __future__ import annotations

from typing import Any

from nbformat import NotebookNode
from nbgrader.preprocessors import ClearSolutions

from autograder.course import DEFINED


class Skeleton(ClearSolutions):
    """Take the solutions out, and leave stubs by which it is seen that nothing was written.

    With nbgrader's own stub an untouched notebook would count as begun, beside a module that was
    handed in with it.
    """

    code_stub: dict[str, str]  # of nbgrader's, by language

    def preprocess_cell(self, cell: NotebookNode, resources: Any, cell_index: int) -> Any:
        """Stubs name what the cell defines, so they differ from cell to cell."""
        defined = DEFINED.search(cell.source) if cell.cell_type == "code" else None
        said = f"{defined[1]} is not written yet" if defined else "not written yet"
        self.code_stub = {**self.code_stub, "python": f'raise NotImplementedError("{said}")'}
        return super().preprocess_cell(cell, resources, cell_index)
