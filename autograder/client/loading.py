"""Load the reference of an assignment: its code, or in a student's copy its recorded answers."""

from __future__ import annotations

from autograder import course
from autograder.client.loaded import Text
from autograder.client.references import LiveReference, RecordedReference

Reference = LiveReference | RecordedReference


def load(assignment: str) -> Reference:
    """Return the reference of an assignment."""
    if course.is_students_copy():
        return RecordedReference(course.recorded_file(assignment, ".replies").read_bytes())
    return LiveReference(text(assignment))


def text(assignment: str) -> Text:
    """Return the solution of an assignment, with the other solutions as siblings."""
    names = course.assignments()
    texts = {name: course.solution(name) for name in names}
    return Text(assignment, texts, names)
