"""Results of jobs, and the folder that stores them."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import msgspec

from autograder import parsing, whole_file
from autograder.grading.grade import Grade
from autograder.parsing import DamagedData
from autograder.sandbox import Limits

NEEDS_STAFF = "needs_staff"
MOST = 10_000_000  # bytes of one result: many times what the texts of reports may have


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
    feedback: by exercise. note: on the whole submission.
    """

    digest: str
    edition: str
    settings: GradingSettings
    grade: Grade
    feedback: Mapping[str, Feedback]
    note: Feedback


@dataclass(frozen=True)
class _File:
    """The content of a result's file. sum: SHA-256 (hexadecimal) of the result as written."""

    sum: str
    result: msgspec.Raw


class Results:
    """A folder with one file per result, named after the digest of its job.

    Several processes may use it at the same time.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def get(self, digest: str) -> Result | None:
        """Return the result of a job; None if there is none, or its file is damaged or outdated."""
        try:
            file = parsing.read(self._path(digest), MOST, _decode_file)
            if file.sum != _checksum(file.result):
                return None
            result = parsing.parsed(bytes(file.result), _decode_result)
        except DamagedData:
            return None
        return result if result.digest == digest else None

    def put(self, result: Result) -> None:
        """Store a result atomically, unless it needs staff. Raises OSError."""
        if result.grade.status == NEEDS_STAFF:
            return
        written = msgspec.Raw(msgspec.json.encode(result))
        data = msgspec.json.encode(_File(_checksum(written), written))
        self.folder.mkdir(parents=True, exist_ok=True)
        whole_file.write(self._path(result.digest), data)

    def _path(self, digest: str) -> Path:
        return self.folder / f"{digest}.json"


def _decode_file(data: bytes) -> _File:
    return msgspec.json.decode(data, type=_File)


def _decode_result(data: bytes) -> Result:
    return msgspec.json.decode(data, type=Result)


def _checksum(written: msgspec.Raw) -> str:
    """Return the checksum that tells whether a file is still as it was written."""
    return hashlib.sha256(written).hexdigest()
