"""Merge notebooks cell by cell."""

from __future__ import annotations

import contextlib
import itertools
import warnings
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from difflib import SequenceMatcher
from functools import lru_cache
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode

from autograder.course import DEFINED
from autograder.kit.left_out import with_work
from autograder.kit.merging import CELL, CannotUpdate, assert_defined_once, merge

Cells = Sequence[NotebookNode]
Rule = Callable[[NotebookNode, NotebookNode], bool]
SIMILAR = 0.5  # part of the words that a text and its corrected form have in common, at least
Key = tuple[str, int]  # of a cell: "kit" and its index in the new notebook, or "own" and its index


def merged(
    base: str, mine: str, new: str, path: Path, left_out: Collection[str] = frozenset()
) -> str:
    """Return the new notebook with all that the student changed in it or added to it.

    A cell of the student's is matched with that of the kit by its id, by the names that it defines
    or by its text. It keeps its outputs, pictures and metadata. What the student deleted comes back
    only if the new kit changes it. A text with notes that the new kit drops stays. Raises
    CannotUpdate if both changed the same lines of a cell, or if the new kit drops a code cell that
    the student changed, unless that defines an exercise that is left out.
    """
    old, own, fresh = (_parsed(text, path) for text in (base, mine, new))
    work = "\n".join(cell.source for cell in own.cells)
    fresh.cells = with_work(
        deepcopy(old.cells), work, fresh.cells, left_out, lambda cell: cell.source
    )
    begun = _pairs(own.cells, old.cells, _is_unchanged, _defines_the_same, _has_same_id, _is_alike)
    kept = _pairs(old.cells, fresh.cells, _is_unchanged, _is_alike, _has_same_place)
    kept = {i: j for i, j in kept.items() if old.cells[i].cell_type == fresh.cells[j].cell_type}
    written = _code(own.cells)
    cells = _merged_cells((old.cells, own.cells, fresh.cells), begun, kept, path)
    order = [*cells]
    origins = {after: old.cells[before] for before, after in kept.items()}
    for j, cell in enumerate(fresh.cells):
        if j not in origins or _work(origins[j]) != _work(cell):
            cells.setdefault(("kit", j), cell)
    given = [key for j in range(len(fresh.cells)) if (key := ("kit", j)) in cells]
    is_moved = [*begun.values()] != sorted(begun.values())
    order = _woven(order, given) if is_moved else _woven(given, order)
    assert_defined_once(written, _code(fresh.cells), _code(cells.values()), str(path))
    own.metadata = _merged_metadata(old.metadata, own.metadata, fresh.metadata)
    _give_ids([cells[key] for key in sorted(cells)])
    own.cells = [cells[key] for key in order]
    own.nbformat_minor = max(own.nbformat_minor, fresh.nbformat_minor)
    return _text(own, path)


def _merged_cells(
    notebooks: tuple[Cells, Cells, Cells],
    begun: Mapping[int, int],
    kept: Mapping[int, int],
    path: Path,
) -> dict[Key, NotebookNode]:
    """Return the student's cells with the kit's changes, in the student's order.

    notebooks: the cells of the old kit, the student and the new kit. begun: the indices of the old
    cells by those of the student's; kept: those of the new cells by those of the old.
    Raises CannotUpdate.
    """
    old, own, fresh = notebooks
    added = [j for j in range(len(fresh)) if j not in kept.values()]
    copied = {cell.id: j for j in added if (cell := fresh[j])}  # by hand, out of the new kit
    cells = {}
    for i, cell in enumerate(own):
        before = old[begun[i]] if i in begun else None
        after = kept.get(begun[i]) if i in begun else copied.pop(cell.get("id"), None)
        if after is not None:
            cells["kit", after] = _merged(before, cell, fresh[after], path)
        elif before is None or (cell.cell_type == "markdown" and _work(cell) != _work(before)):
            cells["own", i] = cell
        elif _work(cell) != _work(before):
            raise CannotUpdate(
                f"{path}: you wrote in cell {before.id}, which the new kit no longer has. Copy "
                "your work out of it, delete the cell, and update again. Nothing was changed."
            )
    return cells


def _parsed(text: str, path: Path) -> NotebookNode:
    """Read a notebook of any version. Raises CannotUpdate."""
    with _telling_damage(path):
        made = nbformat.reads(text, as_version=4)
        made.setdefault("nbformat_minor", 0)
        for cell in made.cells:
            if "cell_type" not in cell:
                raise ValueError("a cell has no kind")
            cell.source = _with_line_ends(cell.get("source") or "")
            cell.metadata = cell.get("metadata") or {}
            if cell.cell_type == "code":  # without these two, nbformat cannot write the cell
                cell.setdefault("outputs", [])
                cell.setdefault("execution_count", None)
        return made


def _text(notebook: NotebookNode, path: Path) -> str:
    """Return a notebook as it is saved. Raises CannotUpdate."""
    with _telling_damage(path):
        return f"{nbformat.writes(notebook)}\n"


def _with_line_ends(text: str) -> str:
    """Return a text with the line ends of the kit; in a cell, an editor may write others."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


@contextlib.contextmanager
def _telling_damage(path: Path) -> Iterator[None]:
    """Raise CannotUpdate if a block cannot read or write the notebook at a path."""
    try:
        with warnings.catch_warnings():  # nbformat warns of cells without ids, which are fine here
            warnings.simplefilter("ignore")
            yield
    except Exception as problem:  # nbformat raises many kinds for a damaged notebook
        reason = str(problem).strip().splitlines()[:1] or [type(problem).__name__]
        raise CannotUpdate(
            f"{path} cannot be read as a notebook ({reason[0][:80]}). Save it again in Jupyter. "
            "Nothing was updated."
        ) from None


def _pairs(cells: Cells, known: Cells, *rules: Rule) -> dict[int, int]:
    """Match cells with known ones by the first rule that holds. Returns the indices, in order."""
    found: dict[int, int] = {}
    free = dict(enumerate(known))
    for rule in rules:
        for i, cell in enumerate(cells):
            same = [j for j, other in free.items() if rule(cell, other)] if i not in found else []
            if same:
                found[i] = same[0]
                del free[same[0]]
    return dict(sorted(found.items()))


def _has_same_id(cell: NotebookNode, known: NotebookNode) -> bool:
    return cell.get("id") == known.id


def _has_same_place(cell: NotebookNode, known: NotebookNode) -> bool:
    """Return whether two cells of the kit have one id and, if they are texts, common words.

    The ids of texts are counted, so a text that the kit adds gets the id of the one it precedes.
    """
    if not _has_same_id(cell, known):
        return False
    if "markdown" not in (cell.cell_type, known.cell_type):
        return True
    words = cell.source.split(), known.source.split()
    return SequenceMatcher(None, *words, autojunk=False).ratio() >= SIMILAR


def _is_alike(cell: NotebookNode, known: NotebookNode) -> bool:
    """Return whether two cells define a name in common, or have the same text."""
    return _defines_the_same(cell, known) or cell.source.strip() == known.source.strip()


def _is_unchanged(cell: NotebookNode, known: NotebookNode) -> bool:
    return _has_same_id(cell, known) and _is_alike(cell, known)


def _defines_the_same(cell: NotebookNode, known: NotebookNode) -> bool:
    if cell.cell_type != "code" or known.cell_type != "code":
        return False
    return not _defined(cell.source).isdisjoint(_defined(known.source))


@lru_cache(maxsize=1 << 12)
def _defined(source: str) -> frozenset[str]:
    return frozenset(DEFINED.findall(source))


def _code(cells: Iterable[NotebookNode]) -> str:
    return f"\n{CELL}\n".join(cell.source for cell in cells if cell.cell_type == "code")


def _work(cell: NotebookNode) -> tuple[str, Any]:
    """Return what a student writes into a cell: its text and the pictures pasted into it."""
    return cell.source, cell.get("attachments", {})


def _merged(
    base: NotebookNode | None, mine: NotebookNode, new: NotebookNode, path: Path
) -> NotebookNode:
    """Return the student's cell with the kit's changes. Raises CannotUpdate.

    base: the cell that both come from, if there is one.
    """
    before, metadata = (base.source, base.metadata) if base else ("", {})
    mine.source = merge(before, mine.source, new.source, what=f"{path}, cell {new.id}")
    mine.metadata = _merged_metadata(metadata, mine.metadata, new.metadata)
    mine.id = new.id
    return mine


def _merged_metadata(
    base: Mapping[str, Any], mine: Mapping[str, Any], new: Mapping[str, Any]
) -> NotebookNode:
    """Return the student's metadata, with the kit's where the student changed nothing.

    The kit's tags stay even if another program has lost them: they say what is not graded.
    """
    made = NotebookNode(mine)
    for key in {*base, *new}:
        if mine.get(key) == base.get(key) != new.get(key):
            made.pop(key, None)
            made.update({key: new[key]} if key in new else {})
    first, own, tags = (one.get("tags", []) for one in (base, mine, new))
    if isinstance(own, list) and (tags or own):
        made.tags = [*tags, *(tag for tag in own if tag not in (*first, *tags))]
    return made


def _woven(first: list[Key], second: list[Key]) -> list[Key]:
    """Return the first list, and what only the second one has, after what precedes it there."""
    present = {*first}
    added: dict[Key | None, list[Key]] = {}
    anchor = None
    for key in second:
        if key in present:
            anchor = key
        else:
            added.setdefault(anchor, []).append(key)
    result = added.get(None, [])
    for key in first:
        result += [key, *added.get(key, [])]
    return result


def _give_ids(cells: Cells) -> None:
    """Give another id to each cell that has none, or that of a cell before it."""
    ids = {cell.get("id") for cell in cells}
    free = (name for number in itertools.count(1) if (name := f"added-{number}") not in ids)
    seen: set[str | None] = {None}
    for cell in cells:
        if cell.get("id") in seen:
            cell.id = next(free)
        seen.add(cell.id)
