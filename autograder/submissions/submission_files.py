"""Read one person's files, in a folder or in an archive, as submissions."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from autograder.course import DEFINED, assignments, skeleton
from autograder.submissions import archives, ids
from autograder.submissions.files import Unreadable
from autograder.submissions.folders import DEPTH, is_assignments_folder, listed
from autograder.submissions.names import is_about, is_exactly, shallowest
from autograder.submissions.own_modules import add_own_modules, dotted, is_free
from autograder.submissions.source_text import (
    FORMS,
    LIMITS,
    code_lines,
    decode,
    decode_source,
    form,
    read_data,
    stem,
)

if TYPE_CHECKING:
    from autograder.runtime.source import Code


NOT_YOURS = (
    "{} defines an exercise, so it may be another person's submission. If it is yours, pack it and "
    "the file that imports it into a .zip, and grade that"
)
MOST_FORMS = 20  # files of one assignment that are compared with the skeleton
MAX_CODE = 2_000_000  # characters of all the code of one person that is read
MAX_DATA = 500_000_000  # bytes of all files of one person that are read, some of them twice


@dataclass(frozen=True)
class Submission:
    """A module or notebook that was handed in, and the modules next to it that it may import.

    name: the student's id, or else text that is safe to show. assignment: None until it is known.
    origin: the path where it was found; all submissions from one origin belong to one person.
    problem: why it cannot be read. other: the second form, if both module and notebook were edited.
    """

    name: str
    path: Path
    assignment: str | None
    texts: Mapping[str, Code] = field(default_factory=dict)
    problem: str = ""
    origin: Path | None = None
    other: Submission | None = None

    @property
    def stem(self) -> str:
        """The module name under which it is imported: its own, or else the assignment's."""
        own = stem(self.path.name)
        return own if own in self.texts or not self.texts else next(iter(self.texts))


class SubmissionFiles:
    """The files of one person, in a folder or an archive.

    files: the contents or paths of the files by their names; by default those in the folder. own:
    True if nobody else's files can be there, so that files with nearly the right name count, and
    files in subfolders.
    """

    def __init__(
        self, place: Path, files: Mapping[str, bytes | Path] | None = None, own: bool = False
    ) -> None:
        self.place = place
        self.own = own or files is not None
        self._files = listed(place, DEPTH if own else 1) if files is None else files
        self._read: dict[str, Code | Unreadable] = {}
        self._sources: dict[str, str] = {}
        self._remaining = {"code": MAX_CODE, "data": MAX_DATA}

    @classmethod
    def unpacked(cls, archive: Path) -> SubmissionFiles:
        """Return the files in an archive. Raises Unreadable."""
        return cls(archive, archives.contents(archive, _limit))

    def replace(self, name: str, code: Code) -> None:
        """Take this code for the content of a file, which need not exist."""
        self._read[name] = code

    def names(self, holds: Callable[[str], bool] = lambda name: bool(form(name))) -> list[str]:
        """Return the names of the modules and notebooks, or of the files that `holds` accepts."""
        return [name for name in self._files if holds(name)]

    def code(self, name: str) -> Code:
        """Return the code in a file. Raises Unreadable."""
        if name not in self._read:
            try:
                self._read[name] = self._decoded(name)
            except Unreadable as problem:
                self._read[name] = Unreadable(str(problem))  # without frames, which hold the file
        found = self._read[name]
        if isinstance(found, Unreadable):
            raise found
        return found

    def _decoded(self, name: str) -> Code:
        self._spend("code", 0)
        code = decode(self.data(name), self.place / name)
        self._spend("code", len(code) if isinstance(code, str) else _length(code))
        return code

    def data(self, name: str) -> bytes:
        """Return the bytes of a file. Raises Unreadable."""
        found = self._files.get(name, self.place / name)
        data = read_data(found) if isinstance(found, Path) else found
        self._spend("data", len(data))
        return data

    def _spend(self, kind: str, size: int) -> None:
        """Count what was read. Raises Unreadable if one person's files have too much in them."""
        self._remaining[kind] -= size
        if self._remaining[kind] < 0:
            raise Unreadable(f"{self.place} has too much {kind} in it. Keep only your own work.")

    def forms(self, assignment: str, near: str = "") -> list[str]:
        """Return the names of an assignment's module and notebook that are there.

        near: one of the files, whose folder is searched first.
        """
        for is_meant in (is_exactly, is_about) if self.own else (is_exactly,):
            found = [name for name in self._files if is_meant(name.rpartition("/")[2], assignment)]
            close = [name for name in found if _folder(name) == _folder(near)] if near else []
            if found:
                return sorted(close or shallowest(found, assignment), key=_order(assignment))
        return []

    def edited(self, assignment: str) -> list[str]:
        """Return the forms of an assignment whose code differs from the skeleton's.

        A file that cannot be read counts as edited. Of files with the same code, only one counts.
        """
        return self._edited_of(self.forms(assignment), assignment)

    def _edited_of(self, names: list[str], assignment: str) -> list[str]:
        if len(names) > MOST_FORMS:
            return names
        found: dict[str, list[str]] = {}
        for name in names:
            try:
                lines = code_lines(self.code(name))
            except Unreadable as problem:
                lines = [str(problem)]
            if lines != code_lines(skeleton(assignment)) and lines not in found.values():
                found[name] = lines
        return [*found]

    def submission(self, student: str, assignment: str) -> Submission:
        """Return the submission of an assignment, of which at least one form is there.

        Of module and notebook it is the edited one; if both were edited, it has the other one in
        `other`.
        """
        there = self.forms(assignment)
        edited = (self.edited(assignment) if len(there) > 1 else there) or there[:1]
        by_form = {form(name): name for name in edited}
        if len(by_form) < len(edited):
            text = (
                f"{self.place} holds several files of {assignment} ({', '.join(edited[:3])}). Keep "
                "the one that counts."
            )
            return Submission(student, self.place / edited[0], assignment, {}, text, self.place)
        first, *others = [self.read(student, name, assignment) for name in by_form.values()]
        return replace(first, other=others[0]) if others else first

    def read(
        self, student: str, name: str, assignment: str | None, origin: Path | None = None
    ) -> Submission:
        """Read a file as a submission, with the modules that it may import.

        origin: the file itself if the other files may be other people's.
        """
        path, origin = self.place / name, origin or self.place
        try:
            code = self.code(name)
        except Unreadable as problem:
            return Submission(student, path, assignment, {}, str(problem), origin)
        own = stem(path.name)
        key = own if own in assignments() else assignment or (own if is_free(own) else "submission")
        label = f"{own}{form(path.name)}"
        texts = {key: code if key == own else _labelled(code, label)}
        self._add_assignments(texts, name)
        self._add_own_modules(texts, name)
        return Submission(student, path, assignment, texts, "", origin)

    def own_modules(self, name: str) -> dict[str, str]:
        """Return the names of the student's own modules that a file imports. Raises Unreadable.

        The keys are their names relative to the folder of the file, or else to the top folder.
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
        """Add the assignments that the texts mention, and those that these mention."""
        others = [other for other in assignments() if other not in texts]
        to_search = list(texts.values())
        while to_search:
            code = to_search.pop()
            named = [other for other in others if _mentions(other, code)]
            others = [other for other in others if other not in named]
            for sibling in named:
                self._add(texts, name, sibling)
            to_search += [texts[other] for other in named if other in texts]

    def _add_own_modules(self, texts: dict[str, Code], near: str) -> None:
        """Add the student's own modules that are imported, from a file's folder or the top one."""
        before = set(texts)
        for folder in dict.fromkeys([_folder(near), ""]):
            inside = f"{folder}/" if folder else ""
            here = [name.removeprefix(inside) for name in self._all(folder)]
            add_own_modules(texts, here, partial(self._module, inside))
        if set(texts) - before:  # they may import assignments
            self._add_assignments(texts, near)

    def _all(self, folder: str) -> list[str]:
        """Return the names of the files in a folder and its subfolders; "" is the top folder."""
        if not self.own:
            return [*listed(self.place, DEPTH)] if not folder else []
        return [name for name in self._files if name.startswith(f"{folder}/" if folder else "")]

    def could_be_graded(self, name: str) -> bool:
        """Return whether a file is named after an assignment or defines an exercise.

        One that cannot be read might.
        """
        if any(is_exactly(name.rpartition("/")[2], one) for one in assignments()):
            return True
        try:
            code = self.code(name)
        except Unreadable:
            return True
        text = code if isinstance(code, str) else "\n".join(text for _, text in code)
        return bool(_exercise().search(text))

    def _module(self, inside: str, name: str) -> list[list[str]]:
        """Return the code of an own module; if it cannot be imported, code that raises why."""
        try:
            text = self._source(inside + name)
        except Unreadable as problem:
            return [[name, f"raise ImportError({str(problem)!r})"]]
        if self._may_be_anothers(inside + name):
            text = f"raise ImportError({NOT_YOURS.format(name)!r})"
        return [[name, text]]

    def _source(self, name: str) -> str:
        """Return the text of an own module, which is imported as it is. Raises Unreadable."""
        if name not in self._sources:
            self._spend("code", 0)
            text = decode_source(self.data(name), self.place / name)
            self._spend("code", len(text))
            self._sources[name] = text
        return self._sources[name]

    def _may_be_anothers(self, name: str) -> bool:
        """Return whether a file may be another person's submission, which nobody may import."""
        is_shared = not self.own and not is_assignments_folder(self.place)
        return is_shared and self.could_be_graded(name)

    def _add(self, texts: dict[str, Code], near: str, sibling: str) -> None:
        """Add another assignment's edited form, preferably of the kind that `near` is.

        A file that cannot be read counts as not handed in; its own grade says why.
        """
        there = self.forms(sibling, near)
        edited = self._edited_of(there, sibling) if len(there) > 1 else there
        for name in sorted(edited or there, key=_same_form_first(form(near)))[:1]:
            try:
                code = self.code(name)
            except Unreadable:
                return
            label = name.rpartition("/")[2]
            texts[sibling] = code if stem(label) == sibling else _labelled(code, label)


@cache
def _exercise() -> re.Pattern[str]:
    """Return a pattern for lines that define a name of any skeleton, also within a block."""
    names = {name for one in assignments() for name in DEFINED.findall(skeleton(one))}
    return re.compile(
        rf"^(?:[ \t]*(?:class|def|async def)[ \t]+)?(?:{'|'.join(sorted(names))})\b", re.MULTILINE
    )


def _length(cells: list[list[str]]) -> int:
    return sum(len(text) for _, text in cells)


def _labelled(code: Code, label: str) -> Code:
    """Return code with its file's name; the cells of a notebook already have labels."""
    return [[label, code]] if isinstance(code, str) else code


def _limit(name: str) -> int:
    """Return the most bytes that an archived file of this name may have; 0 to ignore it."""
    return LIMITS.get(form(name), 0)


def _folder(name: str) -> str:
    return name.rpartition("/")[0]


def _order(assignment: str) -> Callable[[str], tuple[bool, int, str]]:
    """Return a sort key: the exact name first, then modules before notebooks."""
    return lambda name: (
        stem(name.rpartition("/")[2]) != assignment,
        FORMS.index(form(name)),
        name,
    )


def _mentions(name: str, code: Code) -> bool:
    """Return whether code contains an assignment's name, without which it cannot import it."""
    return name in code if isinstance(code, str) else any(name in text for _, text in code)


def _same_form_first(suffix: str) -> Callable[[str], bool]:
    return lambda name: form(name) != suffix


def owner(path: Path) -> str:
    """Return the owner of a file or folder by its name.

    If it is named after an assignment, that is the name of the folder it is in.
    """
    path = path.absolute()
    own = archives.stem(path.name) if archives.is_archive(path.name) else stem(path.name)
    return ids.shown(path.parent.name if own in assignments() else own)
