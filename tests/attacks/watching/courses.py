"""Autograde a course of nbgrader with hostile submissions; say what was not as it has to be."""

from __future__ import annotations

import secrets
import tempfile
import traceback
from collections import defaultdict
from collections.abc import Callable, Mapping
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


def submissions() -> dict[str, Submitted]:
    """All functions that submit something hostile, by name."""
    return made_in(exchange)


def issues(submitted: Mapping[str, Submitted]) -> dict[str, list[str]]:
    """What must not be, in words, by the name of a submission; COURSE is for what is nobody's.

    All are in one course, each by a student of its name, with honest students beside them.
    """
    found: dict[str, list[str]] = defaultdict(list)
    with tempfile.TemporaryDirectory(prefix="attacks-") as room:
        place, secret = Path(room, "course"), Path(room, "secret")
        secret.mkdir()
        canary = PREFIX + secrets.token_hex(16)
        text = f"{solution(ASSIGNMENT)}\n# {canary}\n"
        (secret / f"{ASSIGNMENT}.py").write_text(text, "utf-8")
        build(place)
        with (place / "nbgrader_config.py").open("a", encoding="utf-8") as settings:
            settings.write(SETTINGS)
        archive = place / "downloaded" / ASSIGNMENT / "archive"
        archive.mkdir(parents=True)
        for name in HONEST:
            (archive / f"{name}_{ASSIGNMENT}.py").write_text(solution(ASSIGNMENT), "utf-8")
        for name, submit in submitted.items():
            submit(place, secret, name)
        for command in COMMANDS:
            log = _log(place, command)
            if "Traceback" in log:
                found[COURSE].append(f"{' '.join(command)} ended in a traceback")
            if canary in log:
                found[COURSE].append(f"{' '.join(command)} shows the solution")
        scores = _scores(place)
        for student, (points, most) in scores.items():
            if student in HONEST:
                found[COURSE] += [f"{student} lost points"] * (points < most)
            elif points:
                found[student].append(f"gained {points:g} points")
        for student in HONEST:
            if student not in scores or not (place / "feedback" / student).exists():
                found[COURSE].append(f"{student} has no grade or no feedback")
        if exchange.NOBODY in scores:
            found[COURSE].append(f"{exchange.NOBODY} has a grade, and has handed in nothing")
        for name in ("submitted", "autograded", "feedback"):
            for path in (place / name).rglob("*"):
                student = path.relative_to(place / name).parts[0]
                shown = path.read_bytes() if path.is_file() else b""
                if canary.encode() in shown:
                    found[student].append(f"{name} contains the solution")
                if path.suffix == ".html" and (b"<script>evil" in shown or b"<img src=x" in shown):
                    found[student].append("the page of feedback acts")
    return {name: found[name] for name in dict.fromkeys((COURSE, *submitted, *found))}


def _log(place: Path, command: tuple[str, ...]) -> str:
    """Run a command of nbgrader. Returns what it logs, and the error that ends it."""
    try:
        return nbgrader_in(place)(*command)
    except Exception:
        return traceback.format_exc()


def _scores(place: Path) -> dict[str, tuple[float, float]]:
    """The points in the gradebook, and the most that there are, by student."""
    with Gradebook(application(place).coursedir.db_url, "attention") as gradebook:
        rows = gradebook.find_assignment(ASSIGNMENT).submissions
        return {row.student.id: (row.score, row.max_score) for row in rows}
