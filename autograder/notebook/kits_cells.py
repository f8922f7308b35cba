"""Tell what the kit's own cells, which do not count, have changed in the kernel."""

from __future__ import annotations

import contextlib
from pathlib import Path

from autograder.notebook.cell_names import affected_by, bound_in, made_anew_in, reached
from autograder.submissions.cells import Cells, of_the_kit
from autograder.submissions.files import Unreadable

NAMED = "one of the kit's own cells"
CHANGED = (
    f"{{}} is {NAMED}, which are not graded, and has changed {{}} in your kernel: "
    "write what counts in a cell of your own, and run it."
)


def changed(folder: Path, cells: Cells, exercise: str) -> str:
    """Return a sentence about the last cell of the kit that changed what an exercise uses, or "".

    Silent if a later cell has made it anew, and about what no other cell has made: the verdict
    tells that. folder: that of the notebook. cells: those that count, in the order of their runs.
    """
    kits: set[str] = set()
    with contextlib.suppress(Unreadable):
        kits = of_the_kit(folder, exercise)
    texts = [text for _, text, _ in cells]
    graded = ["" if one in kits else text for _, text, one in cells]
    needed = reached(graded, {exercise}) if kits else set()
    for i, (label, text, one) in reversed([*enumerate(cells)]):
        made = {name for other in graded[:i] for name in bound_in(other)}
        anew = made_anew_in(graded[i + 1 :])
        if one in kits and (lost := affected_by(text, texts) & needed & made - anew):
            return CHANGED.format(label, exercise if exercise in lost else min(lost))
    return ""
