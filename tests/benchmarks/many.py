"""Grade 10,000 different submissions: time, memory, and the same results if killed on the way.

Prints how long the first and the last tenth took, and the memory of each process then. The same
class is graded a second time in a run that is killed five times. `many.py COUNT` grades another
number. Ends with exit code 1 if a bound is exceeded or the results differ.
"""

from __future__ import annotations

import itertools
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from autograder.course import root, solution
from autograder.course.misconceptions import misconceptions

HOME = "running_averages"
KILLS = 5
SLOWER = 1.1  # times, the last tenth at most
LARGER = 1.1  # times, the memory of each process after the last tenth, at most
SMALL = 20  # megabytes, of a process that is not looked at
GRADED = "graded "


@dataclass
class Watched:
    """What was seen of a run, by count: seconds since its start, and memory after each tenth.

    memory: megabytes of each process, by its number.
    """

    seconds: dict[int, float] = field(default_factory=dict)
    memory: dict[int, dict[int, float]] = field(default_factory=dict)

    def growth(self, first: int, last: int) -> list[tuple[float, float]]:
        """Return the memory of each large process at two counts, if it is there at both."""
        early, late = self.memory[first], self.memory[last]
        both = [(size, late[one]) for one, size in early.items() if late.get(one)]
        return sorted((one for one in both if max(one) > SMALL), reverse=True)


def write_class(folder: Path, count: int) -> None:
    """Write as many submissions, right and wrong ones in turn, each with a line of its own."""
    text = solution(HOME)
    texts = [text, *(one.source(text) for one in misconceptions(HOME))]
    for number, one in zip(range(count), itertools.cycle(texts)):
        (folder / f"s{number:05}.py").write_text(f"{one}\n# {number}\n", encoding="utf-8")


def start(folder: Path, output: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "autograder", "grade", str(folder), "--assignment", HOME]
    with output.open("w") as out:
        return subprocess.Popen(
            [*command, "--json"],
            cwd=root(),
            stdout=out,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )


def counts(run: subprocess.Popen[str]) -> Iterator[int]:
    """Yield how many are graded, as often as the run says so."""
    assert run.stderr
    for line in run.stderr:
        if line.startswith(GRADED):
            yield int(line.removeprefix(GRADED).partition("/")[0])


def watch(folder: Path, output: Path, count: int) -> Watched:
    """Grade a class, undisturbed."""
    began, seen = time.monotonic(), Watched()
    with start(folder, output) as run:
        for done in counts(run):
            seen.seconds[done] = time.monotonic() - began
            if done % (count // 10) == 0 and done < count:
                seen.memory[done] = {one: memory(one) for one in family(run.pid)}
    assert run.returncode == 0, f"exit code {run.returncode}"
    return seen


def grade_with_kills(folder: Path, output: Path, count: int) -> None:
    """Grade a class in runs that are killed, and one that is not."""
    for until in sorted(random.sample(range(1, count), KILLS)):
        with start(folder, output) as run:
            for done in counts(run):
                if done >= until:
                    os.killpg(run.pid, signal.SIGKILL)
                    break
    with start(folder, output) as run:
        assert max(counts(run)) == count


def family(number: int) -> list[int]:
    """Return a process and all those below it, in the order of their start."""
    found = [number]
    for one in found:
        for task in Path(f"/proc/{one}/task").glob("*/children"):
            found += map(int, task.read_text().split())
    return found


def memory(number: int) -> float:
    """Return the megabytes that a process has, apart from those that it shares; 0 if it is gone."""
    try:
        lines = Path(f"/proc/{number}/status").read_text().splitlines()
    except OSError:
        return 0.0
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("RssAnon")), 0.0)


def main(count: int = 10_000) -> int:
    """Grade and print. Returns 1 if a bound is exceeded."""
    tenth = count // 10
    with tempfile.TemporaryDirectory() as made:
        places = [Path(made, name) for name in ("undisturbed", "killed")]
        outputs = [place.with_suffix(".json") for place in places]
        for place in places:
            place.mkdir()
            write_class(place, count)
        seen = watch(places[0], outputs[0], count)
        grade_with_kills(places[1], outputs[1], count)
        whole, killed = (one.read_text().replace(one.stem, "") for one in outputs)
    first = seen.seconds[2 * tenth] - seen.seconds[tenth]
    last = seen.seconds[count] - seen.seconds[count - tenth]
    print(f"{count} submissions in {seen.seconds[count]:.0f} s")
    print(f"the second tenth took {first:.1f} s, the last {last:.1f} s: {last / first:.2f} times")
    growth = seen.growth(tenth, count - tenth)
    print("megabytes of each process that lasts, after a tenth and before the last:")
    for early, late in growth:
        print(f"  {early:.0f} and {late:.0f}: {late / early:.2f} times")
    larger = any(late > LARGER * early for early, late in growth)
    print(f"killed {KILLS} times, the results are {'the same' if whole == killed else 'OTHERS'}")
    return int(last > SLOWER * first or larger or whole != killed)


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
