"""One person's submission for one assignment."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from autograder.course import assignments
from autograder.submissions import archives, ids
from autograder.submissions.kinds import unread
from autograder.submissions.names import folder_owner, is_online_text
from autograder.submissions.source_text import form, stem

if TYPE_CHECKING:
    from autograder.runtime.source import Code


@dataclass(frozen=True)
class Submission:
    """A module or notebook that was handed in, and the modules next to it that it may import.

    name: the student's id, or else text that is safe to show. assignment: None until it is known.
    origin: the path where it was found; all submissions from one origin belong to one person.
    problem: why it cannot be read. other: the second form, if both module and notebook were edited.
    from_cells: True for the cells that were run in a notebook, whose file may have another name.
    remark: a sentence about code in a notebook that does not count, or "".
    module: the name under which it is imported, by default that of its file. homes: the places of
    the texts that have names, from a folder around all; the other texts, the student's own modules,
    have places for names. folders: where these are looked for, that of the file first. is_slow: its
    cells are known to run so long that only what the exercises need of them is run. instead: by
    earlier assignment of which both forms were edited, this file with the other form to import.
    """

    name: str
    path: Path
    assignment: str | None
    texts: Mapping[str, Code] = field(default_factory=dict)
    problem: str = ""
    origin: Path | None = None
    other: Submission | None = None
    module: str = ""
    homes: Mapping[str, str] = field(default_factory=dict)
    folders: tuple[str, ...] = ("",)
    from_cells: bool = False
    remark: str = ""
    is_slow: bool = False
    instead: Mapping[str, Submission] = field(default_factory=dict)

    @property
    def has_own_modules(self) -> bool:
        """True if the student's own modules are among the texts of the submission."""
        return any(form(name) for name in self.texts)

    @property
    def stem(self) -> str:
        """The module name under which it is imported."""
        return self.module or stem(self.path.name)


def refused(
    name: str, path: Path, assignment: str | None, problem: object, origin: Path | None = None
) -> Submission:
    """Return a submission of which nothing is graded. origin: by default, its path."""
    return Submission(name, path, assignment, problem=str(problem), origin=origin or path)


def by_person(submissions: Iterable[Submission]) -> list[list[Submission]]:
    """Return the submissions of each person, in the order of their first ones."""
    found: dict[Path | None, list[Submission]] = {}
    for submission in submissions:
        found.setdefault(submission.origin, []).append(submission)
    return [*found.values()]


def owner(path: Path) -> str:
    """Return the owner of a file or folder by its name.

    If it is named after an assignment, that is the name of the folder it is in.
    """
    path = absolute(path)
    own = own_name(path)
    return ids.shown(own_name(path.parent) if own in assignments() else own)


def own_name(path: Path) -> str:
    """Return the name of a folder, as its student has it, or of a file without its ending."""
    name = path.name
    if os.path.isdir(path):
        return folder_owner(name)
    if archives.is_archive(name):
        return archives.stem(name)
    return stem(archives.stem(path.stem)) if is_unread(path) else stem(name)


def is_unread(path: Path) -> bool:
    """Return whether this is of a kind that is never graded if there is anything else.

    Such as a page or a document, or the folder of what was typed into a form.
    """
    return is_online_text(path.name) if os.path.isdir(path) else bool(unread(path.name))


def absolute(path: Path) -> Path:
    """Return an absolute path without `..`, whose names are those of files and folders."""
    return Path(os.path.abspath(path))
