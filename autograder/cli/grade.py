"""`python -m autograder grade`: grade submissions and write each result immediately."""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from autograder import course, interrupts
from autograder.cli import typed
from autograder.cli.output import Output
from autograder.cli.saves import Saves
from autograder.cli.whose_work import is_one_person, is_own, tell_left_out
from autograder.errors import MachineError, UsageError
from autograder.report.codes import FAILED, INTERRUPTED, OK, POINTS_LOST, USAGE
from autograder.report.feedback import MOST_HINTS
from autograder.report.streams import print_utf8, say, screen
from autograder.sandbox import (
    CannotLock,
    Limits,
    Sandbox,
    SandboxFailed,
    open_sandbox,
    wrong_times,
)

if TYPE_CHECKING:
    from autograder.grading.grade import Grade
    from autograder.submissions.finding import Submission

UNLOCKED = (
    "Without a lock, other people's code can read and change everything that you can. If you trust "
    "that code, add --unlocked."
)
AS_OPTION = (
    "{0} is an option, and there is a file of that name here, which a pattern such as * may mean. "
    "Write ./* for the files, or go to another folder."
)


def _path(text: str) -> Path:
    """Return a path. An empty text, as of a variable that is not set, is none."""
    if not text:
        raise argparse.ArgumentTypeError("the path is empty")
    return typed.path(text)


def _switch(text: str) -> bool:
    if text not in ("0", "1"):
        raise argparse.ArgumentTypeError(f"{text!r} is neither 1, for yes, nor 0, for no")
    return text == "1"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this verb to its parser."""
    parser.add_argument(
        "path", type=_path, nargs="+", help="a module, a notebook, an archive, or a folder"
    )
    parser.add_argument("--assignment", choices=course.assignments(), metavar="NAME")
    parser.add_argument("--exercise", action="append", default=[], metavar="NAME")
    parser.add_argument("--json", action="store_true", help="one JSON document on stdout")
    parser.add_argument("--html", type=_path, metavar="FOLDER", help="also write a page for each")
    parser.add_argument("--csv", type=_path, metavar="FILE", help="also write a table of all")
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


def run(options: argparse.Namespace) -> int:
    """Grade the submissions at the paths. Returns the exit code."""
    _check_options(options.arguments)
    is_open = options.locked is None
    if is_open:
        options.locked = not is_own(options.path)
    if options.json:
        print_utf8()
    output = Output(options)
    try:
        interrupts.allow()
        code = _by_resident(options)
        return _by_this_process(options, output, is_open) if code is None else code
    except CannotLock as reason:
        raise MachineError(f"{reason} {UNLOCKED}") from None
    except KeyboardInterrupt:
        output.interrupted()
        return INTERRUPTED


def _check_options(arguments: Sequence[str]) -> None:
    """Raise UsageError if an option is also the name of a file, as a shell's * may have put it."""
    for argument in arguments[: arguments.index("--")] if "--" in arguments else arguments:
        if argument.startswith("-") and os.path.lexists(argument):
            raise UsageError(AS_OPTION.format(argument))


def _by_resident(options: argparse.Namespace) -> int | None:
    """Let the resident grader run the command, if it may: only for the user's own work.

    Returns the exit code, None if it cannot.
    """
    wanted = options.resident and os.environ.get("AUTOGRADER_RESIDENT") != "0"
    if options.opening is not open_sandbox or not wanted:
        return None
    if options.locked or not is_own(options.path):
        return None
    from autograder.resident.asking import ask

    return ask(options.arguments)


def _by_this_process(options: argparse.Namespace, output: Output, is_open: bool) -> int:
    """Grade the submissions here. is_open: True if they may run unlocked where need be.

    Raises UsageError, CannotLock, CannotWrite and CheckBroken.
    """
    from autograder.submissions.finding import find_each

    if wrong := wrong_times(options.seconds, options.budget):
        raise UsageError(wrong)
    _check_outputs(options, output)
    if is_own(options.path):
        Saves(course.assignments_folder()).wait_for_the_last()
    submissions = find_each(options.path, options.assignment)
    one_person = is_one_person(options.path, submissions)
    if is_open and not one_person:
        options.locked = True
    may_be_others = tell_left_out(options.path, options.assignment, submissions)
    if one_person:
        _tell_uncounted(submissions)
    output.expect(len(submissions), one_person)
    with output:
        may_unlock = is_open and one_person and not may_be_others
        grades = _grades(submissions, options, output, may_unlock)
        if not options.json:
            _show(grades, options, one_person)
    return _exit_code(grades, options)


def _grades(
    submissions: Sequence[Submission],
    options: argparse.Namespace,
    output: Output,
    may_unlock: bool,
) -> list[Grade]:
    """Grade submissions, unlocked if this machine cannot lock and may_unlock is True.

    Raises CannotLock, CannotWrite, NoSuchExercise and CheckBroken.
    """
    try:
        return _grades_in_sandbox(submissions, options, output)
    except CannotLock:
        if not may_unlock:
            raise
        options.locked = False
        return _grades_in_sandbox(submissions, options, output)


def _grades_in_sandbox(
    submissions: Sequence[Submission], options: argparse.Namespace, output: Output
) -> list[Grade]:
    """Grade submissions in one sandbox.

    Raises CannotLock before anything is written, CannotWrite, NoSuchExercise and CheckBroken.
    """
    limits = Limits(seconds=options.seconds, budget=options.budget)
    # The sandbox imports torch while this process does the same below.
    with options.opening(limits, locked=options.locked) as sandbox:
        with _importing_torch(options, output, sandbox):
            from autograder.diagnosis.line import LineFinder
            from autograder.diagnosis.naming import namer
            from autograder.grading.in_turn import grade
            from autograder.runtime.memory import limit_own_memory

        if options.locked:
            with contextlib.suppress(SandboxFailed):  # the grades will say so
                sandbox.child().end()  # raises CannotLock before anything is written
        limit_own_memory()
        locating = LineFinder if options.hints == MOST_HINTS and options.exercise else None
        return grade(submissions, sandbox, options.exercise, output.add, namer, locating)


@contextlib.contextmanager
def _importing_torch(
    options: argparse.Namespace, output: Output, sandbox: Sandbox | None = None
) -> Iterator[None]:
    """Import torch in a block, which cannot be left half-way.

    An interrupt ends this process at once, after its document and its sandbox; in the resident
    grader, which goes on, it waits for the end of the block.
    """

    def leave() -> None:
        try:
            if sandbox:
                sandbox.close()
            output.interrupted()
        finally:
            os._exit(INTERRUPTED)

    with interrupts.postponed(firmly=True) as interrupt:
        if options.opening is open_sandbox:
            interrupt.act(leave)
        yield


def _check_outputs(options: argparse.Namespace, output: Output) -> None:
    """Raise NotOurs if --html or --csv would replace files that others have written.

    Raises UsageError if both name one place.
    """
    outputs = [os.path.realpath(path) for path in (options.html, options.csv) if path]
    if len(outputs) > len({*outputs}):
        raise UsageError(f"--html and --csv both name {options.csv}. Name two places.")
    if options.html:
        with _importing_torch(options, output):
            from autograder.report import as_html

        as_html.check_folder(options.html)
    if options.csv:
        from autograder.report import as_csv

        as_csv.check_file(options.csv)


def _tell_uncounted(submissions: Sequence[Submission]) -> None:
    """Print to stderr which code in notebooks does not count."""
    from autograder.grading.fitting import SAID, cut, printable
    from autograder.submissions.files import TooSlow, in_time
    from autograder.submissions.uncounted import remark_on_file

    for one in [form for both in submissions for form in (both, both.other) if form]:
        said = ""
        with contextlib.suppress(TooSlow), in_time(one.path):
            said = remark_on_file(one.path, one.assignment or "")
        if said:
            print(cut(printable(said), SAID), file=sys.stderr)


def _show(grades: list[Grade], options: argparse.Namespace, one_person: bool) -> None:
    from autograder.report.terminal import Terminal

    terminal = Terminal(screen(), options.hints, options.locked, options.paste)
    for line in (terminal.report if one_person else terminal.summary)(grades):
        say(f"{line}\n")


def _exit_code(grades: list[Grade], options: argparse.Namespace) -> int:
    # A shell's CLASS/* names broken links too, which are refused like all links.
    if not all(map(os.path.lexists if options.path[1:] else os.path.exists, options.path)):
        return USAGE
    if any(grade.status == "needs_staff" for grade in grades):
        return FAILED
    lost = any(g.points < g.max_points or g.status == "unreadable" for g in grades)
    return POINTS_LOST if options.strict and lost else OK
