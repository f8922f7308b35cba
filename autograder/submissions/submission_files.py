"""Read one person's files, in a folder or in an archive, as submissions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from autograder.course import DEFINED, assignments, skeleton
from autograder.submissions import archives, work
from autograder.submissions.bindings import binds
from autograder.submissions.files import Unreadable
from autograder.submissions.folders import is_assignments_folder
from autograder.submissions.names import is_exactly
from autograder.submissions.origins import Origins
from autograder.submissions.own_modules import (
    PACKAGE,
    add_folders,
    add_own_modules,
    dotted,
    is_free,
    searched,
)
from autograder.submissions.person_files import PersonFiles, folder_of
from autograder.submissions.source_text import LIMITS, code_lines, form, stem
from autograder.submissions.submission import Submission
from autograder.submissions.written import add_written, answers, with_answer, written

if TYPE_CHECKING:
    from autograder.runtime.source import Code

NOT_YOURS = (
    "{} defines an exercise, so it may be another person's submission. If it is yours, pack it and "
    "the file that imports it into a .zip, and grade that"
)


class SubmissionFiles(PersonFiles):
    """The files of one person, which can be read as submissions with the modules they import."""

    @classmethod
    def unpacked(cls, archive: Path, within: bool = False) -> SubmissionFiles:
        """Return the files in an archive. Raises Unreadable.

        within: also those in archives that are beside other files in it.
        """
        return cls(archive, archives.contents(archive, _limit, within))

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
        return self.read_forms(student, [*by_form.values()], assignment)

    def read_forms(self, student: str, names: Sequence[str], assignment: str) -> Submission:
        """Read a module, a notebook or both as a submission, see `submission`."""
        first, *others = [self.read(student, name, assignment) for name in names]
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
        key = own if own in assignments() else assignment or _written_answer(code)
        key = key or (own if is_free(own) else "submission")
        label = f"{own}{form(path.name)}"
        texts = {key: with_answer(code if key == own else _labelled(code, label), key)}
        self._add_assignments(texts, name)
        self._add_own_modules(texts, name)
        return Submission(student, path, assignment, texts, "", origin, module=key)

    def own_modules(self, name: str) -> dict[str, str]:
        """Return the names of the student's own modules that a file imports. Raises Unreadable.

        The keys are their names relative to the folder of the file, or else to the top folder.
        """
        texts: dict[str, Code] = {stem(name): self.code(name)}
        self._add_own_modules(texts, name)
        found = texts.keys() - {stem(name), *assignments()}
        modules: dict[str, str] = {}
        for inside, one in self._beside(name):
            if dotted(one) in found:
                modules.setdefault(one, f"{inside}{one}")
        return modules

    def _add_assignments(self, texts: dict[str, Code], name: str) -> None:
        """Add the assignments that the texts mention, and those that these mention."""
        others = [other for other in assignments() if other not in texts]
        to_search = list(texts.values())
        while to_search:
            code = to_search.pop()
            for other, one in answers(code).items():
                if other in others:
                    texts[other] = [[f"{other}.py", one.text]]
                    others.remove(other)
                    to_search.append(texts[other])
            named = [other for other in others if _mentions(other, code)]
            others = [other for other in others if other not in named]
            for sibling in named:
                self._add(texts, name, sibling)
            to_search += [texts[other] for other in named if other in texts]

    def _add_own_modules(self, texts: dict[str, Code], near: str) -> None:
        """Add the student's own modules that are imported.

        They are in a file's folder, in the top one, or in one that is added to sys.path.
        """
        before = set(texts)
        add_written(texts)
        for folder in searched(texts.values(), folder_of(near), self.top, first=True):
            self._add_from(texts, folder)
        for folder in self._folders(near):
            self._add_from(texts, folder)
        add_written(texts, is_likeliest=False)
        for folder in searched(texts.values(), folder_of(near), self.top, first=False):
            self._add_from(texts, folder)
        add_folders(texts)
        if set(texts) - before:  # they may import assignments
            self._add_assignments(texts, near)

    def _add_from(self, texts: dict[str, Code], folder: str) -> None:
        """Add the own modules that are imported from a folder."""
        inside = f"{folder}/" if folder else ""
        here = [name.removeprefix(inside) for name in self._all(folder)]
        add_own_modules(texts, here, partial(self._module, inside))

    def could_be_graded(self, name: str) -> bool:
        """Return whether a file is named after an assignment or defines an exercise.

        One that cannot be read might.
        """
        if any(is_exactly(name.rpartition("/")[2], one) for one in assignments()):
            return True
        if self._is_empty_package(name):
            return False
        return not self.is_readable(name) or self.defines_exercise(name)

    def _is_empty_package(self, name: str) -> bool:
        """Return whether a file only makes a package of its folder."""
        try:
            return name.rpartition("/")[2] == PACKAGE and not self.data(name).strip()
        except Unreadable:
            return False

    def defines_exercise(self, name: str) -> bool:
        """Return whether a file defines an exercise of any assignment; False if unreadable."""
        return self.binds(name, _exercises())

    def binds(self, name: str, exercises: frozenset[str]) -> bool:
        """Return whether a file, or a module that it writes, binds one of these names.

        False if it cannot be read.
        """
        try:
            code = self.code(name)
        except Unreadable:
            return False
        text = code if isinstance(code, str) else "\n".join(text for _, text in code)
        return any(binds(one, exercises) for one in (text, *(w.text for w in written(code))))

    def holds_work(self, name: str, assignment: str) -> bool:
        """Return whether a file, or a module that it writes, holds work on an assignment.

        False if it cannot be read.
        """
        try:
            code = self.code(name)
        except Unreadable:
            return False
        texts = [one.text for one in written(code)]
        return any(work.is_in(code_lines(one), assignment) for one in (code, *texts))

    def _module(self, inside: str, name: str) -> list[list[str]]:
        """Return the code of an own module; if it cannot be imported, code that raises why."""
        try:
            text = self.source(inside + name)
        except Unreadable as problem:
            return [[name, f"raise ImportError({str(problem)!r})"]]
        if self._may_be_anothers(inside + name):
            text = f"raise ImportError({NOT_YOURS.format(name)!r})"
        return [[name, text]]

    def _may_be_anothers(self, name: str) -> bool:
        """Return whether a file may be another person's submission, which nobody may import."""
        is_shared = not self.own and not is_assignments_folder(self.place)
        return is_shared and self.could_be_graded(name)

    def _add(self, texts: dict[str, Code], near: str, sibling: str) -> None:
        """Add another assignment's edited form, the one that has more of its exercises.

        If both have as many, it is preferably of the kind that `near` is. A file that cannot be
        read counts as not handed in; its own grade says why.
        """
        there = self.forms(sibling, near)
        edited = (self.edited_of(there, sibling) if len(there) > 1 else there) or there
        readable = [*filter(self.is_readable, edited)]
        if len(readable) > 1:
            origins = Origins(self, sibling)
            readable.sort(key=lambda one: (-len(origins.of(one)), form(one) != form(near)))
        for name in readable[:1]:
            code, label = self.code(name), name.rpartition("/")[2]
            own = code if stem(label) == sibling else _labelled(code, label)
            texts[sibling] = with_answer(own, sibling)

    def is_readable(self, name: str) -> bool:
        """Return whether the code in a file can be read."""
        try:
            self.code(name)
        except Unreadable:
            return False
        return True


@cache
def _exercises() -> frozenset[str]:
    """Return the names that the skeletons define."""
    return frozenset(name for one in assignments() for name in DEFINED.findall(skeleton(one)))


def _limit(name: str) -> int:
    """Return the most bytes that an archived file of this name may have; 0 to ignore it."""
    return LIMITS.get(form(name), 0)


def _written_answer(code: Code) -> str:
    """Return the last assignment whose module a notebook writes, or ""."""
    found = answers(code)
    return next((one for one in reversed(assignments()) if one in found), "")


def _labelled(code: Code, label: str) -> Code:
    """Return code with its file's name; the cells of a notebook already have labels."""
    return [[label, code]] if isinstance(code, str) else code


def _mentions(name: str, code: Code) -> bool:
    """Return whether code contains an assignment's name, without which it cannot import it."""
    return name in code if isinstance(code, str) else any(name in text for _, text in code)
