"""`python -m autograder grade`: grade submissions and write each result immediately."""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from importlib.util import find_spec
from typing import TYPE_CHECKING

from autograder import course, interrupts
from autograder.cli.grade_options import check_options
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
    from autograder.report.rendered import Rendered
    from autograder.submissions.finding import Submission

UNLOCKED = (
    "Without a lock, other people's code can read and change everything that you can. If you trust "
    "that code, add --unlocked."
)
TWO_PLACES = (
    "--jobs is for this machine: with --scheduler, as many grade as the cluster has workers. Leave "
    "one of them out."
)
NO_DASK = (
    "--scheduler needs Dask. Install it: .venv/bin/pip install '.[cluster]' in the kit's folder."
)


def run(options: argparse.Namespace) -> int:
    """Grade the submissions at the paths. Returns the exit code."""
    check_options(options.arguments)
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

    Raises UsageError, CannotLock, CannotWrite and ExerciseBroken.
    """
    from autograder.submissions.finding import find_each
    from autograder.submissions.submission import by_person

    if wrong := wrong_times(options.seconds, options.budget):
        raise UsageError(wrong)
    if options.jobs and options.scheduler:
        raise UsageError(TWO_PLACES)
    _check_outputs(options)
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
        if not one_person and options.opening is open_sandbox and _has_pool():
            chosen = _concerned(submissions, options, output)
            names = [one.name for one in chosen]
            people: dict[int, Sequence[Submission]] = dict(enumerate(by_person(chosen)))
            del submissions, chosen  # the texts of a class, of which each is let go once graded
            _by_pool(people, names, options, output)
        else:
            may_unlock = is_open and one_person and not may_be_others
            grades = _grades(submissions, options, output, may_unlock)
            if one_person and not options.json:
                _report(grades, options)
        output.summarize()
    return _exit_code(output, options)


def _has_pool() -> bool:
    """Return whether a class can be graded in several processes; not in a student's copy."""
    return not course.is_students_copy() and find_spec("msgspec") is not None


def _by_pool(
    people: dict[int, Sequence[Submission]],
    names: Sequence[str],
    options: argparse.Namespace,
    output: Output,
) -> None:
    """Grade a class on several cores. people: see `grade_people`. names: of all submissions.

    Raises CannotLock, CannotWrite, SandboxFailed and ExerciseBroken.
    """
    from autograder.classroom.people import GradePeople, Graders, Kept, grade_people
    from autograder.classroom.worker import GraderSettings

    settings = GraderSettings(
        options.locked,
        options.seconds,
        options.budget,
        tuple(sorted({*options.exercise})),
        options.hints == MOST_HINTS and bool(options.exercise),
    )
    work = GradePeople(course.edition(), settings, output.forms)
    told = partial(print, file=sys.stderr)

    def opening(count: int) -> contextlib.AbstractContextManager[Graders]:
        if options.scheduler:
            if not find_spec("distributed"):
                raise MachineError(NO_DASK)
            from autograder.classroom.cluster import Cluster

            return Cluster(work, options.scheduler, told)
        from autograder.classroom.pool import Pool

        return Pool(work, count, options.jobs)

    kept = Kept(course.root() / "build" / "graded", work.edition, told, options.anew)

    def tell(of_one: Sequence[Rendered], left: float | None) -> None:
        for one in of_one:
            output.tell(one.grade, len(names), left)

    with contextlib.closing(grade_people(people, work, kept, opening, tell)) as results:
        for one in results:
            output.add(one, names)


def _concerned(
    submissions: Sequence[Submission], options: argparse.Namespace, output: Output
) -> Sequence[Submission]:
    """Return the submissions that may have a wanted exercise. Raises NoSuchExercise."""
    if not options.exercise:
        return submissions
    with _importing_torch(options, output):
        from autograder.checking.collect import collect
        from autograder.grading.in_turn import concerned
    return concerned(submissions, collect(), options.exercise)


def _grades(
    submissions: Sequence[Submission],
    options: argparse.Namespace,
    output: Output,
    may_unlock: bool,
) -> list[Grade]:
    """Grade submissions, unlocked if this machine cannot lock and may_unlock is True.

    Raises CannotLock, CannotWrite, NoSuchExercise and ExerciseBroken.
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

    Raises CannotLock before anything is written, CannotWrite, NoSuchExercise and ExerciseBroken.
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

        def add(one: Grade, chosen: Sequence[Submission]) -> None:
            output.add(output.forms.of(one), [each.name for each in chosen])
            output.tell(one, len(chosen))

        return grade(submissions, sandbox, options.exercise, add, namer, locating)


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


def _check_outputs(options: argparse.Namespace) -> None:
    """Raise NotOurs if a wanted output would replace files that others have written.

    Raises UsageError if two name one place.
    """
    places = {"--html": options.html, "--csv": options.csv, "--overview": options.overview}
    by_place: dict[str, str] = {}
    for option, place in places.items():
        if place and (other := by_place.setdefault(os.path.realpath(place), option)) != option:
            raise UsageError(f"{other} and {option} both name {place}. Name two places.")
    if options.html:
        from autograder.report import pages

        pages.check_folder(options.html)
    if options.csv:
        from autograder.report import as_csv

        as_csv.check_file(options.csv)
    if options.overview:
        from autograder.overview.folder import check_folder

        check_folder(options.overview)


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


def _report(grades: list[Grade], options: argparse.Namespace) -> None:
    from autograder.report.terminal import Terminal

    terminal = Terminal(screen(), options.hints, options.locked, options.paste)
    for line in terminal.report(grades):
        say(f"{line}\n")


def _exit_code(output: Output, options: argparse.Namespace) -> int:
    # A shell's CLASS/* names broken links too, which are refused like all links.
    if not all(map(os.path.lexists if options.path[1:] else os.path.exists, options.path)):
        return USAGE
    if output.needs_staff:
        return FAILED
    return POINTS_LOST if options.strict and output.lost_points else OK
