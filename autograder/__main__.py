"""The command line: `python -m autograder VERB`.

Results go to stdout, progress to stderr. Exit codes: 0 every submission was graded, 1 with
--strict some points were lost (audit: a claim does not hold), 2 interrupted, 3 the grader or its
sandbox failed, 4 usage.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import autograder
from autograder import course
from autograder.feedback.progress import Progress

if TYPE_CHECKING:
    from autograder.grading.grade import Grade
    from autograder.grading.submissions import Submission

UNLOCKED = (
    "Unlocked, code of others could read and change what you can; if you trust it all the same, "
    "add --unlocked."
)
OK, POINTS_LOST, INTERRUPTED, FAILED, USAGE = range(5)
GRADING = ("grade", "release", "audit", "nbgrader")  # verbs that want the course secret


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one verb. Returns the exit code."""
    options = _parser().parse_args(arguments)
    verb = VERBS[options.verb]
    try:
        if options.verb in GRADING:
            course.secret()
        return verb(options)
    except course.NoSecret as reason:
        return _complain(str(reason), FAILED)
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return INTERRUPTED


def _grade(options: argparse.Namespace) -> int:
    from autograder.grading.submissions import find
    from autograder.sandbox import CannotLock

    if reason := _would_be_lost(options):
        return _complain(reason, USAGE)
    submissions = [s for path in options.path for s in find(path, options.assignment)]
    one_work = _is_one_work(submissions, options)
    may_unlock = one_work and options.locked is None
    if options.locked is None:
        options.locked = not _is_own(options.path)
    graded = _Graded(len(submissions), one_work)
    try:
        grades = _grades(submissions, options, graded, may_unlock)
    except CannotLock as reason:
        return _complain(f"{reason} {UNLOCKED}", FAILED)
    except _Stopped as reason:
        return _complain(str(reason), reason.code)
    except KeyboardInterrupt:
        graded.interrupted()
        return INTERRUPTED
    _show(grades, options, one_work)
    return _write(grades, options) or _exit_code(grades, options)


def _grades(
    submissions: Sequence[Submission],
    options: argparse.Namespace,
    graded: _Graded,
    may_unlock: bool,
) -> list[Grade]:
    """Grade them, unlocked where this machine cannot lock and that may be.

    Raises CannotLock and _Stopped.
    """
    from autograder.sandbox import CannotLock

    try:
        return _grades_in_sandbox(submissions, options, graded)
    except CannotLock:
        if not may_unlock:
            raise
        options.locked = False
        return _grades_in_sandbox(submissions, options, graded)


def _grades_in_sandbox(
    submissions: Sequence[Submission], options: argparse.Namespace, graded: _Graded
) -> list[Grade]:
    """Raises CannotLock, when the sandbox is opened or tried, and _Stopped."""
    from autograder.sandbox import Limits, open_sandbox

    # It starts to import torch here, while this process does the same below.
    opened = open_sandbox(Limits(seconds=options.seconds), locked=options.locked)
    with opened as sandbox:
        from autograder.grading.collect import CheckBroken, NoSuchExercise
        from autograder.grading.grader import grade

        try:
            return grade(submissions, sandbox, options.exercise, graded.another)
        except NoSuchExercise as mistake:
            raise _Stopped(str(mistake), USAGE) from None
        except CheckBroken as failure:
            raise _Stopped(f"The grader failed: {failure}", FAILED) from None


def _would_be_lost(options: argparse.Namespace) -> str:
    """Why --html or --csv cannot be done; to be known before all is graded."""
    if not options.html and not options.csv:
        return ""
    from autograder.feedback import as_csv, as_html
    from autograder.feedback.writing import NotOurs

    try:
        if options.html:
            as_html.check_folder(options.html)
        if options.csv:
            as_csv.check_file(options.csv)
    except NotOurs as reason:
        return str(reason)
    return ""


def _write(grades: list[Grade], options: argparse.Namespace) -> int:
    """Write what --html and --csv ask for. Returns the exit code of what goes wrong, or OK."""
    if not options.html and not options.csv:
        return OK
    from autograder.feedback import as_csv, as_html
    from autograder.feedback.writing import NotOurs

    try:
        if options.html:
            pages = as_html.write_all(grades, options.html, options.hints)
            print(f"wrote {len(pages)} pages into {options.html}", file=sys.stderr)
        if options.csv:
            as_csv.write_table(grades, options.csv)
            print(f"wrote {options.csv}", file=sys.stderr)
    except (NotOurs, OSError) as reason:
        return _complain(str(reason), USAGE)
    return OK


def _is_own(paths: Sequence[Path]) -> bool:
    """Return whether all paths lie in assignments/, which whoever grades has written."""
    own = course.ASSIGNMENTS.resolve()
    return all(path.resolve().is_relative_to(own) for path in paths)


def _is_one_work(found: Sequence[Submission], options: argparse.Namespace) -> bool:
    """Is it what one person has written: what was asked for, and not a class's?"""
    return len(options.path) == 1 and all(one.work == options.path[0] for one in found)


def _show(grades: list[Grade], options: argparse.Namespace, one_work: bool) -> None:
    if options.json:
        from autograder.feedback.as_json import document

        print(document(grades, options.locked, course=course.fingerprint()))
        return
    from autograder.feedback.terminal import Terminal

    terminal = Terminal(_colour(), options.hints, options.locked)
    lines = terminal.report if one_work else terminal.summary
    try:
        for line in lines(grades):
            print(line)
        sys.stdout.flush()
    except BrokenPipeError:  # whoever read the output has seen enough (head, less)
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _exit_code(grades: list[Grade], options: argparse.Namespace) -> int:
    if any(not path.exists() for path in options.path):
        return USAGE
    if any(grade.status == "needs_staff" for grade in grades):
        return FAILED
    lost = any(g.points < g.max_points or g.status == "unreadable" for g in grades)
    return POINTS_LOST if options.strict and lost else OK


def _assignments(options: argparse.Namespace) -> int:
    from autograder.release.assignments import write_all

    for path in write_all():
        print(f"wrote {path.relative_to(course.ROOT)}")
    return OK


def _submit(options: argparse.Namespace) -> int:
    from autograder.student.hand_in import CannotHandIn, pack

    try:
        for path in pack(course.ASSIGNMENTS, course.ROOT / "hand-in", options.assignment):
            print(f"packed {path.relative_to(course.ROOT)}")
    except CannotHandIn as reason:
        return _complain(str(reason), USAGE)
    return OK


def _update(options: argparse.Namespace) -> int:
    from autograder.student.update import CannotUpdate, update

    if not options.kit or not Path(options.kit).is_dir():
        return _complain("Say where the new kit is: make update KIT=path/to/its/folder.", USAGE)
    if not course.is_students_copy():
        return _complain(
            "This is the whole course, not a student's copy: update it with git.", USAGE
        )
    try:
        for line in update(Path(options.kit)):
            print(line)
    except CannotUpdate as reason:
        return _complain(str(reason), USAGE)
    return OK


def _release(options: argparse.Namespace) -> int:
    from autograder.release import secret
    from autograder.release.kit import build

    print(f"built {build(course.ROOT / 'build' / 'student-kit').relative_to(course.ROOT)}")
    secret.warn_of_default()
    return OK


def _secret(options: argparse.Namespace) -> int:
    from autograder.release import secret

    secret.write_own()
    print(f"wrote {secret.FILE.name}: keep it, and let no student have it")
    return OK


def _audit(options: argparse.Namespace) -> int:
    from autograder.audit import report
    from autograder.audit.run import audit
    from autograder.grading.collect import CheckBroken, NoSuchExercise
    from autograder.sandbox import SandboxFailed

    progress = Progress("audited")

    def done(name: str, count: int, total: int) -> None:
        progress.done(count, total, name=name)

    try:
        found = audit(options.exercise, done)
    except NoSuchExercise as mistake:
        return _complain(str(mistake), USAGE)
    except (CheckBroken, SandboxFailed) as failure:
        return _complain(f"The grader failed: {failure}", FAILED)
    print("\n".join(report.lines(found)))
    if not options.exercise:  # a part of the course is certified nothing
        print(f"wrote {os.path.relpath(report.write(found), course.ROOT)}")
    return OK if all(claim.holds for claim in found.claims()) else POINTS_LOST


def _nbgrader(options: argparse.Namespace) -> int:
    from autograder.nbgrader.commands import CannotDo, run

    try:
        return OK if run(options) else FAILED
    except CannotDo as reason:
        return _complain(str(reason), FAILED)


def _doctor(options: argparse.Namespace) -> int:
    from autograder.sandbox.doctor import features

    found = list(features())
    for feature in found:
        print("\n".join(feature.lines()))
    if not course.is_students_copy():
        from autograder.release import secret

        course.secret()
        secret.warn_of_default()
    return OK if all(feature.works for feature in found) else FAILED


class _Stopped(Exception):
    """Nothing was graded; the text says why. code: to exit with."""

    def __init__(self, text: str, code: int) -> None:
        super().__init__(text)
        self.code = code


class _Graded:
    """How many are graded, and how many are to be: told on stderr where it is more than one."""

    def __init__(self, total: int, one_work: bool) -> None:
        self.count, self.total = 0, total
        self.one_work = one_work  # or those of several people
        self._progress = Progress("graded")

    def another(self, grade: Grade, total: int) -> None:
        from autograder.grading.fitting import plain

        self.count, self.total = self.count + 1, total
        if total > 1:
            name = (self.one_work and grade.assignment) or grade.submission
            self._progress.done(self.count, total, name=plain(name))

    def interrupted(self) -> None:
        print(f"\ninterrupted: {self.count} of {self.total} were graded", file=sys.stderr)


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        self.print_usage(sys.stderr)
        self.exit(USAGE, f"{self.prog}: {message}\n")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="python -m autograder", description=autograder.__doc__)
    verbs = parser.add_subparsers(dest="verb", required=True, metavar="VERB", parser_class=_Parser)
    grade = verbs.add_parser("grade", help="grade submissions")
    grade.add_argument(
        "path", type=Path, nargs="+", help="a module, a notebook, an archive, or a folder"
    )
    grade.add_argument("--assignment", choices=course.assignments(), metavar="NAME")
    grade.add_argument("--exercise", action="append", default=[], metavar="NAME")
    grade.add_argument("--json", action="store_true", help="one JSON document on stdout")
    grade.add_argument("--html", type=Path, metavar="FOLDER", help="also write a page for each")
    grade.add_argument("--csv", type=Path, metavar="FILE", help="also write a table of all")
    grade.add_argument(
        "--hints", type=int, choices=range(4), default=1, help="how many hints (default 1)"
    )
    grade.add_argument("--strict", action="store_true", help="exit with 1 when points were lost")
    grade.add_argument(
        "--seconds", type=_positive, default=10.0, help="CPU time for one question (default 10)"
    )
    lock = grade.add_mutually_exclusive_group()
    lock.add_argument(
        "--locked",
        action="store_true",
        default=None,
        help="run it where it can reach nothing (Linux; the default but for your own)",
    )
    lock.add_argument(
        "--unlocked",
        dest="locked",
        action="store_false",
        help="run it in a process that can do what you can (the default in assignments/)",
    )
    verbs.add_parser("doctor", help="say what this machine can do, and what to do about the rest")
    submit = verbs.add_parser("submit", help="pack what is handed in")
    submit.add_argument("assignment", nargs="?", choices=course.assignments(), metavar="NAME")
    update = verbs.add_parser("update", help="take over a corrected kit, and keep what was written")
    update.add_argument("kit", nargs="?", help="the folder of the new kit")
    if not course.is_students_copy():
        verbs.add_parser("assignments", help="write assignments/ anew from solutions/")
        verbs.add_parser("release", help="build the copy for students")
        verbs.add_parser("secret", help="write a course secret of your own")
        audit = verbs.add_parser("audit", help="prove what the kit claims")
        audit.add_argument("--exercise", action="append", default=[], metavar="NAME")
        from autograder.nbgrader.commands import add_verbs

        add_verbs(verbs.add_parser("nbgrader", help="run the course in nbgrader"))
    return parser


def _positive(text: str) -> float:
    if not 0 < float(text) < 3600:
        raise argparse.ArgumentTypeError(f"expected seconds between 0 and 3600, got {text}")
    return float(text)


def _colour() -> bool:
    plain = "NO_COLOR" in os.environ or os.environ.get("TERM") == "dumb"
    return sys.stdout.isatty() and not plain


def _complain(sentence: str, code: int) -> int:
    print(sentence, file=sys.stderr)
    return code


VERBS = {
    "grade": _grade,
    "doctor": _doctor,
    "submit": _submit,
    "update": _update,
    "assignments": _assignments,
    "release": _release,
    "secret": _secret,
    "audit": _audit,
    "nbgrader": _nbgrader,
}

if __name__ == "__main__":
    sys.exit(main())
