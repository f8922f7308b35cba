"""A replacement for nbgrader's loop over assignments: one command at a time, a message per failure.

autograde, generate_assignment and generate_feedback use it, as commands and in the formgrader.
nbgrader's own loop shows a traceback for each student, advises to upgrade a gradebook that is only
locked, and deletes the old release if a new one cannot be made.
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
INTERRUPTED = "An earlier %s was killed, so %s is again as it was before it."
REPLACED = "replaced"  # in the kit's folder of a course: holds folders that a run has moved aside


def take_over_loop() -> None:
    """Replace nbgrader's loop with this one."""
    BaseConverter.start = start
    BaseConverter.convert_notebooks = convert_notebooks


def start(converter: BaseConverter) -> None:
    """Run a converter while no other command is in the course. Raises NbGraderException."""
    kind = type(converter).__name__
    directory = converter.coursedir
    command = f"{COMMANDS.get(kind, kind)} of {directory.assignment_id}"
    try:
        with in_one_sentence(), exclusive(Path(directory.root), command):
            NBGRADERS_START(converter)
    except CannotRun as reason:
        if Application.initialized():  # nbgrader's commands and the formgrader show no message
            converter.log.error(str(reason))
        raise


def convert_notebooks(converter: BaseConverter) -> None:
    """Convert one folder after another; a failure of one does not stop the others.

    Raises CannotRun if all others would fail as well, and NbGraderException at the end if some
    have failed.
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
            _log_failure(converter, student, problem)
            failed.append(student)
        else:
            if before and done:
                _drop(before)
            elif before:
                _put_back(converter, assignment, student, before)
    if failed:
        raise NbGraderException(f"{len(failed)} could not be converted; see the messages above.")


def _convert(converter: BaseConverter, assignment: str, student: str) -> bool:
    """Convert one folder with nbgrader's own steps. Returns False if it was skipped."""
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
    """Return the assignment and the student of a folder. Raises CannotRun."""
    pattern = converter._format_source("(?P<assignment>.*)", "(?P<student>.*)", escape=True)
    found = re.match(pattern, folder)
    if found is None:
        raise CannotRun(f"{folder} is in an unexpected place; expected {pattern}.")
    return found["assignment"], found["student"]


def _destination(converter: BaseConverter, assignment: str, student: str) -> Path:
    return Path(os.path.normpath(converter._format_dest(assignment, student)))


def _move_aside(converter: BaseConverter, assignment: str, student: str) -> Path | None:
    """Keep a folder until it is replaced. Returns where, or None if there is nothing to keep.

    A folder that a killed process has moved aside is put back first, in every run: later it would
    replace a newer one. Autograded folders are not kept: if one is missing, the next run knows that
    its student is still to be graded.
    """
    if isinstance(converter, Autograde):
        return None
    destination = _destination(converter, assignment, student)
    kind = type(converter).__name__
    aside = Path(converter.coursedir.root) / OWN / REPLACED / kind / student / assignment
    if aside.exists():
        shutil.rmtree(destination, ignore_errors=True)
        destination.parent.mkdir(parents=True, exist_ok=True)
        aside.rename(destination)
        converter.log.warning(INTERRUPTED, COMMANDS.get(kind, kind), destination)
    whole = converter.force and converter.coursedir.notebook_id == "*"
    if not whole or not destination.is_dir():
        return None
    aside.parent.mkdir(parents=True, exist_ok=True)
    return destination.rename(aside)


def _drop(aside: Path) -> None:
    """Delete a folder so that no part of it is ever put back: its new name is not looked for."""
    gone = aside.with_name(f"{aside.name}.gone")
    shutil.rmtree(gone, ignore_errors=True)  # left by a killed process
    aside.rename(gone)
    shutil.rmtree(gone)


def _put_back(converter: BaseConverter, assignment: str, student: str, before: Path | None) -> None:
    """Remove an unfinished folder, and restore the one that was there before."""
    destination = _destination(converter, assignment, student)
    shutil.rmtree(destination, ignore_errors=True)
    if before:
        before.rename(destination)


def _log_failure(converter: BaseConverter, student: str, problem: Exception) -> None:
    prefix = f"{student}: " if student != "." else ""
    text = sentence(problem) or (str(problem) if isinstance(problem, NbGraderException) else "")
    if text:
        converter.log.error("%s%s", prefix, text)
    else:  # an unforeseen error: show its traceback
        converter.log.error("%s%s: %s", prefix, type(problem).__name__, problem, exc_info=problem)
