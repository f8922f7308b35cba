"""The folders of an nbgrader course, and the kit's own folders in it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import msgspec
import nbformat
from nbformat import NotebookNode
from nbgrader.coursedir import CourseDirectory

from autograder import parsing
from autograder.errors import NbgraderError
from autograder.nbgrader import MARK
from autograder.nbgrader.trouble import CannotRun
from autograder.parsing import DamagedData
from autograder.report.comments import NAME, Comments, MalformedComments, read
from autograder.submissions.source_text import MAX_NOTEBOOK

OWN = ".kit"  # the kit's own folder in a course's folder


class UnusableComments(CannotRun, MalformedComments):
    """The course's comments cannot be used. nbgrader's commands end with it as with CannotRun."""


class NotReleased(NbgraderError):
    """The assignment has no released notebook; the text says what to do."""


@dataclass(frozen=True)
class Mark:
    """Metadata of an autograded notebook. digest, content: as in Job.

    sandbox, status: as in grading.grade.Grade; "" if there was no result. comments: a digest of
    the comments on it, see report.comments.
    """

    digest: str = ""
    content: str = ""
    sandbox: str = ""
    status: str = ""
    comments: str = ""


class _Metadata(msgspec.Struct, rename={"mark": MARK}):
    """Metadata of a notebook, without what others have written there."""

    mark: Mark


@dataclass(frozen=True)
class Places:
    """The folders of a course. submitted and autograded contain <student>/<assignment>/."""

    root: Path
    submitted: Path
    autograded: Path
    release: Path
    source: Path

    @property
    def results(self) -> Path:
        """The folder of results, see classroom.results.Results."""
        return self.root / OWN / "results"

    @property
    def readings(self) -> Path:
        """The folder of what came of reading submissions, see readings.Readings."""
        return self.root / OWN / "readings"

    @property
    def regrades(self) -> Path:
        """The folder of journals, by which regrades can be undone."""
        return self.root / OWN / "regrades"

    @property
    def staged(self) -> Path:
        """The folder of rebuilt notebooks that nbgrader reads instead of submissions."""
        return self.root / OWN / "submitted"

    @property
    def comments(self) -> Comments:
        """The comments on groups of students. Raises UnusableComments."""
        path = self.root / NAME
        try:
            return read(path) if path.exists() else Comments()
        except MalformedComments as problem:
            raise UnusableComments(str(problem)) from None

    def released(self, assignment: str) -> NotebookNode:
        """Read the notebook that students get. Raises NotReleased, CannotRun."""
        path = self.released_notebook(assignment)
        if not path.is_file():
            raise NotReleased(
                f"There is no {path}. Run nbgrader generate_assignment {assignment} first."
            )
        return read_notebook(path)

    def released_notebook(self, assignment: str) -> Path:
        """Return the path of the notebook that students get."""
        return self.release / assignment / f"{assignment}.ipynb"

    def source_notebook(self, assignment: str) -> Path:
        """Return the path of the notebook from which the released one is made."""
        return self.source / assignment / f"{assignment}.ipynb"

    def graded(self, student: str, assignment: str) -> Path:
        """Return the path of an autograded notebook."""
        return self.autograded / student / assignment / f"{assignment}.ipynb"

    def mark(self, student: str, assignment: str) -> Mark:
        """Read the metadata of an autograded notebook; an empty Mark if missing or damaged."""
        try:
            return parsing.read(self.graded(student, assignment), MAX_NOTEBOOK, _decode_mark)
        except DamagedData:  # edited, or not written completely
            return Mark()


def read_notebook(path: Path) -> NotebookNode:
    """Read a notebook of the course, where a link may lie. Raises CannotRun if it is damaged."""
    try:
        return parsing.read_linked(path, MAX_NOTEBOOK, _decode_notebook)
    except DamagedData as problem:
        raise CannotRun(
            f"{path} cannot be read as a notebook ({problem}). Put back a copy of it, or make it "
            "again."
        ) from None


def _decode_notebook(data: bytes) -> NotebookNode:
    return nbformat.reads(data.decode(), as_version=4)


def _decode_mark(data: bytes) -> Mark:
    metadata = parsing.json_object(data).get("metadata")
    return msgspec.convert(metadata, _Metadata).mark


def places_of(directory: CourseDirectory) -> Places:
    """Return the folders of a course from its configuration. Raises CannotRun."""
    if Path(directory.directory_structure).parts[1:] != ("{student_id}", "{assignment_id}"):
        raise CannotRun(
            f"CourseDirectory.directory_structure is {directory.directory_structure}; expected "
            "the default, {nbgrader_step}/{student_id}/{assignment_id}."
        )
    steps = (
        directory.submitted_directory,
        directory.autograded_directory,
        directory.release_directory,
        directory.source_directory,
    )
    return Places(Path(directory.root), *(Path(directory.root) / step for step in steps))
