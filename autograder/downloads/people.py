"""Give each student in a download the id that names their folder."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from autograder.classroom.roster import Roster
from autograder.downloads.uploads import Person, Upload
from autograder.errors import UsageError
from autograder.submissions import ids

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


def named(uploads: Iterable[Upload], roster: Roster | None) -> Named:
    """Return the students' ids: those of the roster, or what the website calls them.

    Raises UsageError if two students would share a folder, on any file system.
    """
    found: dict[Person, str] = {}
    taken: dict[str, Person] = {}
    unlisted: list[str] = []
    for person in dict.fromkeys(one for upload in uploads for one in upload.people):
        student = _listed(person, roster) if roster else None
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
    """Return the id of a student in the roster, or None."""
    found = (roster.id_of(column, value) for column, value in person.called)
    return next((one for one in found if one), None)


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
