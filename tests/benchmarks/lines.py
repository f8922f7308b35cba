"""How often the search for the line of a mistake tells it, and how long it takes.

Called by `make bench`. The solutions were written and marked by people who did not know the search,
see tests/marked. Prints the silent and the wrong ones, and how many lines are right, give or take
one. Numbers given as arguments choose which are tried. Ends with 1 if too few are right.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from marked import Marked, marked

from autograder.checking.collect import Checks, collect
from autograder.course import assignments, solution
from autograder.diagnosis.line import APART, LineFinder
from autograder.diagnosis.naming import namer
from autograder.grading.grade import ExerciseGrade
from autograder.grading.grader import Grader
from autograder.sandbox import Limits, Sandbox, open_sandbox
from autograder.submissions.finding import Submission

ENOUGH = 0.9  # of the named mistakes have the right line


def graded(
    one: Marked, checks: Checks, sandbox: Sandbox, solutions: dict[str, str]
) -> ExerciseGrade:
    """Return the grade of a wrong exercise, with the line of its mistake if that is told."""
    text, _ = one.below(solutions[one.assignment])
    texts = {**solutions, one.assignment: text}
    grader = Grader(checks, sandbox, frozenset([one.exercise]), namer, LineFinder)
    path = Path(f"{one.assignment}.py")
    [exercise] = grader.grade(Submission("anna", path, one.assignment, texts)).exercises
    return exercise


def told(one: Marked, exercise: ExerciseGrade, solution: str) -> str:
    """Return what became of it: right, wrong, silent, or not named, so that none is looked for."""
    if not exercise.diagnoses or any(found.seen for found in exercise.diagnoses):
        return "not named"
    if exercise.line is None:
        return "silent"
    _, lines = one.below(solution)
    near = any(abs(exercise.line.number - line) <= APART for line in lines)
    return "right" if near else "wrong"


def is_enough(results: Sequence[str]) -> bool:
    """Return whether enough of the named mistakes have the right line."""
    named = len(results) - results.count("not named")
    return results.count("right") >= ENOUGH * named


def main(numbers: list[int]) -> int:
    """Try and print. Returns 1 if that is not enough."""
    chosen = [one for i, one in enumerate(marked()) if not numbers or i in numbers]
    solutions = {name: solution(name) for name in assignments()}
    results: list[str] = []
    waited: list[float] = []
    with open_sandbox(Limits(), locked=True) as sandbox:
        checks = collect()
        for one in chosen:
            start = time.perf_counter()
            exercise = graded(one, checks, sandbox, solutions)
            waited.append(time.perf_counter() - start)
            results.append(told(one, exercise, solutions[one.assignment]))
            if results[-1] in ("wrong", "silent"):
                print(f"{results[-1]}  {one.name}", flush=True)
    named = len(results) - results.count("not named")
    right, wrong = results.count("right"), results.count("wrong")
    print(f"{len(results)} wrong solutions, {named} of them named")
    print(f"{right / named:.0%} of their lines are told, {wrong} wrongly")
    print(f"verdict and line after {median(waited):.1f} s (median), {max(waited):.1f} s (most)")
    return int(not is_enough(results))


if __name__ == "__main__":
    sys.exit(main([int(number) for number in sys.argv[1:]]))
