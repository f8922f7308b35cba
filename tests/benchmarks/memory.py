"""The peak memory of every trusted process, while it grades the submissions that ask most of it.

Called by `make bench`.

These are the grader on the command line, each worker of a class with the process that started it,
and the warm process of each, which never reads what a submission says. Names of attacks, given as
arguments, are graded in place of all.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from attacks.watching.attack import Attack, corpus
from grading import ROOT

from autograder.course import CHECKS, SOLUTIONS
from autograder.grading.collect import collect
from autograder.grading.memory import MOST

HOME = "attention_layer"
KINDS = ("answer_oracle", "memory", "python", "reply", "text", "torch")  # of attacks
SECONDS, BUDGET = "1", "10"
LOOK = 0.05  # seconds between two looks
IN_WORKERS = """
import sys
from pathlib import Path
from autograder.batch.jobs import Job
from autograder.batch.pool import grade_all
from autograder.batch.results import Results
if __name__ == "__main__":
    folder, home, seconds, budget = sys.argv[1:]
    jobs = [Job(p.stem, home, {f"{home}.py": p.read_bytes()}) for p in Path(folder).glob("*.py")]
    times = {"seconds": float(seconds), "budget": float(budget)}
    grade_all(jobs, Results(Path(folder, "results")), processes=1, **times)
"""
Peaks = dict[str, float]  # megabytes, by process


def chosen(names: Sequence[str]) -> list[Attack]:
    """The attacks on the exercises of one assignment, those of these names or of KINDS."""
    exercises = {exercise.name for exercise in collect(CHECKS).exercises(HOME)}
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
        elif below and "spawn_main" in line:
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
    honest = (SOLUTIONS / f"{HOME}.py").read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        (folder / "honest.py").write_text(honest, encoding="utf-8")
        usual = _all_peaks(folder)
        for attack in attacks:
            text = attack.path.read_text(encoding="utf-8")
            (folder / f"{attack.name}.py").write_text(text, encoding="utf-8")
        worst = _all_peaks(folder)
    print(f"peak memory with an honest submission, and with {len(attacks)} hostile beside it:")
    for name, peak in worst.items():
        print(f"  {name:<46}{usual.get(name, 0.0):>6.0f} MB{peak:>8.0f} MB")
    print(f"a process that grades may take {MOST >> 20} MB beyond what it starts with")
    return int(max(worst.values()) > MOST >> 20)


def _all_peaks(folder: Path) -> Peaks:
    asked = ["--assignment", HOME, "--locked", "--seconds", SECONDS, "--budget", BUDGET, "--json"]
    grading = [sys.executable, "-m", "autograder", "grade", str(folder), *asked]
    script = folder.parent / f"{folder.name}-workers.py"
    script.write_text(IN_WORKERS, encoding="utf-8")
    engine = [sys.executable, str(script), str(folder), HOME, SECONDS, BUDGET]
    try:
        return watched(grading, ["grader on the command line"]) | watched(
            engine, ["process that starts workers", "worker"]
        )
    finally:
        script.unlink()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
