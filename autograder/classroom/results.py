"""Results of jobs, and the folder that stores them."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from autograder.sandbox import Limits

NEEDS_STAFF = "needs_staff"


@dataclass(frozen=True)
class CheckPart:
    """One check's outcome, see CheckGrade in grading.grade."""

    name: str
    title: str
    outcome: str
    points: float
    max_points: float
    visible: bool


@dataclass(frozen=True)
class Part:
    """One exercise's outcome. html, text: its feedback, as the output of a notebook cell."""

    name: str
    outcome: str
    points: float
    max_points: float
    html: str
    text: str
    checks: tuple[CheckPart, ...]


@dataclass(frozen=True)
class GradingSettings:
    """Settings of a run of grading; a job whose result has other settings is graded again.

    sandbox: 'locked' or 'unlocked'. seconds: CPU time for one question. hints: how many hints are
    shown. budget: seconds for all questions to one submission.
    """

    sandbox: str
    seconds: float
    hints: int
    budget: float = Limits.budget


@dataclass(frozen=True)
class Result:
    """The grade and the feedback of a job. Nothing in it names the student.

    status, message: as in grading.grade.Grade. html, text: a note on the whole submission.
    """

    digest: str
    edition: str
    assignment: str
    status: str
    message: str
    settings: GradingSettings
    exercises: tuple[Part, ...] = ()
    html: str = ""
    text: str = ""

    @property
    def sandbox(self) -> str:
        return self.settings.sandbox

    @property
    def points(self) -> float:
        return sum(part.points for part in self.exercises)

    @property
    def max_points(self) -> float:
        return sum(part.max_points for part in self.exercises)


class Results:
    """A folder with one file per result, named after the digest of its job.

    Several processes may use it at the same time.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def get(self, digest: str) -> Result | None:
        """Return the result of a job; None if there is none or its file is damaged."""
        try:
            stored = json.loads(self._path(digest).read_bytes())
            fields = stored["result"]
            if stored["sum"] != _checksum(fields) or fields["digest"] != digest:
                return None
            return _result(fields)
        except (OSError, ValueError, LookupError, TypeError):
            return None

    def put(self, result: Result) -> None:
        """Store a result atomically, unless it needs staff. Raises OSError."""
        if result.status == NEEDS_STAFF:
            return
        fields = asdict(result)
        text = json.dumps({"sum": _checksum(fields), "result": fields})
        self.folder.mkdir(parents=True, exist_ok=True)
        handle, unfinished = tempfile.mkstemp(dir=self.folder, prefix=".", suffix=".part")
        try:
            with open(handle, "w", encoding="ascii") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            os.replace(unfinished, self._path(result.digest))
        except BaseException:
            os.unlink(unfinished)
            raise

    def _path(self, digest: str) -> Path:
        return self.folder / f"{digest}.json"


def _checksum(fields: dict[str, Any]) -> str:
    """Return the checksum that tells whether a file is still as it was written."""
    return hashlib.sha256(json.dumps(fields, sort_keys=True).encode()).hexdigest()


def _result(fields: dict[str, Any]) -> Result:
    parts = tuple(
        Part(**{**part, "checks": tuple(CheckPart(**check) for check in part["checks"])})
        for part in fields["exercises"]
    )
    settings = GradingSettings(**fields["settings"])
    return Result(**{**fields, "settings": settings, "exercises": parts})
