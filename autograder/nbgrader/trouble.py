"""One sentence for the instructor where the gradebook is locked, the disk is full, and so on."""

from __future__ import annotations

import contextlib
import errno
import logging
from collections.abc import Iterator
from typing import Any

import nbgrader.api
import sqlalchemy
from nbgrader.converters.base import NbGraderException
from sqlalchemy.exc import OperationalError

from autograder.course import NoSecret

PATIENCE = 60.0  # seconds for which another program may hold the gradebook
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EROFS)  # nobody else's work can be written either
LOCKED = (
    "The gradebook is locked: another program has been writing to it for {:g} s. Close that "
    "program (a database browser, say) and call this again; what is finished stays."
)
DATABASE = "The gradebook cannot be used: {}. Call this again when it can; what is finished stays."
UPGRADE = (
    "The gradebook cannot be used: {}. If nbgrader was updated, back it up, then call nbgrader db "
    "upgrade."
)
FILES = "{}: {}. Call this again when there is room; what is finished stays."


class CannotRun(NbGraderException):
    """A command cannot begin or go on; the text says why and what to do."""


@contextlib.contextmanager
def in_one_sentence() -> Iterator[None]:
    """Raise CannotRun with a sentence in place of what a database or a file system raises."""
    try:
        yield
    except CannotRun:
        raise
    except Exception as problem:
        if said := sentence(problem):
            raise CannotRun(said) from problem
        raise


def sentence(problem: BaseException) -> str:
    """Return what to tell the instructor; "" if the machine's state is not the cause."""
    if isinstance(problem, NoSecret):
        return str(problem)
    cause = _cause(problem)
    if isinstance(cause, OperationalError):
        said = str(cause.orig).strip().splitlines()[0]
        if "locked" in said:
            return LOCKED.format(PATIENCE)
        return (UPGRADE if said.startswith("no such") else DATABASE).format(said)
    if isinstance(cause, OSError):
        if cause.errno in FULL:
            return FILES.format(cause.strerror, cause.filename or "the disk")
        return f"{cause.strerror or cause}: {cause.filename}." if cause.filename else str(cause)
    return ""


def stops_all(problem: BaseException) -> bool:
    """Return whether other students' submissions would meet the same problem."""
    cause = _cause(problem)
    return isinstance(cause, OperationalError) or (
        isinstance(cause, OSError) and cause.errno in FULL
    )


def _cause(problem: BaseException) -> BaseException:
    """The error of the database or file system; nbgrader raises InvalidEntry in its place."""
    inner: BaseException | None = problem
    while inner is not None and not isinstance(inner, (OperationalError, OSError)):
        inner = inner.__cause__ or inner.__context__
    return inner or problem


def patient_engine(url: str, **options: Any) -> sqlalchemy.Engine:
    """A connection that waits while another program writes to an SQLite gradebook.

    Without it, SQLite gives up after five seconds.
    """
    if sqlalchemy.engine.make_url(url).get_backend_name() == "sqlite":
        options["connect_args"] = {"timeout": PATIENCE}
    return sqlalchemy.create_engine(url, **options)


def _without_traceback(record: logging.LogRecord) -> bool:
    """Let nbgrader's gradebook log no traceback of an error that is told in one sentence."""
    problem = record.exc_info[1] if record.exc_info else None
    return problem is None or not sentence(problem)


def be_patient() -> None:
    """Let nbgrader wait for its gradebook, and show no traceback when that was in vain."""
    nbgrader.api.create_engine = patient_engine
    nbgrader.api.app_log.addFilter(_without_traceback)
