"""The options of `python -m autograder grade`."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence

from autograder import course
from autograder.cli import typed
from autograder.errors import UsageError
from autograder.sandbox import Limits

AS_OPTION = (
    "{0} is an option, and there is a file of that name here, which a pattern such as * may mean. "
    "Write ./* for the files, or go to another folder."
)


def _switch(text: str) -> bool:
    if text not in ("0", "1"):
        raise argparse.ArgumentTypeError(f"{text!r} is neither 1, for yes, nor 0, for no")
    return text == "1"


def _jobs(text: str) -> int:
    from autograder.classroom import processes  # which a student's copy lacks

    try:
        return processes(text)
    except ValueError as problem:
        raise argparse.ArgumentTypeError(str(problem)) from None


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this verb to its parser."""
    parser.add_argument(
        "path", type=typed.path, nargs="+", help="a module, a notebook, an archive, or a folder"
    )
    parser.add_argument("--assignment", choices=course.assignments(), metavar="NAME")
    parser.add_argument("--exercise", action="append", default=[], metavar="NAME")
    parser.add_argument("--json", action="store_true", help="one JSON document on stdout")
    parser.add_argument(
        "--html", type=typed.path, metavar="FOLDER", help="also write a page for each"
    )
    parser.add_argument("--csv", type=typed.path, metavar="FILE", help="also write a table of all")
    parser.add_argument(
        "--hints", type=int, choices=range(4), default=1, help="how many hints (default 1)"
    )
    parser.add_argument("--strict", action="store_true", help="exit with 1 when points were lost")
    parser.add_argument(
        "--seconds", type=float, default=Limits.seconds, help="CPU time for one question (10)"
    )
    parser.add_argument(
        "--budget",
        type=float,
        default=Limits.budget,
        help="seconds for all questions to one person's submissions (120)",
    )
    parser.add_argument(
        "--resident",
        action="store_true",
        help="grade assignments/ by a grader that stays in the background, faster from the second "
        "time on; never if AUTOGRADER_RESIDENT=0",
    )
    parser.add_argument(
        "--paste",
        type=_switch,
        default=False,
        metavar="{0,1}",
        help="1: print lines of Python that rebuild the smallest example, to paste below the code",
    )
    parser.set_defaults(
        jobs=None, scheduler=None, anew=False, overview=None, comments=None, no_names=False
    )
    if not course.is_students_copy():
        _add_of_class(parser)
    lock = parser.add_mutually_exclusive_group()
    lock.add_argument(
        "--locked",
        action="store_true",
        default=None,
        help="run it where it can reach nothing (Linux; the default for all but your own work)",
    )
    lock.add_argument(
        "--unlocked",
        dest="locked",
        action="store_false",
        help="run it in a process that can do what you can (the default for assignments/ and for "
        "one module or notebook directly in it)",
    )


def _add_of_class(parser: argparse.ArgumentParser) -> None:
    """Add what a student's copy cannot do: it has no pool."""
    parser.add_argument(
        "--overview",
        type=typed.path,
        metavar="FOLDER",
        help="also write pages that show where the class stands, see `class`",
    )
    parser.add_argument(
        "--comments",
        type=typed.path,
        metavar="FILE",
        help="put the comments of this file into the pages of all whom they concern",
    )
    parser.add_argument(
        "--jobs",
        type=_jobs,
        metavar="N",
        help="how many processes grade a class (default: as many as there are cores, if it is "
        "large enough)",
    )
    parser.add_argument(
        "--scheduler",
        metavar="ADDRESS",
        help="grade a class on the workers of a Dask cluster, see INSTRUCTORS.md",
    )
    parser.add_argument(
        "--anew",
        action="store_true",
        help="grade everybody of a class again, not only those whose files or checks have changed",
    )


def check_options(arguments: Sequence[str]) -> None:
    """Raise UsageError if an option is also the name of a file, as a shell's * may have put it."""
    for argument in arguments[: arguments.index("--")] if "--" in arguments else arguments:
        if argument.startswith("-") and os.path.lexists(argument):
            raise UsageError(AS_OPTION.format(argument))
