"""Let the formgrader compare contents, not only times, to see which submissions are autograded."""

from __future__ import annotations

import datetime
import os

from nbgrader.apps.api import NbGraderAPI

from autograder.nbgrader.intake import Folders
from autograder.nbgrader.places import Places, places_of
from autograder.nbgrader.times import parsed, time_of
from autograder.submissions.files import Unreadable
from autograder.submissions.folders import DEPTH, within

NBGRADERS = NbGraderAPI.get_autograded_students


def show_what_is_autograded() -> None:
    """Let the formgrader ask for autograding wherever a submission has changed."""
    NbGraderAPI.get_autograded_students = get_autograded_students
    NbGraderAPI.get_submitted_timestamp = get_submitted_timestamp


def get_autograded_students(api: NbGraderAPI, assignment: str) -> set[str]:
    """Return the students whose submission has not changed since it was autograded."""
    places = places_of(api.coursedir)
    students: set[str] = NBGRADERS(api, assignment)
    touched = {student for student in students if _is_touched(places, student, assignment)}
    if not touched:
        return students
    folders = Folders.of(places)
    return students - {
        student
        for student in touched
        if places.mark(student, assignment).content
        != folders.fingerprint(student, assignment).content
    }


def get_submitted_timestamp(
    api: NbGraderAPI, assignment: str, student: str
) -> datetime.datetime | None:
    """Return the time of a submission; None if there is none that can be read."""
    return parsed(time_of(places_of(api.coursedir).submitted / student / assignment))


def _is_touched(places: Places, student: str, assignment: str) -> bool:
    """Return whether a submission's files may have changed since autograding, by their times."""
    folder = places.submitted / student / assignment
    try:
        autograded = places.graded(student, assignment).stat().st_mtime_ns
        found = map(os.lstat, [folder, *within(folder, DEPTH)])
        times = [max(one.st_mtime_ns, one.st_ctime_ns) for one in found]
    except (OSError, Unreadable):
        return True
    return max(times) > autograded
