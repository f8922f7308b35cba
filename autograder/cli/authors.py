"""`python -m autograder exercise`, `mistake` and `audit`: the way of an author."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from autograder import course
from autograder.cli import typed
from autograder.course.commands import command, near
from autograder.errors import UsageError
from autograder.report.codes import OK, POINTS_LOST
from autograder.report.progress import Progress
from autograder.report.streams import say

SHOWN = 20  # places of an exercise: they fit on a screen
NAMED = "Name the exercise and its assignment: make exercise NAME=RMSNorm ASSIGNMENT=normalization."
NAMED_MISTAKE = "Name the exercise, and the file or the mutant: make mistake EX=RMSNorm FILE=path."


def add_exercise(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the verb `exercise` to its parser."""
    parser.add_argument("name", metavar="NAME", help="the class or function that students write")
    parser.add_argument("--assignment", required=True, metavar="NAME", help="an old or a new one")
    parser.add_argument("--function", action="store_true", help="begin a function, not a class")


def add_audit(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the verb `audit` to its parser."""
    parser.add_argument("--exercise", action="append", default=[], metavar="NAME")
    parser.add_argument("--mutants", action="store_true", help="change right solutions instead")


def add_mistake(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the verb `mistake` to its parser."""
    parser.add_argument(
        "file", nargs="?", metavar="FILE", help="a file Exercise__id__how.py in wrong/"
    )
    parser.add_argument("--exercise", required=True, metavar="NAME")
    parser.add_argument("--mutant", metavar="ID", help="one that gets no name; without, list these")


def begin(options: argparse.Namespace) -> int:
    """Write the beginnings of an exercise. Returns the exit code. Raises CannotBegin."""
    from autograder.authoring.beginning import begin

    if not options.name or not options.assignment:
        raise UsageError(NAMED)
    paths = begin(options.name, options.assignment, options.function)
    say("".join(f"wrote {near(path)}\n" for path in paths))
    say(f"Next: {_auditing(options.name)} lists what to write.\n")
    return OK


def record(options: argparse.Namespace) -> int:
    """Record a wrong solution or a mutant as a misconception, or list mutants without a name.

    Returns the exit code. Raises NotAnEdit.
    """
    from autograder.authoring.mistake import record, record_mutant
    from autograder.checking.collect import collect

    if not options.exercise or (options.file and options.mutant):
        raise UsageError(NAMED_MISTAKE)
    if options.mutant:
        path = record_mutant(options.exercise, options.mutant, collect())
    elif options.file:
        path = record(options.exercise, typed.path(options.file), collect())
    else:
        return _list_unnamed(options.exercise)
    say(f"wrote {near(path)}\nNext: {_auditing(options.exercise)} lists what to write.\n")
    return OK


def _list_unnamed(exercise: str) -> int:
    """Show the mutants of a reference that lose points and get no name. Returns the exit code."""
    from autograder.audit import survivors
    from autograder.audit.unnamed import unnamed
    from autograder.checking.collect import collect

    progress = Progress("graded")
    found = unnamed(collect(), exercise, lambda name, count, total: progress.done(count, total))
    many = f"{len(found)} mutants lose points and get"
    say(f"{exercise}: {'1 mutant loses points and gets' if len(found) == 1 else many} no name.\n")
    for mutant in found:
        lines = [f"{mutant.id}: {mutant.said} ({mutant.operator})", *survivors.difference(mutant)]
        say("".join(f"{line}\n" for line in ("", *lines)))
    if found:
        say(f"\nNext: {_recording(exercise, found[0].id)} records the first one.\n")
    return OK


def audit(options: argparse.Namespace) -> int:
    """Say what exercises lack, or prove what is claimed of them. Returns the exit code."""
    from autograder.audit import certificate as report
    from autograder.audit import survivors
    from autograder.audit.auditing import audit
    from autograder.audit.mutating import mutation

    for line in course.untranslated():
        say(f"{line}\n")
    if lacking := [*_lacking(options.exercise)]:
        say("".join(f"{line}\n" for line in lacking))
        return POINTS_LOST
    progress = Progress("audited")

    def done(name: str, count: int, total: int) -> None:
        progress.done(count, total, name=name)

    if options.mutants:
        mutants = mutation(options.exercise, done)
        say("".join(f"{line}\n" for line in survivors.lines(mutants)))
        return POINTS_LOST if any(one.survivors for one in mutants) else OK
    found = audit(options.exercise, done)
    say("".join(f"{line}\n" for line in report.lines(found)))
    if not options.exercise:  # certificates are for the whole course only
        say(f"wrote {near(report.write(found))}\n")
    return OK if all(claim.holds for claim in found.claims()) else POINTS_LOST


def _lacking(wanted: list[str]) -> Iterator[str]:
    """Yield what exercises lack, of all if none is wanted. Raises CourseError."""
    from autograder.audit.rules import check_course
    from autograder.authoring.unfinished import gaps
    from autograder.checking.collect import collect

    checks = collect()
    checks.assert_known(wanted)
    check_course()
    for assignment in checks.assignments:
        for exercise in checks.exercises(assignment):
            if wanted and exercise.name not in wanted:
                continue
            if found := gaps(exercise, checks):
                count = "1 place" if len(found) == 1 else f"{len(found)} places"
                yield f"{exercise.name} is not finished. Write {count}, in this order:"
                yield from (gap.shown() for gap in found[:SHOWN])
                if len(found) > SHOWN:
                    yield f"and {len(found) - SHOWN} more, which come after these"


def tell_unfinished() -> None:
    """Say which exercises of the course lack something. Raises CourseError."""
    from autograder.authoring.unfinished import unfinished
    from autograder.checking.collect import collect

    for name in unfinished(collect()):
        say(f"{name} is not finished: {_auditing(name)} lists what to write.\n")


def _auditing(exercise: str) -> str:
    """Return the command that audits an exercise."""
    return command(f"make audit EX={exercise}", f"audit --exercise {exercise}")


def _recording(exercise: str, mutant: str) -> str:
    """Return the command that records a mutant."""
    make = f"make mistake EX={exercise} MUTANT={mutant}"
    return command(make, f"mistake --exercise {exercise} --mutant {mutant}")
