"""What one person has handed in: the files of a folder, or of an archive."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from autograder.course import assignments, skeleton
from autograder.submissions import archives, ids
from autograder.submissions.files import Unreadable
from autograder.submissions.folders import listed
from autograder.submissions.names import is_about, is_exactly, nearest
from autograder.submissions.own_modules import add_own_modules, dotted, is_free
from autograder.submissions.source_text import (
    FORMS,
    LIMITS,
    decode,
    decode_source,
    essence,
    form,
    read_data,
    stem,
)

if TYPE_CHECKING:
    from autograder.runtime.source import Code


DEEP = 4  # folders in which a person's files are looked for


@dataclass(frozen=True)
class Submission:
    """A module or notebook that was handed in, and the modules beside it that it may import.

    name: the student's id, or else what can be shown. assignment is None while nothing says which
    one it is. work: where it was found; what was found there belongs to one person. problem: why
    it cannot be read. other: the notebook beside the module, where work was begun in both.
    """

    name: str
    path: Path
    assignment: str | None
    texts: Mapping[str, Code] = field(default_factory=dict)
    problem: str = ""
    work: Path | None = None
    other: Submission | None = None

    @property
    def stem(self) -> str:
        """The name under which it is imported: the assignment's, where its own is another."""
        own = stem(self.path.name)
        return own if own in self.texts or not self.texts else next(iter(self.texts))


class SubmissionFiles:
    """The files of one person, at a place on disk.

    files: those that count, by their names there, as bytes or where they are; by default those of
    the folder itself. own: surely nobody else's, so that files of nearly the right name are meant,
    and those in folders are looked at.
    """

    def __init__(
        self, place: Path, files: Mapping[str, bytes | Path] | None = None, own: bool = False
    ) -> None:
        self.place = place
        self._own = own or files is not None
        self._files = listed(place, DEEP if own else 1) if files is None else files
        self._read: dict[str, Code] = {}

    @classmethod
    def unpacked(cls, archive: Path) -> SubmissionFiles:
        """The files in an archive. Raises Unreadable."""
        return cls(archive, archives.contents(archive, _limit))

    def names(self, holds: Callable[[str], bool] = lambda name: bool(form(name))) -> list[str]:
        """The names of its modules and notebooks, or of other files."""
        return [name for name in self._files if holds(name)]

    def has(self, name: str) -> bool:
        """Is there a file of this name, or whatever else bears it?"""
        return name in self._files

    def code(self, name: str) -> Code:
        """The code in one of its files. Raises Unreadable."""
        if name not in self._read:
            self._read[name] = decode(self.data(name), self.place / name)
        return self._read[name]

    def data(self, name: str) -> bytes:
        """The bytes of one of its files. Raises Unreadable."""
        found = self._files.get(name, self.place / name)
        return read_data(found) if isinstance(found, Path) else found

    def forms(self, assignment: str, near: str = "") -> list[str]:
        """The names of the module and the notebook of an assignment, as far as they are there.

        near: one of its files, in whose folder they are looked for first.
        """
        for is_meant in (is_exactly, is_about) if self._own else (is_exactly,):
            found = [name for name in self._files if is_meant(name.rpartition("/")[2], assignment)]
            beside = [name for name in found if _folder(name) == _folder(near)] if near else []
            if found:
                return sorted(beside or nearest(found, assignment), key=_order(assignment))
        return []

    def begun(self, assignment: str) -> list[str]:
        """Those of the forms in which there is other code than in what students are given.

        In what cannot be read there may be. The same code in two of them is there once.
        """
        return self._begun_of(self.forms(assignment), assignment)

    def _begun_of(self, names: list[str], assignment: str) -> list[str]:
        found: dict[str, list[str]] = {}
        for name in names:
            try:
                lines = essence(self.code(name))
            except Unreadable as problem:
                lines = [str(problem)]
            if lines != essence(skeleton(assignment)) and lines not in found.values():
                found[name] = lines
        return [*found]

    def submission(self, of: str, assignment: str) -> Submission:
        """Of module and notebook the one in which work was begun, with the other where it is both.

        of: whose it is. One of them is there.
        """
        there = self.forms(assignment)
        begun = (self.begun(assignment) if len(there) > 1 else there) or there[:1]
        by_form = {form(name): name for name in begun}
        if len(by_form) < len(begun):
            text = (
                f"{self.place} holds several files of {assignment} ({', '.join(begun[:3])}). Keep "
                "the one that counts."
            )
            return Submission(of, self.place / begun[0], assignment, {}, text, self.place)
        first, *others = [self.read(of, name, assignment) for name in by_form.values()]
        return replace(first, other=others[0]) if others else first

    def read(
        self, of: str, name: str, assignment: str | None, work: Path | None = None
    ) -> Submission:
        """One of its files, with those of the other assignments from which it may import.

        work: that file, where what else is there may be other people's.
        """
        path, work = self.place / name, work or self.place
        try:
            code = self.code(name)
        except Unreadable as problem:
            return Submission(of, path, assignment, {}, str(problem), work)
        own = stem(path.name)
        key = own if own in assignments() else assignment or (own if is_free(own) else "submission")
        label = f"{own}{form(path.name)}"
        texts = {key: code if key == own else _labelled(code, label)}
        self._add_assignments(texts, name)
        if self._own or own in assignments():
            self._add_own_modules(texts, name)
        return Submission(of, path, assignment, texts, "", work)

    def own_modules(self, name: str) -> dict[str, str]:
        """The own modules that one of its files imports, by their names beside it.

        Raises Unreadable.
        """
        texts: dict[str, Code] = {stem(name): self.code(name)}
        self._add_own_modules(texts, name)
        found = texts.keys() - {stem(name), *assignments()}
        modules: dict[str, str] = {}
        for folder in dict.fromkeys([_folder(name), ""]):
            inside = f"{folder}/" if folder else ""
            for one in self._all(folder):
                if dotted(one.removeprefix(inside)) in found:
                    modules.setdefault(one.removeprefix(inside), one)
        return modules

    def _add_assignments(self, texts: dict[str, Code], name: str) -> None:
        """Add those of which a text speaks, and of which these speak in their turn."""
        others = [other for other in assignments() if other not in texts]
        speaking = list(texts.values())
        while speaking:
            code = speaking.pop()
            named = [other for other in others if _speaks_of(other, code)]
            others = [other for other in others if other not in named]
            for sibling in named:
                self._add(texts, name, sibling)
            speaking += [texts[other] for other in named if other in texts]

    def _add_own_modules(self, texts: dict[str, Code], near: str) -> None:
        """Add the person's own modules that lie beside a file, or at the top, and are imported."""
        before = set(texts)
        for folder in dict.fromkeys([_folder(near), ""]):
            inside = f"{folder}/" if folder else ""
            here = [name.removeprefix(inside) for name in self._all(folder)]
            add_own_modules(texts, here, partial(self._module, inside))
        if set(texts) - before:  # they may import assignments
            self._add_assignments(texts, near)

    def _all(self, folder: str) -> list[str]:
        """The names of the files in a folder of it and in the folders there."""
        if not self._own:
            return [*listed(self.place, DEEP)] if not folder else []
        return [name for name in self._files if name.startswith(f"{folder}/" if folder else "")]

    def _module(self, inside: str, name: str) -> Code:
        """The code of an own module in a folder; where it cannot be read, code that says so."""
        try:
            text = decode_source(self.data(inside + name), self.place / inside / name)
        except Unreadable as problem:
            text = f"raise ImportError({str(problem)!r})"
        return [[name, text]]

    def _add(self, texts: dict[str, Code], near: str, sibling: str) -> None:
        """Add a module, or the notebook if work was begun in that one only.

        Of one that cannot be read its own grade says so; here it counts as not handed in.
        """
        there = self.forms(sibling, near)
        begun = self._begun_of(there, sibling) if len(there) > 1 else there
        for name in sorted(begun or there, key=_same_form_first(form(near)))[:1]:
            try:
                code = self.code(name)
            except Unreadable:
                return
            label = name.rpartition("/")[2]
            texts[sibling] = code if stem(label) == sibling else _labelled(code, label)


def _labelled(code: Code, label: str) -> Code:
    """Code with the name of the file that it is in; a notebook's cells have theirs."""
    return [[label, code]] if isinstance(code, str) else code


def _limit(name: str) -> int:
    """Return the most bytes that an archived file of this name may have; 0 to ignore it."""
    return LIMITS.get(form(name), 0)


def _folder(name: str) -> str:
    return name.rpartition("/")[0]


def _order(assignment: str) -> Callable[[str], tuple[bool, int, str]]:
    """The module first, and the plainest name."""
    return lambda name: (
        stem(name.rpartition("/")[2]) != assignment,
        FORMS.index(form(name)),
        name,
    )


def _speaks_of(name: str, code: Code) -> bool:
    """Does code speak of an assignment? Only then can it import it."""
    return name in code if isinstance(code, str) else any(name in text for _, text in code)


def _same_form_first(suffix: str) -> Callable[[str], bool]:
    return lambda name: form(name) != suffix


def owner(path: Path) -> str:
    """Whose a file or a folder is, as far as its name says: one named after an assignment, the
    owner of the folder it is in."""
    path = path.absolute()
    own = archives.stem(path.name) if archives.is_archive(path.name) else stem(path.name)
    return ids.shown(path.parent.name if own in assignments() else own)
