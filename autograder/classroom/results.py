"""Results of nbgrader's jobs, and the folder that stores them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from autograder.classroom.stored import Stored
from autograder.grading.grade import Grade
from autograder.sandbox import Limits

NEEDS_STAFF = "needs_staff"


@dataclass(frozen=True)
class GradingSettings:
    """Settings of a run of grading; a job whose result has other settings is graded again.

    locked: True for a locked sandbox. seconds: CPU time for one question. hints: how many hints are
    shown. budget: seconds for all questions to one submission.
    """

    locked: bool
    seconds: float
    hints: int
    budget: float = Limits.budget


@dataclass(frozen=True)
class Feedback:
    """The text that a student reads, as the output of a notebook cell."""

    html: str
    text: str


@dataclass(frozen=True)
class Result:
    """The grade and the feedback of a job. Nothing in it names the student.

    grade: without the submission's name and path, and without examples, which the feedback shows.
    feedback: by exercise. note: on the whole submission. document: its part of a JSON document, see
    classroom.document; "" if it needs staff.
    """

    digest: str
    edition: str
    settings: GradingSettings
    grade: Grade
    feedback: Mapping[str, Feedback]
    note: Feedback
    document: str = ""


class Results:
    """A folder with one file per result, named after the digest of its job."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._stored = Stored(folder, Result)

    def get(self, digest: str) -> Result | None:
        """Return the result of a job; None if there is none, or its file is damaged or outdated."""
        result = self._stored.get(digest)
        return result if result and result.digest == digest else None

    def put(self, result: Result) -> None:
        """Store a result atomically, unless it needs staff. Raises OSError."""
        if result.grade.status != NEEDS_STAFF:
            self._stored.put(result.digest, result)
