"""Cells that were run in a notebook: whether they are the work on an exercise, or its file is."""

from __future__ import annotations

from pathlib import Path

import pytest

from autograder.course import assignments, assignments_folder, skeleton, solution
from autograder.submissions.cells import submission, submissions

EARLIER, LATER = "self_attention", "causal_attention"
EXERCISE = "simple_self_attention"
MINE = "def mine(x):\n    return x\n"
TEXTS = {  # cells that bind an exercise, and modules that they use
    "lambda": (f"{EXERCISE} = lambda x: x", ""),
    "another name": (f"{MINE}{EXERCISE} = mine", ""),
    "annotated": (f"{EXERCISE}: object = print", ""),
    "in an if": (f"if True:\n    def {EXERCISE}(x): return x", ""),
    "in a try": (f"try:\n    def {EXERCISE}(x): return x\nfinally:\n    pass", ""),
    "in a with": (f"with open('x') as f:\n    {EXERCISE} = f.read", ""),
    "imported": (f"from my_work import {EXERCISE}", f"def {EXERCISE}(x): return x"),
    "imported by a star": ("from my_work import *", f"def {EXERCISE}(x): return x"),
    "imported as": (f"from my_work import mine as {EXERCISE}", MINE),
    "imported as a module": (f"import my_work\n{EXERCISE} = my_work.mine", MINE),
    "run": ("%run my_work.py", f"def {EXERCISE}(x): return x"),
    "not written": (f"def {EXERCISE}(x):\n    raise NotImplementedError", ""),
}
OTHERS = {  # cells that do not
    "a use": (f"{EXERCISE}(1)", ""),
    "in a function": (f"def f():\n    {EXERCISE} = 1", ""),
    "an attribute": (f"x.{EXERCISE} = 1", ""),
    "imported from its file": (f"from {EARLIER} import {EXERCISE}", ""),
    "imported and changed": (f"from {EARLIER} import {EXERCISE}\n{EXERCISE}.n = 1", ""),
    "imported through a module": (
        f"from my_work import {EXERCISE}",
        f"from {EARLIER} import {EXERCISE}",
    ),
    "by a star, without it": ("from my_work import *", MINE),
    "in a string": (f'"""\ndef {EXERCISE}(x): return 1\n"""\nx = 1', ""),
    "in a text to show": (f"x = '''\ndef {EXERCISE}(x): return 1\n'''", ""),
    "in a file": (f"%%writefile old.py\ndef {EXERCISE}(x): return 1", ""),
    "in another language": (f"%%bash\ncat <<X\ndef {EXERCISE}(x): return 1\nX", ""),
}


@pytest.mark.parametrize("case", [*TEXTS, *OTHERS])
def test_cells_count_if_they_bind_an_exercise(case: str, tmp_path: Path) -> None:
    cell, module = (TEXTS | OTHERS)[case]
    file = tmp_path / f"{EARLIER}.py"
    file.write_text(skeleton(EARLIER))
    if module:
        (tmp_path / "my_work.py").write_text(module)
    found = submission(tmp_path, [("In [1]", cell, "")], EARLIER)
    assert found.path.name == (f"{EARLIER}.ipynb" if case in TEXTS else file.name)


def test_a_notebook_that_imports_an_earlier_exercise_is_not_its_work(tmp_path: Path) -> None:
    (tmp_path / f"{EARLIER}.py").write_text(solution(EARLIER))
    text = f"from {EARLIER} import SelfAttention\nclass CausalAttention(SelfAttention): pass"
    cells = [("In [1]", text, "")]
    names = {one: submission(tmp_path, cells, one).path.name for one in (EARLIER, LATER)}
    assert names == {EARLIER: f"{EARLIER}.py", LATER: f"{LATER}.ipynb"}


LATER_TEXT = "def causal_weights(x): return x\ndef single_head(x): return x"
FIRST_TEXT = "\ndef context_vector(x): return x"


CONTEXT, SIMPLE = "context_vector", "simple_self_attention"


@pytest.mark.parametrize(
    ("text", "saved", "from_cells"),
    [
        (FIRST_TEXT, skeleton(EARLIER), {CONTEXT}),
        (FIRST_TEXT, solution(EARLIER), {CONTEXT}),
        (f"\n{TEXTS['not written'][0]}", "", {SIMPLE}),
        (f"\n{TEXTS['not written'][0]}", solution(EARLIER), {SIMPLE}),
        ("", solution(EARLIER), set()),
    ],
    ids=["not written", "more in the file", "nowhere", "not written in the cells", "in no cell"],
)
def test_each_exercise_counts_as_the_cells_make_it_and_else_as_it_was_saved(
    text: str, saved: str, from_cells: set[str], tmp_path: Path
) -> None:
    """For the verdict on one exercise and that on all, whatever else the cells define."""
    (tmp_path / f"{LATER}.py").write_text(skeleton(LATER))
    (tmp_path / "normalization.py").write_text(skeleton("normalization"))
    (tmp_path / f"{EARLIER}.py").write_text(saved)
    cells = [("In [1]", LATER_TEXT + text, "")]
    found = submissions(tmp_path, cells)
    assert {EARLIER, LATER, "normalization"} == {one.submission.assignment for one in found}
    for name in (CONTEXT, SIMPLE, "SelfAttention"):
        alone = submission(tmp_path, cells, EARLIER, name)
        parts = [one for one in found if one.submission.assignment == EARLIER]
        [part] = [one for one in parts if name in one.exercises]
        is_written = name in from_cells or saved == solution(EARLIER)
        assert part.submission.path == alone.path or not is_written
        assert part.submission.from_cells == (name in from_cells) or not is_written


def test_beside_a_notebook_in_another_folder_the_kits_other_files_count(tmp_path: Path) -> None:
    (tmp_path / f"{EARLIER}.py").write_text(solution(EARLIER))
    cells = [("In [1]", "x = 1", "")]
    found = {one.submission.assignment: one.submission for one in submissions(tmp_path, cells)}
    for name in assignments():
        folder = tmp_path if name == EARLIER else assignments_folder()
        assert found[name].path.parent == folder
        assert submission(tmp_path, cells, name).path == found[name].path
