"""The history of a session: which runs of cells count, and with which text."""

from __future__ import annotations

import math
import signal
import sys
import time
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from conftest import sampled

from autograder.course import exercises
from autograder.notebook.counting import MOST_SECONDS, WAITED
from autograder.notebook.history import History
from autograder.submissions.magics import of_cell
from autograder.submissions.source_text import MAX_SOURCE

EXERCISE = "area"
RIGHT = "def area(V): return V * 2"
HELPER = "def root(n): return n"
USED = "def area(V): return n"
USING = "def area(V): return root(V)"


class Info:
    def __init__(self, text: str, cell_id: str | None = None) -> None:
        self.raw_cell, self.cell_id = text, cell_id
        self.store_history, self.silent = True, False


def noted(shell: Any, *cells: tuple[str, str | None]) -> list[str]:
    history = History(shell)
    for text, cell_id in cells:
        history.note(Info(text, cell_id))
    return [text for _, text, _ in history.cells()]


AGAIN: dict[str, tuple[list[tuple[str, str | None]], list[str]]] = {
    "another cell": ([("x = 1", "a"), ("x = 2", "b")], ["x = 1", "x = 2"]),
    "a cell run again": ([("def f(): 1", "a"), ("y = 1", "b"), ("def f(): 2", "a")],
                         ["y = 1", "def f(): 2"]),
    "the same definition": ([("def f(): 1", None), ("def f(): 2", None)], ["def f(): 2"]),
    "other names": ([("def f(): 1", None), ("def g(): 2", None)], ["def f(): 1", "def g(): 2"]),
    "broken and mended": ([("def f(:", None), ("def f(): 1", None)], ["def f(:", "def f(): 1"]),
}  # fmt: skip


@pytest.mark.parametrize("case", sampled(AGAIN))
def test_of_a_cell_the_last_text_counts(case: str, shell: Any) -> None:
    cells, expected = AGAIN[case]
    assert noted(shell, *cells) == expected


@pytest.mark.parametrize("asking", ["cells", "left_out", "stopped", "in_doubt"])
def test_what_counts_of_a_long_session_is_not_slow_to_find(asking: str, shell: Any) -> None:
    """A check after many runs of cells waits in proportion to them, and reads no text again."""

    def calls(runs: int) -> int:
        history = History(shell)
        for i in range(runs // 2):
            history.note(Info(f"%time\nclass Layer:\n    def area(self): return {i}", "a"))
            history.note(Info(f"def area(V): return Layer().area() + {i}", "b"))
        ask = getattr(history, asking)
        arguments = [] if asking == "cells" else [EXERCISE]
        ask(*arguments)
        made = 0

        def count(frame: FrameType, event: str, _: object) -> None:
            nonlocal made
            made += event.endswith("call")

        sys.setprofile(count)
        try:
            ask(*arguments)
        finally:
            sys.setprofile(None)
        return made

    few, many = calls(50), calls(200)
    assert 0 < many < 6 * few
    assert many < 200 * 200


CTRL_C = "ctrl_c()"  # is there in the kernel only

# Cells in the order in which they are run, by a letter for each, and what `f` is then.
ORDERS: dict[str, tuple[list[str], object]] = {
    "made again on a condition": (
        ["a def g(): return 1", "a if False:\n    def g(): return 2", "b f = g()"],
        1,
    ),
    "a name of a comprehension": (
        ["a def g(): return 1", "a z = [1 for g in range(3)]", "b f = g()"],
        1,
    ),
    "failed in a block, above a definition": (
        [
            "a def g(): return 1",
            "a if 1:\n    1 / 0\n    def g(): return 2",
            "a x = 1",
            "b f = g()",
        ],
        1,
    ),
    "failed in the line of a definition": (
        ["a def g(): return 1", "a def g(x=1 / 0): return 2", "a x = 1", "b f = g()"],
        1,
    ),
    "a name that a newer cell defines": (
        ["a def f(): pass", "b n = 2", "a def f(m=n): return m", "c f = f()"],
        2,
    ),
    "defined again": (["a f = 1", "b f = 2", "a f = 1"], 1),
    "defined again, with a command": (
        ["a %precision 3\nf = 1", "b %%time\nf = 2", "a %precision 3\nf = 1"],
        1,
    ),
    "defined again, in a block": (["a if 1:\n    f = 1", "b f = 2", "a if 1:\n    f = 1"], 1),
    "deleted, and defined again": (["a f = 1", "b del f", "a f = 1"], 1),
    "imported by a star": (
        ["a from math import *\nf = e", "b e = 3", "a from math import *\nf = e"],
        math.e,
    ),
    "used before it was changed": (["a n = 1", "b f = n", "a n = 2"], 1),
    "a cell that does something": (["a l = [1]\nl.append(1)", "b f = sum(l)", "a l = []"], 2),
    "run before what it needs": (["a f = f'{n}'", "b n = 1", "a f = f'{n}'"], "1"),
    "failed below what another cell uses": (
        ["a f = 1\ng = missing", "b h = f", "a f = 2", "c f = h"],
        1,
    ),
    "failed below a command": (
        ["a %precision 3\nf = 1\n1 / 0\nf = 2", "b h = f", "a f = 3", "c f = h"],
        1,
    ),
    "a cell used for something else": (["a def g(): return 1", "a 2 + 2", "b f = g()"], 1),
    "a definition renamed": (["a def g(): return 1", "a def h(): return 2", "b f = g()"], 1),
    "a class of itself": (["a class g: x = 1", "a class g(g): y = 2", "b f = g.x"], 1),
    "a class that counts the others": (
        [
            "b class B:\n    n = []\n    def __init_subclass__(cls): B.n.append(1)",
            *["a class g(B): x = 1"] * 2,
            "c f = len(B.n)",
        ],
        2,
    ),
    "a default that does something": (
        ["b n = []", *["a def g(x=n.append(1)): return 1"] * 2, "c f = len(n)"],
        2,
    ),
    "a class that does something": (
        [
            "b n = []",
            *["a class g:\n    x = n.append(1)\n    def h(self): pass"] * 2,
            "c f = len(n)",
        ],
        2,
    ),
    "a class that changes something": (
        ["b n = {1: 1}", *["a class g:\n    n[1] = n[1] + 1"] * 2, "c f = n[1]"],
        3,
    ),
    "a method with a decorator": (
        [
            "b n = []\ndef noted(h):\n    n.append(1)\n    return h",
            *["a class g:\n    @noted\n    def h(self): pass"] * 2,
            "c f = len(n)",
        ],
        2,
    ),
    "run three times": (["a n = []", *["b n.append(1)"] * 3, "c f = len(n)"], 3),
    "used through a function": (
        [
            "b def build(): return row(9)",
            "a def row(n): return n",
            "c t = build()",
            "a def row(n): return n",
            "d f = t",
        ],
        9,
    ),
    "failed above what it would change": (["b f = 1", "a 1 / 0\nf = 2", "a g = f"], 1),
    "failed below a magic and blank lines": (
        ["a \n%%time\n\nf = 1\n1 / 0\nf = 2", "b h = f", "a f = 3", "c f = h"],
        1,
    ),
    "a magic that failed": (["a f = 1", "a %%nothing\nf = 2", "c f = f"], 1),
    "run by %%timeit": (
        ["a f = 1", "b %%timeit -n1 -r1\nf = 2", "c %%capture\n%%timeit -n1\nf = 3"],
        1,
    ),
    "a name like that of a command": (["a time = 4", "b time /= 2", "c f = time"], 2.0),
    "run once more by a magic": (
        ["a n = [1]", "b n.append(1)", "c %rerun 2\n%rerun 2", "d f = len(n)"],
        4,
    ),
    "an earlier version, by a magic": (["a f = 1", "a f = 2", "c %rerun 1"], 1),
    "a name removed by a magic": (["a f = 1\ng = 2", "b %xdel g", "c f = 'g' in globals()"], False),
    "some names removed": (
        ["a f = 1\ng1 = g2 = 2", "b %reset_selective -f g", "c f = 'g1' in globals()"],
        False,
    ),
    "all names removed": (["a g = 2", "b reset -f", "c f = 'g' in globals()"], False),
    "interrupted": (["a f = 1\nraise KeyboardInterrupt\nf = 2"], 1),
    "interrupted below a magic": (["a %%time\nf = 1\nraise KeyboardInterrupt\nf = 2"], 1),
    "interrupted in a function": (
        ["a def g(): raise KeyboardInterrupt", "b f = 1\nfor n in (1, 2):\n    g()\nf = 2"],
        1,
    ),
    "interrupted in a loop": ([f"a for f in range(3):\n    {CTRL_C}\nf = 4"], 0),
    "interrupted in a loop, and run again": (
        [f"a for f in range(3):\n    {CTRL_C}\nf = 4", "a g = 1"],
        0,
    ),
    "interrupted, and caught": (
        [
            f"a f = []\ntry:\n    while True:\n        f += [1]\n        {CTRL_C}; f += [2]\n"
            "except KeyboardInterrupt:\n    f += [3]\nf += [4]"
        ],
        [1, 3, 4],
    ),
    "interrupted below a magic, and caught": (
        [
            f"a %%time\n\nf = 1\ntry:\n    while True: {CTRL_C}\n"
            "except KeyboardInterrupt:\n    f = 2"
        ],
        2,
    ),
    "interrupted twice": (
        [
            f"a %%time\nf = []\nfor n in range(2):\n    try:\n        {CTRL_C}\n"
            "    except KeyboardInterrupt:\n        f += [n]"
        ],
        [0, 1],
    ),
    "failed in a block, and run again": (["a f = 1\nif f:\n    f = 2\n    1 / 0", "a g = 1"], 2),
    "failed in a function, and run again": (
        ["a n = []\ndef g():\n    n.append(1)\n    1 / 0", "b g()", "b g = 1", "c f = len(n)"],
        1,
    ),
    "failed below %%capture, and run again": (["a %%capture\nf = 1\n1 / 0\nf = 2", "a g = 1"], 1),
    "failed below two magics, and run again": (
        ["a %%capture\n\n%%time\nf = 1\n1 / 0\nf = 2", "a g = 1"],
        1,
    ),
    "interrupted below %%capture": ([f"a %%capture\nf = 1\nif f:\n    {CTRL_C}\n    f = 2"], 1),
    "not readable": (["a def f(): 1\nf = 1", "a f = 2\nx = = 2"], 1),
    "not readable, without ids": (["- def f(): 1\nf = 1", "- f = 2\nx = = 2"], 1),
}


@pytest.mark.parametrize("case", ORDERS)
def test_the_cells_do_what_the_kernel_did(case: str, shell: Any) -> None:
    """No cell raises an error, except where its last run did."""
    cells, expected = ORDERS[case]
    shell.user_ns["ctrl_c"] = lambda: signal.raise_signal(signal.SIGINT)
    shell.run_cell("", store_history=True)
    history = History(shell)
    for one in cells:
        shell.run_cell(one[2:], store_history=True, cell_id=one[0].strip("-") or None)
    assert shell.user_ns["f"] == expected
    names: dict[str, object] = {}
    for _, text, _ in history.cells():
        exec(of_cell(text), names)
    assert names["f"] == expected


# The cells, the last of which fails, and what of it counts: up to the error, which is told.
FAILED = {
    "a known name": (["def f(): 1", "1 / 0\ndef f(): 2"], "1 / 0"),
    "a known name and a new one": (["def f(): 1", "1 / 0\ndef g(): 1\ndef f(): 2"], "1 / 0"),
    "a new name": (["1 / 0\ndef f(): 2"], "1 / 0"),
    "an import": (["f = 1", "import numpie\nimport math\nf = 2"], "import numpie"),
    "not readable": (["def f(): 1", "def f(: 2"], ""),
    "a new name, not readable": (["f = 1", "f = 2\ng = (1"], ""),
    "not readable, below a magic": (["f = 1", "%%time\nf = 2\ng = (1"], ""),
    "a magic that failed": (["f = 1", "%nothing\nf = 2\ng = 3"], "%nothing"),
    "below %%capture": (["def f(): 1", "%%capture\n1 / 0\ndef f(): 2"], "%%capture\n1 / 0"),
    "over several lines": (["f = (1 /\n0)"], "f = (1 /\n0)"),
}


@pytest.mark.parametrize("case", FAILED)
def test_of_a_cell_that_failed_counts_what_it_reached(case: str, shell: Any) -> None:
    cells, expected = FAILED[case]
    shell.run_cell("", store_history=True)
    history = History(shell)
    for text in cells:
        shell.run_cell(text, store_history=True)
    assert history.cells()[-1][1] == expected


def test_a_cell_that_is_run_again_and_again_counts_once(shell: Any) -> None:
    cells = [(f"def f(): return {i}", "a") for i in range(50)]
    calls = [(f"check({EXERCISE!r})", "b")] * 50
    alternating = [one for pair in zip(cells, calls, strict=True) for one in pair]
    assert noted(shell, *alternating) == [cells[-1][0], calls[-1][0]]


def test_a_class_like_those_of_the_course_counts_once(shell: Any) -> None:
    """What its methods do is not done when it is made."""
    text = "class A(nn.Module):\n    size = 3\n    @property\n    def f(self, n=2): self.x = g(n)\n"
    cells = [(f"{text}    h = lambda n: f({i})", "a") for i in range(3)]
    assert noted(shell, *cells) == [cells[-1][0]]


def test_of_very_many_runs_the_newest_count(shell: Any) -> None:
    """Each of them has been used, so that it may matter."""
    long = "#" * (MAX_SOURCE // 20)
    runs = [(f"def f(): return {i}  {long}", f"n = f() + {i}") for i in range(30)]
    cells = [one for f, n in runs for one in ((f, "f"), (n, "n"))]
    found = noted(shell, ("x = 1", "x"), *cells)
    assert found[0] == "x = 1" and found[-2:] == [*runs[-1]]
    assert len(found) > 30 and sum(map(len, found)) <= MAX_SOURCE


# Cells of which the runs of "s" are slow, and how many of those count.
SLOW: dict[str, tuple[list[tuple[str, str]], int]] = {
    "used": ([("n = 1", "a"), ("n += 1", "s"), ("n += 1", "s")], 2),
    "changed": ([("n = []", "a"), ("n.append(1)", "s"), ("n.append(1)", "s")], 2),
    "made again": ([("n = train()", "s"), ("n = train()", "s")], 1),
    "made again from what it was": ([("n = train()", "s"), ("n = go_on(n)", "s")], 2),
    "made again after it was used": ([("n = train()", "s"), ("m = n", "a"), ("n = 2", "s")], 2),
    "made again after another was": ([("n = train()", "s"), ("m = 1", "a"), ("n = 2", "s")], 1),
    "nothing is made": ([("train()", "s"), ("train()", "s")], 1),
    "anything is made": ([("exec(text)", "s"), ("train()", "s")], 2),
}


@pytest.mark.parametrize("case", SLOW)
def test_slow_runs_count_as_far_as_something_may_need_them(case: str, shell: Any) -> None:
    cells, counted = SLOW[case]
    history = History(shell)
    for text, cell_id in cells:
        history.note(Info(text, cell_id))
        history._runs[-1].seconds = 3.0 if cell_id == "s" else 0.0
    assert [cell_id for _, _, cell_id in history.cells()].count("s") == counted
    assert history.is_slow() == (counted > 1)


@pytest.mark.parametrize("case", ["the exercise", "what it uses", "not used", "made again"])
def test_a_run_that_is_left_out_is_told(case: str, shell: Any) -> None:
    """Of too much code, the oldest run of a cell that was run again is left out."""
    long, history = "#" * MAX_SOURCE, History(shell)
    cells, name = {
        "the exercise": ([(RIGHT, "s"), ("1", "s")], EXERCISE),
        "what it uses": ([(HELPER, "s"), ("1", "s"), (USING, "a")], "root"),
        "made again": ([(HELPER, "s"), (f"2\n{HELPER}", "s"), (USING, "a")], ""),
        "not used": ([(RIGHT, "a"), ("V = 1", "s"), ("1", "s")], ""),
    }[case]
    for i, (text, cell_id) in enumerate(cells):
        is_first = cell_id == "s" and "s" not in [one for _, one in cells[:i]]
        history.note(Info(f"{text}\n1  {long}" if is_first else text, cell_id))
    said = history.left_out(EXERCISE)
    assert bool(said) == bool(name)
    assert not name or f"put what makes {name} into" in said


def test_the_cell_for_which_a_verdict_waits_is_told(shell: Any) -> None:
    """That is one with what an exercise needs, since the rest of slow cells is not run again."""
    history, guarded = History(shell), "if __name__ == '__main__': train()"
    for text, cell_id, seconds in [
        (f"def {min(exercises())}(x): return size", "a", 0.1), ("size = found()", "b", 27.0),
        (guarded, "c", 40.0), ("train()\nsize = found()", "d", 50.0),
        ("import a\ndef f(): pass", "e", 30.0), ("demo()", "k", 60.0),
    ]:  # fmt: skip
        history.note(Info(text, cell_id))
        history._runs[-1].seconds = seconds
    said = history.waits(23.0, {"k"})
    assert said.startswith(f"This took 23 s, since it runs {history._runs[1].label} again")
    assert said.endswith(
        "A statement is stopped after 10 s, and what it would make is missing: if an exercise uses "
        "that, write its result into the cell instead."
    )
    assert "stopped" not in history.waits(8.0, {"k", "b"})
    assert not history.waits(WAITED - 0.1, {"k"})  # nobody waited
    assert not history.waits(60.0, {"k"})  # it must be something else


@pytest.mark.dear
def test_the_time_that_verdicts_took_is_not_that_of_cells(shell: Any) -> None:
    history = History(shell)
    shell.user_ns["check"] = lambda name: time.sleep(MOST_SECONDS / 2)
    for name in "abc":
        shell.run_cell("check('f')", store_history=True, cell_id=name)
    assert not history.is_slow()


def test_the_kits_own_cells_take_nothing_away(shell: Any) -> None:
    """Cells of the kit are handed over and not graded; how long they ran does not matter."""
    history = History(shell)
    cells = [("n = [1]", "a"), ("demo()", "k"), ("demo()", "k"), ("n = [2]", "a"), ("x = n", "b")]
    for text, cell_id in cells:
        history.note(Info(text, cell_id))
        history._runs[-1].seconds = MOST_SECONDS if cell_id == "k" else 0.5
    found = history.cells({"k"})
    assert [text for _, text, cell_id in found if cell_id != "k"] == ["n = [1]", "n = [2]", "x = n"]
    assert [text for _, text, cell_id in found if cell_id == "k"]
    assert [label for label, _, _ in found] == sorted(label for label, _, _ in found)
    assert history.is_slow() and not history.is_slow({"k"})


def test_a_run_of_the_kits_that_is_left_out_is_told_to_nobody(shell: Any) -> None:
    history = History(shell)
    for text, cell_id in [(f"n = 1\nslow()  {'#' * MAX_SOURCE}", "k"), ("1", "k"), (USED, "a")]:
        history.note(Info(text, cell_id))
    assert history.left_out(EXERCISE) and not history.left_out(EXERCISE, {"k"})


def test_a_script_that_was_interrupted_counts_as_far_as_it_came(shell: Any, tmp_path: Path) -> None:
    stop = "__import__('signal').raise_signal(2)"
    (tmp_path / "loop.py").write_text(f"f = 1\nwhile True:\n    g = 2\n    {stop}\n    f = 3")
    shell.run_cell("", store_history=True)
    history, names = History(shell), dict[str, object]()
    shell.run_cell(f"%run {tmp_path / 'loop.py'}\nh = 4", store_history=True)
    for _, text, _ in history.cells():
        exec(of_cell(text), names)
    for found in (names, shell.user_ns):
        assert (found["f"], found["g"], found["h"]) == (1, 2, 4)


def test_what_a_cell_has_not_reached_makes_nothing_anew(shell: Any) -> None:
    """A definition below the call is no later run of what an earlier cell stopped above."""
    shell.user_ns["history"] = history = History(shell)
    shell.run_cell(f"1 / 0\n{RIGHT}", store_history=True, cell_id="a")
    asks = f"told = history.stopped({EXERCISE!r})"
    for cell, is_told in ((f"{asks}\n{RIGHT}", True), (f"{RIGHT}\n{asks}", False)):
        shell.run_cell(cell, store_history=True, cell_id="b")
        assert bool(shell.user_ns["told"]) is is_told
        history._runs.pop()


def test_interrupts_are_noted_only_while_a_cell_runs(shell: Any) -> None:
    History(shell)
    before = signal.getsignal(signal.SIGINT)
    shell.run_cell("import signal\nfound = signal.getsignal(signal.SIGINT)", store_history=True)
    assert shell.user_ns["found"] != before == signal.getsignal(signal.SIGINT)


@pytest.mark.parametrize("before", ["    ", "\t", ">>> ", "In [3]: "])
def test_an_indented_or_pasted_cell_defines_what_it_defines(before: str, shell: Any) -> None:
    """A cell still counts after its text was replaced, since the kernel keeps what it defined."""
    history, below = History(shell), before.replace("In [3]", "   ...")
    texts = [f"{before}SCALE = 2", "print(SCALE)", f"{before}LEFT = 1\n{below}missing", "1"]
    for text in texts:
        shell.run_cell(text, store_history=True, cell_id="e")
    found = [text for _, text, _ in history.cells()]
    assert found[:2] == ["SCALE = 2", "print(SCALE)"]
    assert found[2].startswith("LEFT = 1\ntry:\n    missing\nexcept ")


def ended(shell: Any, cells: list[tuple[str, str | None]], begin_after: int) -> History:
    """Return the history of cells, of which it begins after some."""
    shell.run_cell("", store_history=True)
    history = None
    for number, (text, cell_id) in enumerate([*cells, ("", None)]):
        history = History(shell) if number == begin_after else history
        shell.run_cell(text, store_history=True, cell_id=cell_id)
    assert history
    return history


BEFORE = {
    "an error": "f = 1\n1 / 0\nf = 3",
    "below blank lines": "\n\nf = 1\n1 / 0\nf = 3",
    "in a function": "def g():\n    1 / 0\nf = 1\ng()\nf = 3",
    "in a class": "f = 1\nclass A:\n    x = missing\nf = 3",
    "interrupted": f"f = 1\nwhile True:\n    {CTRL_C}\nf = 3",
    "interrupted in a function": (
        f"def g(n):\n    while True:\n        {CTRL_C}\nf = 1\ng(0)\nf = 3"
    ),
    "not readable": "f = = 3",
    "below a magic": "\n%%time\n\nf = 1\n1 / 0\nf = 3",
    "not readable, below a magic": "%%time\nf = = 3",
    "all names removed": "%reset -f",
    "a name removed": "f = 1\n%xdel x",
}


@pytest.mark.parametrize("mode", ["Context", "Plain", "Verbose"])
@pytest.mark.parametrize("case", BEFORE)
def test_a_cell_that_stopped_before_the_kits_first_one_counts_as_any(
    case: str, mode: str, shell: Any
) -> None:
    """Without a number of a cell, as of those before the kit's first one, both have the same."""
    cells: list[tuple[str, str | None]]
    cells = [("f = 0\nx = 1", None), (BEFORE[case], None), ("def h(): pass", None)]
    shell.InteractiveTB.set_mode(mode)
    shell.user_ns["ctrl_c"] = lambda: signal.raise_signal(signal.SIGINT)
    early = ended(shell, cells, begin_after=3).cells()
    shell.reset()
    shell.user_ns["ctrl_c"] = lambda: signal.raise_signal(signal.SIGINT)
    late = ended(shell, cells, begin_after=0).cells()
    assert [text for _, text, _ in early] == [text for _, text, _ in late]


STEP = f"def step():\n    global n\n    n = 2\n    {CTRL_C}\n    n = 3"
# Cells, how many of them ran before the kit's first one, and whether one of them is in doubt.
IN_DOUBT: dict[str, tuple[list[str], int, bool]] = {
    "an error hidden": (["%%capture\nn = 1\n1 / 0\nn = 2", USED], 2, True),
    "hidden below a magic": (["%%time\n%%capture\nn = 1\n1 / 0\nn = 2", USED], 2, True),
    "hidden, and noted": (["%%capture\nn = 1\n1 / 0\nn = 2", USED], 0, False),
    "hidden, and made again": (["%%capture\nn = 1", "n = 2", USED], 2, False),
    "hidden, and not used": (["%%capture\nm = 1", "n = 2", USED], 3, False),
    "an error without a line": (["%xmode Minimal", "n = 1\n1 / 0\nn = 2", USED], 3, True),
    "a magic that failed": (["n = 1", "%nothing\nn = 2", USED], 3, True),
    "interrupted in a function": ([STEP, "step()", USED], 0, True),
    "interrupted in a method": (
        ["n = [1]\nclass A:\n    def step(self):\n        n.append(2)\n"
         f"        {CTRL_C}\n        n.append(3)", "a = A()\na.step()", USED],
        0, True,
    ),
    "interrupted in a loop": ([f"n = 0\nwhile True:\n    n += 1\n    {CTRL_C}", USED], 0, True),
    "interrupted elsewhere": ([f"n = 1\nm = 0\nwhile True:\n    m += 1\n    {CTRL_C}", USED], 0,
                              False),
    "interrupted at once": ([f"n = 1\n{CTRL_C}\nn = 2", USED], 0, False),
    "interrupted, and made again": ([STEP, "step()", "n = 2", USED], 0, False),
    "interrupted in a loop before": ([f"while 1:\n    n = 1\n    {CTRL_C}", USED], 2, True),
}  # fmt: skip


@pytest.mark.parametrize("case", IN_DOUBT)
def test_what_a_cell_has_done_may_be_in_doubt(case: str, shell: Any) -> None:
    cells, before, is_told = IN_DOUBT[case]
    shell.user_ns["ctrl_c"] = lambda: signal.raise_signal(signal.SIGINT)
    said = ended(shell, [(text, None) for text in cells], begin_after=before).in_doubt(EXERCISE)
    assert bool(said) == is_told
    assert not said or ("kit's first cell" in said) == (before > 0 and "loop" not in case)


def test_cells_that_ran_before_the_import_count(shell: Any) -> None:
    shell.run_cell("x = 1", store_history=True)
    shell.run_cell("x = 2", store_history=True)
    assert [text for _, text, _ in History(shell).cells()] == ["x = 1", "x = 2"]
