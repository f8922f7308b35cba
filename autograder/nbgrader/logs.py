"""Log lines that students' names of files and folders cannot forge."""

from __future__ import annotations

import logging

from autograder.grading.fitting import printable

INDENT = "\n    "  # in front of a message's further lines, since only a new message begins a line


class PrintableRecord(logging.LogRecord):
    """A log record whose message moves no cursor and begins no other line."""

    def getMessage(self) -> str:  # noqa: N802  (logging's name)
        return printable(super().getMessage()).replace("\n", INDENT)


def log_printable() -> None:
    """Let every log message of this process, which nbgrader makes of raw names, be printable."""
    logging.setLogRecordFactory(PrintableRecord)
