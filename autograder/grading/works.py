"""What one person has handed in: the files of a folder, or of an archive."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from autograder.course import assignments, skeleton
from autograder.grading.source_text import FORMS, LIMITS, decode, essence, read_source
from autograder.ingest import archives, ids
from autograder.ingest.files import Unreadable

if TYPE_CHECKING:
    from autograder.child.source import Code


@dataclass(frozen=True)
class Submission:
    """A module or notebook that was handed in, and the modules beside it that it may import.

    name: the student's id, or else what can be shown. assignment is None while nothing says which
    one it is. work: where it was found; what was found there belongs to one person. problem: why
    it cannot be read.
    """

    name: str
    path: Path
    assignment: str | None
    texts: Mapping[str, Code] = field(default_factory=dict)
    problem: str = ""
    work: Path | None = None

    @property
    def stem(self) -> str:
        return self.path.stem


class Work:
    """The modules and notebooks of one person, at a place on disk.

    packed: what is in them where the place is an archive.
    """

    def __init__(self, place: Path, packed: Mapping[str, bytes] | None = None) -> None:
        self.place = place
        self._packed = packed

    @classmethod
    def unpacked(cls, archive: Path) -> Work:
        """That in an archive. Raises Unreadable."""
        wanted = {f"{n}{form}": most for n in assignments() for form, most in LIMITS.items()}
        return cls(archive, archives.unpacked(archive, wanted))

    def has(self, name: str) -> bool:
        """Is there a file of this name, or whatever else bears it?"""
        return os.path.lexists(self.place / name) if self._packed is None else name in self._packed

    def code(self, name: str) -> Code:
        """The code in one of its files. Raises Unreadable."""
        path = self.place / name
        return read_source(path) if self._packed is None else decode(self._packed[name], path)

    def forms(self, assignment: str) -> list[str]:
        """The names of the module and the notebook of an assignment, as far as they are there."""
        return [name for form in FORMS if self.has(name := f"{assignment}{form}")]

    def begun(self, assignment: str) -> list[str]:
        """Those of the forms in which there is other code than in what students are given.

        In what cannot be read there may be.
        """
        return [name for name in self.forms(assignment) if self._is_begun(name, assignment)]

    def _is_begun(self, name: str, assignment: str) -> bool:
        try:
            return essence(self.code(name)) != essence(skeleton(assignment))
        except Unreadable:
            return True

    def submission(self, of: str, assignment: str) -> Submission:
        """Of module and notebook the one in which work was begun; both is a problem.

        of: whose it is. One of them is there.
        """
        there = self.forms(assignment)
        begun = self.begun(assignment) if len(there) > 1 else there
        if len(begun) > 1:
            text = (
                f"Both {self.place / begun[0]} and {begun[1]} were begun, and only one can count. "
                f"Grade one of them (make grade SUBMISSION={self.place / begun[0]}), and move the "
                "other out of the folder."
            )
            return Submission(of, self.place / there[0], assignment, {}, text, self.place)
        return self.read(of, (begun or there)[0], assignment)

    def read(
        self, of: str, name: str, assignment: str | None, work: Path | None = None
    ) -> Submission:
        """One of its files, with those of the other assignments from which it may import.

        work: that file, where what else is there may be other people's.
        """
        path, work = self.place / name, work or self.place
        try:
            texts = {path.stem: self.code(name)}
        except Unreadable as problem:
            return Submission(of, path, assignment, {}, str(problem), work)
        others = [other for other in assignments() if other != path.stem]
        speaking = [path.stem]
        while speaking:
            code = texts[speaking.pop()]
            named = [other for other in others if _speaks_of(other, code)]
            others = [other for other in others if other not in named]
            for sibling in named:
                self._add(texts, path.suffix, sibling)
            speaking += [other for other in named if other in texts]
        return Submission(of, path, assignment, texts, "", work)

    def _add(self, texts: dict[str, Code], suffix: str, sibling: str) -> None:
        """Add a module, or the notebook if work was begun in that one only.

        Of one that cannot be read its own grade says so; here it counts as not handed in.
        """
        there = self.forms(sibling)
        begun = self.begun(sibling) if len(there) > 1 else there
        for name in sorted(begun or there, key=_same_form_first(suffix))[:1]:
            try:
                texts[sibling] = self.code(name)
            except Unreadable:
                return


def _speaks_of(name: str, code: Code) -> bool:
    """Does code speak of an assignment? Only then can it import it."""
    return name in code if isinstance(code, str) else any(name in text for _, text in code)


def _same_form_first(suffix: str) -> Callable[[str], bool]:
    return lambda name: not name.endswith(suffix)


def owner(path: Path) -> str:
    """Whose a file or a folder is, as far as its name says: one named after an assignment, the
    owner of the folder it is in."""
    path = path.absolute()
    stem = archives.stem(path.name) if archives.is_archive(path.name) else path.stem
    return ids.shown(path.parent.name if stem in assignments() else stem)
