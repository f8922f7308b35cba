"""check, hint and progress in a notebook: graded is what was run, and nothing else."""

from __future__ import annotations

import importlib
import os
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import nbformat
import pytest

from autograder.cli.watching import Watching
from autograder.course import exercises, skeleton, solution
from autograder.course.calls import CALLS
from autograder.kit.notebook import notebook
from autograder.notebook import calls, own_imports
from autograder.notebook.counting import MOST_SECONDS
from autograder.notebook.history import History
from autograder.notebook.importing import begin
from autograder.notebook.kernel import Kernel
from autograder.notebook.own_imports import OwnImports
from autograder.report.as_output import LAST, MORE, NO_HINT, NONE_NEEDED, NOT_RUN
from autograder.report.feedback import HERE
from autograder.resident.verdicts import Verdict, verdict
from autograder.submissions import by_assignment
from autograder.submissions import notebook as notebooks
from autograder.submissions.source_text import DEMONSTRATION
from autograder.submissions.work import exercises_of

EXERCISE, ASSIGNMENT = "ScaledDotProduct", "attention_layer"
RIGHT = """\
class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        return torch.softmax(Q @ K.mT / K.shape[-1] ** 0.5, dim=-1) @ V
"""
WRONG = RIGHT.replace("K.shape[-1] ** 0.5", "(2 * K.shape[-1]) ** 0.5")
IMPORTS = "import torch\nfrom torch import nn"
Run = Callable[..., Any]


@pytest.fixture(scope="module", autouse=True)
def _resident() -> Iterator[None]:
    """Let these tests have a resident grader of their own, which ends with them."""
    with tempfile.TemporaryDirectory() as private, pytest.MonkeyPatch.context() as patched:
        patched.setenv("XDG_RUNTIME_DIR", private)
        patched.delenv("AUTOGRADER_RESIDENT")
        yield
        for log in Path(private).glob("*/*.log"):
            os.kill(int(log.read_text().split()[1]), signal.SIGKILL)


@pytest.fixture
def run(shell: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Return a function that runs a cell, and returns its result. cell_id: as notebooks give it."""
    shell.run_cell("", store_history=True)
    history = History(shell)
    monkeypatch.setattr(calls, "_history", lambda: history)
    monkeypatch.setattr(calls, "FOLDER", str(tmp_path))
    kernel = Kernel(tmp_path)
    kernel.begin(shell)
    monkeypatch.setattr(calls, "KERNEL", kernel)
    monkeypatch.setattr(calls, "STATE", calls._State())
    shell.user_ns.update(check=calls.check, hint=calls.hint, progress=calls.progress)

    def run_cell(text: str, cell_id: str | None = None) -> Any:
        return shell.run_cell(text, store_history=True, cell_id=cell_id).result

    return run_cell


@pytest.mark.dear
def test_what_a_cell_has_not_reached_does_not_count(run: Run) -> None:
    run(IMPORTS)
    asks = f"check({EXERCISE!r})"
    missing, wrong = run(f"found = [{asks}]\n{WRONG}\nfound.append({asks})\nfound")
    assert "missing" in repr(missing) and "the root of 2 d_k" in repr(wrong)
    run(RIGHT)
    run(f"first = {asks}\n1 / 0\n{WRONG}")
    assert "passed" in repr(run("first"))


def test_a_mistake_is_named_and_mended_in_the_notebook(run: Run) -> None:
    run(IMPORTS)
    run(WRONG, "a")
    found = run(f"check({EXERCISE!r})")
    assert "✗ ScaledDotProduct" in repr(found) and "the root of 2 d_k" in repr(found)
    assert "The smallest example" in repr(found)
    assert "the root of 2 d_k" in found._repr_html_() and "<script" not in found._repr_html_()
    run(RIGHT, "a")
    assert repr(run(f"check({EXERCISE!r})")).startswith("✓ ScaledDotProduct")


@pytest.mark.dear
def test_objects_of_the_kernel_are_not_asked(run: Run, shell: Any) -> None:
    run(f"{IMPORTS}\n{WRONG}")
    exec(RIGHT, shell.user_ns)  # such as by a debugger
    assert "✗ ScaledDotProduct" in repr(run(f"check({EXERCISE!r})"))


@pytest.mark.dear
def test_a_long_wait_is_explained(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    told = "Seconds were taken: {}.".format
    monkeypatch.setattr(History, "waits", lambda history, waited, kits: told(waited > 0))
    run(f"{IMPORTS}\n{WRONG}")
    assert repr(run(f"check({EXERCISE!r})")).endswith("Seconds were taken: True.")


@pytest.mark.dear
@pytest.mark.parametrize(("seconds", "is_told"), [(0.0, True), (600.0, False)])
def test_a_long_wait_is_told_while_it_lasts(
    seconds: float,
    is_told: bool,
    run: Run,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(calls, "WAITED", seconds)
    monkeypatch.setattr(calls, "AGAIN", seconds or 0.2)
    run(f"{IMPORTS}\n{WRONG}\ncheck({EXERCISE!r});")
    said = capsys.readouterr().out
    assert ("Still grading: a statement or call that does" in said) == is_told
    assert ("Still grading, for " in said) == is_told


@pytest.mark.dear
def test_one_hint_after_the_other(run: Run) -> None:
    assert "Run check" in repr(run("hint()"))
    run(f"{IMPORTS}\n{WRONG}")
    found = [repr(run(f"check({EXERCISE!r})")), *(repr(run("hint()")) for _ in range(3))]
    assert ["Look:" in one for one in found] == [True, True, True, True]
    assert ["Think:" in one for one in found] == [False, True, True, True]
    assert ["Nearly:" in one for one in found] == [False, False, True, True]
    assert ["hint()" in one for one in found] == [True, True, False, False]
    assert [LAST in one for one in found] == [False, False, False, True]


ODD = RIGHT.replace("@ V", "@ V * 3.7 + 0.1")  # a mistake that is not known
HEAD = "class AttentionHead(nn.Module):\n    def __init__(self, *sizes): pass\n"


@pytest.mark.dear
@pytest.mark.parametrize(
    ("text", "name", "said"),
    [
        (RIGHT, EXERCISE, NONE_NEEDED),
        (ODD, EXERCISE, NO_HINT),
        ("x = 1", EXERCISE, NOT_RUN),
        (f"{WRONG}\n{HEAD}", "AttentionHead", 'run check("QueryKeyValue") and then hint()'),
    ],
    ids=["right", "not known", "missing", "blocked"],
)
def test_where_there_is_no_hint_it_says_why(text: str, name: str, said: str, run: Run) -> None:
    run(f"{IMPORTS}\n{text}")
    first, *more = [run(f"check({name!r})"), *(run("hint()") for _ in range(4))]
    assert said == NOT_RUN or said not in repr(first)
    for found in more:
        assert repr(found).count(said) == 1 and LAST not in repr(found)
        assert said.replace('"', "&#34;") in found._repr_html_()


@pytest.mark.dear
def test_a_mistake_is_graded_anew_when_all_hints_were_shown(run: Run) -> None:
    run(f"{IMPORTS}\n{WRONG}")
    run(f"check({EXERCISE!r}, hints=3)")
    run(RIGHT)
    assert repr(run("hint()")).startswith("✓ ScaledDotProduct")


@pytest.mark.dear
def test_no_hint_and_no_name_for_who_wants_to_think_first(run: Run) -> None:
    run(f"{IMPORTS}\n{WRONG}")
    told = [repr(run(one)) for one in (f"check({EXERCISE!r}, hints=0)", "hint()")]
    assert ["the root of 2 d_k" in text for text in told] == [False, True]
    assert "For its name and a hint, run hint()." in told[0]


@pytest.mark.parametrize(
    ("call", "said"),
    [
        ("check('X', hints=4)", calls.NO_HINTS),
        ("check('X', hints=True)", calls.NO_HINTS),
        ("check('X', hints='2')", calls.NO_HINTS),
        ("check('X', hints=1.0)", calls.NO_HINTS),
        ("check('X', hint=2)", calls.NO_HINTS),
        ("check('X', 'Y')", calls.NO_HINTS),
        ("check('X', 1, 'Y')", calls.NO_HINTS),
        ("check()", calls.NO_NAME),
        ("check(check)", calls.NO_NAME),
        ("check(['X'])", calls.NO_NAME),
        ("hint('FeedForwardLayer')", calls.NONE_YET),
        ("hint('FeedForwardLayer', 2)", calls.NO_NAME),
    ],
)
def test_wrong_arguments_are_told_in_one_sentence(call: str, said: str, run: Run) -> None:
    assert repr(run(call)) == said


def test_hint_knows_a_misspelt_name(run: Run) -> None:
    said = "There is no exercise ScaledDotProdukt. Was ScaledDotProduct meant?"
    assert said in repr(run("hint('ScaledDotProdukt')"))


@pytest.mark.dear
def test_hint_accepts_the_name_that_was_checked_last(run: Run) -> None:
    run(f"{IMPORTS}\n{WRONG}")
    run(f"check({EXERCISE!r})")
    assert "Think:" in repr(run(f"hint({EXERCISE!r})"))
    assert repr(run("hint('FeedForwardLayer')")) == calls.NONE_YET
    assert all(name in repr(run("check('nope')")) for name in exercises())
    assert "Nearly:" in repr(run("hint()"))


@pytest.mark.dear
def test_progress_counts_the_cells_and_the_files(run: Run, tmp_path: Path) -> None:
    run(f"{IMPORTS}\n{RIGHT}")
    (tmp_path / "running_averages.py").write_text(solution("running_averages"))
    (tmp_path / "normalization.py").write_text(solution("normalization"))
    text = repr(run("progress()"))
    assert "✓ ScaledDotProduct" in text and "✓ LayerNorm1d" in text
    assert "○ FeedForwardLayer" in text


@pytest.mark.dear
def test_after_a_restart_saved_work_counts_until_its_cells_are_run(
    run: Run, tmp_path: Path
) -> None:
    saved = notebook(solution(ASSIGNMENT), ASSIGNMENT)
    nbformat.write(saved, tmp_path / f"{ASSIGNMENT}.ipynb")
    (tmp_path / "normalization.py").write_text(skeleton("normalization"))
    run(IMPORTS)
    text = " ".join(repr(run("progress()")).split())
    assert "✓ QueryKeyValue" in text and "counted are the saved files" in text
    run(WRONG)
    found = run("progress()")
    text = " ".join(repr(found).split())
    said = f"Counted are the cells that were run in this session for {ASSIGNMENT} (only {EXERCISE})"
    assert said in text and said in found._repr_html_()
    assert "✗ ScaledDotProduct" in text and "✓ QueryKeyValue" in text
    text = " ".join(repr(run("check('QueryKeyValue')")).split())
    assert text.startswith("✓ QueryKeyValue") and f"{ASSIGNMENT}.ipynb as it was saved" in text
    for cell in saved.cells:
        if cell.cell_type == "code" and DEMONSTRATION not in cell.metadata.get("tags", []):
            run(cell.source, cell.id)
    text = " ".join(repr(run("progress()")).split())
    assert f"in this session for {ASSIGNMENT}, and" in text and "✓ ScaledDotProduct" in text


@pytest.mark.dear
def test_a_cell_that_cannot_be_read_costs_no_saved_work(run: Run, tmp_path: Path) -> None:
    (tmp_path / f"{ASSIGNMENT}.py").write_text(solution(ASSIGNMENT))
    run("class ScaledDotProduct: retrun", "a")
    found = repr(run("progress()"))
    assert "✗ ScaledDotProduct" in found and "✓ QueryKeyValue" in found


def test_earlier_assignments_are_found_beside_the_notebook(run: Run, tmp_path: Path) -> None:
    (tmp_path / "attention_layer.py").write_text(solution("attention_layer"))
    made = notebook(solution("multi_head"), "multi_head")
    for cell in made.cells:
        if "class MultiHeadList" in cell.source or cell.source.startswith(("import", "from")):
            run(cell.source, cell.id)
    assert repr(run("check('MultiHeadList')")).startswith("✓ MultiHeadList")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("ScaledDotProdukt", "There is no exercise ScaledDotProdukt. Was ScaledDotProduct meant?"),
        ("FeedForwardLayer", "Write it in a cell above, run that cell"),
        ("attention_layer", "It is an assignment, with TestModule"),
        ("Block", "Block is a part of TinyTransformer, and is graded with it."),
        ("train", "There is no exercise train. The exercises are: "),
    ],
)
def test_what_cannot_be_checked_is_said_in_one_sentence(name: str, said: str, run: Run) -> None:
    run(f"{IMPORTS}\n{RIGHT}")
    assert said in repr(run(f"check({name!r})"))


@pytest.mark.dear
def test_without_a_resident_grader_it_says_the_same(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(f"{IMPORTS}\n{WRONG}")
    found = run(f"check({EXERCISE!r})")
    monkeypatch.setenv("AUTOGRADER_RESIDENT", "0")
    assert run(f"check({EXERCISE!r})") == found


def test_outside_a_notebook_it_says_what_to_call(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calls, "_history", lambda: None)
    assert 'In a terminal, call make grade EX="X".' in repr(calls.check("X"))


def test_a_cell_of_the_kit_counts_as_little_as_in_a_file(run: Run, tmp_path: Path) -> None:
    """An answer there would be lost when the notebook is handed in."""
    nbformat.write(notebook(skeleton(ASSIGNMENT), ASSIGNMENT), tmp_path / f"{ASSIGNMENT}.ipynb")
    own = f"check-{EXERCISE}"
    run(f"{IMPORTS}\n{WRONG}")
    run(RIGHT, own)
    assert "✗ ScaledDotProduct" in repr(run(f"check({EXERCISE!r})"))


HELPED = RIGHT.replace("K.shape[-1] ** 0.5", "root_of(K)")
ROOT_OF = "def root_of(x):\n    return x.shape[-1] ** 0.5\n"


@pytest.mark.dear
def test_code_in_a_cell_of_the_kit_is_told_not_to_count(run: Run, tmp_path: Path) -> None:
    nbformat.write(notebook(skeleton(ASSIGNMENT), ASSIGNMENT), tmp_path / f"{ASSIGNMENT}.ipynb")
    run(f"{ROOT_OF}check({EXERCISE!r})", f"check-{EXERCISE}")
    run(f"{IMPORTS}\n{HELPED}")
    found = run(f"check({EXERCISE!r})")
    said = "one of the kit's own cells, which are not graded: root_of there does not count."
    assert f"In [1] is {said}" in repr(found)
    assert "root_of there does not count" in found._repr_html_()
    run(ROOT_OF)
    assert "does not count" not in repr(run(f"check({EXERCISE!r})"))
    run(f"{RIGHT}\ncheck({EXERCISE!r})", f"check-{EXERCISE}")
    found = repr(run(f"check({EXERCISE!r})"))
    assert found.startswith("✓") and f"{EXERCISE} there does not count" in found


@pytest.mark.dear
@pytest.mark.parametrize("call", [f"check({EXERCISE!r})", "progress()"])
def test_an_exercise_in_another_notebook_is_told(call: str, run: Run, tmp_path: Path) -> None:
    for name, cell in [(ASSIGNMENT, "a"), ("Untitled", "b")]:
        whole = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("", id=cell)])
        nbformat.write(whole, tmp_path / f"{name}.ipynb")
    said = f"{EXERCISE} is written in Untitled.ipynb, where it is not graded"
    run(f"{IMPORTS}\n{RIGHT}", "b")
    found = run(call)
    assert said in repr(found) and said in found._repr_html_()
    run(f"{IMPORTS}\n{RIGHT}", "a")
    assert said not in repr(run(call))


OWN_CELL = f"check-{EXERCISE}"
SIZED = RIGHT.replace("** 0.5", "** POWER")
LISTED = RIGHT.replace("** 0.5", "** powers[0]")
DONE = "what it does to {} counts in this kernel only"
# The cells, of which some are the kit's, and what is said about them.
KITS: dict[str, tuple[list[tuple[str, str]], str]] = {
    "another value": ([("POWER = 1", "p"), (SIZED, "a"), ("POWER = 0.5", OWN_CELL)], "POWER"),
    "in the cell of the call": ([("POWER = 1", "p"), (SIZED, "a")], "POWER"),
    "a part of a value": (
        [("powers = [1]", "p"), (LISTED, "a"), ("powers[0] = 0.5", OWN_CELL)], "powers"
    ),
    "through a function": (
        [("POWER = 1\ndef set_it():\n    global POWER\n    POWER = 0.5", "p"), (SIZED, "a"),
         ("set_it()", OWN_CELL)],
        "POWER",
    ),
    "a definition": ([(HELPED + ROOT_OF, "a"), (ROOT_OF, OWN_CELL)], "root_of"),
    "deleted": ([("POWER = 0.5", "p"), (SIZED, "a"), ("del POWER", OWN_CELL)], "POWER"),
    "a part of the exercise": (
        [(RIGHT, "a"), (f"{EXERCISE}.forward = print", OWN_CELL)], EXERCISE
    ),
    "made again below": (
        [("POWER = 1", "p"), (SIZED, "a"), ("POWER = 0.5", OWN_CELL), ("POWER = 1", "p")], ""
    ),
    "made below, as it was there": (
        [("POWER = 1", "p"), (SIZED, "a"), ("POWER = 0.5", OWN_CELL), ("POWER = 0.5", "p")], ""
    ),
    "as it was": ([("POWER = 0.5", "p"), (SIZED, "a"), ("POWER = 0.5", OWN_CELL)], ""),
    "not used": ([("POWER = 1", "p"), (RIGHT, "a"), ("POWER = 0.5", OWN_CELL)], ""),
    "a local name like it": ([("Q = 1", "p"), (RIGHT, "a"), ("Q = 0.5", OWN_CELL)], ""),
    "a name of a loop and of a block": (
        [("powers = []\nfor one in [0.5]:\n    with open('/dev/null') as file:\n"
          "        powers.append(one)", "p"), (LISTED, "a"), ("one = file = 3", OWN_CELL)],
        "",
    ),
    "in no cell of one's own": ([(RIGHT, "a"), ("POWER = 0.5", OWN_CELL)], ""),
}  # fmt: skip


@pytest.mark.dear
@pytest.mark.parametrize("case", KITS)
def test_what_a_cell_of_the_kit_does_to_a_name_is_told(case: str, run: Run, tmp_path: Path) -> None:
    nbformat.write(notebook(skeleton(ASSIGNMENT), ASSIGNMENT), tmp_path / f"{ASSIGNMENT}.ipynb")
    cells, name = KITS[case]
    run(IMPORTS)
    for text, cell_id in cells:
        run(text, cell_id)
    above = "POWER = 0.5\n" if case == "in the cell of the call" else ""
    found = repr(run(f"{above}check({EXERCISE!r})", OWN_CELL))
    assert DONE.format(name) in found if name else "of the kit's own" not in found
    assert (DONE.format(name) in repr(run("progress()"))) == bool(name)


@pytest.mark.dear
def test_a_name_that_the_kit_takes_is_told(run: Run, tmp_path: Path) -> None:
    made = notebook(skeleton("running_averages"), "running_averages")
    nbformat.write(made, tmp_path / "running_averages.ipynb")
    [demo] = [one for one in made.cells if "first, second, third =" in one.source]
    run("import torch\ndef first(x): return x.mean(dim=0)")
    run(
        "def running_mean_loop(x):\n    rows = [[first(one[: t + 1]) for t in range(len(one))]"
        " for one in x]\n    return torch.stack([torch.stack(row) for row in rows])"
    )
    assert "of the kit's own" not in repr(run("check('running_mean_loop')"))
    run(demo.source, demo.id)
    found = repr(run("check('running_mean_loop')"))
    assert "first is now what that cell makes" in found and "another name" in found


@pytest.mark.dear
@pytest.mark.parametrize("is_kits", [True, False])
def test_what_a_cell_of_the_kit_leaves_in_doubt_is_told_to_nobody(
    is_kits: bool, run: Run, shell: Any, tmp_path: Path
) -> None:
    nbformat.write(notebook(skeleton(ASSIGNMENT), ASSIGNMENT), tmp_path / f"{ASSIGNMENT}.ipynb")
    shell.user_ns["ctrl_c"] = lambda: signal.raise_signal(signal.SIGINT)
    run(f"{IMPORTS}\nn = 0.5")
    run(RIGHT.replace("0.5", "n"))
    run("for n in (0.5, 1):\n    ctrl_c()", OWN_CELL if is_kits else "b")
    assert ("not fully known" in repr(run(f"check({EXERCISE!r})"))) == (not is_kits)


def test_a_name_keeps_no_old_value_in_memory(run: Run, shell: Any) -> None:
    run("import gc, weakref\nclass Model: pass")
    run("model = Model()\nolder = weakref.ref(model)")
    for text in ("del model", "model = Model()", "model = None"):
        run("model = Model()\nolder = weakref.ref(model)")
        run(f"{text}\ngc.collect()\nis_gone = older() is None")
        assert shell.user_ns["is_gone"]


# Two cells, and whether the second gives `x` another value.
VALUES = {
    "the same": ("x = print", "x = print", False),
    "equal": ("x = 10 ** 9", "x = 10 ** 9", False),
    "of another type": ("x = 1", "x = True", True),
    "equal, and not plain": ("x = [1]", "x = [1]", True),
    "an object made again": ("class A: pass\nx = A()", "x = A()", True),
    "an object made again in its place": ("class A: pass\nx = A()", "del x; x = A()", True),
    "none in its place": ("class A: pass\nx = A()", "x = None", True),
    "a weak reference": ("import weakref\nx = weakref.ref(print)", "x = weakref.ref(print)", False),
    "deleted": ("x = 1", "del x", True),
    "new": ("pass", "x = None", True),
}


@pytest.mark.parametrize("case", VALUES)
def test_which_cell_gives_a_name_another_value(case: str, run: Run) -> None:
    first, then, is_changed = VALUES[case]
    run(first)
    run(then)
    assert ("x" in calls.KERNEL._ran[-1].changed) == is_changed


def test_how_often_one_call_lists_the_folder_and_reads_its_files(
    run: Run, own_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    nbformat.write(notebook(skeleton(ASSIGNMENT), ASSIGNMENT), f"{ASSIGNMENT}.ipynb")
    names = dict.fromkeys(exercises_of(ASSIGNMENT), HERE)
    run("import own_helpers")
    run("\n".join(f"{one} = own_helpers.root_of" for one in names))
    found = Verdict("", outcomes=dict.fromkeys(names, "passed"), paths=names)
    monkeypatch.setattr(calls, "verdict", lambda *_: found)
    counted = Counter[str]()
    for place, name in (
        (by_assignment, "listed"),
        (notebooks, "cells"),
        (own_imports, "read_source"),
        (OwnImports, "_imported"),
    ):
        monkeypatch.setattr(place, name, counting(getattr(place, name), counted, name))
    assert "has changed" not in repr(calls.progress())
    # the cells: for the ids of the kit's own, and to see whether they can be read
    assert counted == {"listed": 1, "cells": 2, "read_source": 2, "_imported": 1}


def counting(function: Callable[..., Any], counted: Counter[str], name: str) -> Callable[..., Any]:
    """Return a function that does the same, and counts its calls."""

    def call(*arguments: Any) -> Any:
        counted[name] += 1
        return function(*arguments)

    return call


HIDDEN: dict[str, tuple[list[str], str]] = {  # cells that make a name by no statement
    "an exercise": (
        [RIGHT.replace(EXERCISE, "Mine"), "globals().update({'Scaled' + 'DotProduct': Mine})"],
        EXERCISE,
    ),
    "by a magic": ([SIZED, "POWER = 1", "get_ipython().push({'POWER': 0.5})"], "POWER"),
    "not used": ([RIGHT, "get_ipython().push({'POWER': 0.5})"], ""),
    "what a verdict runs": (["globals()['POWER'] = 0.5", SIZED], ""),
    "a text that is run": ([f"shell = get_ipython()\nshell.run_cell({RIGHT!r})"], ""),
    "run again": (["POWER = 1", "POWER = 0.5", SIZED, "%rerun 2"], ""),
}  # fmt: skip


@pytest.mark.dear
@pytest.mark.parametrize("case", HIDDEN)
def test_what_no_text_makes_is_told(case: str, run: Run) -> None:
    cells, name = HIDDEN[case]
    run(IMPORTS)
    for text in cells:
        run(text)
    said = f"How In [{len(cells) + 1}] makes {name} cannot be read from its text"
    found = repr(run(f"check({EXERCISE!r})"))
    assert said in found if name else "cannot be read" not in found
    assert not name or said in repr(run("progress()"))


@pytest.mark.parametrize(
    ("place", "is_own"),
    [
        ("", True),
        ("work/deep", True),
        (".venv/lib", False),
        ("packages/site-packages", False),
        ("python/lib", False),
        ("engine/autograder", False),
    ],
)
def test_what_is_installed_below_the_folder_is_not_the_students(
    place: str, is_own: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An editor may put the environment there, with thousands of modules."""
    monkeypatch.setattr(sys, "prefix", str(tmp_path / "python"))
    monkeypatch.setattr(own_imports, "ENGINE", tmp_path / "engine" / "autograder")
    folder = tmp_path / place
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "helpers_of_nobody.py").write_text("x = 1\n")
    monkeypatch.syspath_prepend(folder)
    importlib.import_module("helpers_of_nobody")
    try:
        assert ("helpers_of_nobody" in OwnImports(tmp_path).versions()) is is_own
    finally:
        del sys.modules["helpers_of_nobody"]


@pytest.mark.dear
def test_a_module_that_changed_after_its_import_is_told(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)  # it has the times in seconds
    file = tmp_path / "helpers_of_mine.py"
    file.write_text(ROOT_OF)
    run(f"import importlib\n{IMPORTS}\nimport helpers_of_mine as own")
    run(HELPED.replace("root_of", "own.root_of"))
    said = "helpers_of_mine.py has changed since this kernel imported it"
    for text, is_told in [
        (ROOT_OF, False),
        (f"# a comment\n{ROOT_OF}\n", False),
        (ROOT_OF.replace("0.5", "0.25"), True),
        (ROOT_OF, False),
        (ROOT_OF.replace("0.5", "0.125"), True),
    ]:
        file.write_text(text)
        found = run(f"check({EXERCISE!r})")
        assert (said in repr(found), said in found._repr_html_()) == (is_told, is_told)
    run("importlib.reload(own)")
    assert said not in repr(run(f"check({EXERCISE!r})"))
    run(f"importlib.reload(own)\nopen({str(file)!r}, 'a').write('x = 1')")  # not sure which it took
    file.write_text(ROOT_OF)
    assert said not in repr(run(f"check({EXERCISE!r})"))
    file.unlink()
    assert said not in repr(run(f"check({EXERCISE!r})"))
    del sys.modules["helpers_of_mine"]


OTHER = ROOT_OF.replace("0.5", "0.25")
FILE = "own_helpers.py"
FROM = "from own_helpers import root_of"
OWN = HELPED.replace("root_of", "own.root_of")
RICH = f"""\
{ROOT_OF}
def plain(x): return x
class Base:
    power = 0.5
class Power(Base):
    sizes: list[int] = [1, 2]
    def __init__(self): self.by = [one for one in self.sizes]
    @property
    def half(self): return (lambda: self.power)()
    @staticmethod
    def of(x): return x.shape[-1] ** sum(0.5 for _ in range(1))
"""
RELOADS = "from own_helpers import Power, root_of\nimport own_helpers, importlib"
POWERED = HELPED.replace("root_of(K)", "K.shape[-1] ** Power().half")
VALUE, POWER = "power = 0.5\n", HELPED.replace("root_of(K)", "(K.shape[-1] ** power)")
FILES: dict[str, tuple[list[str], str]] = {  # texts of cells or, behind "=", of the file
    "imported, and not used": (["import own_helpers", RIGHT, f"={OTHER}"], ""),
    "a local name like it": (
        ["import own_helpers as Q", RIGHT, f"={OTHER}"],
        "",
    ),
    "used": ([FROM, HELPED, f"={OTHER}"], f"{FILE} has changed since this kernel imported it"),
    "used through a module": (
        ["=", "import others_helpers as own", HELPED.replace("root_of", "own.deep.root_of"),
         f"={OTHER}"],
        f"{FILE} has changed since this kernel imported it",
    ),
    "used through a function": (
        [f"{FROM}\ndef mine(x): return root_of(x)", HELPED.replace("root_of", "mine"),
         f"={OTHER}"],
        f"{FILE} has changed since this kernel imported it",
    ),
    "run": ([f"%run {FILE}", HELPED, f"={OTHER}"], f"{FILE} has changed since %run ran it"),
    "run, and not used": ([f"%run {FILE}", RIGHT, f"={OTHER}"], ""),
    "run again": ([f"%run {FILE}", HELPED, f"={OTHER}", f"%run -i {FILE}"], ""),
    "run, and as it was": ([f"%run {FILE}", HELPED, f"={OTHER}", f"={ROOT_OF}"], ""),
    "reloaded": (
        [f"{FROM}\nimport own_helpers, importlib", HELPED, f"={OTHER}",
         "importlib.reload(own_helpers)"],
        f"root_of is still what {FILE} had before it was reloaded",
    ),
    "reloaded as it was": (
        [f"{FROM}\nimport own_helpers, importlib", HELPED, "importlib.reload(own_helpers)"], ""
    ),
    "reloaded, and moved": (
        [f"={RICH}", RELOADS, POWERED, f"=import os\n\n{RICH}", "importlib.reload(own_helpers)"], ""
    ),
    "reloaded, and another function changed": (
        [f"={RICH}", RELOADS, POWERED, f"={RICH.replace('plain(x)', 'plain(y)')}",
         "importlib.reload(own_helpers)"],
        "",
    ),
    "reloaded, and the base of a class changed": (
        [f"={RICH}", RELOADS, POWERED, f"={RICH.replace('power = 0.5', 'power = 2')}",
         "importlib.reload(own_helpers)"],
        f"Power is still what {FILE} had before it was reloaded",
    ),
    "%autoreload of a class": (
        ["%load_ext autoreload\n%autoreload 2", f"={RICH}", RELOADS, POWERED,
         f"={RICH.replace('lambda: self', 'lambda: 1 * self')}"],
        "",
    ),
    "reloaded, and imported again": (
        [f"{FROM}\nimport own_helpers, importlib", HELPED, f"={OTHER}",
         "importlib.reload(own_helpers)", FROM],
        "",
    ),
    "imported in a function": (
        [HELPED.replace("        return", f"        {FROM}\n        return"),
         f"{EXERCISE}()(*torch.ones(3, 2, 2))", f"={OTHER}"],
        f"{FILE} has changed since this kernel imported it",
    ),
    "imported by its name": (
        ["import importlib\nown = importlib.import_module('own_helpers')", OWN, f"={OTHER}"],
        f"{FILE} has changed since this kernel imported it",
    ),
    "imported all, and not used": (["from own_helpers import *", RIGHT, f"={OTHER}"], ""),
    "a value, and reloaded": (
        [f"={VALUE}", "import own_helpers, importlib\nfrom own_helpers import power", POWER,
         f"={VALUE.replace('0.5', '2')}", "importlib.reload(own_helpers)"],
        f"power is still what {FILE} had before it was reloaded",
    ),
    "the same value, and reloaded": (
        [f"={VALUE}", "import own_helpers, importlib\nfrom own_helpers import power", POWER,
         f"={VALUE}other = 1\n", "importlib.reload(own_helpers)"],
        "",
    ),
    "a value made of one": (
        [f"={VALUE}", "import own_helpers, importlib\npower = own_helpers.power / 1", POWER,
         f"={VALUE.replace('0.5', '2')}", "importlib.reload(own_helpers)"],
        f"power is still what {FILE} had before it was reloaded",
    ),
    "a value made of one again": (
        [f"={VALUE}", "import own_helpers, importlib\npower = own_helpers.power / 1", POWER,
         f"={VALUE}other = 1\n", "importlib.reload(own_helpers)", "power = own_helpers.power / 1"],
        "",
    ),
    "a function of one": (
        [f"={VALUE}", "import own_helpers, importlib\ndef root_of(K): return own_helpers.power",
         HELPED, f"={VALUE.replace('0.5', '2')}", "importlib.reload(own_helpers)"],
        "",
    ),
    "not reached": ([f"1 / 0\n{FROM}", HELPED], ""),
    "made by a cell later": ([FROM, HELPED, f"={OTHER}", OTHER], ""),
    "made by a cell before": (
        [OTHER, FROM, HELPED, f"={OTHER}"], f"{FILE} has changed since this kernel imported it"
    ),
    "stopped at an error": ([f"={ROOT_OF}1 / 0\n", FROM, HELPED], "root_of is not there"),
    "stopped at an error, and corrected": (
        [f"={ROOT_OF}1 / 0\n", FROM, HELPED, f"={ROOT_OF}", FROM], ""
    ),
    "%autoreload that is off": (
        ["%load_ext autoreload", FROM, HELPED, f"={OTHER}"],
        f"{FILE} has changed since this kernel imported it",
    ),
    "%autoreload": (["%load_ext autoreload\n%autoreload 2", FROM, HELPED, f"={OTHER}"], ""),
    "%autoreload, and a value": (
        ["%load_ext autoreload\n%autoreload 2", f"={VALUE}", "from own_helpers import power",
         POWER, f"={VALUE.replace('0.5', '2')}"],
        f"power is still what {FILE} had before it was reloaded",
    ),
    "%autoreload, and not readable": (
        ["%load_ext autoreload\n%autoreload 2", FROM, HELPED, f"={ROOT_OF}def ("],
        f"{FILE} has changed since this kernel imported it",
    ),
    "written by a cell": ([f"%%writefile {FILE}\n{OTHER}", FROM, HELPED], ""),
    "written by a cell, and changed": (
        [f"%%writefile {FILE}\n{OTHER}", FROM, HELPED, f"={ROOT_OF}"], ""
    ),
    "written by a cell, changed and reloaded": (
        [f"%%writefile {FILE}\n{OTHER}", f"{FROM}\nimport own_helpers, importlib", HELPED,
         f"={ROOT_OF}", "importlib.reload(own_helpers)", FROM],
        f"{FILE} has changed since %%writefile wrote it",
    ),
    "written by a cell again": (
        [f"%%writefile {FILE}\n{OTHER}", FROM, HELPED, f"%%writefile {FILE}\n{ROOT_OF}",
         "import importlib, own_helpers\nimportlib.reload(own_helpers)", FROM],
        "",
    ),
}  # fmt: skip


@pytest.fixture
def own_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Return a file that cells can import and run, with ROOT_OF, and one that imports it."""
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)  # it has the times in seconds
    (tmp_path / "others_helpers.py").write_text("import own_helpers as deep\n")
    file = tmp_path / FILE
    file.write_text(ROOT_OF)
    yield file
    for name in ("own_helpers", "others_helpers"):
        sys.modules.pop(name, None)


@pytest.mark.dear
@pytest.mark.parametrize("case", FILES)
def test_a_file_that_changed_is_told_where_the_exercise_uses_it(
    case: str, run: Run, own_file: Path
) -> None:
    steps, said = FILES[case]
    run(IMPORTS)
    for text in steps:
        if text == "=":
            time.sleep(0.02)  # so that the file is older than the cell
        elif text.startswith("="):
            own_file.write_text(text[1:])
        else:
            run(text)
    found = repr(run(f"check({EXERCISE!r})"))
    assert said in found
    told = ("graded is", "run that cell again,")
    assert bool(said) == any(one in found for one in told)
    assert said in repr(run("progress()"))


def test_a_module_that_changed_before_the_kits_first_cell_is_told(
    own_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    importlib.import_module("own_helpers")
    cells = [("In [1]", FROM), ("In [2]", HELPED)]
    folder = own_file.parent
    assert not OwnImports(folder).changed(EXERCISE, cells, [], {}, folder)
    own_file.write_text(OTHER)  # of another size
    said = OwnImports(folder).changed(EXERCISE, cells, [], {}, folder)
    assert said.startswith(f"{FILE} has changed since this kernel imported it")


@pytest.mark.dear
def test_a_notebook_that_changed_after_its_import_is_told(
    run: Run, own_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "meta_path", [*sys.meta_path])
    path = own_file.with_name(f"{ASSIGNMENT}.ipynb")
    made = notebook(solution(ASSIGNMENT), ASSIGNMENT)
    nbformat.write(made, path)
    begin(own_file.parent)
    run(f"from {ASSIGNMENT} import {EXERCISE}")
    assert "has changed" not in repr(run(f"check({EXERCISE!r})"))
    [cell] = [one for one in made.cells if f"class {EXERCISE}" in one.source]
    cell.source += "\nx = 1"
    nbformat.write(made, path)
    said = f"{ASSIGNMENT}.ipynb has changed since this kernel imported it"
    assert said in repr(run(f"check({EXERCISE!r})"))
    sys.modules.pop(ASSIGNMENT)


@pytest.mark.parametrize(("first", "then"), [(".py", ".ipynb"), (".ipynb", ".py")])
def test_an_assignment_that_was_written_in_its_other_form_after_its_import_is_told(
    first: str, then: str, run: Run, own_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "meta_path", [*sys.meta_path])
    paths = {form: own_file.with_name(f"{ASSIGNMENT}{form}") for form in (".py", ".ipynb")}

    def write(form: str, text: str) -> None:
        if form == ".py":
            paths[form].write_text(text)
        else:
            nbformat.write(notebook(text, ASSIGNMENT), paths[form])

    write(first, skeleton(ASSIGNMENT))
    begin(own_file.parent)
    text = f"from {ASSIGNMENT} import {EXERCISE}"
    run(text)
    write(then, solution(ASSIGNMENT))
    cells = [("In [1]", text, "c")]
    [said] = calls.KERNEL.remarks({EXERCISE: True}, cells, calls.KERNEL.kits_cells(EXERCISE))
    assert said.startswith(f"{paths[then].name} has changed since this kernel imported it")
    sys.modules.pop(ASSIGNMENT)


BROKEN = RIGHT.replace("self, Q", "self Q")
RAISES = "from signal import SIGINT, raise_signal\n"
HELPER = "def root(n):\n    return n ** 0.5\n"
USING = RIGHT.replace("K.shape[-1] ** 0.5", "root(K.shape[-1])")
# The cells, of which one stopped, and what is said about it.
STOPPED: dict[str, tuple[list[tuple[str, str]], str]] = {
    "not readable": ([(RIGHT, "a"), (BROKEN, "a")], "In [3] stopped at line 2 (SyntaxError)"),
    "not readable, below a magic": (
        [(RIGHT, "a"), (f"\n%%time\n{BROKEN}", "a")],
        "In [3] stopped at line 4 (SyntaxError)",
    ),
    "another cell": ([(RIGHT, "a"), (BROKEN, "b")], "In [3] stopped at line 2 (SyntaxError)"),
    "an error above a new name": (
        [(RIGHT, "a"), (f"1 / 0\nx = 1\n{RIGHT}", "a")],
        "In [3] stopped at line 1 (ZeroDivisionError)",
    ),
    "a value": (
        [("n = 0.5", "h"), (RIGHT.replace("0.5", "n"), "a"), ("import numpie\nn = 1", "h")],
        "In [4] stopped at line 1 (ModuleNotFoundError)",
    ),
    "a part of a value": (
        [("n = [0.5]", "h"), (RIGHT.replace("0.5", "n[0]"), "a"), ("assert n == 1\nn[0] = 1", "b")],
        "In [4] stopped at line 1 (AssertionError)",
    ),
    "a call of a module that it uses": ([(RIGHT, "a"), ("1 / 0\ntorch.manual_seed(1)", "b")], ""),
    "an error": (
        [(RIGHT, "a"), (f"1 / 0\n{RIGHT}", "a")],
        "In [3] stopped at line 1 (ZeroDivisionError)",
    ),
    "an interrupt in a decorator": (
        [
            (RIGHT, "a"),
            (f"{RAISES}def stuck(made): raise_signal(SIGINT)", "h"),
            (f"@stuck\n{RIGHT}", "a"),
        ],
        "In [4] stopped at line 1 (KeyboardInterrupt)",
    ),
    "hidden by %%capture": (
        [(RIGHT, "a"), (f"%%capture\n1 / 0\n{RIGHT}", "a")],
        "In [3] stopped at line 2 (ZeroDivisionError)",
    ),
    "what it uses": (
        [(HELPER, "h"), (USING, "a"), (HELPER.replace("n)", "n"), "h")],
        "In [4] stopped at line 1 (SyntaxError)",
    ),
    "mended": ([(RIGHT, "a"), (BROKEN, "a"), (RIGHT, "a")], ""),
    "mended in another cell": ([(RIGHT, "a"), (BROKEN, "a"), (RIGHT, "b")], ""),
    "never made before": ([(RIGHT, "a"), ("def Q(x: nothing): pass", "b")], ""),
    "a name that is local in it": (
        [("V = 1\ndef Q(): pass", "h"), (RIGHT, "a"), ("V = 2\ndef Q(:", "h")],
        "",
    ),
    "a name of another definition in its cell": (
        [(HELPER, "h"), (f"{RIGHT}\nprint(root(4))", "a"), ("def root(n:", "h")],
        "",
    ),
    "an argument for a module that it uses": (
        [(f"{HELPER}\ntorch.manual_seed(root(4))", "h"), (RIGHT, "a"), ("def root(n:", "h")],
        "",
    ),
    "what changes what it uses": (
        [
            (f"{HELPER}\nsizes = [2]", "h"),
            ("sizes.append(root(4))", "i"),
            (RIGHT.replace("** 0.5", "** (1 / sizes[0])"), "a"),
            ("def root(n:", "h"),
        ],
        "In [5] stopped at line 1 (SyntaxError)",
    ),
    "what it does not use": ([(HELPER, "h"), (RIGHT, "a"), ("def root(n:", "h")], ""),
    "what an earlier version used": (
        [(HELPER, "h"), (USING, "a"), (RIGHT, "a"), ("def root(n:", "h")],
        "",
    ),
    "a cell of the kit": ([(HELPER, "h"), (USING, "a"), ("1 / 0\nroot = None", OWN_CELL)], ""),
    "the name of a loop": (
        [
            ("n = []\nfor m in [0.5]: n.append(m)", "h"),
            (RIGHT.replace("0.5", "n[0]"), "a"),
            ("1 / 0\nm = 1", "b"),
        ],
        "",
    ),
    "below it": ([(RIGHT, "a"), (f"{RIGHT}\n1 / 0", "a")], ""),
}


@pytest.mark.parametrize("case", STOPPED)
def test_a_cell_that_stopped_above_its_definition_is_told(
    case: str, run: Run, tmp_path: Path
) -> None:
    nbformat.write(notebook(skeleton(ASSIGNMENT), ASSIGNMENT), tmp_path / f"{ASSIGNMENT}.ipynb")
    cells, said = STOPPED[case]
    run(IMPORTS)
    for text, cell_id in cells:
        run(text, cell_id)
    found = run(f"check({EXERCISE!r})")
    text = " ".join(repr(found).split())
    assert text.startswith("✓ ScaledDotProduct")
    assert f"{said}, so what it did not reach does not count" in text or not said
    assert bool(said) == ("stopped" in text) and said in found._repr_html_()


ABOVE = f"n = missing\n{RIGHT}"
NONE_RAN = {  # cells that made nothing, and what is said
    "not readable": ([BROKEN], "In [2] stopped at line 2 (SyntaxError)"),
    "a skeleton before": ([skeleton(ASSIGNMENT), BROKEN], "In [3] stopped at line 2"),
    "an error": ([ABOVE], "In [2] stopped at line 1 (NameError)"),
    "an error, twice": ([ABOVE, f"\n{ABOVE}"], "In [3] stopped at line 2 (NameError)"),
}


@pytest.mark.parametrize("case", NONE_RAN)
def test_a_cell_that_stopped_is_told_where_no_work_ran(case: str, run: Run) -> None:
    cells, said = NONE_RAN[case]
    run(IMPORTS)
    for text in cells:
        run(text, "a")
    found = " ".join(repr(run(f"check({EXERCISE!r})")).split())
    assert found.startswith("○ ScaledDotProduct") and found.count(said) == 1
    assert NOT_RUN not in found


@pytest.mark.dear
@pytest.mark.parametrize("text", [BROKEN, ABOVE, f'"""\n{WRONG}"""'])
def test_a_cell_that_defines_nothing_leaves_the_exercise_as_it_was_saved(
    text: str, run: Run, tmp_path: Path
) -> None:
    (tmp_path / f"{ASSIGNMENT}.py").write_text(solution(ASSIGNMENT))
    run(f"{IMPORTS}\nclass QueryKeyValue: pass")
    run(text)
    found = " ".join(repr(run(f"check({EXERCISE!r})")).split())
    assert found.startswith("✓ ScaledDotProduct") and "py as it was saved" in found
    assert ("In [2] stopped at line" in found) == (text in (BROKEN, ABOVE))
    assert "✓ ScaledDotProduct" in repr(run("progress()"))


@pytest.mark.dear
def test_where_nothing_of_the_cells_can_be_graded_the_saved_work_counts(
    run: Run, tmp_path: Path
) -> None:
    (tmp_path / f"{ASSIGNMENT}.py").write_text(solution(ASSIGNMENT))
    run(f"{EXERCISE} = missing()")
    assert "Nothing of it could be graded" in repr(run(f"check({EXERCISE!r})"))
    assert repr(run("check('QueryKeyValue')")).startswith("✓ QueryKeyValue")
    text = repr(run("progress()"))
    assert "✗ ScaledDotProduct" in text and "✓ QueryKeyValue" in text


@pytest.mark.dear
def test_a_file_that_cannot_be_read_is_told_once(run: Run, tmp_path: Path) -> None:
    (tmp_path / f"{ASSIGNMENT}.ipynb").write_text("<<<<<<< HEAD\n{}\n=======\n>>>>>>> b\n")
    said = repr(run(f"check({EXERCISE!r})"))
    assert said.count("merge conflict") == 1
    run(f"{IMPORTS}\n{RIGHT}")
    for asked in (EXERCISE, "QueryKeyValue"):
        assert repr(run(f"check({asked!r})")).count("merge conflict") == 1


@pytest.mark.dear
def test_an_earlier_exercise_is_that_of_its_file(run: Run, tmp_path: Path) -> None:
    (tmp_path / f"{ASSIGNMENT}.py").write_text(solution(ASSIGNMENT))
    run("class MultiHeadList: pass")
    found = run(f"check({EXERCISE!r})")
    said = f"No cell that was run here defines it: this is {ASSIGNMENT}.py as it was saved."
    assert repr(found).startswith("✓ ScaledDotProduct")
    assert said in " ".join(repr(found).split()) and said in found._repr_html_()
    run(f"{IMPORTS}\n{RIGHT}")
    assert "as it was saved" not in repr(run(f"check({EXERCISE!r})"))


MEANS, LOOP = "running_averages", "running_mean_loop"
AS_MODULE, BY_STAR = f"import torch\nimport {MEANS} as ra", f"import torch\nfrom {MEANS} import *"
RIGHT_LOOP = "lambda x: torch.stack([x[:, :t+1].mean(1) for t in range(x.shape[1])], 1)"
BOUND = {  # the saved file, cells that bind an exercise behind an import of it, and the outcome
    "a lambda": (skeleton(MEANS), [AS_MODULE, f"{LOOP} = {RIGHT_LOOP}"], "✓"),
    "another name": (skeleton(MEANS), [BY_STAR, f"mine = {RIGHT_LOOP}", f"{LOOP} = mine"], "✓"),
    "a wrong lambda": (solution(MEANS), [AS_MODULE, f"{LOOP} = lambda x: x * 2"], "✗"),
    "twice": (solution(MEANS), [AS_MODULE, f"{LOOP} = lambda x: 2 * ra.{LOOP}(x)"], "✗"),
    "twice by star": (
        solution(MEANS),
        [BY_STAR, f"first = {LOOP}\n{LOOP} = lambda x: 2 * first(x)"],
        "✗",
    ),
    "wrapped": (
        solution(MEANS),
        [BY_STAR, f"twice = lambda f: lambda x: 2 * f(x)\n{LOOP} = twice({LOOP})"],
        "✗",
    ),
    "the same": (solution(MEANS), [AS_MODULE, f"{LOOP} = ra.{LOOP}"], "✓"),
}


@pytest.mark.dear
@pytest.mark.parametrize("case", BOUND)
def test_what_a_cell_binds_counts_behind_an_import_of_the_saved_file(
    case: str, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    saved, cells, outcome = BOUND[case]
    (tmp_path / f"{MEANS}.py").write_text(saved)
    monkeypatch.syspath_prepend(tmp_path)
    run(cells[0])
    sys.modules.pop(MEANS)
    if saved == solution(MEANS):
        assert "as it was saved" in " ".join(repr(run(f"check({LOOP!r})")).split())
    for text in cells[1:]:
        run(text)
    found = repr(run(f"check({LOOP!r})"))
    assert found.startswith(f"{outcome} {LOOP}") and "as it was saved" not in found
    assert f"{outcome} {LOOP}" in repr(run("progress()"))


@pytest.mark.dear
def test_a_cell_that_stops_does_not_stand_for_exercises_of_no_cell(
    run: Run, tmp_path: Path
) -> None:
    """Those count as they were saved, and what stopped is the next step."""
    (tmp_path / f"{MEANS}.py").write_text(skeleton(MEANS))
    (tmp_path / "self_attention.py").write_text(skeleton("self_attention"))
    run(f"def {LOOP}(x: Tensor) -> Tensor:\n    return x")
    told = " ".join(repr(run("progress()")).split())
    assert f"✗ {LOOP} ○ running_mean_matmul ○ running_mean_softmax" in told
    assert "NameError: name 'Tensor' is not defined" in told
    assert f"Next: mend what stops {LOOP} in this notebook" in told
    found = repr(run("check('running_mean_matmul')"))
    assert found.startswith("○ running_mean_matmul") and "In [" not in found
    assert repr(run(f"check({LOOP!r})")).startswith(f"✗ {LOOP}")

    (tmp_path / f"{MEANS}.py").write_text(solution(MEANS))
    told = " ".join(repr(run("progress()")).split())
    assert f"✗ {LOOP} ✓ running_mean_matmul ✓ running_mean_softmax" in told
    assert "NameError: name 'Tensor' is not defined" in told


@pytest.mark.dear
def test_progress_names_the_notebook_without_a_name_for_it(run: Run, tmp_path: Path) -> None:
    """Progress calls an unsaved notebook 'this notebook', and names files by their paths."""
    run(f"{IMPORTS}\n{WRONG}")
    assert f"Next: fix {EXERCISE} in this notebook" in repr(run("progress()"))
    (tmp_path / "running_averages.py").write_text(skeleton("running_averages"))
    (tmp_path / "normalization.py").write_text(skeleton("normalization"))
    run(RIGHT)
    path = str(tmp_path / "running_averages.py")
    assert f" in {path} " in " ".join(repr(run("progress()")).split())


@pytest.mark.dear
def test_progress_finds_the_folders_beside_as_nbgrader_has_them(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in (ASSIGNMENT, "normalization"):
        (tmp_path / name).mkdir()
        (tmp_path / name / f"{name}.py").write_text(solution(name))
    (tmp_path / "multi_head").mkdir()
    monkeypatch.setattr(calls, "FOLDER", str(tmp_path / "multi_head"))
    run("x = 1")
    text = repr(run("progress()"))
    assert "✓ ScaledDotProduct" in text and "✓ LayerNorm1d" in text


def test_modules_in_folders_are_found(run: Run, tmp_path: Path) -> None:
    (tmp_path / "src" / "pack").mkdir(parents=True)
    (tmp_path / "src" / "pack" / "my_root.py").write_text("def root(n):\n    return n**0.5\n")
    run(f"{IMPORTS}\nimport sys; sys.path.append('src')\nfrom pack.my_root import root")
    run(RIGHT.replace("K.shape[-1] ** 0.5", "root(K.shape[-1])"))
    assert repr(run(f"check({EXERCISE!r})")).startswith("✓ ScaledDotProduct")


@pytest.mark.dear
@pytest.mark.parametrize(
    "name", [f" {EXERCISE}\t", "Scaled Dot Product", EXERCISE.lower(), EXERCISE.upper()]
)
def test_blanks_and_the_case_of_a_name_do_not_count(name: str, run: Run) -> None:
    run(f"{IMPORTS}\n{WRONG}")
    assert repr(run(f"check({name!r})")).startswith("✗ ScaledDotProduct")
    assert "Think:" in repr(run(f"hint({name!r})"))


@pytest.mark.parametrize(
    "call",
    ["check( 'A ' )", "check('A b')", "check('A', hints=2)", 'check("A",2);', "hint()  # more"],
)
def test_a_cell_that_only_calls_the_grader_is_no_work(call: str) -> None:
    assert not CALLS.sub("", call)


@pytest.mark.parametrize("name", ["-h", "", "a-b", "a\0b", "\ud800"])
def test_what_is_no_name_is_not_asked_for(name: str) -> None:
    assert repr(calls.check(name)) == calls.NO_NAME


@pytest.mark.dear
def test_make_watch_shows_what_check_shows(run: Run, tmp_path: Path) -> None:
    """But for what to call next."""
    run(IMPORTS)
    run(WRONG)
    said = repr(run(f"check({EXERCISE!r})"))
    path, shown = tmp_path / f"{ASSIGNMENT}.py", list[str]()
    path.write_text(f"{IMPORTS}\n{WRONG}", encoding="utf-8")
    ask = partial(verdict, folder=str(tmp_path))
    watching = Watching(lambda name, hints, early: ask(name, hints, early=early), shown.append)
    watching.exercise = EXERCISE
    watching.saved()
    own = ("To rebuild it:", "PASTE=1")  # for a long path, on lines of their own
    lines = [line for line in shown[-1].splitlines() if not any(one in line for one in own)]
    end = lines.index("")  # of the path, which may be too long for a line
    assert "".join(lines[:end]).replace(" ", "") == f"{EXERCISE}in{path}"
    assert lines[end + 1 :] == said.removesuffix(f"\n{MORE}").splitlines()


def test_an_interrupt_reaches_the_cell(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    run(f"{IMPORTS}\n{RIGHT}")
    monkeypatch.setattr("autograder.resident.verdicts.ask", lambda *_, at_once: 2)
    with pytest.raises(KeyboardInterrupt):
        calls.check(EXERCISE)


def test_a_folder_that_is_gone_costs_nothing(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    run(f"{IMPORTS}\n{RIGHT}")
    assert repr(run(f"check({EXERCISE!r})")).startswith("✓ ScaledDotProduct")


ENDLESS_HERE = 'while "check" not in dir(): pass'  # where cells are graded, not in the kernel


@pytest.mark.dear
def test_check_runs_only_what_is_needed_of_slow_cells(run: Run) -> None:
    run(f"{IMPORTS}\nfactor = 0.1")
    run(f"{RIGHT.replace('0.5', 'factor')}\n{ENDLESS_HERE}\nfactor = 0.5")
    calls._history()._runs[-1].seconds = MOST_SECONDS + 1  # type: ignore[union-attr]
    text = repr(run(f"check({EXERCISE!r})"))
    assert text.startswith("✓ ScaledDotProduct") and "Not finished" not in text


@pytest.mark.dear
def test_check_tells_which_cell_is_in_doubt(run: Run, shell: Any) -> None:
    shell.user_ns["ctrl_c"] = lambda: signal.raise_signal(signal.SIGINT)
    run(IMPORTS)
    run("n = 0\nfor n in range(3):\n    n = 0.5\n    ctrl_c()\n    n = 1")
    run(RIGHT.replace("0.5", "n"))
    found = run(f"check({EXERCISE!r})")
    said = "What In [2] has done in your kernel is not fully known here, since it was interrupted"
    assert said in repr(found) and said in found._repr_html_()
    run("n = 0.5")
    assert "not fully known" not in repr(run(f"check({EXERCISE!r})"))


IN_FILE = f"{IMPORTS}\n{RIGHT}"
SCRIPTS = {  # a script that stops at an error, the cell that runs it, and whether it is right then
    "below what is used": (f"{ROOT_OF}1 / 0", f"%run {FILE}\n{HELPED}", True),
    "above what is used": (f"1 / 0\n{ROOT_OF}", f"%run {FILE}\n{HELPED}", False),
    "above another definition": (f"{ROOT_OF}1 / 0\n{OTHER}", f"%run {FILE}\n{HELPED}", True),
    "in a function": (
        f"{ROOT_OF}root_of(1)\n{OTHER}",
        f"if 1:\n    %run -i {FILE}\n{HELPED}",
        True,
    ),
    "below the exercise": (f"{IN_FILE}\n1 / 0\n{EXERCISE} = 1", f"%run {FILE}", True),
    "not readable": (f"{ROOT_OF}1 / / 0", f"%run {FILE}\n{HELPED}", False),
    "only in the file": (f"1 / 0\n{IN_FILE}", f"%run {FILE}", False),
}


@pytest.mark.dear
@pytest.mark.parametrize("case", SCRIPTS)
def test_of_a_script_that_fails_counts_what_ran_before(
    case: str, run: Run, own_file: Path, shell: Any
) -> None:
    script, cell, is_right = SCRIPTS[case]
    own_file.write_text(script)
    run(IMPORTS)
    run(cell)
    needed = {"root_of"} if "root_of" in cell + script else {EXERCISE}
    assert (needed <= {*shell.user_ns}) == is_right
    assert repr(run(f"check({EXERCISE!r})")).startswith("✓") == is_right
