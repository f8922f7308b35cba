"""Autograde a course of nbgrader with hostile submissions; say what was not as it has to be."""

from __future__ import annotations

import itertools
import secrets
import tempfile
import traceback
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from course_in_nbgrader import nbgrader_in
from nbgrader.api import Gradebook

from attacks.handed_in import exchange
from attacks.watching.canaries import PREFIX
from attacks.watching.classes import ASSIGNMENT, HONEST, made_in
from autograder.course import solution
from autograder.nbgrader.application import application
from autograder.nbgrader.course_folder import build

Submitted = Callable[[Path, Path, str], None]
SETTINGS = """
c.SubmissionExporter.seconds = 0.5
c.SubmissionExporter.budget = 2
"""
COMMANDS = (
    ("generate_assignment", ASSIGNMENT),
    ("list", "--inbound"),
    ("collect", ASSIGNMENT),
    ("zip_collect", ASSIGNMENT),
    ("autograde", ASSIGNMENT),
    ("generate_feedback", ASSIGNMENT),
)
COURSE = "the course"
ACTING = (b"<script>evil", b"<img src=x")  # of what the page of a notebook must not hold


def submissions() -> dict[str, Submitted]:
    """All functions that submit something hostile, by name."""
    return made_in(exchange)


def issues(submitted: Mapping[str, Submitted]) -> dict[str, list[str]]:
    """What must not be, in words, by the name of a submission; COURSE is for what is nobody's.

    All are in one course, each by a student of its name, with honest students beside them.
    """
    found: dict[str, list[str]] = {name: [] for name in (COURSE, *submitted)}
    canary = PREFIX + secrets.token_hex(16)
    with tempfile.TemporaryDirectory(prefix="attacks-") as room:
        course, secret = Path(room, "course"), Path(room, "secret")
        _hand_in_honest_work(course)
        secret.mkdir()
        text = f"{solution(ASSIGNMENT)}\n# {canary}\n"
        (secret / f"{ASSIGNMENT}.py").write_text(text, "utf-8")
        for name, submit in submitted.items():
            submit(course, secret, name)
        told = itertools.chain(_of_commands(course, canary), _of_grades(course))
        for name, issue in itertools.chain(told, _of_files(course, canary)):
            found.setdefault(name, []).append(issue)
    return found


def _hand_in_honest_work(course: Path) -> None:
    """Build a course in which honest students have handed in right work."""
    build(course)
    with (course / "nbgrader_config.py").open("a", encoding="utf-8") as settings:
        settings.write(SETTINGS)
    archive = course / "downloaded" / ASSIGNMENT / "archive"
    archive.mkdir(parents=True)
    for name in HONEST:
        (archive / f"{name}_{ASSIGNMENT}.py").write_text(solution(ASSIGNMENT), "utf-8")


def _of_commands(course: Path, canary: str) -> Iterator[tuple[str, str]]:
    """Run the commands, and yield what is wrong with what they log."""
    for command in COMMANDS:
        try:
            logged = nbgrader_in(course)(*command)
        except Exception:
            logged = traceback.format_exc()
        if "Traceback" in logged:
            yield COURSE, f"{' '.join(command)} ended in a traceback"
        if canary in logged:
            yield COURSE, f"{' '.join(command)} shows the solution"


def _of_grades(course: Path) -> Iterator[tuple[str, str]]:
    """Yield what is wrong with the gradebook."""
    with Gradebook(application(course).coursedir.db_url, "attention") as gradebook:
        rows = gradebook.find_assignment(ASSIGNMENT).submissions
        scores = {row.student.id: (row.score, row.max_score) for row in rows}
    for student, (points, most) in scores.items():
        if student not in HONEST and points:
            yield student, f"gained {points:g} points"
        if student in HONEST and points < most:
            yield COURSE, f"{student} lost points"
    for student in HONEST:
        if student not in scores or not (course / "feedback" / student).exists():
            yield COURSE, f"{student} has no grade or no feedback"
    if exchange.NOBODY in scores:
        yield COURSE, f"{exchange.NOBODY} has a grade, and has handed in nothing"


def _of_files(course: Path, canary: str) -> Iterator[tuple[str, str]]:
    """Yield what is wrong with the files that were collected and made."""
    for step in ("submitted", "autograded", "feedback"):
        for path in (course / step).rglob("*"):
            student = path.relative_to(course / step).parts[0]
            content = path.read_bytes() if path.is_file() else b""
            if canary.encode() in content:
                yield student, f"{step} contains the solution"
            if path.suffix == ".html" and any(acting in content for acting in ACTING):
                yield student, "the page of feedback acts"
