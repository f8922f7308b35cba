"""Jobs to grade: the files of one student's submission, as bytes."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from autograder import course


@dataclass(frozen=True)
class Fingerprint:
    """The identity of a submission without its files, so that a class of them takes little memory.

    content: as in Job. edition: of the course that grades it.
    """

    student: str
    assignment: str
    content: str
    edition: str

    @cached_property
    def digest(self) -> str:
        """SHA-256 (hexadecimal) of everything the grade depends on; the student is not part."""
        return hashlib.sha256(f"{self.edition} {self.content}".encode()).hexdigest()


@dataclass(frozen=True)
class Damaged:
    """A file that cannot be read. reason: why, for its student. sum: SHA-256 of its bytes."""

    reason: str
    sum: str


@dataclass(frozen=True)
class Job:
    """One submission of a student.

    files: by name, the module or notebook of the assignment, and the other files that it may
    import. refused: why nothing in it can be read, if that is known already. edition: the edition
    of the course that grades it; computing it is slow, so code that makes many jobs passes it in.
    damaged: by name, files of which only the reason is graded. folder: the one, with a slash, in
    which the files of the assignment's name lie. imports: by earlier assignment, the files that
    count for it; None if their names tell.
    """

    student: str
    assignment: str
    files: Mapping[str, bytes] = field(default_factory=dict)
    refused: str = ""
    edition: str = field(default_factory=lambda: course.edition())
    damaged: Mapping[str, Damaged] = field(default_factory=dict)
    folder: str = ""
    imports: Mapping[str, list[str]] | None = None

    @property
    def digest(self) -> str:
        """SHA-256 (hexadecimal) of everything the grade depends on; the student is not part."""
        return self.fingerprint.digest

    @cached_property
    def fingerprint(self) -> Fingerprint:
        return Fingerprint(self.student, self.assignment, self.content, self.edition)

    @cached_property
    def content(self) -> str:
        """SHA-256 (hexadecimal) of the submitted files only, without the course's edition."""
        digest = hashlib.sha256()
        for part in self._parts():
            digest.update(f"{len(part)} ".encode() + part)
        return digest.hexdigest()

    def _parts(self) -> Iterator[bytes]:
        yield from map(_bytes, (self.assignment, self.refused, self.folder))
        for name, data in sorted(self.files.items()):
            yield from (_bytes(name), data)
        for name, file in sorted(self.damaged.items()):
            yield from (_bytes(name), b"damaged", _bytes(file.sum))
        for assignment, names in sorted((self.imports or {}).items()):
            yield from (_bytes(assignment), b"imports", *map(_bytes, sorted(names)))


def _bytes(text: str) -> bytes:
    """Encode any text, also file names that contain lone surrogates."""
    return text.encode("utf-8", "surrogatepass")
