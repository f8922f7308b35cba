"""Write each result of grading immediately, so that neither a crash nor Ctrl-C loses any of them.

Pages are written one by one. The table grows in a temporary file, which is renamed when it is
complete. A JSON document is printed one submission at a time, and says at its end whether it is
complete.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from types import TracebackType
from typing import TYPE_CHECKING

from autograder import course, interrupts
from autograder.report import as_json
from autograder.report.progress import Progress
from autograder.report.streams import say

if TYPE_CHECKING:
    from autograder.grading.grade import Grade
    from autograder.report.as_csv import Table
    from autograder.report.as_html import Pages
    from autograder.submissions.finding import Submission


MOST_NAMED = 20  # files in a sentence
EARLIER = "Pages there that are not of this run: {}."


def tell_names(text: str, names: Sequence[str]) -> None:
    """Print a sentence about files to stderr, if there are any."""
    from autograder.grading.fitting import NAME, cut

    if names:
        more = [f"and {len(names) - MOST_NAMED} more"] if len(names) > MOST_NAMED else []
        shown = ", ".join([*(cut(name, NAME) for name in names[:MOST_NAMED]), *more])
        print(text.format(shown), file=sys.stderr)


class Output:
    """Everything that is written while submissions are graded.

    A context manager that completes the results at its end, or marks them as incomplete.
    """

    def __init__(self, options: argparse.Namespace) -> None:
        self.count, self.total = 0, 0
        self._options = options
        self._one_person = True
        self._progress = Progress("graded")
        self._document = Document(options) if options.json else None
        self._pages: Pages | None = None
        self._table: Table | None = None

    def expect(self, total: int, one_person: bool) -> None:
        """Prepare for grades. one_person: True if all submissions are one person's."""
        self.total, self._one_person = total, one_person

    def add(self, grade: Grade, chosen: Sequence[Submission]) -> None:
        """Write a grade. chosen: all submissions that are graded. Raises NotOurs, CannotWrite.

        An interrupt waits until all of it is written.
        """
        with interrupts.postponed():
            if not self.count:
                self._begin(chosen)
            self.count += 1
            if self._pages:
                self._pages.write(grade)
            if self._table:
                self._table.add(grade)
            if self._document:
                self._document.add(grade)
            self._tell(grade)

    def interrupted(self) -> None:
        """Mark the results as incomplete. Print how many there are, and where, to stderr."""
        if self._document:
            self._document.end(False)
        kept = [one for one in (self._pages and self._options.html, self._unfinished()) if one]
        where = f"; see {' and '.join(map(str, kept))}" if kept and self.count else ""
        said = f"{self.count} of {self.total} were graded" if self.total else "nothing was graded"
        print(f"\ninterrupted: {said}{where}", file=sys.stderr)

    def __enter__(self) -> Output:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with interrupts.postponed():
            if self._document and (self.count or kind is None):
                self._document.end(kind is None)
            if kind is None:
                self._complete()

    def _begin(self, chosen: Sequence[Submission]) -> None:
        self.total = len(chosen)
        if self._options.html:
            from autograder.report.as_html import Pages

            students = [one.name for one in chosen]
            self._pages = Pages(self._options.html, self._options.hints, students)
        if self._options.csv:
            from autograder.report.as_csv import Table

            self._table = Table(self._options.csv)

    def _complete(self) -> None:
        """Complete pages and table, and print where they are. Raises NotOurs, CannotWrite."""
        if self._pages:
            said = f"wrote {self._pages.count} pages into {self._pages.folder}"
            if self._one_person and self.total > 1:
                said += f", and {self._pages.write_progress().name}, which leads to them"
            print(said, file=sys.stderr)
            tell_names(EARLIER, self._pages.earlier())
        if self._table:
            self._table.complete()
            print(f"wrote {self._table.path}", file=sys.stderr)

    def _unfinished(self) -> str:
        return str(self._table.unfinished) if self._table else ""

    def _tell(self, grade: Grade) -> None:
        from autograder.grading.fitting import printable

        if self.total > 1:
            name = (self._one_person and grade.assignment) or grade.submission
            self._progress.done(self.count, self.total, name=printable(name))


class Document:
    """The JSON document on stdout. It is always printed to its end, also if it has no grades."""

    def __init__(self, options: argparse.Namespace) -> None:
        self._options = options
        self._is_begun = self._is_ended = False

    def add(self, grade: Grade) -> None:
        """Print a grade, after the beginning of the document if it is the first."""
        comma = "," if self._is_begun else ""
        self._begin()
        say(comma + as_json.submission(grade))

    def end(self, complete: bool) -> None:
        """Print the rest, with the beginning if there is no grade. Do nothing if that was done."""
        if self._is_ended:
            return
        self._is_ended = True
        any_graded = self._is_begun
        self._begin()
        say(f"{as_json.closing(complete, any_graded)}\n")

    def _begin(self) -> None:
        if not self._is_begun:
            self._is_begun = True
            say(as_json.opening(self._options.locked, course.fingerprint()))
