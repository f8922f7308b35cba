"""Cells that were run in a notebook: whether they are the work on an exercise, or its file is."""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest
from conftest import of

from autograder.course import (
    DEFINED,
    assignments,
    assignments_folder,
    program,
    skeleton,
    solution,
)
from autograder.grading.grade import Outcome
from autograder.grading.grader import Grader
from autograder.kit.notebook import notebook
from autograder.submissions import folders
from autograder.submissions.cells import submission, submissions
from autograder.submissions.finding import find
from autograder.submissions.work import exercises_of

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
    "not readable": (f"def {EXERCISE}(x): return x\nprint(", ""),
    "in a text that is run": (f"text = '''\ndef {EXERCISE}(x): return x'''\nexec(text)", ""),
    "in a text that a shell runs": (
        f"shell = get_ipython()\nshell.run_cell('''\ndef {EXERCISE}(x): return x''')",
        "",
    ),
    "in a text that IPython runs": (
        f"get_ipython().run_cell('''\ndef {EXERCISE}(x): return x''')",
        "",
    ),
    "written": (f"%%writefile {EARLIER}.py\ndef {EXERCISE}(x): return x", ""),
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
    "imported through a module, and changed": (
        f"from my_work import {EXERCISE}\n{EXERCISE}.n = 1",
        f"from {EARLIER} import {EXERCISE}",
    ),
    "its file as a module": (f"import {EARLIER} as saved\nsaved.{EXERCISE}(1)", ""),
    "imported and deleted": (f"from {EARLIER} import *\ndel {EXERCISE}", ""),
    "by a star, without it": ("from my_work import *", MINE),
    "in a text": (f"old = '''\ndef {EXERCISE}(x): return x'''", ""),
    "in a text of a call": (f"show('''\ndef {EXERCISE}(x): return x''')", ""),
    "in another language": (f"%%bash\ncat <<END\ndef {EXERCISE}(x): return x\nEND", ""),
    "written, and not used": (f"%%writefile old.py\ndef {EXERCISE}(x): return x", ""),
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


BOUND = {  # cells that bind an exercise behind an import of its saved file
    "lambda": f"{EXERCISE} = lambda x: x",
    "a saved one, wrapped": f"{EXERCISE} = lambda x: 2 * saved.{EXERCISE}(x)",
    "a saved one": f"{EXERCISE} = saved.{EXERCISE}",
    "another saved one": f"{EXERCISE} = saved.context_vector",
    "another saved one, imported": f"from {EARLIER} import context_vector as {EXERCISE}",
    "called": f"{EXERCISE} = twice({EXERCISE})",
    "by another name": f"first = {EXERCISE}\n{EXERCISE} = lambda x: 2 * first(x)",
    "another function": f"{MINE}{EXERCISE} = mine",
    "annotated": f"{EXERCISE}: object = mine",
    "augmented": f"{EXERCISE} += 1",
    "in a tuple": f"one, {EXERCISE} = 1, mine",
    "in a chain": f"one = {EXERCISE} = mine",
    "in brackets": f"[one, *{EXERCISE}] = 1, mine",
    "a walrus": f"print({EXERCISE} := mine)",
    "for": f"for {EXERCISE} in [mine]: pass",
    "with": f"with open('x') as {EXERCISE}: pass",
    "import": f"import math as {EXERCISE}",
    "import from": f"from math import sqrt as {EXERCISE}",
    "match": f"match mine:\n    case {EXERCISE}: pass",
    "global": f"def bind():\n    global {EXERCISE}\n    {EXERCISE} = mine\nbind()",
    "globals": f"globals()['{EXERCISE}'] = mine",
    "in one line": f"from {EARLIER} import {EXERCISE}; {EXERCISE} = twice({EXERCISE})",
    "in one of two branches": (
        f"if 1:\n    {EXERCISE} = mine\nelse:\n    from {EARLIER} import {EXERCISE}"
    ),
    "in a definition": f"def {EXERCISE}(x): return x",
}
IMPORTED = ["import {} as saved", "from {} import *", "%run {}.py"]


@pytest.mark.parametrize("text", [skeleton(EARLIER), solution(EARLIER)], ids=["left", "written"])
@pytest.mark.parametrize("imported", IMPORTED)
@pytest.mark.parametrize("case", BOUND)
def test_cells_that_import_the_saved_file_count_if_they_bind_an_exercise(
    case: str, imported: str, text: str, tmp_path: Path
) -> None:
    (tmp_path / f"{EARLIER}.py").write_text(text)
    cells = [("In [1]", imported.format(EARLIER), ""), ("In [2]", BOUND[case], "")]
    assert submission(tmp_path, cells, EARLIER, EXERCISE).from_cells
    [part] = [one for one in submissions(tmp_path, cells) if EXERCISE in one.exercises]
    assert part.submission.from_cells
    taken_again = [*cells, ("In [3]", f"from {EARLIER} import {EXERCISE}", "")]
    if case != "in a definition":
        assert not submission(tmp_path, taken_again, EARLIER, EXERCISE).from_cells


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


@pytest.mark.dear
@pytest.mark.parametrize("released", [True, False])
@pytest.mark.parametrize("form", [".py", ".ipynb"])
def test_cells_can_take_what_they_have_tried_out_of_its_saved_file(
    form: str, released: bool, grader: Grader, tmp_path: Path
) -> None:
    """The module may lie beside a notebook as it was released."""
    if released:
        (tmp_path / f"{EARLIER}.py").write_text(skeleton(EARLIER))
    made = nbformat.writes(notebook(solution(EARLIER), EARLIER))
    text = made if form == ".ipynb" else solution(EARLIER)
    (tmp_path / f"{EARLIER}{form}").write_text(text)
    texts = [TEXTS["lambda"][0], f"from {EARLIER} import {EXERCISE}"]
    cells = [(f"In [{number}]", text, "") for number, text in enumerate(texts, 1)]
    [tried, taken] = [
        of(grader.grade(submission(tmp_path, cells[:count], EARLIER, EXERCISE)), EXERCISE)
        for count in (1, 2)
    ]
    assert (tried.outcome is Outcome.PASSED, taken.outcome) == (False, Outcome.PASSED)


def test_two_saved_forms_that_hold_work_are_told(tmp_path: Path) -> None:
    """With the one that imports take, which may not be the one that is graded."""
    cells = [("In [1]", "x = 1", "")]
    for form, text in ((".py", f"{solution(EARLIER)}\nx = 1"), (".ipynb", solution(EARLIER))):
        assert submission(tmp_path, cells, EARLIER).remark == ""
        made = nbformat.writes(notebook(text, EARLIER)) if form == ".ipynb" else text
        (tmp_path / f"{EARLIER}{form}").write_text(made)
    both = f"{EARLIER}.py and {EARLIER}.ipynb both hold work"
    said = submission(tmp_path, cells, EARLIER).remark
    assert said.startswith(both) and f"imports take {EARLIER}.ipynb." in said


LOOSE = {  # files beside those of the kit, from the folder of all assignments
    "a copy": f"{EARLIER} (1).py",
    "a longer name": f"my_{EARLIER}.ipynb",
    "in another folder": f"old/{EARLIER}.py",
}


@pytest.mark.parametrize("case", LOOSE)
def test_in_the_kit_the_files_count_that_the_command_line_grades(
    case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folders, "assignments_folder", lambda: tmp_path)
    for name in assignments():
        (tmp_path / f"{name}.py").write_text(skeleton(name))
    path = tmp_path / LOOSE[case]
    path.parent.mkdir(exist_ok=True)
    made = nbformat.writes(notebook(solution(EARLIER), EARLIER))
    path.write_text(made if path.suffix == ".ipynb" else solution(EARLIER))
    [graded] = find(tmp_path, EARLIER)
    cells = [("In [1]", f"from {EARLIER} import SelfAttention\n{LATER_TEXT}", "")]
    assert submission(tmp_path, cells, EARLIER).path == graded.path == tmp_path / f"{EARLIER}.py"
    assert submission(tmp_path, cells, LATER).homes[EARLIER] == f"{EARLIER}.py"


@pytest.mark.parametrize("text", [solution(EARLIER), skeleton(EARLIER)])
def test_a_file_outside_the_folder_of_its_assignment_does_not_count(
    text: str, tmp_path: Path
) -> None:
    """Neither cells nor a saved notebook import a file outside the folder of its assignment."""
    for name in (EARLIER, LATER):
        (tmp_path / name).mkdir()
    own = tmp_path / EARLIER / f"{EARLIER}.ipynb"
    own.write_text(nbformat.writes(notebook(text, EARLIER)))
    (tmp_path / f"{EARLIER}.py").write_text(f"{solution(EARLIER)}\nx = 1")
    later = f"from {EARLIER} import SelfAttention\n{LATER_TEXT}"
    (tmp_path / LATER / f"{LATER}.py").write_text(later)
    found = submission(tmp_path / LATER, [("In [1]", later, "")], LATER)
    [saved] = find(tmp_path / LATER / f"{LATER}.py", LATER)
    assert found.homes[EARLIER] == saved.homes[EARLIER] == f"{EARLIER}/{own.name}"
    assert submission(tmp_path / LATER, [("In [1]", "x = 1", "")], EARLIER).path == own


def test_cells_belong_to_the_assignment_whose_exercises_they_define(tmp_path: Path) -> None:
    """Cells do not count for an assignment that only has other functions of the same names."""
    first, last = assignments()[0], program()
    others = {*DEFINED.findall(skeleton(last))} - exercises_of(last)
    own = min(exercises_of(first))
    text = "\n".join(f"def {name}(x):\n    return x\n" for name in [own, *sorted(others)])
    found = [one.submission for one in submissions(tmp_path, [("In [1]", text, "")])]
    assert [one.assignment for one in found if one.path.parent == tmp_path] == [first]
