"""What grading costs: a class in one call against a pytest process for each submission.

Prints CPU and wall seconds (of whole processes, everything they start included), the cost of
one more submission, and ratios, all measured in one run: `make bench`.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import torch

from autograder import course
from autograder.checking.collect import Checks, collect
from autograder.client import Session
from autograder.grading.grader import Grader
from autograder.sandbox import Child, Limits, Sandbox, open_sandbox
from autograder.submissions.finding import find

ROOT = Path(__file__).resolve().parents[2]
ASSIGNMENTS = ("attention_layer", "multi_head")
FEW, MANY = 100, 200  # enough of them for two processes
PROCESSES = 2
TRAINING = "model_trains"  # the check that trains a model
PR_SET_CHILD_SUBREAPER = 36  # <linux/prctl.h>


@dataclass(frozen=True)
class Cost:
    """CPU and wall seconds, and the bytes of memory of the largest process."""

    cpu: float
    wall: float
    memory: int = 0

    def per(self, count: int) -> Cost:
        return Cost(self.cpu / count, self.wall / count, self.memory)

    def __sub__(self, other: Cost) -> Cost:
        return Cost(self.cpu - other.cpu, self.wall - other.wall)

    def __str__(self) -> str:
        return f"{self.cpu:8.3f} s CPU {self.wall:8.3f} s wall"


def cost(arguments: Sequence[str], folder: Path = ROOT, told: bytes = b"") -> Cost:
    """Run Python with these arguments; what it and all its children used. Raises if it fails.

    told: what it can read from its stdin.
    """
    _adopt_orphans()
    start = time.perf_counter()
    quiet = subprocess.DEVNULL
    process = subprocess.Popen(
        [sys.executable, *arguments],
        cwd=folder,
        stdin=subprocess.PIPE,
        stdout=quiet,
        stderr=quiet,
    )
    assert process.stdin
    with process.stdin:
        process.stdin.write(told)
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"{' '.join(arguments)} ended with exit code {process.returncode}")
    used = [usage, *_orphans()]
    cpu = sum(one.ru_utime + one.ru_stime for one in used)
    memory = max(one.ru_maxrss for one in used) * (1 if sys.platform == "darwin" else 1024)
    return Cost(cpu, wall, memory)


def _adopt_orphans() -> None:
    """Have what our children leave behind become children of this process (Linux).

    bubblewrap does not wait for the process that it has locked in, and so does not count it.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1)


def _orphans() -> Iterator[resource.struct_rusage]:
    """What each of those that were left behind has used."""
    with contextlib.suppress(ChildProcessError):
        while True:
            yield os.wait4(-1, 0)[2]


def typical(arguments: Sequence[str], runs: int = 3) -> Cost:
    """The median of a few runs."""
    costs = [cost(arguments) for _ in range(runs)]
    return Cost(median(c.cpu for c in costs), median(c.wall for c in costs))


def graded(folder: Path, count: int, assignment: str) -> list[str]:
    """The call that grades a class of so many: each has the reference, with a line of its own."""
    place = folder / f"{assignment} {count}"
    if not place.exists():
        place.mkdir()
        for number in range(count):
            text = f"{course.solution(assignment)}\n# {number}\n"
            (place / f"s{number:05}.py").write_text(text, encoding="utf-8")
    options = ["--assignment", assignment, "--anew", "--jobs", str(PROCESSES)]
    return ["-m", "autograder", "grade", str(place), *options]


def tested(assignment: str) -> list[str]:
    """The call in which pytest asks the same checks of one submission, in its own process."""
    checks = f"solutions/{assignment}/test_{assignment}.py"
    return ["-m", "pytest", "-q", checks, "--submission=solutions"]


class _Counted(Sandbox):
    """Another one, whose children are kept: they know what CPU they used."""

    def __init__(self, other: Sandbox) -> None:
        super().__init__(other.limits, other.locked)
        self._other = other
        self.children: list[Child] = []

    def child(self) -> Child:
        self.children.append(self._other.child())
        return self.children[-1]

    def close(self) -> None:
        self._other.close()


@dataclass(frozen=True)
class Round:
    """CPU seconds of one round, and of a fixed piece of work beside it: the machine's pace."""

    cpu: float
    pace: float


def whole_course(rounds: int = 40, warm_up: int = 3) -> list[Round]:
    """What it costs to grade all assignments of one submission, in the grader and in the child.

    Of neither the start, nor the short training, in which the time is the student's model's. The
    references have been asked before.
    """
    checks = [c for c in collect().collected if c.name != TRAINING]
    found = []
    with open_sandbox(Limits()) as uncounted:
        sandbox = _Counted(uncounted)
        grader = Grader(Checks(checks), sandbox, frozenset())
        gc.freeze()
        for _ in range(warm_up + rounds):
            start, session = time.process_time(), Session(sandbox)
            grades = [
                grader.grade(submission, session) for submission in find(course.folder(), None)
            ]
            session.clear()
            own = time.process_time() - start
            cpu = own + sum(child.cpu or 0.0 for child in sandbox.children)
            found.append(Round(cpu, _pace()))
            sandbox.children.clear()
            assert all(grade.points == grade.max_points for grade in grades)
    return found[warm_up:]


def _pace() -> float:
    """CPU seconds of a little of what grading does most: small modules, small tensors, JSON."""
    start = time.process_time()
    for _ in range(400):
        module = torch.nn.Linear(7, 4)
        json.loads(json.dumps({name: p.tolist() for name, p in module.named_parameters()}))
        torch.softmax(module(torch.ones(3, 5, 7)), dim=-1)
    return time.process_time() - start


def main() -> None:
    imports = typical(["-c", "import torch, einops"])
    own = typical(["-m", "autograder", "grade", "solutions"])
    rounds = whole_course()
    whole, best = median(r.cpu for r in rounds), min(r.cpu for r in rounds)
    pace = median(r.pace for r in rounds) / min(r.pace for r in rounds)
    print(f"import torch, einops          {imports}")
    print(f"the whole course, once warm   {whole:8.3f} s CPU   x{whole / imports.cpu:.2f}")
    print(f"  in the best of {len(rounds)} rounds    {best:8.3f} s CPU   x{best / imports.cpu:.2f}")
    print(f"  a fixed piece of work beside each took x{pace:.2f} of its least in the median")
    print(f"grade one's own work, whole   {own}   wall x{own.wall / imports.wall:.2f}")
    with tempfile.TemporaryDirectory() as folder:
        for name in ASSIGNMENTS:
            _compare(Path(folder), name)


def _compare(folder: Path, name: str) -> None:
    """Print what one more submission costs in a class, and what it costs by itself."""
    few, many = (typical(graded(folder, count, name)) for count in (FEW, MANY))
    one_more, process = (many - few).per(MANY - FEW), typical(tested(name))
    print(f"\n{name}: a class of {FEW} and one of {MANY}, in {PROCESSES} processes")
    print(f"  all {FEW} in one call         {few}")
    print(f"  all {MANY} in one call         {many}")
    print(
        f"  one more in the same call   {one_more}   wall / CPU {one_more.wall / one_more.cpu:.2f}"
    )
    print(f"  a pytest process for each   {process}")
    cpu, wall = process.cpu / one_more.cpu, process.wall / one_more.wall
    print(f"  ratio                       {cpu:8.1f} x CPU {wall:10.1f} x wall")


if __name__ == "__main__":
    main()
