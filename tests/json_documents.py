"""JSON documents as `python -m autograder grade CLASS --json` prints them, made by hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

Json = dict[str, Any]
UNREADABLE = "=cmd() cannot be read as a notebook."
HIDDEN = "Wrong values."  # the fixed phrase of a hidden check


def check(name: str, status: str = "passed", most: float = 1.0, **more: Any) -> Json:
    points = most if status == "passed" else 0.0
    made = {"name": name, "title": f"Title of {name}", "status": status, "points": points}
    return {**made, "max_points": most, "visible": True, "message": "", **more}


def exercise(name: str, *checks: Json, **more: Any) -> Json:
    statuses = [one["status"] for one in checks]
    order = ("error", "failed", "blocked", "missing", "passed")
    made = {
        "name": name,
        "status": next(one for one in order if one in statuses),
        "score": sum(one["points"] for one in checks),
        "max_score": sum(one["max_points"] for one in checks),
        "waits_for": None,
        "misconceptions": [],
        "example": None,
        "checks": [*checks],
    }
    return {**made, **more}


def submission(name: str, *exercises: Json, **more: Any) -> Json:
    made = {
        "submission": name,
        "path": f"CLASS/{name}.py",
        "assignment": "attention_layer",
        "status": "graded",
        "message": "",
        "score": sum(one["score"] for one in exercises),
        "max_score": sum(one["max_score"] for one in exercises),
        "exercises": [*exercises],
    }
    return {**made, **more}


def scored(name: str, score: float, most: float = 10.0, **more: Any) -> Json:
    """Return a submission with a score; one of its two checks has failed if points are lacking."""
    rest = most - score
    lost = [check("c2", "failed", rest, message="expected 1.0, got 2.0")] if rest else []
    return submission(name, exercise("Head", check("c1", most=score), *lost), **more)


def broken(name: str) -> Json:
    return submission(name, status="needs_staff", message="The sandbox failed twice.")


def refused(name: str, most: float = 10.0) -> Json:
    """Return a submission of which nothing could be read: each check says why."""
    checks = [check(one, "failed", most / 2, message=UNREADABLE) for one in ("c1", "c2")]
    return submission(name, exercise("Head", *checks), status="unreadable", message=UNREADABLE)


def unclaimed(name: str) -> Json:
    """Return a submission of which not even the assignment is known, so it has no exercises."""
    return submission(name, status="unreadable", message=UNREADABLE, assignment=None)


def document(folder: Path, *submissions: Json, **more: Any) -> Path:
    """Write a document. Returns its path."""
    head = {"format": 1, "sandbox": "locked", "course": "0" * 8}
    path = folder / "grades.json"
    path.write_text(json.dumps({**head, "submissions": [*submissions], "complete": True, **more}))
    return path
