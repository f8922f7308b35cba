"""The peak memory of every trusted process, while it grades the submissions that ask most of it.

Called by `make bench`. Run it as a process of its own: it waits for all that it has started.

These are the grader on the command line; nbgrader's autograde, in which nothing is graded, the
engine that it starts, and each worker of that; and the warm process of each, which never reads what
a submission says. Beside the hostile ones lie damaged notebooks, nearly as large as a notebook may
be. Names of attacks, given as arguments, are graded in place of all that.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from attacks.watching.attack import Attack, corpus
from autograding import Code, hand_in
from damage.released import MARKER, by_exercise
from grading import ROOT, cost

from autograder.checking.collect import collect
from autograder.course import solution
from autograder.runtime.memory import MOST

HOME = "attention_layer"
KINDS = (  # of attacks
    "answer_oracle",
    "budget",
    "memory",
    "oracle",
    "python",
    "reply",
    "structure",
    "text",
    "torch",
)
KIT = [sys.executable, "-m", "autograder"]
SECONDS, BUDGET = "1", "10"
LARGE, DAMAGED = 5, b'{"cells": [' + b" " * 140_000_000  # how many, and what is in them
LOOK = 0.05  # seconds between two looks
SETTINGS = f"""
c.SubmissionExporter.seconds = {SECONDS}
c.SubmissionExporter.budget = {BUDGET}
"""
Peaks = dict[str, float]  # megabytes, by process


def chosen(names: Sequence[str]) -> list[Attack]:
    """The attacks on the exercises of one assignment, those of these names or of KINDS."""
    exercises = {exercise.name for exercise in collect().exercises(HOME)}
    wanted = [one for one in corpus() if one.exercise in exercises]
    return [one for one in wanted if (one.name in names if names else one.name.startswith(KINDS))]


def watched(command: Sequence[str], names: Sequence[str]) -> Peaks:
    """The peaks of a process and of those of ours that it starts. names: of it, and of its own."""
    peaks: Peaks = {}
    with tempfile.TemporaryFile() as out:
        process = subprocess.Popen(command, cwd=ROOT, stdout=out, stderr=subprocess.DEVNULL)
        ended = threading.Thread(target=process.wait)
        ended.start()
        while ended.is_alive():
            for name, number in _ours(process.pid, names):
                peaks[name] = max(peaks.get(name, 0.0), _peak(number))
            time.sleep(LOOK)
    assert process.returncode in (0, 3), f"exit code {process.returncode}"
    return peaks


def _ours(number: int, names: Sequence[str]) -> Iterator[tuple[str, int]]:
    """The process of this number and those of ours below it; no child that runs a submission."""
    name, *below = names
    yield name, number
    for child in _children(number):
        line = _command(child)
        if "serve(" in line and "bwrap" not in line.partition("\0")[0]:
            yield f"warm process of the {name}", child
        elif "bwrap" in line.partition("\0")[0]:
            yield from ((kind, one) for kind, one in _ours(child, [name]) if one != child)
        elif below and ("spawn_main" in line or line.rstrip("\0").endswith("engine")):
            yield from _ours(child, below)


def _children(number: int) -> list[int]:
    try:
        found = Path(f"/proc/{number}/task/{number}/children").read_text()
        return [int(one) for one in found.split()]
    except OSError:  # it is gone
        return []


def _command(number: int) -> str:
    try:
        return Path(f"/proc/{number}/cmdline").read_text(errors="replace")
    except OSError:
        return ""


def _peak(number: int) -> float:
    """The most memory that a process has had, in megabytes; 0 if it is gone."""
    try:
        lines = Path(f"/proc/{number}/status").read_text().splitlines()
    except OSError:
        return 0.0
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM:")), 0.0)


def main(names: Sequence[str]) -> int:
    """Print the peaks. Returns 1 if one is above what a process may take."""
    attacks = chosen(names)
    text = solution(HOME)
    honest = by_exercise(MARKER.sub("", text), HOME)
    hostile = [{**honest, one.exercise: one.path.read_text(encoding="utf-8")} for one in attacks]
    with tempfile.TemporaryDirectory() as made:
        usual = _all_peaks(Path(made, "usual"), [honest])
        worst = _all_peaks(Path(made, "worst"), [honest, *hostile], 0 if names else LARGE)
    print(f"peak memory with an honest submission, and with {len(attacks)} hostile beside it:")
    for name, peak in worst.items():
        print(f"  {name:<46}{usual.get(name, 0.0):>6.0f} MB{peak:>8.0f} MB")
    print(f"a process that grades may take {MOST >> 20} MB beyond what it starts with")
    return int(is_too_much(worst))


def is_too_much(peaks: Peaks) -> bool:
    """Whether one of the peaks is above what a process that grades may take."""
    return max(peaks.values()) > MOST >> 20


def _all_peaks(folder: Path, handed_in: Sequence[Code], large: int = 0) -> Peaks:
    """The peaks while this is graded on the command line, and in a course.

    large: how many damaged notebooks lie beside it.
    """
    course, loose = folder / "course", folder / "loose"
    cost(["-m", "autograder", "nbgrader", "course", str(course)])
    with (course / "nbgrader_config.py").open("a", encoding="utf-8") as settings:
        settings.write(SETTINGS)
    hand_in(course, HOME, handed_in)
    for number in range(large):
        place = course / "submitted" / f"large{number}" / HOME
        place.mkdir(parents=True)
        (place / f"{HOME}.ipynb").write_bytes(DAMAGED + str(number).encode())
    loose.mkdir()
    for path in (course / "submitted").glob(f"*/{HOME}/{HOME}.ipynb"):
        shutil.copy(path, loose / f"{path.parent.parent.name}.ipynb")
    asked = [
        "--assignment",
        HOME,
        "--anew",
        "--locked",
        "--seconds",
        SECONDS,
        "--budget",
        BUDGET,
        "--json",
    ]
    grading = [*KIT, "grade", str(loose), "--anew", *asked]
    autograding = [*KIT, "nbgrader", "autograde", HOME, "--course", str(course)]
    return watched(grading, ["command line", "grader of the command line"]) | watched(
        autograding, ["nbgrader's autograde", "engine that starts workers", "worker"]
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
