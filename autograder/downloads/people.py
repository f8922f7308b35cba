"""Give each student in a download the id that names their folder."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from autograder.classroom.roster import Column, Roster, known
from autograder.downloads.uploads import Person, Upload
from autograder.downloads.websites import TITLES, Platform
from autograder.errors import UsageError
from autograder.submissions import ids

NAME: Column = "name"
# By which columns of a roster students are found. What Canvas puts first in the names of files,
# such as `grayann`, is nobody's name.
COLUMNS: Mapping[Platform, tuple[Column, ...]] = {
    "canvas": ("canvas",),
    "moodle": ("moodle", NAME),
    "gradescope": ("gradescope", "email", NAME),
}
NO_COLUMN = (
    "The roster has no column {}, by which students in a download from {} are found. Add it to the "
    "roster."
)
CLASH = (
    "{} and {} would share the folder {}. Give each an id of their own, in a list of the class: "
    "--roster FILE."
)
OF_ROSTER = (
    "{} is not in the roster, and would have the folder {}, which is somebody else's id there. Add "
    "{} to the roster."
)


@dataclass(frozen=True)
class Named:
    """The ids of students. unlisted: those who are not in the roster, by their ids."""

    ids: dict[Person, str]
    unlisted: list[str]


def named(uploads: Iterable[Upload], platform: Platform, roster: Roster | None) -> Named:
    """Return the students' ids: those of the roster, or what the website calls them.

    Raises UsageError if two students would share a folder, on any file system, or if the roster has
    no column for the website.
    """
    if roster is not None and not {*COLUMNS[platform]} & {*roster.columns}:
        raise UsageError(NO_COLUMN.format(" or ".join(COLUMNS[platform]), TITLES[platform]))
    people = [*dict.fromkeys(one for upload in uploads for one in upload.people)]
    namesakes = Counter(known(NAME, one.name) for one in people)
    found: dict[Person, str] = {}
    taken: dict[str, Person] = {}
    unlisted: list[str] = []
    for person in people:
        student = _listed(person, roster) if roster is not None else None
        has_own_name = NAME in COLUMNS[platform] and namesakes[known(NAME, person.name)] == 1
        if student is None and roster is not None and has_own_name:
            student = _by_name(person, roster)
        if student is None:
            student = _own(person)
            if roster is not None and student in roster:
                who = shown(person)
                raise UsageError(OF_ROSTER.format(who, student, who))
            unlisted += [student] if roster is not None else []
        other = taken.setdefault(ids.key(student), person)
        if other is not person:
            raise UsageError(CLASH.format(shown(other), shown(person), student))
        found[person] = student
    return Named(found, unlisted)


def shown(person: Person) -> str:
    """Return a student as the website calls them, for messages: `Ann Gray (101)`."""
    called = ids.shown(person.called[0][1] if person.called else person.otherwise)
    return f"{ids.shown(person.name)} ({called})" if person.name else called


def _listed(person: Person, roster: Roster) -> str | None:
    """Return the id of a student whose number or address is in the roster, or None."""
    found = (roster.id_of(column, value) for column, value in person.called)
    return next((one for one in found if one), None)


def _by_name(person: Person, roster: Roster) -> str | None:
    """Return the id of the only student of a name in the roster, or None.

    It is somebody else if the roster has another number or address there.
    """
    student = roster.id_of(NAME, person.name)
    if student is None or any(roster.value_of(student, column) for column, _ in person.called):
        return None
    return student


def _own(person: Person) -> str:
    """Return what the website calls a student, in the spelling of an id."""
    called = (value for _, value in person.called)
    for value in (*called, person.otherwise):
        if ids.is_id(value):
            return ids.checked(value)
    raise UsageError(
        f"{shown(person)} has no name that a folder can have. Give them an id, in a list of the "
        "class: --roster FILE."
    )
