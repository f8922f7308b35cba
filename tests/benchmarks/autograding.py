"""What autograding costs in nbgrader: with its own kernels, and with the kit's engine.

The same submissions in one run, on two cores: right ones, the same in other words, and
single mistakes. Prints CPU and wall seconds for each, the memory of the largest process, and how
many tensors are compared: `make bench`.
"""

from __future__ import annotations

import json
import os
import random
import re
import sqlite3
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from unittest import mock

import stock_tests
import torch
from damage.released import MARKER, Book, answer, by_exercise
from grading import ROOT, Cost, cost

from autograder.course import CHECKS, SOLUTIONS
from autograder.grading.collect import collect
from autograder.grading.grader import Grader
from autograder.grading.submissions import find
from autograder.misconceptions import misconceptions
from autograder.release.notebook import notebook
from autograder.sandbox import Limits, open_sandbox

ASSIGNMENTS = ("attention_layer", "multi_head")
RIGHT, REWRITTEN, MISTAKEN = 5, 8, 7
CORES = 2
COUNTED = re.compile(r"(\d+) tensors compared")
Code = Mapping[str, str]  # by exercise


@dataclass(frozen=True)
class Measured:
    """What it cost to grade some submissions. tensors: how many are compared in a right one."""

    cost: Cost
    count: int
    points: float
    max_points: float
    tensors: int

    def __str__(self) -> str:
        one = self.cost.per(self.count)
        points = f"{self.points:5.0f} of {self.max_points:.0f}"
        memory = f"{self.cost.memory / 1e6:6.0f} MB"
        return f"{one.cpu:8.3f} {one.wall:8.3f} {memory} {self.tensors:8} {points:>12}"


def submissions(assignment: str) -> list[Code]:
    """The same ones each time; each differs from all others, so none can be graded with another."""
    chosen = random.Random(0)
    solution = (SOLUTIONS / f"{assignment}.py").read_text(encoding="utf-8")
    right = by_exercise(MARKER.sub("", solution), assignment)
    files = sorted((ROOT / "tests" / "equivalents").glob("*.py"))
    files = [path for path in files if path.stem.split("__")[0] in right]
    rewritten = [
        {**right, path.stem.split("__")[0]: path.read_text(encoding="utf-8")}
        for path in chosen.sample(files, REWRITTEN)
    ]
    mistaken = [
        by_exercise(MARKER.sub("", mistake.source(solution)), assignment)
        for mistake in chosen.sample(misconceptions(assignment), MISTAKEN)
    ]
    found = [*[right] * RIGHT, *rewritten, *mistaken]
    return [
        {name: f"{code}\n# number {number}\n" for name, code in one.items()}
        for number, one in enumerate(found)
    ]


def stock(folder: Path, assignment: str, handed_in: Sequence[Code], pictures: bool) -> Measured:
    """Grade with nbgrader as it is, in a course of a reference compared in the graded cells.

    pictures: leave the cells in which they are drawn; all cells are executed.
    """
    folder.mkdir(parents=True)
    (folder / "nbgrader_config.py").write_text('get_config().CourseDirectory.course_id = "stock"\n')
    made = notebook((SOLUTIONS / f"{assignment}.py").read_text(encoding="utf-8"), assignment)
    source = folder / "source" / assignment / f"{assignment}.ipynb"
    source.parent.mkdir(parents=True)
    source.write_text(json.dumps(stock_tests.added(made, assignment, pictures)))
    hand_in(folder, assignment, handed_in)
    spent = cost(["-m", "nbgrader", "autograde", assignment], folder)
    [first] = folder.glob(f"autograded/s00/*/{assignment}.ipynb")
    tensors = max(int(n) for n in COUNTED.findall(first.read_text(encoding="utf-8")))
    return Measured(spent, len(handed_in), *points(folder), tensors)


def ours(folder: Path, assignment: str, handed_in: Sequence[Code]) -> Measured:
    """Grade with the kit's engine, in the course that the kit builds."""
    cost(["-m", "autograder", "nbgrader", "course", str(folder)])
    hand_in(folder, assignment, handed_in)
    spent = cost(["-m", "autograder", "nbgrader", "autograde", assignment], folder)
    return Measured(spent, len(handed_in), *points(folder), compared(assignment))


def hand_in(folder: Path, assignment: str, handed_in: Sequence[Code]) -> None:
    """Release the assignment, and put what was written into the released notebook."""
    cost(["-m", "nbgrader", "generate_assignment", assignment], folder)
    released = folder / "release" / assignment / f"{assignment}.ipynb"
    for number, code in enumerate(handed_in):
        book: Book = json.loads(released.read_text(encoding="utf-8"))
        for exercise, text in code.items():
            answer(book, exercise)["source"] = text
        place = folder / "submitted" / f"s{number:02}" / assignment
        place.mkdir(parents=True)
        (place / released.name).write_text(json.dumps(book), encoding="utf-8")
        if assignment != ASSIGNMENTS[0]:  # from which it imports
            earlier = (SOLUTIONS / f"{ASSIGNMENTS[0]}.py").read_text(encoding="utf-8")
            (place / f"{ASSIGNMENTS[0]}.py").write_text(MARKER.sub("", earlier), encoding="utf-8")


def points(folder: Path) -> tuple[float, float]:
    """The points of all submissions in the gradebook, and those that there could be."""
    with sqlite3.connect(folder / "gradebook.db") as gradebook:
        got = gradebook.execute("SELECT SUM(COALESCE(manual_score, auto_score, 0)) FROM grade")
        most = gradebook.execute(
            "SELECT SUM(max_score) FROM grade JOIN grade_cells ON grade.cell_id = grade_cells.id"
        )
        return float(got.fetchone()[0] or 0), float(most.fetchone()[0] or 0)


def compared(assignment: str) -> int:
    """How many tensors the kit compares with what they should be, in a right submission."""
    with open_sandbox(Limits()) as sandbox, mock.patch("torch.equal", wraps=torch.equal) as equal:
        grader = Grader(collect(CHECKS), sandbox, frozenset())
        grader.grade(find(SOLUTIONS / f"{assignment}.py", None)[0])
        return equal.call_count  # with which every comparison begins


def main() -> None:
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:CORES])
    os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    os.environ["PYTHONPATH"] = str(ROOT)
    for assignment in ASSIGNMENTS:
        handed_in = submissions(assignment)
        print(f"\n{assignment}: {len(handed_in)} submissions, {CORES} cores, for each of them")
        print(f"{'':26}{'s CPU':>8} {'s wall':>8} {'memory':>9} {'tensors':>8} {'points':>12}")
        with tempfile.TemporaryDirectory() as folder:
            place = Path(folder)
            usual = stock(place / "stock", assignment, handed_in, pictures=True)
            print(f"{'nbgrader, its own kernels':26}{usual}", flush=True)
            plain = stock(place / "plain", assignment, handed_in, pictures=False)
            print(f"{'  without the pictures':26}{plain}", flush=True)
            engine = ours(place / "ours", assignment, handed_in)
            print(f"{'nbgrader, our engine':26}{engine}", flush=True)
        for name, other in (("ratio", usual), ("  without the pictures", plain)):
            cpu, wall = other.cost.cpu / engine.cost.cpu, other.cost.wall / engine.cost.wall
            print(f"{name:26}{cpu:7.1f}x {wall:7.1f}x")


if __name__ == "__main__":
    main()
