"""What the lock costs, and a class of hostile and honest submissions in one call.

Prints what one more child costs, locked and unlocked, what the start costs, and what a command
costs that grades one submission; then grades 500 submissions, honest ones and attacks in turn, and
prints their points and how the grader's memory went: `make bench`. The attacks are those for one
assignment.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from attacks.watching.attack import Attack, corpus
from grading import ROOT, cost

from autograder.checking.collect import collect
from autograder.course import solution
from autograder.runtime import wire
from autograder.sandbox import Limits, Sandbox, open_sandbox

HOME = "attention_layer"
CHILDREN, ROUNDS, STARTS, CLASS = 25, 12, 3, 500
SECONDS = "2"  # for one question: what waits for ever takes twice that
JOB = {
    "stem": "a",
    "texts": {"a": ""},
    "siblings": [],
    "homes": {},
    "folders": [""],
    "edit": None,
    "needed": [],
    "substitutes": {},
    "threads": 1,
}
REQUEST = wire.encode({**JOB, "seconds": 1.0})


def child_seconds() -> tuple[float, float]:
    """Wall seconds in which a child begins, loads nothing and ends, unlocked and locked: the least
    of rounds that take turns."""
    with open_sandbox(Limits()) as one, open_sandbox(Limits(), locked=True) as other:
        rounds = [(_round(one), _round(other)) for _ in range(ROUNDS)]
    unlocked, locked = (min(those) for those in zip(*rounds, strict=True))
    return unlocked, locked


def _round(sandbox: Sandbox) -> float:
    start = time.perf_counter()
    for _ in range(CHILDREN):
        child = sandbox.child()
        child.ask(REQUEST)
        child.end()
    return (time.perf_counter() - start) / CHILDREN


def start_seconds(locked: bool) -> float:
    """Wall seconds until a sandbox has its first child, proof of the lock included."""
    start = time.perf_counter()
    with open_sandbox(Limits(), locked=locked) as sandbox:
        sandbox.child().end()
        return time.perf_counter() - start


def command_seconds() -> tuple[float, float]:
    """Wall seconds in which a command grades one submission, unlocked and locked: the least of
    some that take turns."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"{HOME}.py")
        path.write_text(solution(HOME), encoding="utf-8")
        grading = ["-m", "autograder", "grade", str(path)]
        times = [
            [cost([*grading, option]).wall for option in ("--unlocked", "--locked")]
            for _ in range(STARTS)
        ]
    unlocked, locked = (min(those) for those in zip(*times, strict=True))
    return unlocked, locked


def print_costs() -> None:
    """The costs of the lock, each beside that without it."""
    unlocked, locked = (seconds * 1000 for seconds in child_seconds())
    print(f"one child: {unlocked:.1f} ms unlocked, {locked:.1f} ms locked", end=", ")
    print(f"{locked - unlocked:.1f} ms more")
    times = [(start_seconds(False), start_seconds(True)) for _ in range(STARTS)]
    unlocked, locked = (min(those) for those in zip(*times, strict=True))
    for name, (one, other) in (
        ("start", (unlocked, locked)),
        ("a command for one submission", command_seconds()),
    ):
        print(f"{name}: {one:.2f} s unlocked, {other:.2f} s locked", end=", ")
        print(f"{other / one:.2f} times as long")


def write_class(folder: Path, hostile: list[Attack]) -> dict[str, Attack]:
    """Write honest submissions and attacks in turn. Returns the attacks by student."""
    honest = solution(HOME)
    attackers = {}
    for number in range(CLASS):
        attack = hostile[number // 2 % len(hostile)] if number % 2 else None
        name = f"s{number:03d}"
        text = attack.path.read_text(encoding="utf-8") if attack else f"# {name}\n{honest}"
        (folder / f"{name}.py").write_text(text, encoding="utf-8")
        if attack:
            attackers[name] = attack
    return attackers


def memory(process: int) -> float:
    """Megabytes that it has of its own."""
    for line in Path(f"/proc/{process}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    return 0.0


def processes(number: int) -> list[int]:
    """The process of this number, and those of ours that it has started to grade."""
    started = Path(f"/proc/{number}/task/{number}/children").read_text().split()
    return [number, *map(int, started)]


def print_class() -> None:
    """Grade a class in one call, and say what came of it."""
    names = {e.name for e in collect().exercises(HOME)}
    hostile = [attack for attack in corpus() if attack.exercise in names]
    with tempfile.TemporaryDirectory() as folder:
        attackers = write_class(Path(folder), hostile)
        command = [
            sys.executable,
            "-m",
            "autograder",
            "grade",
            folder,
            "--assignment",
            HOME,
            "--anew",
        ]
        with tempfile.TemporaryFile() as out:
            process = subprocess.Popen(
                [*command, "--anew", "--json", "--locked", "--seconds", SECONDS],
                cwd=ROOT,
                stdout=out,
                stderr=subprocess.PIPE,
                text=True,
            )
            assert process.stderr
            lines = (line for line in process.stderr if line.startswith("graded "))
            used = [max(map(memory, processes(process.pid))) for _ in lines]
            process.wait()
            out.seek(0)
            grades = json.load(out)["submissions"]
    right = sum(g["score"] == g["max_score"] for g in grades if g["submission"] not in attackers)
    gained = [
        (attackers[grade["submission"]].name, exercise["score"])
        for grade in grades
        if grade["submission"] in attackers
        for exercise in grade["exercises"]
        if exercise["name"] == attackers[grade["submission"]].exercise
        and exercise["score"] > attackers[grade["submission"]].worth
    ]
    honest = len(grades) - len(attackers)
    print(
        f"{len(grades)} submissions in one call: {right} of {honest} honest ones have full marks,"
    )
    print(
        f"{len(gained)} of {len(attackers)} hostile ones ({len(hostile)} attacks) gain points",
        end="",
    )
    print(f": {gained}" if gained else "")
    quarters = [f"{used[len(used) * i // 5]:.0f}" for i in range(1, 5)] + [f"{used[-1]:.0f}"]
    print(f"memory of the largest grader after each fifth: {', '.join(quarters)} MB")


if __name__ == "__main__":
    print_costs()
    print_class()
