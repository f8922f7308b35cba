"""A student's calls of check, hint and progress do nothing where the grader runs the code."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import nbformat
import pytest
from conftest import of, written
from own_files import BASE, Texts, has_all, put, using

from autograder.grading.grade import Grade
from autograder.grading.grader import Grader
from autograder.submissions.finding import find

EXERCISE = "ScaledDotProduct"
CALLS = {
    "with hints": f"check('{EXERCISE}', hints=2)",
    "with spaces": f'check( "{EXERCISE}" )',
    "kept": f"v = check('{EXERCISE}')\nv",
    "shown": f"display(check('{EXERCISE}'))\nprint(hint().text, progress().html)",
    "looked at": f"assert 'all points' in check('{EXERCISE}').text",
    "in a function": "def both():\n    for one in 'AB':\n        check(one)\nboth()",
    "imported": "from autograder.notebook import check, hint, progress\nx = hint(), progress()",
    "all imported": "from autograder.notebook import *\nx = progress()",
    "imported where it may fail": (
        "try:\n    from autograder.notebook import check\nexcept ImportError:\n    check = None\n"
        "check('A', 1)"
    ),
    "the module": "import autograder.notebook\nautograder.notebook.check('A', 1)",
    "the module by another name": "import autograder.notebook as ag\nag.check('A', 1)",
    "the module from the package": "from autograder import notebook\nnotebook.check('A', 1)",
    "the module by importlib": (
        "import importlib\nimportlib.import_module('autograder.notebook').check('A', 1)"
    ),
    "a function of one's own": "def check(x):\n    return x + 1\nif check(1) != 2: 1 / 0",
}


def graded(folder: Path, form: str, cells: list[str], grader: Grader) -> Grade:
    """Grade cells, as a notebook or as a module."""
    text = "\n\n".join(cells)
    if form == ".ipynb":
        made = [nbformat.v4.new_code_cell(cell) for cell in cells]
        text = nbformat.writes(nbformat.v4.new_notebook(cells=made))
    put(folder, {BASE + form: text})
    return grader.grade(find(folder, BASE)[0])


@pytest.mark.parametrize("form", [".ipynb", ".py"])
@pytest.mark.parametrize("call", CALLS)
def test_a_call_of_the_kit_costs_nothing(
    call: str,
    form: str,
    grader_of: Callable[..., Grader],
    tmp_path: Path,
    solutions: Texts,
) -> None:
    cells = [written(solutions[BASE]), CALLS[call]]
    assert has_all(graded(tmp_path, form, cells, grader_of(EXERCISE)))


@pytest.mark.parametrize("name", ["check", "hint", "progress"])
def test_an_exercise_that_calls_an_unknown_function_is_wrong(
    name: str, grader_of: Callable[..., Grader], tmp_path: Path, solutions: Texts
) -> None:
    cells = [using(solutions, "", f"({name}(Q) or math.sqrt(Q.shape[-1]))")]
    wrong = of(graded(tmp_path, ".py", cells, grader_of(EXERCISE)), EXERCISE)
    assert wrong.points == 0
    assert f"NameError: name '{name}' is not defined" in wrong.checks[0].message


def test_a_decorator_that_is_a_call_of_the_kit_is_wrong(
    grader_of: Callable[..., Grader], tmp_path: Path, solutions: Texts
) -> None:
    text = written(solutions[BASE])
    cells = [text.replace(f"class {EXERCISE}", f"@check\nclass {EXERCISE}")]
    assert of(graded(tmp_path, ".py", cells, grader_of(EXERCISE)), EXERCISE).points == 0


@pytest.mark.parametrize("line", ["import autograder.runtime", "from autograder import checking"])
def test_nothing_else_of_the_kit_is_there(
    line: str, grader_of: Callable[..., Grader], tmp_path: Path, solutions: Texts
) -> None:
    cells = [written(solutions[BASE]), f"{line}\nfrom autograder.notebook.calls import STATE"]
    said = graded(tmp_path, ".py", cells, grader_of(EXERCISE)).message
    assert said.startswith("The grader runs without autograder: ")
    assert said.endswith("None can be called autograder: rename it.")
