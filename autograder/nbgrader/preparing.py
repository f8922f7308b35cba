"""Prepare a run of nbgrader's autograde: grade all submissions, and lay out clean folders."""

from __future__ import annotations

import contextlib
import fnmatch
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbgrader.api import Gradebook, MissingEntry
from nbgrader.converters.autograde import Autograde
from nbgrader.coursedir import CourseDirectory
from nbgrader.nbgraderformat import (
    MetadataValidator,
    SchemaTooNewError,
    SchemaTooOldError,
    ValidationError,
)

from autograder import course
from autograder.classroom.job_files import JobFiles
from autograder.classroom.jobs import Fingerprint, Job
from autograder.classroom.results import GradingSettings, Result, Results
from autograder.course import secret_file
from autograder.nbgrader.exchange import SECRET
from autograder.nbgrader.intake import Folders
from autograder.nbgrader.places import NotReleased, Places, places_of
from autograder.nbgrader.points import check_points
from autograder.nbgrader.process import Order, send
from autograder.nbgrader.rebuild import rebuilt, with_module
from autograder.nbgrader.times import NO_TIME, TIMESTAMP, is_time_unreadable, line, time_of
from autograder.nbgrader.trouble import CannotRun
from autograder.report.comments import Comments
from autograder.submissions import ids, notebook
from autograder.submissions.files import Unreadable, in_time
from autograder.submissions.folders import check_count
from autograder.submissions.source_text import decode_source, form
from autograder.submissions.submission_files import SubmissionFiles

# Inherited by what the engine starts: once Ctrl-C has ended it, one would warn of semaphores.
QUIET = ("-W", "ignore::UserWarning:multiprocessing.resource_tracker")
KEPT = (
    "keeps an earlier grade, since the grader has failed: read its message above, and run make "
    "autograde again."
)


@dataclass(frozen=True)
class Run:
    """One run of autograde. jobs: by student."""

    places: Places
    jobs: dict[str, Fingerprint]
    comments: Comments

    def graded(self, student: str) -> tuple[Fingerprint, Result | None]:
        """Return a student's submission and its result."""
        job = self.jobs[student]
        return job, Results(self.places.results).get(job.digest)

    def has_time(self, student: str) -> bool:
        """Return whether the time of a student's submission is known."""
        return bool(time_of(self.places.submitted / student / self.jobs[student].assignment))


def prepare(converter: Autograde, settings: GradingSettings, processes: int | None) -> Run:
    """Grade the submissions of a run, and give nbgrader clean copies instead of students' folders.

    processes: how many grade, None for as many as are worth it.
    Where the grader fails, an earlier grade of the same files stays, and nbgrader gets no copy.
    Raises CannotRun, before anything has changed.
    """
    directory, places = converter.coursedir, places_of(converter.coursedir)
    assignment = directory.assignment_id
    comments = places.comments
    given = released(places, assignment)
    known = check_gradebook(directory)
    folders = Folders.of(places)
    students = list(_students(converter, folders))
    if secret_file.is_default():
        converter.log.warning(secret_file.warning())
    if not students:
        converter.log.warning("Nothing was handed in of %s by %s", assignment, directory.student_id)
    for student in students:
        try:
            add_notebook(places, student, assignment)
        except OSError as problem:  # the folder may be closed or write-protected
            converter.log.warning("No notebook could be added next to the module: %s", problem)
    for student in students:
        if is_time_unreadable(places.submitted / student / assignment):
            converter.log.warning(NO_TIME, student)
    jobs: dict[str, Fingerprint] = {}  # without files: those of a class are not in memory at once
    for student in students:
        job = folders.fingerprint(student, assignment)
        if converter.force or student not in known or _needs_autograding(places, job):
            jobs[student] = job
    grade(places, jobs.values(), settings, processes, lambda job: _stage(places, job, given))
    check_points(directory, given, _results(places, jobs.values()))
    for student in [one for one in jobs if one in known and keeps_grade(places, jobs[one])]:
        converter.log.warning("%s %s", student, KEPT)
        del jobs[student]
    converter.force = True  # only jobs that need it are left, so nbgrader must not compare times
    converter.coursedir = _staged(directory, places)
    converter.assignments = {
        str(places.staged / student / assignment): [
            str(places.staged / student / assignment / f"{assignment}.ipynb")
        ]
        for student in jobs
    }
    return Run(places, jobs, comments)


def _results(places: Places, jobs: Iterable[Fingerprint]) -> Iterator[Result]:
    """Yield the results of jobs that have one."""
    results = Results(places.results)
    return (result for job in jobs if (result := results.get(job.digest)))


def released(places: Places, assignment: str) -> NotebookNode:
    """Return the released notebook, whose cells are valid for nbgrader. Raises CannotRun.

    Students' notebooks are rebuilt with the same cells.
    """
    try:
        given = places.released(assignment)
        MetadataValidator().validate_nb(given)
    except NotReleased as reason:
        raise CannotRun(str(reason)) from None
    except (ValidationError, SchemaTooOldError, SchemaTooNewError) as reason:
        raise CannotRun(
            f"A cell of the released {assignment}.ipynb is not valid for nbgrader ("
            f"{str(reason).splitlines()[0]}). Run nbgrader generate_assignment {assignment} "
            "--force, which makes it again."
        ) from None
    return given


def check_gradebook(directory: CourseDirectory) -> set[str]:
    """Look for the assignment in the gradebook. Raises CannotRun if it is not there.

    Returns the students whose submissions are in the gradebook: it may be newer than the
    autograded notebooks.
    """
    name = directory.assignment_id
    with Gradebook(directory.db_url, directory.course_id) as gradebook:
        try:
            gradebook.find_notebook(name, name)
        except MissingEntry:
            raise CannotRun(
                f"The gradebook does not know {name}, though it is released. Run nbgrader "
                f"generate_assignment {name} --force, which enters it."
            ) from None
        return {one.student.id for one in gradebook.assignment_submissions(name)}


def grade(
    places: Places,
    jobs: Iterable[Fingerprint],
    settings: GradingSettings,
    processes: int | None = None,
    read: Callable[[Job], None] = lambda job: None,
) -> None:
    """Grade jobs that have no result yet, in a separate process.

    Their files are read one by one. If some have changed, the job as it was gets no result.
    processes: how many grade, None for as many as are worth it. read: called with each job when its
    files are there, so that they are not read once more.

    This may be called from a server, where nothing should fork or import torch. The results are in
    places.results afterwards. Raises CannotRun with the message of the process.
    """
    wanted, folders = tuple(jobs), Folders.of(places)
    if not wanted:
        return

    def to_send() -> Iterator[Job]:
        for one in wanted:
            job = folders.job(one.student, one.assignment)
            read(job)
            yield job

    order = Order(str(places.results), tuple(job.digest for job in wanted), settings, processes)
    command = [sys.executable, *QUIET, "-m", "autograder", "nbgrader", "engine"]
    # The working folder has autograder in it, and no student's file. Progress goes to stderr.
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=course.root(), stdin=pipe, stdout=pipe) as engine:
        assert engine.stdin and engine.stdout
        try:
            with contextlib.suppress(BrokenPipeError), engine.stdin as incoming:  # it says why
                send(incoming, order, to_send())
            reason = engine.stdout.read().decode(errors="replace").strip()
        except BaseException:
            engine.kill()
            raise
    if engine.returncode:
        raise CannotRun(reason or "The engine failed: read its message above.")


def _students(converter: Autograde, folders: Folders) -> Iterator[str]:
    """Yield the students of this run, without names that are not valid ids for nbgrader."""
    directory = converter.coursedir
    excluded = directory.student_id_exclude.split(",")
    for name in folders.students(directory.assignment_id):
        if name not in excluded and fnmatch.fnmatchcase(name, directory.student_id):
            try:
                ids.checked(name)
            except ids.NoId as reason:
                converter.log.error("%s", reason)
            else:
                yield name


def add_notebook(places: Places, student: str, assignment: str) -> None:
    """Add the released notebook next to a module that was submitted without one.

    The formgrader needs a notebook to show. Nothing is written in it, so the module counts. Raises
    NotReleased, CannotRun, OSError.
    """
    folder = places.submitted / student / assignment
    if folder.is_symlink() or not folder.is_dir():
        return
    try:
        check_count(folder)
    except Unreadable:  # its grade says so
        return
    alone = all(form(name) != ".ipynb" for name in SubmissionFiles(folder, own=True).names())
    if alone and (folder / f"{assignment}.py").is_file():
        with open(folder / f"{assignment}.ipynb", "x", encoding="utf-8") as file:
            nbformat.write(places.released(assignment), file)


def _needs_autograding(places: Places, job: Fingerprint) -> bool:
    """Return whether nbgrader must autograde a student's submission.

    The digest covers the files, the kit and the course secret. The time of submission counts as
    well, since the penalty for late work depends on it.
    """
    folder = Path(job.student) / job.assignment
    if places.mark(job.student, job.assignment).digest != job.digest:
        return True
    if Results(places.results).get(job.digest) is None:  # deleted, damaged or in an older format
        return True
    before, now = (time_of(step / folder) for step in (places.autograded, places.submitted))
    return before != now


def keeps_grade(places: Places, job: Fingerprint) -> bool:
    """Return whether a submission without a result was graded before, as by another kit.

    Its files must be the same: a grade of other work would say nothing about this one.
    """
    mark = places.mark(job.student, job.assignment)
    was_graded = bool(mark.status) and mark.content == job.content
    return was_graded and Results(places.results).get(job.digest) is None


def _stage(places: Places, job: Job, released: NotebookNode) -> None:
    """Write a student's submission for nbgrader, without any other file of the student's folder."""
    folder = places.staged / job.student / job.assignment
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    nbformat.write(_laid_out(released, job), folder / f"{job.assignment}.ipynb")
    handed_in = places.submitted / job.student / job.assignment
    for name, text in ((TIMESTAMP, time_of(handed_in)), (SECRET, line(handed_in / SECRET))):
        if text:
            (folder / name).write_text(text, encoding="ascii")


def _laid_out(released: NotebookNode, job: Job) -> NotebookNode:
    written = job.files.get(f"{job.folder}{job.assignment}.ipynb")
    try:
        with in_time(Path(job.student)):
            made = rebuilt(released, notebook.cells(written) if written else [])
            if job.refused:
                return made
            submitted = JobFiles(Path(job.student), job)
            counted = submitted.submission(job.student, job.assignment).path
            if counted.suffix == ".py":
                text = decode_source(submitted.data(f"{job.folder}{counted.name}"), counted)
                return with_module(made, counted.name, text)
    except (notebook.DamagedNotebook, Unreadable):  # the grade's message says so
        return rebuilt(released, [])
    return made


def _staged(directory: CourseDirectory, places: Places) -> CourseDirectory:
    """Return a copy of the course whose submitted folder is the staged one."""
    made = CourseDirectory(parent=directory.parent)
    for name in directory.trait_names(config=True):
        setattr(made, name, getattr(directory, name))
    made.submitted_directory = str(places.staged.relative_to(places.root))
    return made
