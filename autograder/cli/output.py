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
from autograder.report.comments import Comments, groups, read
from autograder.report.progress import Progress
from autograder.report.rendered import Forms, Rendered
from autograder.report.streams import say, screen

if TYPE_CHECKING:
    from autograder.classroom.document import Submission as Result
    from autograder.grading.grade import Grade
    from autograder.report.as_csv import Table
    from autograder.report.pages import Pages
    from autograder.report.summary import Summary

NOBODY = "Comments that nobody gets, since the page of a class names no such group: {}."
EARLIER = "Pages there that are not of this run: {}."


def tell_names(text: str, names: Sequence[str]) -> None:
    """Print a sentence about files to stderr, if there are any."""
    if names:
        from autograder.report.writing import listed

        print(text.format(listed(names)), file=sys.stderr)


class Output:
    """Everything that is written while submissions are graded.

    A context manager that completes the results at its end, or marks them as incomplete.
    """

    def __init__(self, options: argparse.Namespace) -> None:
        self.count, self.total = 0, 0
        self._told = 0
        self.lost_points = self.needs_staff = False  # any of the submissions
        has_document = options.json or options.overview is not None
        comments = read(options.comments) if options.comments else Comments()
        self.forms = Forms(has_document, options.html is not None, options.hints, comments)
        self._options = options
        self._one_person = True
        self._summary: Summary | None = None
        self._progress = Progress("graded")
        self._document = Document(options) if options.json else None
        self._pages: Pages | None = None
        self._table: Table | None = None
        self._written: list[tuple[Grade, str]] = []  # of one person, with the names of pages
        self._results: list[Result] = []  # of a class, if an overview is wanted
        self._groups: set[tuple[str, str]] = set()  # exercises and groups, if there are comments

    def expect(self, total: int, one_person: bool) -> None:
        """Prepare for grades. one_person: True if all submissions are one person's."""
        self.total, self._one_person = total, one_person

    def tell(self, grade: Grade, total: int, left: float | None = None) -> None:
        """Print that a submission is graded, to stderr, before or after its grade is written.

        total: how many submissions are graded. left: seconds that the others may take.
        """
        from autograder.grading.fitting import printable

        self._told += 1
        if total > 1:
            name = (self._one_person and grade.assignment) or grade.submission
            self._progress.done(self._told, total, left, printable(name))

    def add(self, one: Rendered, names: Sequence[str]) -> None:
        """Write a grade. names: of all submissions that are graded. Raises NotOurs, CannotWrite.

        An interrupt waits until all of it is written.
        """
        grade = one.grade
        with interrupts.postponed():
            if not self.count:
                self._begin(names)
            self.count += 1
            self.needs_staff |= grade.status == "needs_staff"
            self.lost_points |= grade.points < grade.max_points or grade.status == "unreadable"
            if self._pages:
                path = self._pages.write(grade, one.page)
                if self._one_person:
                    self._written.append((grade, path.name))
            if self._table:
                self._table.add(grade)
            if self._document:
                self._document.add(one)
            if self._options.overview:
                from autograder.classroom.document import submission

                self._results.append(submission(one.document))
            if self._options.comments:
                self._groups |= groups(grade)
            if self._summary:
                self._summary.add(grade)

    def summarize(self) -> None:
        """Print a class's summary."""
        for line in self._summary.lines() if self._summary else ():
            say(f"{line}\n")

    def interrupted(self) -> None:
        """Mark the results as incomplete. Print how many there are, and where, to stderr."""
        if self._document:
            self._document.end(False)
        kept = [one for one in (self._pages and self._options.html, self._unfinished()) if one]
        where = f"; see {' and '.join(map(str, kept))}" if kept and self.count else ""
        graded = max(self.count, self._told)
        said = f"{graded} of {self.total} were graded" if self.total else "nothing was graded"
        if graded > self.count and not self._one_person:
            said += f", {graded - self.count} of them are kept for the next run, but not written"
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

    def _begin(self, names: Sequence[str]) -> None:
        self.total = len(names)
        options = self._options
        if not options.json and not self._one_person:
            from autograder.report.summary import Summary

            self._summary = Summary(screen(), options.locked, options.paste)
        if options.html:
            from autograder.report.pages import Pages

            self._pages = Pages(options.html, names)
        if options.csv:
            from autograder.report.as_csv import Table

            self._table = Table(options.csv)

    def _complete(self) -> None:
        """Complete pages and table, and print where they are. Raises NotOurs, CannotWrite."""
        if self._pages:
            said = f"wrote {self._pages.count} pages into {self._pages.folder}"
            if self._one_person and self.total > 1:
                from autograder.report.as_html import progress

                path = self._pages.write_progress(progress(self._written))
                said += f", and {path.name}, which leads to them"
            print(said, file=sys.stderr)
            tell_names(EARLIER, self._pages.earlier())
        if self._table:
            self._table.complete()
            print(f"wrote {self._table.path}", file=sys.stderr)
        tell_names(NOBODY, self.forms.comments.unused(self._groups))
        if self._options.overview:
            from autograder.overview.folder import write

            named = not self._options.no_names
            for line in write(self._results, self._options.overview, named):
                print(line, file=sys.stderr)

    def _unfinished(self) -> str:
        return str(self._table.unfinished) if self._table else ""


class Document:
    """The JSON document on stdout. It is always printed to its end, also if it has no grades."""

    def __init__(self, options: argparse.Namespace) -> None:
        self._options = options
        self._is_begun = self._is_ended = False

    def add(self, one: Rendered) -> None:
        """Print a grade, after the beginning of the document if it is the first."""
        comma = "," if self._is_begun else ""
        self._begin()
        say(comma + one.document)

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
