"""Merge notebooks cell by cell."""

from __future__ import annotations

import itertools
import warnings
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from autograder.course import DEFINED
from autograder.kit.merging import CannotUpdate, merge


def merged(base: str, mine: str, new: str, path: Path) -> str:
    """Return the new notebook with the student's changes to its cells and their added cells.

    Cells are matched by their ids, and cells that lost theirs by the names that they define or by
    their text. Raises CannotUpdate if both changed the same lines of a cell, or if the new kit
    drops a cell that the student changed.
    """
    old, own, fresh = (_parsed(text, path) for text in (base, mine, new))
    _recognise(own.cells, old.cells)
    names = _recognise(old.cells, fresh.cells)
    for cell in own.cells:
        cell.id = names.get(cell.id, cell.id)
    before = {cell.id: cell for cell in old.cells}
    after = {cell.id: cell for cell in fresh.cells}
    written = {cell.id: cell for cell in own.cells}
    for cell in fresh.cells:
        if cell.id in written:
            begun_from = before[cell.id].source if cell.id in before else ""
            sources = (begun_from, written[cell.id].source, cell.source)
            cell.source = merge(*sources, what=f"{path}, cell {cell.id}")
    for cell in own.cells:
        changed = cell.id in before and before[cell.id].source != cell.source
        if changed and cell.id not in after:
            raise CannotUpdate(
                f"{path}: you wrote in cell {cell.id}, which the new kit no longer has. Copy "
                "your code out of it, delete the cell, and update again. Nothing was changed."
            )
    fresh.cells = _with_added(fresh.cells, own.cells, known=before.keys() | after.keys())
    return nbformat.writes(fresh) + "\n"


def _parsed(text: str, path: Path) -> NotebookNode:
    """Read a notebook of any version. Raises CannotUpdate."""
    try:
        with warnings.catch_warnings():  # nbformat warns of cells without ids, which are fine here
            warnings.simplefilter("ignore")
            return nbformat.reads(text, as_version=4)
    except Exception as problem:  # nbformat raises many kinds for a damaged notebook
        reason = str(problem).strip().splitlines()[:1] or [type(problem).__name__]
        raise CannotUpdate(
            f"{path} cannot be read as a notebook ({reason[0][:80]}). Save it again in Jupyter. "
            "Nothing was updated."
        ) from None


def _recognise(cells: list[NotebookNode], known: list[NotebookNode]) -> dict[str, str]:
    """Give cells with an unknown id the id of the known cell that they stand for.

    That is a missing cell with the same definition or text. Afterwards every cell has an id.
    Returns the new ids by the old ones.
    """
    known_ids, present = {cell.id for cell in known}, {cell.get("id") for cell in cells}
    missing = [(cell.id, _marks(cell)) for cell in known if cell.id not in present]
    numbers = itertools.count(1)
    renamed = {}
    for cell in cells:
        before = cell.get("id", "")
        if before in known_ids:
            continue
        same = [pair for pair in missing if pair[1] & _marks(cell)]
        if same:
            cell.id = same[0][0]
            missing.remove(same[0])
        elif not before:
            cell.id = f"added-{next(numbers)}"
        renamed[before] = cell.id
    return renamed


def _marks(cell: NotebookNode) -> set[str]:
    """Return the marks that identify a cell: the names that its code defines, else its text."""
    defined = DEFINED.findall(cell.source) if cell.cell_type == "code" else []
    return set(defined) or {cell.source.strip()}


def _with_added(
    cells: list[NotebookNode], own: list[NotebookNode], known: set[str]
) -> list[NotebookNode]:
    """Return the cells, each followed by the cells that the student had added after it."""
    added: dict[str, list[NotebookNode]] = {}
    anchor = ""
    present = {cell.id for cell in cells}
    for cell in own:
        if cell.id in known:
            anchor = cell.id if cell.id in present else anchor
        else:
            added.setdefault(anchor, []).append(cell)
    result = list(added.get("", []))
    for cell in cells:
        result += [cell, *added.get(cell.id, [])]
    return result
