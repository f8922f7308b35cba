"""What diagnosis adds to a failing submission, in CPU seconds and in imports of PyTorch.

All of it: naming the mistakes and the smallest example, each for the first time, with nothing
remembered but what checks have asked. Of each exercise the dearest of some single mistakes and of
some pairs, and what was the dearest when all were tried: `make bench`.
"""

from __future__ import annotations

import gc
import random
import time
from functools import cache
from itertools import combinations, islice

import torch
from grading import typical

from autograder.checking.collect import Checks, collect
from autograder.client import LocalImplementation, loading
from autograder.course import assignments
from autograder.course.exercise import Exercise
from autograder.course.misconceptions import EditDoesNotApply, Misconception, misconceptions
from autograder.diagnosis.live import LiveMistakes
from autograder.diagnosis.live.solution import Solution
from autograder.diagnosis.naming import Namer
from autograder.grading.examination import Examination
from autograder.grading.grade import Outcome
from autograder.sandbox import Limits

Mistakes = tuple[Misconception, ...]
EVERY = 20  # single mistake
PAIRS = 2  # of each exercise
DEAREST = {
    "TinyTransformer": [
        "detached",
        "first_block_again",
        "padding_idx",
        "last_block_only start_token",
        "ln_f_first mask_zero",
    ],
    "SelfAttention": ["other_names seeds_itself", "dims_swapped returns_weights_too"],
    "CausalAttention": ["other_names", "cpu_mask"],
}


def cost(exercise: Exercise, checks: Checks, solution: Solution, mistakes: Mistakes) -> float:
    """CPU seconds of naming these mistakes, and of the example of them; 0 if they lose no points.

    The wrong module is asked in this process, as it would be in a child. Raises EditDoesNotApply.
    """
    reference = cache(loading.load)
    implementation = LocalImplementation(solution.mistaken(*mistakes))
    examination = Examination(checks, reference, implementation, Limits())
    if examination.of(exercise).outcome is not Outcome.FAILED:
        return 0.0
    namer = Namer(checks, lambda assignment: LiveMistakes(assignment, checks, reference))
    start = time.process_time()
    namer.of(exercise, examination.runs[exercise.name])
    examination.example(exercise)
    return time.process_time() - start


def dearest(
    exercise: Exercise, checks: Checks, home: str, solution: Solution
) -> dict[int, tuple[float, str]]:
    """By the number of mistakes, the most that one of them costs, and which."""
    known = {m.id: m for m in misconceptions(home) if m.exercise == exercise.name}
    pairs = list(combinations(known.values(), 2))
    random.Random(exercise.name).shuffle(pairs)
    named = [tuple(known[i] for i in ids.split()) for ids in DEAREST.get(exercise.name, ())]
    tried: list[Mistakes] = [*named, *((one,) for one in list(known.values())[::EVERY])]
    most = {1: (0.0, ""), 2: (0.0, "")}
    for mistakes in [*tried, *islice(pairs, PAIRS)]:
        try:
            found = cost(exercise, checks, solution, mistakes)
        except EditDoesNotApply:
            continue
        said = found, " + ".join(mistake.id for mistake in mistakes)
        most[len(mistakes)] = max(most[len(mistakes)], said)
    return most


def main() -> None:
    torch.set_num_threads(1)
    checks, worst = collect(), (0.0, "")
    gc.freeze()  # as where submissions are graded
    for assignment in assignments():
        solution = Solution(assignment)
        for exercise in checks.exercises(assignment):
            imports = typical(["-c", "import torch"]).cpu  # each time: machines change their pace
            for cpu, which in dearest(exercise, checks, assignment, solution).values():
                line = f"{exercise.name:<21} {which:<40} {cpu:6.3f} s CPU, x{cpu / imports:4.2f}"
                worst = max(worst, (cpu / imports, line))
                print(line)
    print(f"the dearest, in imports of torch ({imports:.3f} s CPU at last):")
    print(worst[1])


if __name__ == "__main__":
    main()
