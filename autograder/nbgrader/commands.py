"""Subcommands of `python -m autograder nbgrader`."""

from __future__ import annotations

import argparse
import gc
import importlib.util
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from autograder.classroom import processes
from autograder.course import assignments, root
from autograder.errors import NbgraderError
from autograder.report.writing import named_path

if TYPE_CHECKING:
    from nbgrader.apps import AutogradeApp

    from autograder.nbgrader.class_results import ClassResults

REPEATED = "Autograde repeats it unless you put back the check, kit, secret or comment."


def add_verbs(parser: argparse.ArgumentParser) -> None:
    """Add the subcommands to the parser."""
    built = root() / "build" / "course"
    verbs = parser.add_subparsers(dest="nbgrader_verb", required=True, metavar="VERB")
    course = verbs.add_parser("course", help="build the course, or bring it up to date")
    course.add_argument(
        "folder", type=named_path, nargs="?", default=built, help="where (default build/course)"
    )
    autograde = verbs.add_parser("autograde", help="grade submissions on all cores")
    autograde.add_argument("--student", default="*", metavar="ID", help="only this student")
    autograde.add_argument(
        "--force", action="store_true", help="grade again what was graded before"
    )
    regrade = verbs.add_parser("regrade", help="grade again after a check was fixed")
    regrade.add_argument("--dry", action="store_true", help="only show what would change")
    for verb in (autograde, regrade):
        verb.add_argument(
            "--jobs", type=_jobs, metavar="N", help="how many processes grade (default: one a core)"
        )
        verb.add_argument("assignment", choices=assignments(), metavar="ASSIGNMENT")
    undo = verbs.add_parser("undo", help="undo the last regrade")
    for verb in (autograde, regrade, undo):
        verb.add_argument("--course", type=named_path, default=built, metavar="FOLDER")
    verbs.add_parser("engine")  # for preparing.grade


def _jobs(text: str) -> int:
    try:
        return processes(text)
    except ValueError as problem:
        raise argparse.ArgumentTypeError(str(problem)) from None


def run(options: argparse.Namespace) -> bool:
    """Run the subcommand. Returns whether every submission has a result.

    Raises AutograderError.
    """
    _check_can_run()
    return VERBS[options.nbgrader_verb](options)


def results_of_class(course: Path, assignment: str) -> ClassResults:
    """Return the results of all who have handed in an assignment. Raises NbgraderError."""
    _check_can_run()
    app = _application(course)
    from autograder.nbgrader.class_results import class_results
    from autograder.nbgrader.trouble import in_one_sentence

    with in_one_sentence():
        return class_results(app, assignment)


def _check_can_run() -> None:
    if sys.platform == "win32":
        raise NbgraderError(
            "The commands for nbgrader need Linux or macOS. On Windows, use WSL or another machine."
        )
    if importlib.util.find_spec("nbgrader") is None:
        raise NbgraderError("nbgrader is not installed here. Run make setup, which installs it.")


def _course(options: argparse.Namespace) -> bool:
    from autograder.nbgrader.course_folder import build
    from autograder.nbgrader.trouble import in_one_sentence

    if os.path.lexists(options.folder) and not options.folder.is_dir():
        raise NbgraderError(
            f"{options.folder} is not a folder. Give the one in which the course is or will be."
        )
    with in_one_sentence():
        said = build(options.folder)
    shown = os.path.relpath(options.folder)
    print("\n".join([*said, f"built {shown}" if said else f"{shown} is up to date"]))
    _offer_secret()
    return True


def _offer_secret() -> None:
    """Offer to write a course secret if there is none; without a terminal, only say how."""
    from autograder.course import secret_file

    if not secret_file.is_default():
        return
    secret_file.warn_of_default()
    if sys.stdin.isatty():
        print(
            "Write one now? Earlier submissions are then graded again. [y/N] ", end="", flush=True
        )
        if sys.stdin.readline().strip().lower() in ("y", "yes"):
            print(secret_file.write_own())


def _autograde(options: argparse.Namespace) -> bool:
    app = _application(options.course, options.jobs)
    from autograder.course import secret_file
    from autograder.nbgrader.autograde import autograde
    from autograder.nbgrader.trouble import in_one_sentence

    with in_one_sentence():
        summary = autograde(app, options.assignment, options.student, options.force)
    secret_file.warn_of_default()
    print("\n".join(summary.lines()))
    return not summary.staff


def _regrade(options: argparse.Namespace) -> bool:
    app = _application(options.course, options.jobs)
    from autograder.nbgrader.exclusive import exclusive
    from autograder.nbgrader.regrade import apply, plan, recover
    from autograder.nbgrader.trouble import in_one_sentence

    with in_one_sentence(), exclusive(options.course, f"regrade of {options.assignment}"):
        if recovered := recover(app):
            print(recovered)
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
    from autograder.nbgrader.points import above_maximum
    from autograder.nbgrader.regrade import undo
    from autograder.nbgrader.trouble import in_one_sentence

    with in_one_sentence(), exclusive(options.course, "undo"):
        assignment = undo(app)
        print(f"The last regrade of {assignment} was undone.")
        if above := above_maximum(app.coursedir, assignment):
            print(above)
    print(REPEATED)
    return True


def _application(course: Path, processes: int | None = None) -> AutogradeApp:
    """Import nbgrader and return its application. Raises CannotRun.

    processes: how many grade, None for as many as the configuration says.
    """
    gc.disable()  # collecting during the import of a thousand modules takes a tenth of a run
    try:
        from autograder.nbgrader.application import application
        from autograder.nbgrader.trouble import in_one_sentence

        with in_one_sentence():
            app = application(course)
        if processes:
            app.config.SubmissionExporter.jobs = processes
        return app
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
