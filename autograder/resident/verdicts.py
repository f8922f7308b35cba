"""Ask for the verdict on a student's own work, from the resident grader where that is possible."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import astuple, dataclass, field, fields

from autograder.course import root
from autograder.report.codes import INTERRUPTED
from autograder.report.feedback import Stopped
from autograder.report.streams import screen
from autograder.resident.asking import ask

SILENT = "The grader ended without a word. Run make grade, which says more."


@dataclass(frozen=True)
class Verdict:
    """The text on one exercise or on all, and the outcome of each, such as "passed".

    paths: the file that was graded, by exercise. If there is no verdict, text says why, and
    outcomes are empty. is_early: it lacks the smallest example, and another verdict follows.
    """

    text: str
    html: str = ""
    is_early: bool = False
    outcomes: dict[str, str] = field(default_factory=dict)
    paths: dict[str, str] = field(default_factory=dict)


def verdict(
    exercise: str,
    hints: int,
    folder: str,
    cells: Sequence[tuple[str, str, str]] | None = None,
    stopped: Sequence[Stopped] = (),
    slow: bool = False,
    hint: int = 0,
    early: Callable[[Verdict], object] | None = None,
) -> Verdict:
    """Return the verdict on an exercise, or on all if it is "".

    hints: how many are shown, 0 to 3. folder: that of the student's files. cells: the cells that
    were run in a notebook there, which count in place of its file. stopped: those that stopped
    above what the exercise uses. slow: they ran so long that only what exercises need of them is to
    be run. hint: the number of the one that was asked for, 0 for none. early: called with a verdict
    that lacks only the smallest example, as soon as there is one. Raises KeyboardInterrupt.
    """
    asked = {"folder": folder, "cells": cells, "slow": slow, "stopped": stopped, "hint": hint}
    given = json.dumps({**asked, "early": early is not None, "screen": astuple(screen())})
    arguments = ["check", *([exercise] if exercise else []), f"--hints={hints}"]
    printed: list[str] = []

    def note(text: str) -> None:
        """Note a piece of what is printed, and tell an early verdict that it completes."""
        *_, begun = "".join(printed).split("\n")
        printed.append(text)
        *lines, _ = f"{begun}{text}".split("\n")
        for line in lines:
            if early and (found := _read(line)).is_early:
                early(found)

    may_stay = os.environ.get("AUTOGRADER_RESIDENT") != "0"
    code = ask(arguments, given, note, at_once=True) if may_stay else None
    if code is None:
        printed.clear()  # of a resident grader that was lost
        code = _in_a_process(arguments, given, printed)
    if code == INTERRUPTED:
        raise KeyboardInterrupt
    said = "".join(printed).strip().splitlines()
    if code or not said:
        return Verdict(said[-1] if said else SILENT)
    return _read(said[-1])


def _read(line: str) -> Verdict:
    """Read a verdict. A grader of a newer kit may say more, which is left out."""
    known = {one.name for one in fields(Verdict)}
    return Verdict(**{name: said for name, said in json.loads(line).items() if name in known})


def _in_a_process(arguments: list[str], given: str, printed: list[str]) -> int:
    """Run the command in a process of its own, which takes longer. Returns its exit code."""
    done = subprocess.run(
        [sys.executable, "-m", "autograder", *arguments],
        input=given,
        capture_output=True,
        encoding="utf-8",
        errors="replace",  # of what this machine's encoding writes to stderr
        cwd=root(),
        check=False,
    )
    printed.append(done.stderr if done.returncode else done.stdout)
    return done.returncode
