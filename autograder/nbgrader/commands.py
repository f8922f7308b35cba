"""The verbs of `python -m autograder nbgrader`."""

from __future__ import annotations

import argparse
import importlib.util
import os
from pathlib import Path

from autograder.course import ROOT

COURSE = ROOT / "build" / "course"


class CannotDo(Exception):
    """Something is missing or in the way; the text says what, and what to do."""


def add_verbs(parser: argparse.ArgumentParser) -> None:
    """Say what can be asked for."""
    verbs = parser.add_subparsers(dest="nbgrader_verb", required=True, metavar="VERB")
    course = verbs.add_parser("course", help="build the course, or bring it up to date")
    course.add_argument(
        "folder", type=Path, nargs="?", default=COURSE, help="where (default build/course)"
    )


def run(options: argparse.Namespace) -> None:
    """Do it. Raises CannotDo, CheckBroken."""
    if importlib.util.find_spec("nbgrader") is None:
        raise CannotDo("nbgrader is not installed here. Call make setup, which installs it.")
    VERBS[options.nbgrader_verb](options)


def _course(options: argparse.Namespace) -> None:
    from autograder.nbgrader.course import build
    from autograder.nbgrader.notebooks import CannotBeGraded

    try:
        said = build(options.folder)
    except (CannotBeGraded, OSError) as reason:
        raise CannotDo(str(reason)) from None
    shown = os.path.relpath(options.folder)
    print("\n".join([*said, f"built {shown}" if said else f"{shown} is up to date"]))


VERBS = {"course": _course}
