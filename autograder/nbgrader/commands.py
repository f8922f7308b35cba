"""The verbs of `python -m autograder nbgrader`."""

from __future__ import annotations

import argparse
import contextlib
import gc
import importlib.util
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from autograder.course import assignments, root

if TYPE_CHECKING:
    from nbgrader.apps import AutogradeApp


class CannotDo(Exception):
    """Something is missing or in the way; the text says what, and what to do."""


def add_verbs(parser: argparse.ArgumentParser) -> None:
    """Say what can be asked for."""
    built = root() / "build" / "course"
    verbs = parser.add_subparsers(dest="nbgrader_verb", required=True, metavar="VERB")
    course = verbs.add_parser("course", help="build the course, or bring it up to date")
    course.add_argument(
        "folder", type=Path, nargs="?", default=built, help="where (default build/course)"
    )
    autograde = verbs.add_parser("autograde", help="grade what was handed in, on all cores")
    autograde.add_argument("--student", default="*", metavar="ID", help="only this one")
    autograde.add_argument("--force", action="store_true", help="also what was graded before")
    regrade = verbs.add_parser("regrade", help="grade anew after a check was mended")
    regrade.add_argument("--dry", action="store_true", help="only say what would change")
    for verb in (autograde, regrade):
        verb.add_argument("assignment", choices=assignments(), metavar="ASSIGNMENT")
    undo = verbs.add_parser("undo", help="undo the last regrade")
    for verb in (autograde, regrade, undo):
        verb.add_argument("--course", type=Path, default=built, metavar="FOLDER")
    verbs.add_parser("engine")  # for run.grade


def run(options: argparse.Namespace) -> bool:
    """Do it. Returns whether all came to a result. Raises CannotDo."""
    if importlib.util.find_spec("nbgrader") is None:
        raise CannotDo("nbgrader is not installed here. Call make setup, which installs it.")
    return VERBS[options.nbgrader_verb](options)


def _course(options: argparse.Namespace) -> bool:
    from autograder.checking.collect import CheckBroken
    from autograder.nbgrader.course_folder import build
    from autograder.nbgrader.notebooks import CannotBeGraded

    try:
        said = build(options.folder)
    except (CannotBeGraded, OSError) as reason:
        raise CannotDo(str(reason)) from None
    except CheckBroken as failure:
        raise CannotDo(f"The grader failed: {failure}") from None
    shown = os.path.relpath(options.folder)
    print("\n".join([*said, f"built {shown}" if said else f"{shown} is up to date"]))
    _offer_secret()
    return True


def _offer_secret() -> None:
    """Ask whether to write a course secret where there is none; without a terminal, say how."""
    from autograder.course import secret_file

    if not secret_file.is_default():
        return
    secret_file.warn_of_default()
    if sys.stdin.isatty():
        print(
            "Write one now? What was graded before is then graded anew. [y/N] ", end="", flush=True
        )
        if sys.stdin.readline().strip().lower() in ("y", "yes"):
            secret_file.write_own()
            print(secret_file.WRITTEN)


def _autograde(options: argparse.Namespace) -> bool:
    app = _application(options.course)
    from autograder.course import secret_file
    from autograder.nbgrader.autograding import autograde

    with _said():
        summary = autograde(app, options.assignment, options.student, options.force)
    secret_file.warn_of_default()
    print("\n".join(summary.lines()))
    return not summary.staff


def _regrade(options: argparse.Namespace) -> bool:
    app = _application(options.course)
    from autograder.nbgrader.exclusive import exclusive
    from autograder.nbgrader.regrade import apply, plan, recover

    with _said(), exclusive(options.course, f"regrade of {options.assignment}"):
        if ended := recover(app):
            print(ended)
        planned = plan(app, options.assignment)
        if not planned.is_empty and not options.dry:
            apply(app, planned)
    print("\n".join(planned.lines()))
    if planned.is_empty or options.dry:
        print("Nothing was changed.")
        return True
    if planned.effect.points:
        print(
            f"Students get the new points by nbgrader release_assignment {options.assignment}"
            " --force."
        )
    print("It is done; make undo takes it back.")
    return True


def _undo(options: argparse.Namespace) -> bool:
    app = _application(options.course)
    from autograder.nbgrader.exclusive import exclusive
    from autograder.nbgrader.regrade import undo

    with _said(), exclusive(options.course, "undo"):
        print(f"The last regrade of {undo(app)} was undone.")
    return True


@contextlib.contextmanager
def _said() -> Iterator[None]:
    """Raise CannotDo where what is known to go wrong does."""
    from autograder.nbgrader.journal import CannotUndo
    from autograder.nbgrader.trouble import CannotRun, in_one_sentence

    try:
        with in_one_sentence():
            yield
    except (CannotRun, CannotUndo) as reason:
        raise CannotDo(str(reason)) from None


def _application(course: Path) -> AutogradeApp:
    """nbgrader itself. Raises CannotDo.

    It is a thousand modules, none of them garbage, and to look for some in them takes a tenth of a
    run.
    """
    gc.disable()
    try:
        from autograder.nbgrader.application import application

        with _said():
            return application(course)
    finally:
        gc.freeze()
        gc.enable()


def _engine(options: argparse.Namespace) -> bool:
    from autograder.nbgrader.process import serve

    return serve(sys.stdin.buffer, sys.stdout)


VERBS = {
    "course": _course,
    "autograde": _autograde,
    "regrade": _regrade,
    "undo": _undo,
    "engine": _engine,
}
