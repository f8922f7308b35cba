"""`python -m autograder check`: the verdict for a notebook, or for `make watch`.

stdin is a JSON document: {"folder": that of the student's files, "cells": [[label, text, id], ...]
of the cells that were run in a notebook there, or null, "stopped": [[label, line, error], ...] of
those that stopped above a definition, of which an earlier one counts}. So is stdout: the fields of
a Verdict.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

from autograder import interrupts
from autograder.errors import AutograderError, UsageError
from autograder.grading.fitting import SAID, cut, printable
from autograder.report.codes import OK
from autograder.report.feedback import MOST_HINTS, Stopped
from autograder.report.streams import print_utf8, say, screen
from autograder.sandbox import Limits
from autograder.submissions.cells import Cells

HERE = "this notebook"  # the kernel does not know the name of its file


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this verb to its parser."""
    parser.add_argument("exercise", nargs="?", metavar="NAME", help="an exercise (default: all)")
    parser.add_argument("--hints", type=int, choices=range(4), default=1)


def run(options: argparse.Namespace) -> int:
    """Grade the cells on stdin. Returns the exit code. Raises UsageError if there are none."""
    print_utf8()
    folder, cells, stopped = _read()
    try:
        shown = _graded(options, folder, cells, stopped)
    except AutograderError as reason:
        shown = {"text": cut(printable(str(reason)), SAID)}
    say(json.dumps(shown) + "\n")
    return OK


def _graded(
    options: argparse.Namespace, folder: Path, cells: Cells | None, stopped: list[Stopped]
) -> dict[str, Any]:
    """Return the fields of the verdict on one exercise, or on all. Raises AutograderError."""
    with interrupts.postponed(firmly=True):  # torch does not survive an interrupt
        from autograder.checking.collect import collect
        from autograder.diagnosis.line import LineFinder
        from autograder.diagnosis.naming import namer
        from autograder.grading.grader import grade
        from autograder.report import as_output
        from autograder.submissions.cells import submission, submissions
        from autograder.submissions.finding import find

    wanted = [options.exercise] if options.exercise else []
    checks = collect()
    checks.assert_known(wanted)
    homes = [checks.homes()[name] for name in wanted]
    if cells is None:
        found = find(folder, homes[0] if homes else None)
    else:
        found = [submission(folder, cells, home) for home in homes] or submissions(folder, cells)
    with options.opening(Limits(), locked=False) as sandbox:
        locating = LineFinder if wanted and options.hints == MOST_HINTS else None
        grades = grade(found, sandbox, wanted, diagnosing=namer, locating=locating)
    own = {one.assignment for one in found if one.from_cells}
    grades = [replace(one, path=HERE) if one.assignment in own else one for one in grades]
    if wanted:
        in_notebook = cells is not None
        shown = as_output.verdict(
            grades[0], options.hints, in_notebook, screen(), found[0], stopped
        )
    else:
        shown = as_output.progress(grades, screen())
    return {
        "text": shown.text,
        "html": shown.html,
        "outcomes": {e.name: e.outcome.value for grade in grades for e in grade.exercises},
        "paths": {e.name: grade.path for grade in grades for e in grade.exercises},
    }


def _read() -> tuple[Path, Cells | None, list[Stopped]]:
    """Read the request. Raises UsageError."""
    try:
        given = json.load(sys.stdin)
        cells, folder = given["cells"], given["folder"]
        if b"\0" in os.fsencode(folder):
            raise ValueError(folder)
        listed = cells and [(str(label), str(text), str(one)) for label, text, one in cells]
        reports = given.get("stopped", [])  # a kernel with an older kit sends none
        stopped = [
            Stopped(str(label), int(line), cut(printable(str(error)), SAID))
            for label, line, error in reports
        ]
        return Path(folder), listed, stopped
    except (ValueError, TypeError, KeyError, RecursionError):
        raise UsageError(
            "This command is for notebooks: it reads the cells that were run. In a terminal, call "
            "make grade."
        ) from None
