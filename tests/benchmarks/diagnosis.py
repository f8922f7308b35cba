"""What naming mistakes costs: the first time in a process, in CPU seconds and imports of PyTorch.

For each exercise, a single mistake and two at once: `make bench`.
"""

from __future__ import annotations

import time
from functools import cache
from itertools import combinations

import torch
from grading import typical

from autograder.course import CHECKS, assignments
from autograder.diagnosis.live import LiveSuspects
from autograder.diagnosis.naming import Namer
from autograder.diagnosis.suspects import Left, Mistakes
from autograder.exercise import Exercise
from autograder.grading import references
from autograder.grading.collect import Checks, collect
from autograder.misconceptions import EditDoesNotApply


def wrong(
    suspects: LiveSuspects, exercise: Exercise, checks: Checks, count: int
) -> tuple[Mistakes, Left]:
    """The first so many mistakes of an exercise that lose points together."""
    for mistakes in combinations(suspects.known(exercise), count):
        try:
            left = {c: suspects.trace(mistakes, exercise, c) for c in checks.of(exercise)}
        except EditDoesNotApply:
            continue
        if any(trace.category for trace in left.values()):
            return mistakes, left
    raise RuntimeError(f"no mistakes of {exercise.name} lose points")


def main() -> None:
    torch.set_num_threads(1)
    checks, reference = collect(CHECKS), cache(references.load)
    imports = typical(["-c", "import torch"]).cpu
    print(f"import torch                  {imports:8.3f} s CPU")
    for assignment in assignments():
        asked = LiveSuspects(assignment, checks, reference)
        for exercise in checks.exercises(assignment):
            line = f"{exercise.name:<24}"
            for count, word in ((1, "one mistake"), (2, "two")):
                _, left = wrong(asked, exercise, checks, count)
                start = time.process_time()
                suspects = LiveSuspects(assignment, checks, reference)
                Namer(checks, {assignment: suspects}.__getitem__).name(exercise, left)
                cpu = time.process_time() - start
                line += f"  {word} {cpu:6.3f} s CPU, x{cpu / imports:4.2f}"
            print(line)


if __name__ == "__main__":
    main()
