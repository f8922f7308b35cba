"""Read a job's files as a submission."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from autograder.classroom.jobs import Job
from autograder.submissions.files import Unreadable
from autograder.submissions.source_text import FORMS
from autograder.submissions.submission_files import SubmissionFiles


class JobFiles(SubmissionFiles):
    """The files of a job. Damaged ones are among them; reading one raises the known reason."""

    def __init__(self, place: Path, job: Job) -> None:
        super().__init__(place, {**job.files, **dict.fromkeys(job.damaged, b"")})
        self._damaged = job.damaged
        self._job = job

    def forms(self, assignment: str, near: str = "") -> list[str]:
        if assignment != self._job.assignment:
            return super().forms(assignment, near)
        names = [f"{self._job.folder}{assignment}{form}" for form in FORMS]
        return self.names(lambda name: name in names)

    def places(self, assignment: str, near: str) -> Iterator[list[str]]:
        imports = self._job.imports
        if imports is None or assignment == self._job.assignment:
            return super().places(assignment, near)
        there = [name for name in imports.get(assignment, ()) if name in self._files]
        return iter([there] if there else [])

    def data(self, name: str) -> bytes:
        if name in self._damaged:
            raise Unreadable(self._damaged[name].reason)
        return super().data(name)
