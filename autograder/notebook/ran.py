"""A cell that has run, and what it did to the names of the notebook in the kernel."""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass, field

from autograder.notebook.cell_names import bound_in

PLAIN = (int, float, complex, str, bytes, type(None))  # values that are equal are the same
Version = list[str] | None  # the lines of code of a module; None if they are not sure


@dataclass
class Ran:
    """A cell that has run: its label and id, and its text.

    changed: the names that have another value since, or none. is_whole: it did not stop at an
    error. raised_in: if it did, the names of the modules that the error has gone through. versions:
    those of the own modules when it ended, by their names.
    """

    label: str
    cell: str
    text: str
    changed: set[str] = field(default_factory=set)
    is_whole: bool = False
    raised_in: Set[str] = frozenset()
    versions: Mapping[str, Version] = field(default_factory=dict)

    @property
    def bound(self) -> set[str]:
        """The names that it has bound, also to what they were before."""
        return self.changed | ({*bound_in(self.text)} if self.is_whole else set())
