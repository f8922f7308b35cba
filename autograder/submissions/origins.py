"""Tell which of a person's files define the exercises that a file of theirs has."""

from __future__ import annotations

import itertools
from collections.abc import Sequence, Set

from autograder.submissions import work
from autograder.submissions.bindings import binds_unseen
from autograder.submissions.files import Unreadable
from autograder.submissions.names import is_exactly
from autograder.submissions.person_files import PersonFiles

MOST = 200  # files that are read, one of which may import the next


class Origins:
    """The files among a person's that define the exercises of one assignment.

    supposes: a file whose text tells none of them, but that binds names which its text does not
    tell, counts as one that defines all.
    """

    def __init__(self, files: PersonFiles, assignment: str, supposes: bool = True) -> None:
        self._files, self.assignment, self._supposes = files, assignment, supposes
        self._known: dict[str, dict[str, set[str]]] = {}

    def of(self, name: str) -> dict[str, set[str]]:
        """Return, by exercise, the files that define it for this one: itself, or those it imports.

        A file that cannot be read has none.
        """
        if name in self._known or len(self._known) == MOST:
            return self._known.get(name, {})
        self._known[name] = {}  # for files that import each other
        try:
            cells, modules = self._files.cells(name), self._files.modules(name)
        except Unreadable:
            return {}
        found: dict[str, set[str]] = {}
        for exercise, sources in work.sources(cells, self.assignment, modules).items():
            for source in sources:
                there = self.of(source.module).get(exercise, set()) if source.module else set()
                own = {name} if source.is_own and not there else set()
                found.setdefault(exercise, set()).update(there | own)
        known = {exercise: there for exercise, there in found.items() if there}
        text = "\n".join(itertools.chain.from_iterable(cells))
        if not known and self._supposes and binds_unseen(text):
            known = {exercise: {name} for exercise in work.exercises_of(self.assignment)}
        self._known[name] = known
        return known

    def own(self, name: str) -> list[str]:
        """Return the exercises that a file defines or changes itself."""
        return [exercise for exercise, there in self.of(name).items() if name in there]

    def cover(self, names: Sequence[str], others: Sequence[str]) -> bool:
        """Return whether one of the files has, by importing, all that each of the others has.

        Each file has what it defines itself, and what a copy of it defines. What a file of exactly
        the assignment's name has that cannot be read is not known, so that no other has it.
        """
        return all(any(self._covers(name, other) for name in names) for other in others)

    def _covers(self, name: str, other: str) -> bool:
        known, wanted = self.of(name), self.of(other)
        has_all = all(self._among(known.get(one, set()), wanted[one]) for one in wanted)
        is_known = bool(wanted) or not is_exactly(other.rpartition("/")[2], self.assignment)
        return name == other or (is_known and has_all)

    def _among(self, names: Set[str], others: Set[str]) -> bool:
        """Return whether each of the others is one of these files, or a copy of one."""
        copies = [self._files.text(name) for name in names] if others - names else []
        return all(self._files.text(one) in copies for one in others - names)
