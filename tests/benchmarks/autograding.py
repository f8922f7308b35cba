"""What autograding costs in nbgrader: with its own kernels, and with the kit's engine.

The same submissions in one run, on two cores: right ones, the same in other words, and
single mistakes. Prints CPU and wall seconds for each, the memory of the largest process, how
many tensors are compared in a right one, and the points in the gradebook: `make bench`.
"""

from __future__ import annotations

import io
import itertools
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

from autograder import course
from autograder.checking import laws
from autograder.checking.collect import collect
from autograder.classroom.results import GradingSettings
from autograder.course import solution, solution_file
from autograder.course.misconceptions import misconceptions
from autograder.grading.grader import Grader
from autograder.kit.notebook import notebook
from autograder.nbgrader.intake import Folders
from autograder.nbgrader.process import Order, send
from autograder.sandbox import Limits, open_sandbox
from autograder.submissions.finding import find

ASSIGNMENTS = ("attention_layer", "multi_head")
RIGHT, REWRITTEN, MISTAKEN = 5, 8, 7
FEW, MANY = RIGHT + REWRITTEN + MISTAKEN, 200
CORES = 2
COUNTED = re.compile(r"(\d+) tensors compared")
Code = Mapping[str, str]  # by exercise


@dataclass(frozen=True)
class Measured:
    """What it costs to grade one submission. tensors: how many are compared in a right one."""

    cost: Cost
    tensors: int
    points: str

    def __str__(self) -> str:
        memory = f"{self.cost.memory / 1e6:6.0f} MB"
        costs = f"{self.cost.cpu:8.3f} {self.cost.wall:8.3f} {memory}"
        return f"{costs} {self.tensors:8} {self.points:>12}"


@dataclass(frozen=True)
class Ours:
    """What the kit's engine costs for each of FEW submissions, and for each of MANY, all told.

    engine: its part of it, grading alone. one_more: what one more costs in `grade CLASS`.
    """

    whole: Measured
    of_many: Cost
    engine: Cost
    engine_of_many: Cost
    one_more: Cost


def submissions(assignment: str, count: int) -> list[Code]:
    """The same ones each time; each differs from all others, so none can be graded with another."""
    chosen = random.Random(0)
    text = course.solution(assignment)
    right = by_exercise(MARKER.sub("", text), assignment)
    files = course.corpus(assignment, "right")
    rewritten = [
        {**right, path.stem.split("__")[0]: path.read_text(encoding="utf-8")}
        for path in chosen.sample(files, REWRITTEN)
    ]
    mistaken = [
        by_exercise(MARKER.sub("", mistake.source(text)), assignment)
        for mistake in chosen.sample(misconceptions(assignment), MISTAKEN)
    ]
    found = [*[right] * RIGHT, *rewritten, *mistaken]
    return [
        {name: f"{code}\n# number {number}\n" for name, code in one.items()}
        for number, one in enumerate(itertools.islice(itertools.cycle(found), count))
    ]


def stock(folder: Path, assignment: str, handed_in: Sequence[Code], pictures: bool) -> Measured:
    """Grade with nbgrader as it is, in a course of a reference compared in the graded cells.

    pictures: leave the cells in which they are drawn; all cells are executed.
    """
    folder.mkdir(parents=True)
    (folder / "nbgrader_config.py").write_text('get_config().CourseDirectory.course_id = "stock"\n')
    made = notebook(solution(assignment), assignment)
    source = folder / "source" / assignment / f"{assignment}.ipynb"
    source.parent.mkdir(parents=True)
    source.write_text(json.dumps(stock_tests.added(made, assignment, pictures)))
    hand_in(folder, assignment, handed_in)
    spent = cost(["-m", "nbgrader", "autograde", assignment], folder)
    [first] = folder.glob(f"autograded/s000/*/{assignment}.ipynb")
    tensors = max(int(n) for n in COUNTED.findall(first.read_text(encoding="utf-8")))
    return Measured(spent.per(len(handed_in)), tensors, points(folder))


def ours(folder: Path, assignment: str) -> Ours:
    """Grade with the kit's engine, in courses that the kit builds."""
    few, few_alone = autograded(folder / "few", assignment, FEW)
    many, many_alone = autograded(folder / "many", assignment, MANY)
    return Ours(
        Measured(few.per(FEW), compared(assignment), points(folder / "few")),
        many.per(MANY),
        few_alone.per(FEW),
        many_alone.per(MANY),
        (_class(folder / "many", assignment) - _class(folder / "few", assignment)).per(MANY - FEW),
    )


def autograded(folder: Path, assignment: str, count: int) -> tuple[Cost, Cost]:
    """The cost of autograding all of some submissions, and that of grading them alone."""
    cost(["-m", "autograder", "nbgrader", "course", str(folder)])
    hand_in(folder, assignment, submissions(assignment, count))
    call = ["-m", "autograder", "nbgrader", "autograde", assignment, "--course", str(folder)]
    whole = cost(call)
    return whole, cost(["-m", "autograder", "nbgrader", "engine"], told=_order(folder, assignment))


def _class(folder: Path, assignment: str) -> Cost:
    """The cost of `grade CLASS` for the submissions in a course, on all cores."""
    options = ["--assignment", assignment, "--anew", "--jobs", str(CORES)]
    return cost(["-m", "autograder", "grade", str(folder / "submitted"), *options])


def _order(folder: Path, assignment: str) -> bytes:
    """What the grading process is sent for all submissions, without kept results."""
    folders = Folders(folder / "submitted")
    jobs = [folders.job(student, assignment) for student in folders.students(assignment)]
    settings = GradingSettings(locked=True, seconds=Limits.seconds, hints=1)
    order = Order(str(folder / "again"), tuple(job.digest for job in jobs), settings)
    sent = io.BytesIO()
    send(sent, order, jobs)
    return sent.getvalue()


def hand_in(folder: Path, assignment: str, handed_in: Sequence[Code]) -> None:
    """Release the assignment, and put what was written into the released notebook."""
    cost(["-m", "nbgrader", "generate_assignment", assignment], folder)
    released = folder / "release" / assignment / f"{assignment}.ipynb"
    for number, code in enumerate(handed_in):
        book: Book = json.loads(released.read_text(encoding="utf-8"))
        for exercise, text in code.items():
            answer(book, exercise)["source"] = text
        place = folder / "submitted" / f"s{number:03}" / assignment
        place.mkdir(parents=True)
        (place / released.name).write_text(json.dumps(book), encoding="utf-8")
        if assignment != ASSIGNMENTS[0]:  # from which it imports
            earlier = solution(ASSIGNMENTS[0])
            (place / f"{ASSIGNMENTS[0]}.py").write_text(MARKER.sub("", earlier), encoding="utf-8")


def points(folder: Path) -> str:
    """The points of all submissions in the gradebook, of those that there could be."""
    with sqlite3.connect(folder / "gradebook.db") as gradebook:
        got = gradebook.execute("SELECT SUM(COALESCE(manual_score, auto_score, 0)) FROM grade")
        most = gradebook.execute(
            "SELECT SUM(max_score) FROM grade JOIN grade_cells ON grade.cell_id = grade_cells.id"
        )
        return f"{got.fetchone()[0]:.0f} of {most.fetchone()[0]:.0f}"


def compared(assignment: str) -> int:
    """How many tensors the kit compares with what they should be, in a right submission.

    In the grader each such comparison begins with torch.equal: of outputs, of the gradient of each
    argument and parameter, of kept numbers, and of what a law says is the same. Whether a call has
    changed its arguments is found out in the child; it counts as one here, however many there are.
    """
    untouched = "leaves_its_arguments_alone"
    with (
        open_sandbox(Limits()) as sandbox,
        mock.patch("torch.equal", wraps=torch.equal) as equal,
        mock.patch.object(laws, untouched, wraps=laws.leaves_its_arguments_alone) as arguments,
    ):
        grader = Grader(collect(), sandbox, frozenset())
        grader.grade(find(solution_file(assignment), None)[0])
        return equal.call_count + arguments.call_count


def measure(assignment: str) -> None:
    """Measure one assignment, and print a table."""
    handed_in = submissions(assignment, FEW)
    print(f"\n{assignment}: {FEW} submissions, {CORES} cores; for each submission")
    print(f"{'':28}{'s CPU':>8} {'s wall':>8} {'memory':>9} {'tensors':>8} {'points':>12}")
    with tempfile.TemporaryDirectory() as folder:
        usual = stock(Path(folder, "stock"), assignment, handed_in, pictures=True)
        print(f"{'nbgrader, its own kernels':28}{usual}", flush=True)
        plain = stock(Path(folder, "plain"), assignment, handed_in, pictures=False)
        print(f"{'  without the pictures':28}{plain}", flush=True)
        measured = ours(Path(folder), assignment)
    print(f"{'nbgrader, our engine':28}{measured.whole}")
    parts = {
        f"  in a class of {MANY}": measured.of_many,
        "  our engine's part": measured.engine,
        f"    in a class of {MANY}": measured.engine_of_many,
        "grade CLASS, one more": measured.one_more,
    }
    for name, one in parts.items():
        print(f"{name:28}{one.cpu:8.3f} {one.wall:8.3f}")
    print(f"{'':28}{'its own kernels':>17} {'without the pictures':>26}")
    print(f"{'how many times less':28}{'CPU':>8} {'wall':>8} {'CPU':>17} {'wall':>8}")
    for name, one in {"nbgrader, our engine": measured.whole.cost, **parts}.items():
        print(f"{name:28}{ratios(usual.cost, one)}         {ratios(plain.cost, one)}", flush=True)


def ratios(other: Cost, ours: Cost) -> str:
    return f"{other.cpu / ours.cpu:7.1f}x {other.wall / ours.wall:7.1f}x"


def main() -> None:
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:CORES])
    os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    os.environ["PYTHONPATH"] = str(ROOT)
    for assignment in ASSIGNMENTS:
        measure(assignment)


if __name__ == "__main__":
    main()
