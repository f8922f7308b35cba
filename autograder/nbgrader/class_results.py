"""Collect the results of a class that nbgrader has autograded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from nbgrader.apps import AutogradeApp

from autograder.classroom import document
from autograder.classroom.document import Submission
from autograder.classroom.results import Results
from autograder.nbgrader.intake import Folders
from autograder.nbgrader.places import places_of
from autograder.report.writing import listed
from autograder.submissions import ids

WITHOUT = "{} of {} have no result of today's kit: {}. Run make autograde, then make regrade."
NAMED = 10  # students in a sentence


@dataclass(frozen=True)
class ClassResults:
    """The results of a class in an assignment. without: the students who have none."""

    submissions: Sequence[Submission]
    without: Sequence[str]

    @property
    def message(self) -> str:
        """Return a sentence about the students without a result, "" if there are none."""
        if not self.without:
            return ""
        named = listed([*map(ids.shown, self.without)], NAMED)
        total = len(self.submissions) + len(self.without)
        return WITHOUT.format(len(self.without), total, named)


def class_results(app: AutogradeApp, assignment: str) -> ClassResults:
    """Return the results of all who have handed in an assignment. Raises CannotRun."""
    places = places_of(app.coursedir)
    results = Results(places.results)
    found, without = [], []
    for student in Folders.of(places).students(assignment):
        digest = places.mark(student, assignment).digest
        result = results.get(digest) if digest else None
        if result and result.document:
            found.append(replace(document.submission(result.document), submission=student))
        else:
            without.append(student)
    return ClassResults(found, without)
