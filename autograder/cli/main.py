"""The command line: `python -m autograder VERB`.

Results go to stdout, progress to stderr. Exit codes:

    0  done; every submission has a grade, zero points included
    1  with --strict, some points were lost; audit: a claim does not hold, or an exercise is not
       finished; run: it raises an error
    2  interrupted
    3  the grader failed, this machine lacks something, or a file of the course is wrong
    4  usage: an argument, or a path that does not exist
"""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
from collections.abc import Callable, Sequence
from typing import NoReturn

import autograder
from autograder import course, interrupts
from autograder.cli import authors, class_page, grade_options, typed
from autograder.cli import check as check_verb
from autograder.cli import grade as grade_verb
from autograder.cli import intake as intake_verb
from autograder.cli import watch as watch_verb
from autograder.course.commands import near
from autograder.errors import AutograderError, UsageError
from autograder.grading.fitting import SAID, cut, printable
from autograder.report.codes import FAILED, INTERRUPTED, OK, POINTS_LOST, USAGE, complain
from autograder.report.progress import Progress
from autograder.report.streams import Noted, say
from autograder.report.writing import named_path
from autograder.sandbox import Sandbox, open_sandbox

# jsonschema, which notebooks need, would import it for formats that notebooks do not have, and it
# takes longer to import than all of nbgrader. None counts as not installed.
sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]

Opening = Callable[..., contextlib.AbstractContextManager[Sandbox]]  # as open_sandbox
NO_LOCK = "Your own make grade needs no lock: it is for grading the work of others."
# Verbs that need the course secret.
GRADING = ("grade", "check", "class", "release", "audit", "nbgrader")


def main(arguments: Sequence[str] | None = None, opening: Opening = open_sandbox) -> int:
    """Run one verb. opening: opens the sandbox for grading. Returns the exit code."""
    try:
        try:
            return _run(arguments, opening)
        finally:
            say("")  # what was printed may be in a buffer still; raises CannotWrite
    except AutograderError as error:
        return complain(error)
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return INTERRUPTED


def _run(arguments: Sequence[str] | None, opening: Opening) -> int:
    """Run one verb. Returns the exit code. Raises AutograderError."""
    try:
        os.getcwd()
    except OSError:
        raise UsageError("The current folder no longer exists: change to another one.") from None
    _choose_course(arguments)
    words = sys.argv[1:] if arguments is None else arguments
    options = _parser(words).parse_args(words)
    options.opening = opening
    options.arguments = words
    if options.verb in GRADING:
        course.secret()
    if options.verb != "grade":  # which can end a document first
        interrupts.allow()
    return VERBS[options.verb](options)


def _assignments(options: argparse.Namespace) -> int:
    from autograder.kit.assignments import write_all

    for path in write_all():
        say(f"wrote {near(path)}\n")
    authors.tell_unfinished()
    return OK


def _submit(options: argparse.Namespace) -> int:
    from autograder.kit.hand_in import pack

    made = pack(course.assignments_folder(), course.root() / "hand-in", options.assignment)
    for path in made.archives:
        say(f"packed {near(path)}\n")
    for reason in made.left_out:
        say(f"left out: {cut(reason, SAID)}\n")
    for reason in made.outdated:
        say(f"not current: {reason}\n")
    return OK


def _run_assignment(options: argparse.Namespace) -> int:
    from autograder.notebook.running import run

    code = OK
    name = options.assignment or course.program()
    noted = Noted(sys.stdout)
    with contextlib.redirect_stdout(noted):
        for error in run(name, course.assignments_folder()):
            print(f"An error: {cut(printable(error), SAID)}", file=sys.stderr)
            code = POINTS_LOST
    if code == OK and not noted.is_used:
        say(f"{name} ran to its end without an error. It prints nothing.\n")
    return code


def _update(options: argparse.Namespace) -> int:
    from autograder.kit.update import update

    kit = typed.path(options.kit) if options.kit else None
    if kit is None or not os.path.isdir(kit):
        missing = f"There is no folder {cut(str(kit), SAID)}. " if kit else ""
        raise UsageError(f"{missing}Say where the new kit is: make update KIT=path/to/its/folder.")
    if not course.is_students_copy():
        raise UsageError("This is the whole course, not a student's copy: update it with git.")
    updated = update(kit, course.root())
    for line in updated.files:
        say(f"{line}\n")
    say(f"What was replaced is in {near(updated.backup)}.\n")
    return OK


def _release(options: argparse.Namespace) -> int:
    from autograder.course import secret_file
    from autograder.kit.build import build

    built = build(course.root() / "build" / "student-kit", Progress("recorded").done)
    say(f"built {near(built)}\n")
    secret_file.warn_of_default()
    return OK


def _secret(options: argparse.Namespace) -> int:
    from autograder.course import secret_file

    say(f"{secret_file.write_own()}\n")
    return OK


def _nbgrader(options: argparse.Namespace) -> int:
    from autograder.nbgrader.commands import run

    return OK if run(options) else FAILED


def _export(options: argparse.Namespace) -> int:
    from autograder.cli import export

    return export.run(options)


def _doctor(options: argparse.Namespace) -> int:
    from autograder.sandbox.doctor import features

    found = list(features())
    for feature in found:
        say("".join(f"{line}\n" for line in feature.lines()))
    if course.is_students_copy():
        say(f"{NO_LOCK}\n")
    else:
        from autograder.course import secret_file

        course.secret()
        secret_file.warn_of_default()
    return OK if all(feature.works for feature in found) else FAILED


def _resident(options: argparse.Namespace) -> int:
    from autograder.resident.kept import KeptSandboxes
    from autograder.resident.serving import serve

    with contextlib.closing(KeptSandboxes()) as kept:
        serve(lambda arguments: main(arguments, kept.open), kept.prepare)
    return OK


def _choose_course(arguments: Sequence[str] | None) -> None:
    """Use the course of --course before parsing: its assignments are the valid arguments.

    Raises NoCourse.
    """
    first = _Parser(add_help=False)
    _add_course(first)
    first.add_argument("rest", nargs=argparse.REMAINDER)
    if (place := first.parse_known_args(arguments)[0].course_folder) is not None:
        course.use(place)


def _add_course(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--course",
        dest="course_folder",
        type=named_path,
        metavar="FOLDER",
        help="the course's folder (default solutions/)",
    )


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        self.print_usage(sys.stderr)
        self.exit(USAGE, f"{self.prog}: {printable(message)}\n")  # it may hold a file's name


def _parser(words: Sequence[str]) -> argparse.ArgumentParser:
    """Return the parser of a command that has these words."""
    parser = _Parser(prog="python -m autograder", description=autograder.__doc__)
    _add_course(parser)
    verbs = parser.add_subparsers(dest="verb", required=True, metavar="VERB", parser_class=_Parser)
    grade = verbs.add_parser("grade", help="grade submissions")
    grade_options.add_arguments(grade)
    check = verbs.add_parser("check", help="grade cells that were run in a notebook, see check()")
    check_verb.add_arguments(check)
    watch = verbs.add_parser("watch", help="show the verdict on one exercise at each save")
    watch_verb.add_arguments(watch)
    verbs.add_parser("doctor", help="say what this machine can do, and how to enable the rest")
    submit = verbs.add_parser("submit", help="pack the files to hand in")
    submit.add_argument("assignment", nargs="?", choices=course.assignments(), metavar="NAME")
    run = verbs.add_parser("run", help="run an assignment as a program, with your own code")
    run.add_argument("assignment", nargs="?", choices=course.assignments(), metavar="NAME")
    update = verbs.add_parser("update", help="update to a corrected kit and keep your changes")
    update.add_argument("kit", nargs="?", help="the folder of the new kit")
    verbs.add_parser("resident", help="answer `grade --resident` until idle; it starts this itself")
    if not course.is_students_copy():
        verbs.add_parser("assignments", help="write assignments/ again from solutions/")
        verbs.add_parser("release", help="build the copy for students")
        intake = verbs.add_parser("intake", help="make a class's folder from a download")
        intake_verb.add_arguments(intake)
        verbs.add_parser("secret", help="write a course secret of your own")
        of_class = verbs.add_parser("class", help="show where a class stands")
        class_page.add_arguments(of_class)
        begun = verbs.add_parser("exercise", help="write the beginnings of an exercise")
        authors.add_exercise(begun)
        mistake = verbs.add_parser("mistake", help="record a wrong solution as a misconception")
        authors.add_mistake(mistake)
        audit = verbs.add_parser("audit", help="say what is missing, or prove what the kit claims")
        authors.add_audit(audit)
        from autograder.cli import export
        from autograder.nbgrader.commands import add_verbs

        exporting = verbs.add_parser("export", help="write grades for other systems")
        if "export" in words:  # no other command pays for finding the formats
            export.add_arguments(exporting)
        add_verbs(verbs.add_parser("nbgrader", help="run the course in nbgrader"))
    return parser


VERBS = {
    "grade": grade_verb.run,
    "check": check_verb.run,
    "class": class_page.run,
    "watch": watch_verb.run,
    "doctor": _doctor,
    "resident": _resident,
    "submit": _submit,
    "run": _run_assignment,
    "update": _update,
    "intake": intake_verb.run,
    "assignments": _assignments,
    "release": _release,
    "secret": _secret,
    "exercise": authors.begin,
    "mistake": authors.record,
    "audit": authors.audit,
    "export": _export,
    "nbgrader": _nbgrader,
}
