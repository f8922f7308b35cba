"""Tell which exercises are written in another notebook than the one that is graded."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from autograder.course import DEFINED, assignments, assignments_folder, root
from autograder.submissions import by_assignment, notebook
from autograder.submissions.cells import Cells
from autograder.submissions.files import Unreadable
from autograder.submissions.source_text import read_data
from autograder.submissions.work import exercises_of

NOT_HERE = "{} {} written in {}, where {} not graded: only {} counts."


def not_graded(
    folder: Path, names: Mapping[str, object], made: Collection[str], cells: Cells
) -> list[str]:
    """Return a sentence for each notebook that has exercises and is not graded for them.

    folder: that of the notebook. names: those of the kernel. made: the exercises that the cells
    make.
    """
    own = _own(folder, names)
    cell_of = {one: cell for _, text, cell in cells for one in DEFINED.findall(text)}
    found: dict[tuple[str, str], list[str]] = {}
    for assignment in assignments():
        counted = _counted(folder, assignment)
        for exercise in sorted(exercises_of(assignment) & {*made} & {*cell_of}):
            home = _home(cell_of[exercise], [*own, counted, *folder.glob("*.ipynb")], own)
            if home and counted.is_file() and not home.samefile(counted):
                shown = os.path.relpath(home, counted.parent)
                found.setdefault((shown, counted.name), []).append(exercise)
    return [_sentence(exercises, *files) for files, exercises in found.items()]


def _sentence(exercises: Sequence[str], home: str, counted: str) -> str:
    is_are, it_is = ("are", "they are") if exercises[1:] else ("is", "it is")
    shown = " and ".join(filter(None, [", ".join(exercises[:-1]), exercises[-1]]))
    return NOT_HERE.format(shown, is_are, home, it_is, counted)


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
    return found if found.is_file() else found.with_suffix(".py")


def _home(cell: str, notebooks: Sequence[Path], own: Sequence[Path]) -> Path | None:
    """Return the first notebook that has a cell, as it was saved, or else the kernel's own."""
    return next((one for one in notebooks if cell in _ids(one)), next(iter(own), None))


def _ids(path: Path) -> set[str]:
    """Return the ids of the cells in a notebook; none if it cannot be read."""
    with contextlib.suppress(Unreadable, notebook.DamagedNotebook):
        return {name for one in notebook.cells(read_data(path)) for name in one.names}
    return set()
