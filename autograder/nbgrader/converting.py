"""nbgrader's loop over assignments, with one command at a time and a sentence for each failure.

autograde, generate_assignment and generate_feedback go through it, called as commands or by the
formgrader. nbgrader's own shows a traceback for each student, advises to upgrade a gradebook that
is only locked, and deletes the old release where a new one cannot be made.
"""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

from nbgrader.converters import Autograde
from nbgrader.converters.base import BaseConverter, NbGraderException
from traitlets.config import Application

from autograder.nbgrader.exclusive import exclusive
from autograder.nbgrader.places import OWN
from autograder.nbgrader.trouble import CannotRun, in_one_sentence, sentence, stops_all

NBGRADERS_START = BaseConverter.start
COMMANDS = {
    "Autograde": "autograde",
    "GenerateAssignment": "generate_assignment",
    "GenerateFeedback": "generate_feedback",
}
REPLACED = "replaced"  # in the kit's folder of a course: what a run has moved aside


def take_over_loop() -> None:
    """Put our loop in the place of nbgrader's."""
    BaseConverter.start = start
    BaseConverter.convert_notebooks = convert_notebooks


def start(converter: BaseConverter) -> None:
    """Do all that a converter is to do, alone in the course. Raises NbGraderException."""
    kind = type(converter).__name__
    directory = converter.coursedir
    command = f"{COMMANDS.get(kind, kind)} of {directory.assignment_id}"
    try:
        with in_one_sentence(), exclusive(Path(directory.root), command):
            NBGRADERS_START(converter)
    except CannotRun as reason:
        if Application.initialized():  # nbgrader's own command, or the formgrader, is silent
            converter.log.error(str(reason))
        raise


def convert_notebooks(converter: BaseConverter) -> None:
    """Convert one folder after another; a failure of one does not stop the others.

    Raises CannotRun where all others would fail as well, and NbGraderException at the end where
    some have failed.
    """
    failed = []
    for folder in sorted(converter.assignments):
        converter.notebooks = sorted(converter.assignments[folder])
        assignment, student = _parts(converter, folder)
        before = _move_aside(converter, assignment, student)
        try:
            done = _convert(converter, assignment, student)
        except BaseException as problem:
            _put_back(converter, assignment, student, before)
            if not isinstance(problem, Exception):
                raise
            if stops_all(problem):
                raise CannotRun(sentence(problem)) from problem
            _complain(converter, student, problem)
            failed.append(student)
        else:
            if before and done:
                shutil.rmtree(before)
            elif before:
                _put_back(converter, assignment, student, before)
    if failed:
        raise NbGraderException(f"{len(failed)} could not be converted; see what stands above.")


def _convert(converter: BaseConverter, assignment: str, student: str) -> bool:
    """Convert one folder, step by step as nbgrader does. Returns False if it was passed over."""
    if not converter.init_destination(assignment, student):
        return False
    converter.run_pre_convert_hook()
    converter.init_assignment(assignment, student)
    for notebook in converter.notebooks:
        converter.convert_single_notebook(notebook)
    converter.set_permissions(assignment, student)
    converter.run_post_convert_hook()
    return True


def _parts(converter: BaseConverter, folder: str) -> tuple[str, str]:
    """The assignment and the student of a folder."""
    pattern = converter._format_source("(?P<assignment>.*)", "(?P<student>.*)", escape=True)
    found = re.match(pattern, folder)
    if found is None:
        raise CannotRun(f"{folder} is not where it is expected: {pattern}.")
    return found["assignment"], found["student"]


def _destination(converter: BaseConverter, assignment: str, student: str) -> Path:
    return Path(os.path.normpath(converter._format_dest(assignment, student)))


def _move_aside(converter: BaseConverter, assignment: str, student: str) -> Path | None:
    """Keep what is to be replaced until that is done. Returns where.

    What an ended process has moved aside is put back first. An autograded folder is not kept: by
    its absence it is known that something is left to do.
    """
    whole = converter.force and converter.coursedir.notebook_id == "*"
    if isinstance(converter, Autograde) or not whole:
        return None
    there = _destination(converter, assignment, student)
    kind = type(converter).__name__
    aside = Path(converter.coursedir.root) / OWN / REPLACED / kind / student / assignment
    if aside.exists():
        shutil.rmtree(there, ignore_errors=True)
        aside.rename(there)
    if not there.is_dir():
        return None
    aside.parent.mkdir(parents=True, exist_ok=True)
    return there.rename(aside)


def _put_back(converter: BaseConverter, assignment: str, student: str, before: Path | None) -> None:
    """Remove what is half done, and restore what stood there."""
    there = _destination(converter, assignment, student)
    shutil.rmtree(there, ignore_errors=True)
    if before:
        before.rename(there)


def _complain(converter: BaseConverter, student: str, problem: Exception) -> None:
    whose = f"{student}: " if student != "." else ""
    said = sentence(problem) or (str(problem) if isinstance(problem, NbGraderException) else "")
    if said:
        converter.log.error("%s%s", whose, said)
    else:  # nobody has foreseen it, so all that is known of it is shown
        converter.log.error("%s%s: %s", whose, type(problem).__name__, problem, exc_info=problem)
