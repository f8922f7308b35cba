"""Read one person's files, in a folder or in an archive, as submissions."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from autograder.course import assignments
from autograder.runtime.own_files import composed
from autograder.submissions import archives
from autograder.submissions.files import Unreadable
from autograder.submissions.folders import is_assignments_folder
from autograder.submissions.importable import Importable, words_of
from autograder.submissions.imports import imports
from autograder.submissions.origins import Origins
from autograder.submissions.own_modules import Limit, is_free
from autograder.submissions.person_files import MOST_PLACES, folder_of
from autograder.submissions.source_text import LIMITS, form, stem
from autograder.submissions.submission import Submission, refused
from autograder.submissions.work_files import WorkFiles
from autograder.submissions.written import add_written, answers, with_answer

if TYPE_CHECKING:
    from autograder.runtime.source import Code

NOT_YOURS = (
    "{} defines an exercise, so it may be another person's submission. If it is yours, pack it and "
    "the file that imports it into a .zip, and grade that"
)
BESIDE_NOT_YOURS = (
    "{} lies in a folder with what may be another person's submission. If it is yours, pack it and "
    "the file that imports it into a .zip, and grade that"
)


class SubmissionFiles(WorkFiles):
    """The files of one person, which can be read as submissions with the modules they import."""

    @classmethod
    def unpacked(cls, archive: Path) -> SubmissionFiles:
        """Return the files in an archive. Raises Unreadable."""
        return cls(archive, archives.contents(archive, archived_limit))

    def submission(self, student: str, assignment: str) -> Submission:
        """Return the submission of an assignment, of which at least one form is there."""
        there = self.forms(assignment)
        try:
            counted = self.counted(there, assignment)
        except Unreadable as problem:
            path = self.whereabouts(there[0])
            return refused(student, path, assignment, problem, self.place)
        return self.read_forms(student, counted, assignment)

    def counted(self, names: Sequence[str], assignment: str) -> list[str]:
        """Return those of an assignment's forms that are graded: one, or a module and a notebook.

        They are the edited ones; if none was edited, the first one. Raises Unreadable if two of a
        kind were edited.
        """
        edited = self.edited_of([*names], assignment) if len(names) > 1 else [*names]
        if len({*map(form, edited)}) < len(edited):
            raise Unreadable(
                f"{self.place} holds several files of {assignment} ({', '.join(edited[:3])}). Keep "
                "the one that counts."
            )
        return edited or [*names[:1]]

    def read_forms(self, student: str, names: Sequence[str], assignment: str) -> Submission:
        """Read the files that count, see `counted`, as a submission; the second is in `other`."""
        first, *others = [self.read(student, name, assignment) for name in names]
        return replace(first, other=others[0]) if others else first

    def read(
        self, student: str, name: str, assignment: str | None, origin: Path | None = None
    ) -> Submission:
        """Read a file as a submission, with the modules that it may import.

        origin: the file itself if the other files may be other people's.
        """
        found = self._read_once(student, name, assignment, origin)
        instead = {}
        for earlier, other in self._other_forms(found.homes, name).items():
            self._instead = {earlier: other}
            instead[earlier] = self._read_once(student, name, assignment, origin)
        self._instead = {}
        return replace(found, instead=instead)

    def _other_forms(self, homes: Mapping[str, str], name: str) -> dict[str, str]:
        """Return the form that an import of an assignment does not mean, where both hold work."""
        forms = {one: self._importable(one, name) for one, home in homes.items() if home != name}
        return {one: there[1] for one, there in forms.items() if len(there) > 1}

    def _read_once(
        self, student: str, name: str, assignment: str | None, origin: Path | None
    ) -> Submission:
        path, origin = self.whereabouts(name), origin or self.place
        try:
            code = self.code(name)
        except Unreadable as problem:
            return refused(student, path, assignment, problem, origin)
        known = name.rpartition("/")[2]
        own = composed(stem(known))
        key = own if own in assignments() else assignment or _written_answer(code)
        key = key or (own if is_free(own) else "submission")
        label = f"{own}{form(known)}"
        texts = {key: with_answer(code if key == own else _labelled(code, label), key)}
        homes = self._add_imported(texts, key, name)
        folders = [*self._folders(name), *map(folder_of, homes.values())]
        return Submission(
            student, path, assignment, texts, "", origin,
            module=key, homes=homes, folders=tuple(dict.fromkeys(folders)),
        )  # fmt: skip

    def own_modules(self, name: str) -> list[str]:
        """Return the student's own modules that a file may import. Raises Unreadable."""
        return self.imported(name)[1]

    def imported(self, name: str) -> tuple[dict[str, list[str]], list[str]]:
        """Return all files that a file may import. Raises Unreadable.

        Those of other assignments are by these; the others are the student's own modules.
        """
        texts: dict[str, Code] = {stem(name): self.code(name)}
        homes = self._add_imported(texts, stem(name), name)
        found = {key: [home] for key, home in homes.items() if home != name}
        for earlier, other in self._other_forms(homes, name).items():
            found[earlier].append(other)
        own = [one for one in self._all() if one in texts]
        return found, own

    def _add_imported(self, texts: dict[str, Code], key: str, near: str) -> dict[str, str]:
        """Add the assignments and the student's own modules that the texts import.

        Own modules are added by their places. near: the place of the text of this key. Returns the
        places of all texts that are assignments.
        """
        homes, count = {key: near}, 0
        for module in self._of_its_name(near):
            texts[module] = self._module(module, folder_of(near))
        while count < len(texts):  # what was added may import more
            count = len(texts)
            self._add_assignments(texts, homes, near)
            add_written(texts, homes)
            self._add_own_modules(texts, homes, folder_of(near))
        return homes

    def _of_its_name(self, name: str) -> list[str]:
        """Return the modules of a notebook's name, in any folder, if it imports one of them."""
        known = composed(stem(name)).rpartition("/")[2]
        if form(name) != ".ipynb" or known not in imports(self.code(name)):
            return []
        there = [one for one in self._all() if composed(one).rpartition("/")[2] == f"{known}.py"]
        return (
            self.edited_of(there, known)
            if known in assignments()
            else [*filter(self.is_readable, there)]
        )

    def _add_assignments(self, texts: dict[str, Code], homes: dict[str, str], near: str) -> None:
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
                self._add(texts, homes, near, sibling)
            to_search += [texts[other] for other in named if other in texts]

    def _add_own_modules(
        self, texts: dict[str, Code], homes: Mapping[str, str], folder: str
    ) -> None:
        """Add the own modules that the texts, or what is added, may import.

        Those in named folders come last, so that they crowd out none that is named itself. folder:
        the one from which modules are named in messages.
        """
        there = {*self._all()} - {*homes.values()}
        if not there:
            return  # at once, since a class has thousands of files alone
        importable = Importable(there)
        limit = Limit(texts[name] for name in texts if name not in homes)
        words = {word for code in texts.values() for word in words_of(code)}

        def add(names: list[str], most: int | None = None) -> None:
            for name in [one for one in names if one not in texts][:most]:
                texts[name] = limit.within(name, partial(self._module, name, folder))
                words.update(words_of(texts[name]))

        count = 0
        while count < len(words):
            count = len(words)
            add(importable.named(words) + importable.notebooks(words))
        others = [] if self._is_shared else importable.by_any_name(words, folder)
        add(importable.in_named_folders(words) + others, limit.remaining)

    def _module(self, name: str, folder: str) -> list[list[str]]:
        """Return the code of an own module; if it cannot be imported, code that raises why."""
        short = name.removeprefix(f"{folder}/").removeprefix(f"{self.top}/")
        label = name if short in self._files else short
        try:
            code = self._own_code(name, label)
        except Unreadable as problem:
            said = str(problem).replace(str(self.whereabouts(name)), label)
            return [[label, f"raise ImportError({said!r})"]]
        if self._may_be_anothers(name):
            return [[label, f"raise ImportError({NOT_YOURS.format(label)!r})"]]
        if self._lies_with_anothers(name):
            return [[label, f"raise ImportError({BESIDE_NOT_YOURS.format(label)!r})"]]
        return code

    def _own_code(self, name: str, label: str) -> list[list[str]]:
        """Return the text of an own module, or the cells of an own notebook. Raises Unreadable."""
        is_text = form(name) == ".py" and name not in self._replaced
        code = self.source(name) if is_text else self.code(name)
        if isinstance(code, str):
            return [[label, code]]
        if name in self._replaced:
            return code  # with the labels of another file
        own = self.whereabouts(name).name
        return [[f"{label}{cell.removeprefix(own)}", text] for cell, text in code]

    def _may_be_anothers(self, name: str) -> bool:
        """Return whether a file may be another person's submission, which nobody may import."""
        return self._is_shared and self.could_be_graded(name)

    @property
    def _is_shared(self) -> bool:
        """True if other people's files may lie in the folder of these files."""
        return not self.own and not is_assignments_folder(self.place)

    @cached_property
    def _with_anothers(self) -> dict[str, bool]:
        """By folder, True if another person's submission may lie in it; folders seen so far."""
        return {}

    def _lies_with_anothers(self, name: str) -> bool:
        """Return whether a file is in a folder with what may be another person's submission."""
        folder, slash, _ = name.partition("/")
        if not slash or not self._is_shared or folder in assignments():
            return False
        if folder not in self._with_anothers:
            there = filter(form, self._all(folder))
            self._with_anothers[folder] = any(map(self.could_be_graded, there))
        return self._with_anothers[folder]

    def _add(self, texts: dict[str, Code], homes: dict[str, str], near: str, sibling: str) -> None:
        """Add another assignment, if a file of it can be read."""
        if name := self.imported_from(sibling, near):
            texts[sibling], homes[sibling] = self.imported_code(name, sibling), name

    def imported_from(self, assignment: str, near: str) -> str:
        """Return the file that an import of an assignment means; "" if none can be read.

        It is the edited form in the likeliest place that has work, the one that has more of the
        exercises. If both have as many, it is preferably of the kind that the file is which
        imports: `near`. A file that cannot be read counts as not handed in; its own grade says why.
        """
        there = self._importable(assignment, near)
        return self._instead.get(assignment, there[0]) if there else ""

    def _importable(self, assignment: str, near: str) -> list[str]:
        """Return the files that an import of an assignment may mean, see `imported_from`."""
        origins = Origins(self, assignment)
        places = [*itertools.islice(self.places(assignment, near), MOST_PLACES)]
        of_work = (one for one in places if len(places) > 1 and any(map(origins.of, one)))
        there = next(of_work, []) or self.forms(assignment, near)
        edited = (self.edited_of(there, assignment) if len(there) > 1 else there) or there
        readable = [*filter(self.is_readable, edited)]
        if len(readable) > 1:
            readable.sort(key=lambda one: (-len(origins.of(one)), form(one) != form(near)))
        return readable

    def imported_code(self, name: str, assignment: str) -> Code:
        """Return the code that an import of an assignment from a file runs. Raises Unreadable."""
        code, label = self.code(name), name.rpartition("/")[2]
        own = code if stem(label) == assignment else _labelled(code, label)
        return with_answer(own, assignment)


def archived_limit(name: str) -> int:
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
