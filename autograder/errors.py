"""Errors that the engine raises on purpose; the text of each says what is wrong and what to do.

Processes that run student code do not import this module: `child` and `runtime` raise subclasses of
Python's exceptions.
"""

from __future__ import annotations


class AutograderError(Exception):
    """The base class of all errors that the engine raises on purpose."""


class UsageError(AutograderError):
    """A command was given something that it cannot use."""


class CourseError(AutograderError):
    """A file of the course is wrong, and its author can correct it."""


class MachineError(AutograderError):
    """This machine lacks something that the command needs."""


class GraderError(AutograderError):
    """The grader itself failed, so no submission may lose points."""


class NbgraderError(AutograderError):
    """A command for nbgrader cannot run or continue."""


class SubmissionError(AutograderError):
    """One submission is at fault: its grade says so."""


class Signal(AutograderError):
    """Something that the engine expects and handles; no user reads its text."""
