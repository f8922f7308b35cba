"""Messages for problems of the machine: a locked gradebook, a full disk, and similar ones."""

from __future__ import annotations

import contextlib
import errno
import logging
from collections.abc import Iterator
from typing import Any, TypeGuard

import nbgrader.api
import sqlalchemy
from nbgrader.converters.base import NbGraderException
from sqlalchemy.exc import ArgumentError, DatabaseError, NoSuchModuleError, OperationalError
from traitlets import TraitError

from autograder.course.secret_file import NoSecret
from autograder.errors import NbgraderError

PATIENCE = 60.0  # seconds for which another program may hold the gradebook
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EROFS)  # writing fails for other students as well
LOCKED = (
    "The gradebook is locked: another program has been writing to it for {:g} s. Close that "
    "program (for example a database browser) and run this again; finished results are kept."
)
DATABASE = (
    "The gradebook cannot be used: {}. Fix that and run this again; finished results are kept."
)
UPGRADE = (
    "The gradebook cannot be used: {}. If nbgrader was updated, back it up, then run nbgrader db "
    "upgrade."
)
DAMAGED = (
    "The gradebook is damaged: {}. Put back a copy of it, or move it away and run nbgrader "
    "generate_assignment ASSIGNMENT --force, which begins a new one without what was set by hand; "
    "finished results are kept."
)
OPTION = "{} Mend that option of nbgrader; nothing was done."
URL = (
    "write it like sqlite:////folder/gradebook.db or "
    "postgresql+psycopg2://user:password@host/gradebook"
)
FILES = "{}: {}. {} and run this again; finished results are kept."
ADVICE = {
    errno.ENOSPC: "Make space",
    errno.EDQUOT: "Make space, or have the quota raised,",
    errno.EROFS: "Mount that file system for writing",
    errno.EACCES: "Give this user access to it",
    errno.EPERM: "Give this user access to it",
    errno.ENOTDIR: "Move it away, since a folder has to be there,",
    errno.EISDIR: "Move it away, since a file has to be there,",
    errno.EEXIST: "Move it away",
}


class CannotRun(NbgraderError, NbGraderException):
    """A command cannot start or continue; the text says why and what to do."""


class NoDatabase(CannotRun):
    """The URL of the gradebook is wrong. reason: why, to follow the name of the option."""

    def __init__(self, reason: str) -> None:
        super().__init__(OPTION.format(f"CourseDirectory.db_url {reason}."))
        self.reason = reason


@contextlib.contextmanager
def in_one_sentence() -> Iterator[None]:
    """Raise CannotRun with a message in place of errors of database, files and options.

    nbgrader looks at the value of an option when it makes an object that has it.
    """
    try:
        yield
    except CannotRun:
        raise
    except TraitError as problem:
        raise CannotRun(OPTION.format(problem)) from problem
    except Exception as problem:
        if text := sentence(problem):
            raise CannotRun(text) from problem
        raise


def sentence(problem: BaseException) -> str:
    """Return a message for the instructor; "" if the machine's state is not the cause."""
    if isinstance(problem, NoSecret | NoDatabase):
        return str(problem)
    cause = _cause(problem)
    if _is_databases(cause):
        reason = str(cause.orig).strip().splitlines()[0]
        if not isinstance(cause, OperationalError):
            return DAMAGED.format(reason)
        if "locked" in reason:
            return LOCKED.format(PATIENCE)
        return (UPGRADE if reason.startswith("no such") else DATABASE).format(reason)
    if isinstance(cause, OSError):
        what, where = cause.strerror or str(cause), cause.filename or ""
        if advice := ADVICE.get(cause.errno or 0):
            return FILES.format(what, where or "a file whose name the system does not say", advice)
        return f"{what}: {where}." if where else what
    return ""


def stops_all(problem: BaseException) -> bool:
    """Return whether other students' submissions would meet the same problem."""
    cause = _cause(problem)
    return (
        isinstance(problem, NoDatabase)
        or _is_databases(cause)
        or (isinstance(cause, OSError) and cause.errno in FULL)
    )


def _cause(problem: BaseException) -> BaseException:
    """Return the error of the database or file system, in whose place nbgrader raises others."""
    inner: BaseException | None = problem
    while inner is not None and not (_is_databases(inner) or isinstance(inner, OSError)):
        inner = inner.__cause__ or inner.__context__
    return inner or problem


def _is_databases(problem: BaseException) -> TypeGuard[DatabaseError]:
    """Return whether the database cannot be used; its other errors are about what it was asked.

    SQLite raises the plain DatabaseError for a file that is none of its own, or is damaged.
    """
    return isinstance(problem, OperationalError) or type(problem) is DatabaseError


def patient_engine(url: str, **options: Any) -> sqlalchemy.Engine:
    """Make a database engine that waits while another program writes to an SQLite gradebook.

    SQLite's default is to give up after five seconds. Raises NoDatabase, whose text shows no
    password.
    """
    try:
        if _parsed(url).get_backend_name() == "sqlite":
            options["connect_args"] = {"timeout": PATIENCE}
        return sqlalchemy.create_engine(url, **options)
    except NoSuchModuleError:
        kind = _parsed(url).drivername
        raise NoDatabase(f"names {kind}, which is no kind of database here: {URL}") from None
    except ImportError as problem:
        needed = f"needs the Python package {problem.name}, which cannot be imported"
        raise NoDatabase(f"{needed}: install it, or {URL}") from None
    except (ArgumentError, ValueError) as problem:  # from what a kind of database requires
        raise NoDatabase(f"cannot be used ({str(problem).splitlines()[0]}): {URL}") from None


def _parsed(url: str) -> sqlalchemy.URL:
    """Parse the URL of a database. Raises NoDatabase."""
    try:
        return sqlalchemy.engine.make_url(url)
    except ArgumentError:
        raise NoDatabase(f"is not the URL of a database: {URL}") from None
    except ValueError:
        raise NoDatabase(f"has a port that is not a number: {URL}") from None


def why_no_database(url: str) -> str:
    """Return why a URL is not that of a database, to follow the option's name; else "".

    No connection is made.
    """
    try:
        patient_engine(url)
    except NoDatabase as problem:
        return problem.reason
    return ""


def _without_traceback(record: logging.LogRecord) -> bool:
    """Filter out log records of errors that get a message instead of a traceback."""
    problem = record.exc_info[1] if record.exc_info else None
    return problem is None or not sentence(problem)


def be_patient() -> None:
    """Let nbgrader wait for its gradebook, and show no traceback when it stays locked."""
    nbgrader.api.create_engine = patient_engine
    nbgrader.api.app_log.addFilter(_without_traceback)
