"""One person's files, of which it can be asked what work they hold."""

from __future__ import annotations

from autograder.course import assignments, exercises
from autograder.runtime.own_files import PACKAGE
from autograder.submissions import work
from autograder.submissions.bindings import binds
from autograder.submissions.files import Unreadable
from autograder.submissions.names import is_exactly
from autograder.submissions.person_files import PersonFiles
from autograder.submissions.source_text import code_lines
from autograder.submissions.written import written


class WorkFiles(PersonFiles):
    """The files of one person, of which it can be asked what work they hold."""

    def could_be_graded(self, name: str) -> bool:
        """Return whether a file is named after an assignment or defines an exercise.

        One that cannot be read might.
        """
        if any(is_exactly(name.rpartition("/")[2], one) for one in assignments()):
            return True
        if self._is_empty_package(name):
            return False
        return not self.is_readable(name) or self.defines_exercise(name)

    def _is_empty_package(self, name: str) -> bool:
        """Return whether a file only makes a package of its folder."""
        try:
            return name.rpartition("/")[2] == PACKAGE and not self.data(name).strip()
        except Unreadable:
            return False

    def defines_exercise(self, name: str) -> bool:
        """Return whether a file defines an exercise of any assignment; False if unreadable."""
        return self.binds(name, exercises())

    def binds(self, name: str, names: frozenset[str]) -> bool:
        """Return whether a file, or a module that it writes, binds one of these names.

        False if it cannot be read.
        """
        try:
            code = self.code(name)
        except Unreadable:
            return False
        text = code if isinstance(code, str) else "\n".join(text for _, text in code)
        return any(binds(one, names) for one in (text, *(w.text for w in written(code))))

    def holds_work(self, name: str, assignment: str) -> bool:
        """Return whether a file, or a module that it writes, holds work on an assignment.

        False if it cannot be read.
        """
        try:
            code = self.code(name)
        except Unreadable:
            return False
        texts = [one.text for one in written(code)]
        return any(work.is_in(code_lines(one), assignment) for one in (code, *texts))

    def is_readable(self, name: str) -> bool:
        """Return whether the code in a file can be read."""
        try:
            self.code(name)
        except Unreadable:
            return False
        return True
