"""Make what is written of a grade for programs and as a page, where the examples are known."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from autograder.grading.grade import Grade
from autograder.report import as_json
from autograder.report.comments import Comments


@dataclass(frozen=True)
class Rendered:
    """A grade, and what is written of it.

    grade: without examples, which are tensors. document: its part of the JSON document. page: its
    HTML page. Both are "" if they are not wanted.
    """

    grade: Grade
    document: str = ""
    page: str = ""


@dataclass(frozen=True)
class Forms:
    """In which forms grades are written, and with which comments.

    hints: how many a page shows, 0 to 3.
    """

    document: bool
    page: bool
    hints: int
    comments: Comments = field(default_factory=Comments)

    def of(self, grade: Grade) -> Rendered:
        """Return a grade with what is written of it."""
        page, comments = "", self.comments.on(grade)
        if self.page:
            from autograder.report import as_html

            page = as_html.page(grade, self.hints, comments)
        document = as_json.submission(grade, comments) if self.document else ""
        return Rendered(without_examples(grade), document, page)


def without_examples(grade: Grade) -> Grade:
    """Return a grade without its smallest examples."""
    exercises = tuple(replace(exercise, example=None) for exercise in grade.exercises)
    return replace(grade, exercises=exercises)
