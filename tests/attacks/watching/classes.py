"""Grade a class in which one has handed in a hostile file, and say what was not as it has to be."""

from __future__ import annotations

import inspect
import secrets
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

from attacks.handed_in import files, packed
from attacks.watching.canaries import PREFIX
from attacks.watching.overhearing import Overheard
from attacks.watching.watch import MORE
from autograder.checking.collect import collect
from autograder.client import loading
from autograder.course import fingerprint
from autograder.diagnosis.naming import namer
from autograder.grading.grade import Grade
from autograder.grading.grader import Grader
from autograder.report.as_json import document
from autograder.report.terminal import Terminal
from autograder.sandbox import Sandbox
from autograder.submissions.finding import Submission, find

ASSIGNMENT, EXERCISE = "running_averages", "running_mean_loop"
HONEST = ("anna", "zoe")
HandIn = Callable[[Path, Path], None]


def hand_ins() -> dict[str, HandIn]:
    """All functions that make something hostile, by name."""
    return made_in(files) | made_in(packed)


def made_in(module: ModuleType) -> dict[str, Callable[..., None]]:
    """The public functions of a module, by name."""
    return {
        name: made
        for name, made in inspect.getmembers(module, inspect.isfunction)
        if made.__module__ == module.__name__ and not name.startswith("_")
    }


class ClassWatch:
    """Grades classes in one sandbox, one after the other."""

    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox = Overheard(sandbox)
        self._grader = Grader(collect(), self._sandbox, frozenset([EXERCISE]), diagnosing=namer)
        right = loading.text(ASSIGNMENT).texts
        self._right = str(right[ASSIGNMENT])
        # What a grader does once, and remembers, is no submission's time.
        self._grader.grade(Submission("honest", Path(f"{ASSIGNMENT}.py"), ASSIGNMENT, right))

    def issues(self, hand_in: HandIn) -> list[str]:
        """What must not be, in words; nothing if all is well."""
        with tempfile.TemporaryDirectory(prefix="attacks-") as room:
            place, secret = Path(room, "class"), Path(room, "secret")
            place.mkdir()
            secret.mkdir()
            canary = PREFIX + secrets.token_hex(16)
            (secret / f"{ASSIGNMENT}.py").write_text(f"{self._right}\n# {canary}\n", "utf-8")
            for name in HONEST:
                (place / f"{name}.py").write_text(self._right, "utf-8")
            hand_in(place, secret)
            before = sorted(Path(room).rglob("*"))
            return [*self._of_class(place, canary), *_of_files(before, Path(room))]

    def _of_class(self, place: Path, canary: str) -> list[str]:
        waited, start = self._sandbox.waited, time.monotonic()
        try:
            grades = [self._grader.grade(one) for one in find(place, ASSIGNMENT)]
        except Exception as error:
            return [f"the grader raised {type(error).__name__}: {error}"]
        seconds = time.monotonic() - start - (self._sandbox.waited - waited)
        issues = [issue for grade in grades for issue in _of_grade(grade)]
        if not {*HONEST} <= {grade.submission for grade in grades}:
            issues.append("an honest student has no grade")
        if seconds > self._sandbox.limits.budget + MORE:
            issues.append(f"took {seconds:.0f} s")
        shown = "\n".join(Terminal().report(grades))
        if strange := {c for c in shown if not c.isprintable() and c != "\n"}:
            issues.append(f"shows characters that do not print: {''.join(strange)!a}")
        if canary in shown + document(grades, locked=True, course=fingerprint()):
            issues.append("found the solution")
        return issues


def _of_grade(grade: Grade) -> list[str]:
    if grade.submission in HONEST:
        return [] if grade.points == grade.max_points else [f"{grade.submission} lost points"]
    gained = [f"gained {grade.points:g} points"] if grade.points else []
    return gained + ["needs staff"] * (grade.status == "needs_staff")


def _of_files(before: list[Path], room: Path) -> list[str]:
    changed = {*before} ^ {*room.rglob("*")}
    return [f"changed the files {sorted(map(ascii, changed))}"] if changed else []
