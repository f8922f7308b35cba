"""The uploads of students in a download, as its website sorts them."""

from __future__ import annotations

from dataclasses import dataclass, field

from autograder.classroom.roster import Column
from autograder.downloads.entries import Entry

TYPED = "onlinetext"  # the folder of what was typed into a form, as Moodle calls it


@dataclass(frozen=True)
class Person:
    """A student in a download. called: what the website calls them, the best first; may be empty.

    name: as the website shows it, or "". otherwise: the id if nothing in `called` can be one.
    """

    called: tuple[tuple[Column, str], ...]
    name: str
    otherwise: str = field(default="", compare=False)


@dataclass
class Upload:
    """The files that one student, or a group, has handed in.

    source: its name in the download. files: by the parts of their names in the student's folder;
    several may have one name. is_renamed: True if Canvas has given names to the files that are in
    no folder, which still have these. is_typed: True if something was typed into a form.
    classmates: names of files from Canvas that are read as in `of_classmate`. unsure: names of
    files that may be another student's.
    """

    people: tuple[Person, ...]
    source: str
    is_renamed: bool = False
    is_typed: bool = False
    files: list[tuple[tuple[str, ...], Entry]] = field(default_factory=list)
    classmates: list[str] = field(default_factory=list)
    unsure: list[str] = field(default_factory=list)

    def add(self, parts: tuple[str, ...], entry: Entry) -> None:
        """Add a file; of a folder, only what is wrong with it counts."""
        if parts and (entry.problem or not entry.is_folder):
            self.files.append((parts, entry))

    def add_typed(self, parts: tuple[str, ...], entry: Entry) -> None:
        """Add a page of what was typed into a form."""
        self.is_typed = True
        self.add((TYPED, *parts) if parts else (), entry)


@dataclass(frozen=True)
class Found:
    """The contents of a download. left_out: names at its top that belong to no student."""

    uploads: list[Upload]
    left_out: list[str]
