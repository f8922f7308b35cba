"""What is graded: the files of one student's submission, as bytes; no machine and no folder."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from autograder import course


@dataclass(frozen=True)
class Job:
    """One submission of a student.

    files: by name, the module or notebook of the assignment and those of others that it may
    import. refused: why none of it can be read, if that was found out before. edition: of the
    course, by which it is graded; whoever makes many jobs asks for it once.
    """

    student: str
    assignment: str
    files: Mapping[str, bytes] = field(default_factory=dict)
    refused: str = ""
    edition: str = field(default_factory=lambda: course.edition())

    @cached_property
    def digest(self) -> str:
        """SHA-256, in hexadecimal digits, of all on which its grade depends; not of the student."""
        return hashlib.sha256(f"{self.edition} {self.content}".encode()).hexdigest()

    @cached_property
    def content(self) -> str:
        """The same of what was handed in alone, whatever the course does with it."""
        digest = hashlib.sha256()
        for part in self._parts():
            digest.update(f"{len(part)} ".encode() + part)
        return digest.hexdigest()

    def _parts(self) -> Iterator[bytes]:
        yield from map(_bytes, (self.assignment, self.refused))
        for name, data in sorted(self.files.items()):
            yield from (_bytes(name), data)


def _bytes(text: str) -> bytes:
    """Of any text: names of files may have in them what is no character."""
    return text.encode("utf-8", "surrogatepass")
