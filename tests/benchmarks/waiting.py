"""What a student waits for: from a save to the verdict, and from a call to the verdict.

In a student's copy with right solutions, in which one exercise after the other is right and wrong
in turn: the watch loop in a terminal, until it says right or wrong; check() in IPython's shell,
after many cells; and the command behind `make grade EX=...`, all with the resident grader. Beside
them, pytest runs the assignment's visible checks once in a new process, and again in a process that
has done so before.
Prints milliseconds (the median of all exercises, and the 95th percentile) and ratios, all measured
in one run. Ends with 1 if an exercise takes longer than its bound, and says which.
"""

from __future__ import annotations

import json
import os
import pty
import select
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from statistics import median, quantiles

from autograder.checking.collect import collect
from autograder.course import assignments, root, solution
from autograder.course.formulas import as_text
from autograder.course.misconceptions import misconceptions
from autograder.grading.grade import Outcome
from autograder.grading.in_turn import grade
from autograder.kit.build import build
from autograder.sandbox import Limits, open_sandbox
from autograder.submissions.finding import Submission

SAVES = 10  # of each exercise
COMMANDS = 2  # for each exercise
EARLIER = 100  # cells that were run in a notebook before the first check
SECONDS = 120.0  # until a verdict is taken for lost
PAUSE = 0.3  # between a verdict and the next question, in which the grader tidies up
TRAINING = "TinyTransformer"  # its verdict includes a training
PROGRAM = "\nif __name__ =="  # the end of a module that can be run
WATCH, CHECK, COMMAND = "save to verdict, watch loop", "check() in a notebook", "make grade EX=..."
END = b"q quit"  # of what the watch loop shows
GLYPHS = "✗✓"  # of a wrong exercise and of a right one
DRIVER = f"""
import contextlib, io, json, os, sys, time
from IPython.core.interactiveshell import InteractiveShell

exercise, folder, *texts = json.load(sys.stdin)
os.chdir(folder)
shell, waited = InteractiveShell.instance(), []
with contextlib.redirect_stdout(io.StringIO()):
    shell.run_cell("from autograder.notebook import check", store_history=True)
    for i in range({EARLIER}):  # some of which replace earlier ones
        shell.run_cell(f"def helper{{i % 7}}(x): return x + {{i}}", store_history=True)
    for i, text in enumerate(texts):
        shell.run_cell(text, store_history=True)
        time.sleep({PAUSE})
        start = time.perf_counter()
        shown = shell.run_cell(f"check({{exercise!r}})", store_history=True).result
        waited.append(time.perf_counter() - start)
        assert shown.text.startswith({GLYPHS!r}[i % 2]), shown.text
print(json.dumps(waited))
"""
PYTEST = """
import sys, time, pytest
for _ in range(2):
    start = time.perf_counter()
    pytest.main(["-q", *sys.argv[1:]])
    print("seconds", time.perf_counter() - start)
"""


def versions(assignment: str, exercise: str) -> list[str]:
    """Return texts of an assignment, in which an exercise is wrong and right in turn.

    The visible checks reject the first one.
    """
    right = solution(assignment)
    known = [m for m in misconceptions(assignment) if m.exercise == exercise]
    wrong = [m.source(right) for m in known if not m.costs_no_points]
    while is_right(assignment, exercise, wrong[0]):
        wrong = [*wrong[1:], wrong[0]]
    texts = (right if i % 2 else wrong[i // 2 % len(wrong)] for i in range(SAVES))
    return [f"{as_text(text)}\n# {i}\n" for i, text in enumerate(texts)]


def is_right(assignment: str, exercise: str, text: str) -> bool:
    """Return whether the visible checks pass."""
    given = {name: solution(name) for name in assignments()} | {assignment: text}
    submission = Submission("own", Path(f"{assignment}.py"), assignment, given)
    with open_sandbox(Limits()) as sandbox:
        [graded] = grade([submission], sandbox, [exercise])[0].exercises
    return all(c.outcome is Outcome.PASSED for c in graded.checks if c.visible)


class Watch:
    """The watch loop of a copy, in a terminal."""

    def __init__(self, kit: Path) -> None:
        self._terminal, inner = pty.openpty()
        self._process = subprocess.Popen(
            [sys.executable, "-m", "autograder", "watch"],
            cwd=kit,
            env=environment(kit),
            stdin=inner,
            stdout=inner,
            stderr=inner,
        )
        os.close(inner)
        self.shown = self._next()

    def saved(self, path: Path, text: str, glyph: str) -> float:
        """Save a text. Returns the seconds until the verdict with this glyph is shown."""
        while select.select([self._terminal], [], [], PAUSE)[0]:  # the rest of the one before
            os.read(self._terminal, 1 << 16)
        path.write_text(text, encoding="utf-8")
        start = time.perf_counter()
        self.shown = self._next(glyph)
        return time.perf_counter() - start

    def end(self) -> None:
        os.write(self._terminal, b"q")
        self._process.wait(SECONDS)
        os.close(self._terminal)

    def _next(self, glyph: str = "") -> bytes:
        """Return what is shown until the end of a verdict with a glyph. Raises TimeoutError."""
        shown, end = b"", time.monotonic() + SECONDS
        while END not in shown[max(shown.find(glyph.encode()), 0) :] or glyph.encode() not in shown:
            ready, _, _ = select.select([self._terminal], [], [], end - time.monotonic())
            if not ready:
                raise TimeoutError(shown.decode(errors="replace"))
            shown += os.read(self._terminal, 1 << 16)
        return shown


def late(times: Sequence[float]) -> float:
    """Return the 95th percentile, at most the longest time."""
    return quantiles(times, n=20, method="inclusive")[-1] if len(times) > 1 else times[0]


# What is bounded for each exercise except the one with a training, and its bound in seconds.
BOUNDS: dict[str, tuple[Callable[[Sequence[float]], float], float]] = {
    WATCH: (late, 0.1),
    CHECK: (median, 0.15),
    COMMAND: (median, 0.4),
}


def too_slow(measured: Mapping[tuple[str, str], Sequence[float]]) -> list[str]:
    """Return a sentence for each exercise that takes longer than its bound.

    measured: seconds, by what was measured and the exercise.
    """
    return [
        f"{exercise}, {what}: {figure(times) * 1e3:.0f} ms, more than {bound * 1e3:.0f} ms."
        for (what, exercise), times in measured.items()
        for figure, bound in [BOUNDS[what]]
        if exercise != TRAINING and figure(times) > bound
    ]


def environment(kit: Path) -> dict[str, str]:
    """Return an environment in which the copy's own engine is imported."""
    return {**os.environ, "PYTHONPATH": str(kit), "TERM": "xterm"}


def run(kit: Path, *arguments: str, given: str = "") -> tuple[str, float]:
    """Run Python in a copy. Returns what it prints, and seconds. Raises CalledProcessError."""
    start = time.perf_counter()
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=kit,
        env=environment(kit),
        input=given,
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    return done.stdout, time.perf_counter() - start


def of_exercise(kit: Path, assignment: str, exercise: str) -> Iterator[tuple[str, float]]:
    """Yield what was measured and its seconds."""
    path = kit / "assignments" / f"{assignment}.py"
    texts = versions(assignment, exercise)
    path.write_text(texts[0], encoding="utf-8")  # so that the watch loop begins with it
    watch = Watch(kit)
    if exercise.encode() not in watch.shown:
        raise RuntimeError(f"{exercise} is not the first that does not pass")
    for i, text in enumerate(texts[1:], 1):
        yield WATCH, watch.saved(path, text, GLYPHS[i % 2])
    watch.end()
    cells = [text.partition(PROGRAM)[0] for text in texts]  # a notebook would run the program too
    given = json.dumps([exercise, str(path.parent), *cells])
    waited: list[float] = json.loads(run(kit, "-c", DRIVER, given=given)[0])
    for seconds in waited:
        yield CHECK, seconds
    command = ["-m", "autograder", "grade", "--resident", "--exercise", exercise, "assignments"]
    for _ in range(COMMANDS):
        yield COMMAND, run(kit, *command)[1]
    path.write_text(as_text(solution(assignment)), encoding="utf-8")


def by_pytest(assignment: str) -> Iterator[tuple[str, float]]:
    """Yield the seconds of pytest in a new process, and in one that has run the checks before."""
    checks = [f"solutions/{assignment}/test_{assignment}.py", "--submission=solutions"]
    start = time.perf_counter()
    subprocess.run(
        [sys.executable, "-m", "pytest", "-q", *checks],
        cwd=root(),
        check=True,
        capture_output=True,
    )
    yield "pytest, new process", time.perf_counter() - start
    done = subprocess.run(
        [sys.executable, "-c", PYTEST, *checks],
        cwd=root(),
        check=True,
        capture_output=True,
        encoding="utf-8",
    )
    seconds = [line.split()[1] for line in done.stdout.splitlines() if line.startswith("seconds ")]
    yield "pytest, warm process", float(seconds[1])


def main(wanted: Sequence[str]) -> int:
    """Measure and print. wanted: exercises; all if there are none. Returns 1 beyond a bound."""
    checks, found = collect(), dict[str, list[float]]()
    measured: dict[tuple[str, str], list[float]] = {}
    with tempfile.TemporaryDirectory() as folder:
        kit = build(Path(folder) / "kit")
        for assignment in assignments():
            text = as_text(solution(assignment))
            (kit / "assignments" / f"{assignment}.py").write_text(text, encoding="utf-8")
        for assignment in assignments():
            names = [e.name for e in checks.exercises(assignment)]
            chosen = [name for name in names if name in (wanted or names)]
            for name in chosen:
                for what, seconds in of_exercise(kit, assignment, name):
                    which = f"{what}, {name}" if name == TRAINING else what
                    found.setdefault(which, []).append(seconds)
                    measured.setdefault((what, name), []).append(seconds)
            if chosen:
                for what, seconds in by_pytest(assignment):
                    found.setdefault(what, []).append(seconds)
    cold = median(found["pytest, new process"])
    print(f"{'':50} median     95 %  of pytest, new process")
    for what, times in found.items():
        half = median(times)
        print(f"{what:46} {half * 1e3:7.0f} ms {late(times) * 1e3:5.0f} ms  {half / cold:8.1%}")
    slow = too_slow(measured)
    for sentence in slow:
        print(sentence)
    return int(bool(slow))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
