"""`python -m autograder check`: the verdict for a notebook, or for `make watch`.

stdin is a JSON document: {"folder": that of the student's files, "cells": [[label, text, id], ...]
of the cells that were run in a notebook there, or null, "slow": whether they ran so long that only
what the exercises need of them is run, "stopped": [[label, line, error], ...] of those that stopped
above what the exercise uses, "hint": the number of the hint that was asked for, or 0, "early":
whether to tell first what is known before the smallest example is sought, "screen": [whether it may
have colours, its columns], where the verdict will be shown}. So is each line on stdout: the fields
of a Verdict, of which the last counts.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from autograder import interrupts
from autograder.errors import AutograderError, UsageError
from autograder.grading.fitting import MESSAGE, SAID, cut, printable
from autograder.grading.found_right import FoundRight
from autograder.report.codes import OK
from autograder.report.feedback import HERE, MOST_HINTS, Stopped
from autograder.report.streams import Screen, print_utf8, say, screen
from autograder.sandbox import Limits
from autograder.submissions.cells import Cells, Part

if TYPE_CHECKING:
    from autograder.grading.grade import Grade
    from autograder.report.as_output import Output
    from autograder.submissions.submission import Submission

COUNTED = "Counted are the cells that were run in this session for {}, and else the saved files."
FOUND_RIGHT = FoundRight()  # as long as this process lives, which serves one kit
SAVED = "No cell that counts defines an exercise: counted are the saved files."


@dataclass(frozen=True)
class _Request:
    """A request for a verdict, as it stands on stdin."""

    folder: Path
    cells: Cells | None
    slow: bool
    stopped: list[Stopped]
    hint: int
    early: bool
    screen: Screen


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this verb to its parser."""
    parser.add_argument("exercise", nargs="?", metavar="NAME", help="an exercise (default: all)")
    parser.add_argument("--hints", type=int, choices=range(4), default=1)


def run(options: argparse.Namespace) -> int:
    """Grade the cells on stdin. Returns the exit code. Raises UsageError if there are none."""
    print_utf8()
    request = _read()
    try:
        shown = _graded(options, request)
    except AutograderError as reason:
        shown = {"text": cut(printable(str(reason)), MESSAGE)}
    _say(shown)
    return OK


def _graded(options: argparse.Namespace, request: _Request) -> dict[str, Any]:
    """Return the fields of the verdict on one exercise, or on all. Raises AutograderError."""
    with interrupts.postponed(firmly=True):  # torch does not survive an interrupt
        from autograder.checking.collect import collect
        from autograder.diagnosis.line import LineFinder
        from autograder.diagnosis.naming import namer
        from autograder.grading.in_turn import grade
        from autograder.report import as_output
        from autograder.submissions.cells import submission, submissions
        from autograder.submissions.finding import find

    folder, cells = request.folder, request.cells
    wanted = [options.exercise] if options.exercise else []
    checks = collect()
    checks.assert_known(wanted)
    homes = [checks.homes()[name] for name in wanted]
    parts: list[Part] = []
    if cells is None:
        found = find(folder, homes[0] if homes else None)
    elif homes:
        found = [submission(folder, cells, homes[0], wanted[0])]
    else:
        parts = submissions(folder, cells)
        found = [one.submission for one in parts]
    found = [replace(one, is_slow=request.slow and one.from_cells) for one in found]

    def verdict(grade: Grade) -> dict[str, Any]:
        if not grade.exercises:  # it could not be graded
            return {"text": grade.message}
        one, grade = found[0], _placed(grade, found[0])
        shown = as_output.verdict(
            grade,
            options.hints,
            in_notebook=cells is not None,
            screen=request.screen,
            submission=one,
            stopped=request.stopped,
            hint=request.hint,
        )
        return _fields(shown, [grade])

    is_early = request.early and wanted and not found[0].other
    with options.opening(Limits(), locked=False) as sandbox:
        grades = grade(
            found,
            sandbox,
            wanted,
            diagnosing=namer,
            locating=LineFinder if wanted and options.hints == MOST_HINTS else None,
            found_right=FOUND_RIGHT,
            early=(lambda grade: _say(verdict(grade) | {"is_early": True})) if is_early else None,
        )
    if wanted:
        return verdict(grades[0])
    said: list[str] = []
    if parts:  # all of one person's are graded, in this order
        placed = [_placed(*both) for both in zip(grades, found, strict=True)]
        grades = _joined(placed, parts)
        said = [_counted(parts), *(one.remark for one in found if one.from_cells)]
    return _fields(as_output.progress(grades, request.screen, [*filter(None, said)]), grades)


def _placed(grade: Grade, submission: Submission) -> Grade:
    """Return a grade that says where its work stands."""
    return replace(grade, path=HERE) if submission.from_cells else grade


def _fields(shown: Output, grades: Sequence[Grade]) -> dict[str, Any]:
    """Return the fields of a Verdict."""
    return {
        "text": shown.text,
        "html": shown.html,
        "outcomes": {e.name: e.outcome.value for grade in grades for e in grade.exercises},
        "paths": {e.name: grade.path for grade in grades for e in grade.exercises},
    }


def _say(fields: dict[str, Any]) -> None:
    say(json.dumps(fields) + "\n")


def _joined(grades: Sequence[Grade], parts: Sequence[Part]) -> list[Grade]:
    """Return a grade for each assignment, with each exercise as the part that counts has it.

    One without exercises, which could not be graded, stays apart.
    """
    found: list[Grade] = []
    for grade, part in zip(grades, parts, strict=True):
        first = next((one for one in found if one.assignment == grade.assignment), None)
        if not (first and first.exercises and grade.exercises):
            found.append(grade)
            continue
        own = {one.name: one for one in grade.exercises if one.name in part.exercises}
        exercises = tuple(own.get(one.name, one) for one in first.exercises)
        read = next((one for one in (first, grade) if one.status == "graded"), first)
        said = " ".join(filter(None, dict.fromkeys([first.message, grade.message])))
        joined = replace(read, path=first.path, exercises=exercises, message=said)
        found[found.index(first)] = joined
    return found


def _counted(parts: Sequence[Part]) -> str:
    """Return a sentence about what of the cells and of the saved files counts."""
    saved = {one.submission.assignment for one in parts if not one.submission.from_cells}
    names = [
        f"{one.submission.assignment} (only {', '.join(sorted(one.exercises))})"
        if one.submission.assignment in saved
        else f"{one.submission.assignment}"
        for one in parts
        if one.submission.from_cells
    ]
    return COUNTED.format(", ".join(names)) if names else SAVED


def _read() -> _Request:
    """Read the request; a kernel with an older kit sends less. Raises UsageError."""
    try:
        given = json.load(sys.stdin)
        cells, folder = given["cells"], given["folder"]
        if b"\0" in os.fsencode(folder):
            raise ValueError(folder)
        listed = cells and [(str(label), str(text), str(one)) for label, text, one in cells]
        stopped = [
            Stopped(str(label), int(line), cut(printable(str(error)), SAID))
            for label, line, error in given.get("stopped", [])
        ]
        slow, hint = bool(given.get("slow")), int(given.get("hint", 0))
        early = bool(given.get("early"))
        shown_on = Screen(*given["screen"]) if "screen" in given else screen()
        return _Request(Path(folder), listed, slow, stopped, hint, early, shown_on)
    except (ValueError, TypeError, KeyError, RecursionError):
        raise UsageError(
            "This command is for notebooks: it reads the cells that were run. In a terminal, call "
            "make grade."
        ) from None
