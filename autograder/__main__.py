"""The command line: `python -m autograder VERB`.

Results go to stdout, progress to stderr. Exit codes: 0 every submission was graded, 1 with
--strict some points were lost, 2 interrupted, 3 the grader or its sandbox failed, 4 usage.
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

if TYPE_CHECKING:
    from autograder.grading.grade import Grade

OK, POINTS_LOST, INTERRUPTED, FAILED, USAGE = range(5)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one verb. Returns the exit code."""
    options = _parser().parse_args(arguments)
    verb = {"grade": _grade, "assignments": _assignments}[options.verb]
    try:
        return verb(options)
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return INTERRUPTED


def _grade(options: argparse.Namespace) -> int:
    from autograder.sandbox import Limits, open_sandbox

    # The sandbox starts to import torch here, while this process does the same below.
    with open_sandbox(Limits(seconds=options.seconds)) as sandbox:
        from autograder.grading.collect import CheckBroken
        from autograder.grading.grader import NoSuchExercise, grade
        from autograder.grading.submissions import find

        submissions = [s for path in options.path for s in find(path, options.assignment)]
        progress = _Progress(len(submissions))
        try:
            grades = grade(submissions, sandbox, options.exercise, progress.done)
        except NoSuchExercise as mistake:
            return _complain(str(mistake), USAGE)
        except CheckBroken as failure:
            return _complain(f"The grader failed: {failure}", FAILED)
        except KeyboardInterrupt:
            progress.interrupted()
            return INTERRUPTED
    _show(grades, options)
    return _exit_code(grades, options)


def _show(grades: list[Grade], options: argparse.Namespace) -> None:
    if options.json:
        from autograder.feedback.as_json import document

        print(document(grades, locked=False, course=course.fingerprint()))
        return
    from autograder.feedback.terminal import Terminal

    terminal = Terminal(colour=_colour())
    one_work = len(options.path) == 1 and len(grades) <= len(course.assignments())
    for line in terminal.report(grades) if one_work else terminal.summary(grades):
        print(line)


def _exit_code(grades: list[Grade], options: argparse.Namespace) -> int:
    if any(not path.exists() for path in options.path):
        return USAGE
    if any(grade.status == "needs_staff" for grade in grades):
        return FAILED
    lost = any(g.points < g.max_points or g.status == "unreadable" for g in grades)
    return POINTS_LOST if options.strict and lost else OK


def _assignments(options: argparse.Namespace) -> int:
    from autograder.release.skeleton import write_all

    for path in write_all():
        print(f"wrote {path.relative_to(course.ROOT)}")
    return OK


class _Progress:
    """How far it is, on stderr; a line that is rewritten at a terminal."""

    def __init__(self, total: int) -> None:
        self.total = total
        self.count = 0
        self._rewrite = sys.stderr.isatty()

    def done(self, grade: Grade) -> None:
        from autograder.grading.wording import plain

        self.count += 1
        if self.total > 1:
            line = f"graded {self.count}/{self.total}  {grade.submission}"[:79]
            end = "\n" if not self._rewrite or self.count == self.total else ""
            start = "\r\x1b[K" if self._rewrite else ""
            print(start + plain(line), end=end, file=sys.stderr, flush=True)

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
        "path", type=Path, nargs="+", help="a module, or a folder of modules (one submission each)"
    )
    grade.add_argument("--assignment", choices=course.assignments(), metavar="NAME")
    grade.add_argument("--exercise", action="append", default=[], metavar="NAME")
    grade.add_argument("--json", action="store_true", help="one JSON document on stdout")
    grade.add_argument("--strict", action="store_true", help="exit with 1 when points were lost")
    grade.add_argument(
        "--seconds", type=_positive, default=10.0, help="time limit for one question (default 10)"
    )
    verbs.add_parser("assignments", help="write assignments/ anew from solutions/")
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


if __name__ == "__main__":
    sys.exit(main())
