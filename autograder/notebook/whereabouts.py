"""Tell where the notebook that is graded has something else than the cells that were run."""

from __future__ import annotations

import ast
import contextlib
import math
import os
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from autograder.course import DEFINED, assignments, assignments_folder, root
from autograder.notebook.cell_names import ANY, bound_in, made_anew_in, makers, reached
from autograder.submissions import by_assignment, notebook
from autograder.submissions.cells import Cells
from autograder.submissions.files import Unreadable
from autograder.submissions.pasted import as_code
from autograder.submissions.source_text import (
    DEMONSTRATION,
    code_lines,
    decode,
    form,
    read_data,
)
from autograder.submissions.work import exercises_of, is_defined

NOT_HERE = "{} {} written in {}, where {} not graded: only {} counts."
AGAIN = (
    "{} is defined in more than one cell: here the one that ran last counts, and in the saved "
    "notebook the one that stands furthest down, which is another. Keep one."
)
GONE = (
    "{} counts here as {} made it. In {}, which was saved later, no cell makes {} any more: write "
    "it again, or restart the kernel and run all cells."
)
CHANGED = "{} was changed in {} after it ran as {}, which counts here: run its cell again."
AS_SAVED = "{} As it is now, it cannot be graded, though the cells here can."


@dataclass(frozen=True)
class Elsewhere:
    """Exercises that are written in a notebook which is not graded for them.

    home: the path of that notebook from the folder of the one that counts. folder, counted: this
    folder, and the name of the one that counts.
    """

    exercises: Sequence[str]
    home: str
    folder: Path
    counted: str

    def __str__(self) -> str:
        is_are, it_is = ("are", "they are") if self.exercises[1:] else ("is", "it is")
        first = ", ".join(self.exercises[:-1])
        shown = " and ".join(filter(None, [first, self.exercises[-1]]))
        return NOT_HERE.format(shown, is_are, self.home, it_is, self.counted)


def elsewhere(
    folder: Path, names: Mapping[str, object], made: Collection[str], cells: Cells
) -> list[Elsewhere]:
    """Return what is written in notebooks that are not graded for it.

    folder: that of the notebook. names: those of the kernel. made: the exercises that the cells
    make.
    """
    own = _own(folder, names)
    by_exercise = _by_exercise(cells)
    found: dict[tuple[str, Path, str], list[str]] = {}
    for assignment in assignments():
        counted = _counted(folder, assignment)
        for exercise in sorted(exercises_of(assignment) & {*made} & {*by_exercise}):
            home = _home(by_exercise[exercise], own, _beside(folder, counted))
            if home and counted.is_file() and not home.samefile(counted):
                shown = os.path.relpath(home, counted.parent)
                found.setdefault((shown, counted.parent, counted.name), []).append(exercise)
    return [Elsewhere(exercises, *files) for files, exercises in found.items()]


def saved_elsewhere(
    folder: Path, names: Mapping[str, object], exercise: str, saved: str
) -> Elsewhere | None:
    """Return where an exercise is saved that is not graded there, such as in a copy that is open.

    folder, names: as in `elsewhere`. saved: the file of the exercise, which no cell makes.
    """
    [assignment] = _assignments_of({exercise})
    counted = _counted(folder, assignment)
    for home in [folder / saved, *_own(folder, names)]:
        texts = [one.source for one in _cells(home) if exercise in DEFINED.findall(one.source)]
        is_written = any(is_defined(code_lines(text), assignment) for text in texts)
        if is_written and home.resolve() != counted.resolve():
            shown = os.path.relpath(home, counted.parent)
            return Elsewhere([exercise], shown, counted.parent, counted.name)
    return None


def without(apart: Sequence[Elsewhere], cells: Cells) -> Cells:
    """Return the cells that define no exercise which is written elsewhere."""
    names = {name for one in apart for name in one.exercises}
    return [cell for cell in cells if not names & {*DEFINED.findall(cell[1])}]


def out_of_order(folder: Path, made: Collection[str], cells: Cells) -> list[str]:
    """Return a sentence for each exercise that another cell makes in the notebook that counts.

    There the last one from top to bottom counts, here the one that ran last. folder, made, cells:
    as in `elsewhere`.
    """
    by_exercise = _by_exercise(cells)
    found = []
    for assignment in _assignments_of(made):
        saved = [one for one in _cells(_counted(folder, assignment)) if _is_graded(one)]
        for exercise in sorted(exercises_of(assignment) & {*made} & {*by_exercise}):
            _, text, name = by_exercise[exercise]
            makers = [one for one in saved if exercise in DEFINED.findall(one.source)]
            is_last = any(name in one.names or _is(one, text) for one in makers[-1:])
            if any(name in one.names for one in makers) and not is_last:
                found.append(AGAIN.format(exercise))
    return found


def gone(
    folder: Path, made: Collection[str], cells: Cells, began: Mapping[str, float]
) -> list[str]:
    """Return a sentence for each exercise that uses what the notebook that counts makes no more.

    folder, made, cells: as in `elsewhere`. began: when the cells were run, by their labels, in
    seconds since the epoch. A notebook that was saved before then tells nothing.
    """
    found = []
    for assignment in _assignments_of(made):
        file = _counted(folder, assignment)
        texts = [as_code(one.source) for one in _cells(file) if one.kind == "code"]
        saved = {name for text in texts for name in bound_in(text)}
        if not saved or ANY in saved:
            continue
        last = {name: label for label, text, _ in cells for name in bound_in(text)}
        for exercise in sorted(exercises_of(assignment) & {*made}):
            needed = reached([text for _, text, _ in cells], {exercise})
            for name in sorted(needed & last.keys() - saved, key=lambda one: one != exercise)[:1]:
                if began.get(last[name], math.inf) < file.stat().st_mtime:
                    found.append(GONE.format(name, last[name], file.name, name))
    return found


def changed(
    folder: Path, made: Collection[str], cells: Cells, began: Mapping[str, float]
) -> list[str]:
    """Return a sentence for each exercise whose cell was changed and saved after it ran.

    So was one that makes what the exercise uses. The arguments are as in `gone`.
    """
    found: list[str] = []
    texts = [text for _, text, _ in cells]
    for assignment in _assignments_of(made):
        file = _counted(folder, assignment)
        code = [one for one in _cells(file) if one.kind == "code"]
        saved = {name: as_code(one.source) for one in code for name in one.names}
        last = {cell: i for i, (_, _, cell) in enumerate(cells) if cell in saved}
        for exercise in sorted(exercises_of(assignment) & {*made}):
            needed = reached(texts, {exercise})
            for cell, i in last.items():
                label, ran, now = cells[i][0], texts[i], saved[cell]
                last_made = needed & bound_in(now) - made_anew_in(texts[i + 1 :])
                names = sorted(one for one in last_made if _made(one, ran) != _made(one, now))
                if names and began.get(label, math.inf) < file.stat().st_mtime:
                    name = exercise if exercise in names else names[0]
                    found.append(CHANGED.format(name, file.name, label))
                    break
    return found


def _made(name: str, text: str) -> list[str]:
    """Return the statements of a cell that make a name, as they can be compared."""
    return [ast.dump(one) for one in makers(text, {name})]


def _by_exercise(cells: Cells) -> dict[str, tuple[str, str, str]]:
    """Return for each name that cells define the one that ran last."""
    return {name: cell for cell in cells for name in DEFINED.findall(cell[1])}


def _assignments_of(exercises: Collection[str]) -> list[str]:
    return [one for one in assignments() if exercises_of(one) & {*exercises}]


def _is_graded(cell: notebook.Cell) -> bool:
    return cell.kind == "code" and DEMONSTRATION not in cell.tags


def _is(cell: notebook.Cell, text: str) -> bool:
    return cell.source.strip() == text.strip()


def unreadable(folder: Path, exercises: Collection[str]) -> list[str]:
    """Return a sentence for each file that counts, but cannot be read as it was saved.

    exercises: those that are graded by the cells; only files of their assignments are looked at.
    """
    counted = [_counted(folder, one) for one in _assignments_of(exercises)]
    return [AS_SAVED.format(problem) for one in counted if (problem := _saved(one)[1])]


def _own(folder: Path, names: Mapping[str, object]) -> list[Path]:
    """Return the notebook of this kernel, as VS Code or Jupyter name it; [] if neither does."""
    known = str(names.get("__vsc_ipynb_file__") or os.environ.get("JPY_SESSION_NAME", ""))
    return [path for path in [folder / Path(known).name] if path.is_file()]


def _counted(folder: Path, assignment: str) -> Path:
    """Return the file of an assignment that is graded, its notebook if there is one.

    For a notebook in the kit, it is the one in assignments/.
    """
    here, kits = folder.resolve(), assignments_folder().resolve()
    place = kits if kits in here.parents or here == root().resolve() else folder
    found = by_assignment.top(place) / by_assignment.name_beside(place, assignment)
    module = found.with_suffix(".py")
    return module if module.is_file() and not found.is_file() else found


def _beside(folder: Path, counted: Path) -> list[Path]:
    """Return the notebooks in which a cell may stand, likelier ones first."""
    found = sorted(folder.glob("*.ipynb"), key=lambda path: path.name != counted.name)
    return [*found, *({counted} - {*found})]


def _home(cell: tuple[str, str, str], own: Sequence[Path], others: Sequence[Path]) -> Path | None:
    """Return the notebook in which a cell stands, as it was saved; None if that is not known.

    cell: its label, text and id. own: the kernel's own notebook, if it is known; cells that are not
    saved stand in it. A copy of a notebook has the same ids: the cell stands where its text does.
    """
    _, text, name = cell
    saved = {path: _cells(path) for path in [*own, *others]}
    same = {path for path, cells in saved.items() if any(name in one.names for one in cells)}
    alike = {path for path, cells in saved.items() if any(_is(one, text) for one in cells)}
    if own and (own[0] in same or not same):
        return own[0]
    likely = same & alike or same or alike  # notebooks of older formats have no ids
    return next((path for path in others if path in likely), None)


def _cells(path: Path) -> Sequence[notebook.Cell]:
    """Return the cells of a notebook; none if it cannot be read, or is a module."""
    return _saved(path)[0]


def _saved(path: Path) -> tuple[Sequence[notebook.Cell], str]:
    """Return the cells of a file, if it is a notebook, and why it cannot be read, or ""."""
    try:
        found = path.stat()
    except OSError:  # there is none
        return (), ""
    return _read(path, found.st_mtime_ns, found.st_size)


@lru_cache(maxsize=64)  # a folder's notebooks, which are looked at for each exercise
def _read(path: Path, modified: int, size: int) -> tuple[Sequence[notebook.Cell], str]:
    """Read a file as it is at a time, in nanoseconds, when it has this size, in bytes."""
    try:
        data = read_data(path)
        if form(path.name) == ".ipynb":
            with contextlib.suppress(notebook.DamagedNotebook):  # see below
                return notebook.cells(data), ""
        decode(data, Path(path.name))
    except Unreadable as problem:
        return (), str(problem)
    return (), ""
