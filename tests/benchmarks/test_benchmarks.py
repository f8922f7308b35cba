"""Each benchmark can begin: its modules are there, and so are the files that it grades."""

from __future__ import annotations

import importlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from attacks.watching.attack import corpus

from autograder.course import root, solution
from autograder.course.calls import CALLS
from autograder.kit.notebook import notebook

HERE = Path(__file__).parent
NAMES = [path.stem for path in HERE.glob("*.py") if not path.stem.startswith("test_")]


@pytest.mark.parametrize("name", NAMES)
def test_a_benchmark_finds_what_it_needs(name: str) -> None:
    assert importlib.import_module(name).__doc__


def test_half_of_a_class_is_hostile(tmp_path: Path) -> None:
    locking = importlib.import_module("locking")
    attackers = locking.write_class(tmp_path, corpus())
    there = {path.stem for path in tmp_path.iterdir()}
    assert len(there) == 2 * len(attackers) == locking.CLASS
    assert attackers.keys() < there


@pytest.mark.dear
@pytest.mark.skipif(not shutil.which("bwrap"), reason="grades locked: needs bubblewrap")
def test_memory_is_told_of_every_trusted_process() -> None:
    command = [sys.executable, str(HERE / "memory.py"), "torch_nan"]
    env = {**os.environ, "PYTHONPATH": str(HERE.parent)}
    ended = subprocess.run(
        command, cwd=root(), env=env, capture_output=True, text=True, check=False
    )
    assert ended.returncode == 0, ended.stderr
    [said, *lines, _] = ended.stdout.splitlines()
    assert said.endswith("with 1 hostile beside it:")
    told = {" ".join(line.split()[:-4]): line.split()[-4::2] for line in lines}
    graders = ("grader of the command line", "worker")
    assert told.keys() == {
        *graders,
        "command line",
        *(f"warm process of the {name}" for name in graders),
        "nbgrader's autograde",
        "engine that starts workers",
    }
    assert all(float(peak) > 1 for peaks in told.values() for peak in peaks)


@pytest.mark.parametrize(("times", "is_too_much"), [(0.9, False), (1.1, True)])
def test_more_memory_than_a_process_may_take_is_too_much(times: float, is_too_much: bool) -> None:
    memory = importlib.import_module("memory")
    peaks = {"nbgrader's autograde": 100.0, "worker": times * memory.MOST / (1 << 20)}
    assert memory.is_too_much(peaks) is is_too_much


def test_a_wait_beyond_its_bound_is_told_for_its_own_exercise() -> None:
    waiting = importlib.import_module("waiting")
    measured = {
        (waiting.WATCH, "Fast"): [0.02] * 100,
        (waiting.WATCH, "Slow"): [0.02] * 8 + [0.3],
        (waiting.WATCH, waiting.TRAINING): [9.0],
        (waiting.CHECK, "Slow"): [0.1, 0.1, 0.3],
        (waiting.COMMAND, "Fast"): [0.5],
    }
    assert waiting.too_slow(measured) == [
        "Slow, save to verdict, watch loop: 188 ms, more than 100 ms.",
        "Fast, make grade EX=...: 500 ms, more than 400 ms.",
    ]


@pytest.mark.parametrize(
    ("right", "silent", "wrong", "is_enough"),
    [(9, 1, 0, True), (8, 2, 0, False), (8, 1, 1, False)],
)
def test_too_few_right_lines_are_not_enough(
    right: int, silent: int, wrong: int, is_enough: bool
) -> None:
    lines = importlib.import_module("lines")
    results = ["right"] * right + ["silent"] * silent + ["wrong"] * wrong + ["not named"] * 9
    assert lines.is_enough(results) is is_enough


def test_each_benchmark_with_a_bound_runs_although_another_misses_its_own(tmp_path: Path) -> None:
    python = tmp_path / "python"
    python.write_text('#!/bin/sh\necho "$1"\n[ "$1" != tests/benchmarks/waiting.py ]\n')
    python.chmod(0o755)
    make = ["make", "bench", "READY=", f"BIN={tmp_path}"]
    outer = {k: v for k, v in os.environ.items() if not k.startswith(("MAKE", "MFLAGS"))}
    ended = subprocess.run(make, cwd=root(), env=outer, capture_output=True, text=True, check=False)
    assert ended.returncode
    assert [Path(line).stem for line in ended.stdout.splitlines()][-2:] == ["waiting", "lines"]


def test_the_notebooks_of_stock_nbgrader_do_not_call_our_grader() -> None:
    stock_tests, name = importlib.import_module("stock_tests"), "attention_layer"
    book = stock_tests.added(notebook(solution(name), name), name, pictures=True)
    code = "\n".join(cell["source"] for cell in book["cells"] if cell["cell_type"] == "code")
    assert "torch.allclose" in code
    assert "autograder" not in code and not CALLS.search(code)


def test_the_memory_of_a_class_is_told_of_each_process_that_lasts() -> None:
    watched = importlib.import_module("many").Watched()
    watched.memory = {100: {1: 150.0, 2: 30.0, 3: 0.1, 4: 50.0}, 900: {1: 151.0, 2: 60.0, 3: 0.1}}
    assert watched.growth(100, 900) == [(150.0, 151.0), (30.0, 60.0)]
