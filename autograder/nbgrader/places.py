"""Where a course of nbgrader keeps things, and where in it the kit keeps its own."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from autograder.nbgrader import MARK

OWN = ".kit"  # the kit's own folder in that of a course


class NotReleased(Exception):
    """There is no released notebook; the text says what to do."""


@dataclass(frozen=True)
class Mark:
    """By what an autograded notebook is known: see Job.

    sandbox: 'locked' or 'unlocked'. status: as in Result; "" if there was no result.
    """

    digest: str = ""
    content: str = ""
    sandbox: str = ""
    status: str = ""


@dataclass(frozen=True)
class Places:
    """The folders of a course. Below each of them: <student>/<assignment>/."""

    root: Path
    submitted: Path
    autograded: Path
    release: Path
    source: Path

    @property
    def results(self) -> Path:
        """What grading has given, by what was graded."""
        return self.root / OWN / "results"

    @property
    def regrades(self) -> Path:
        """What is needed to undo those regrades that were applied."""
        return self.root / OWN / "regrades"

    @property
    def staged(self) -> Path:
        """What nbgrader is given in place of what was handed in."""
        return self.root / OWN / "submitted"

    def released(self, assignment: str) -> NotebookNode:
        """The notebook that students were given. Raises NotReleased."""
        path = self.released_notebook(assignment)
        if not path.is_file():
            raise NotReleased(
                f"There is no {path}. Run nbgrader generate_assignment {assignment} first."
            )
        return nbformat.read(path, as_version=4)

    def released_notebook(self, assignment: str) -> Path:
        """Where the notebook is that students are given."""
        return self.release / assignment / f"{assignment}.ipynb"

    def source_notebook(self, assignment: str) -> Path:
        """Where the notebook is from which the released one is made."""
        return self.source / assignment / f"{assignment}.ipynb"

    def graded(self, student: str, assignment: str) -> Path:
        """Where an autograded notebook is."""
        return self.autograded / student / assignment / f"{assignment}.ipynb"

    def mark(self, student: str, assignment: str) -> Mark:
        """What an autograded notebook says of how it came about; nothing while it is half done."""
        try:
            notebook = json.loads(self.graded(student, assignment).read_bytes())
            return Mark(**notebook["metadata"][MARK])
        except (OSError, ValueError, LookupError, TypeError):  # of another's hand, or half written
            return Mark()
