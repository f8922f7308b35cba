"""What the kit's own cells have changed in the kernel: told if an exercise uses it, else silent."""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest

from autograder.course import assignments, assignments_folder, skeleton, solution
from autograder.kit.notebook import notebook
from autograder.notebook.kits_cells import changed
from autograder.submissions.work import exercises_of

ASSIGNMENT, EXERCISE = "running_averages", "running_mean_loop"
KIT, OWN = f"check-{EXERCISE}", "own"
USES = (f"def {EXERCISE}(x):\n    return x * k", OWN)
# Cells in the order in which they were run, and the name that is told, if any.
CASES: dict[str, tuple[list[tuple[str, str]], str]] = {
    "another value": ([("k = 2", OWN), USES, ("k = 1", KIT)], "k"),
    "a part of it": ([("k = [2]", OWN), USES, ("k[0] = 1", KIT)], "k"),
    "by a method": ([("k = [2]", OWN), USES, ("k.append(1)", KIT)], "k"),
    "deleted": ([("k = 2", OWN), USES, ("del k", KIT)], "k"),
    "by a function": (
        [("k = 2\ndef set_k(n):\n    global k\n    k = n", OWN), USES, ("set_k(1)", KIT)],
        "k",
    ),
    "a helper": ([("def k(): pass", OWN), USES, ("(x, k), _ = [1, 2], 3", KIT)], "k"),
    "a part of the exercise": ([("k = 2", OWN), USES, (f"{EXERCISE}.n = 1", KIT)], EXERCISE),
    "with a check": ([("k = 2", OWN), USES, (f"k = 1\ncheck({EXERCISE!r})", KIT)], "k"),
    "made again": ([("k = 2", OWN), USES, ("k = 1", KIT), ("k = 2", OWN)], ""),
    "changed again": ([("k = 2", OWN), USES, ("k = 1", KIT), ("k += 2", OWN)], "k"),
    "missing, which the verdict tells": ([USES, ("k = 1", KIT)], ""),
    "not used": ([("m = 2", OWN), USES, ("m = 1", KIT)], ""),
    "local where it is used": ([("x = 2", OWN), USES, ("x = 1", KIT)], ""),
    "not changed": ([("k = 2", OWN), USES, ("print(k, [k for k in range(3)])", "other")], ""),
    "in a cell of one's own": ([("k = 2", OWN), USES, ("k = 1", "other")], ""),
}


@pytest.mark.parametrize("case", CASES)
def test_what_a_cell_of_the_kit_has_changed_is_told(case: str, tmp_path: Path) -> None:
    cells, name = CASES[case]
    nbformat.write(notebook(skeleton(ASSIGNMENT), ASSIGNMENT), tmp_path / f"{ASSIGNMENT}.ipynb")
    ran = [(f"In [{number}]", text, one) for number, (text, one) in enumerate(cells, 1)]
    said = changed(tmp_path, ran, EXERCISE)
    assert said.startswith("In [3] is one of the kit's own cells") == bool(name)
    assert f"has changed {name} in your kernel" in said or not name


@pytest.mark.parametrize("assignment", assignments())
def test_the_kits_cells_as_they_are_change_nothing_that_counts(assignment: str) -> None:
    solved = notebook(solution(assignment), assignment)
    cells = [
        (f"In [{number}]", cell.source, cell.id)
        for number, cell in enumerate(solved.cells)
        if cell.cell_type == "code"
    ]
    for exercise in exercises_of(assignment):
        assert not changed(assignments_folder(), [*cells, *cells], exercise)


def test_without_a_saved_notebook_no_cell_is_the_kits(tmp_path: Path) -> None:
    cells = [("In [1]", "k = 2", OWN), ("In [2]", *USES), ("In [3]", "k = 1", KIT)]
    for folder in (tmp_path, tmp_path / "none"):
        assert not changed(folder, cells, EXERCISE)
