"""Print to stdout and stderr, whatever they are connected to."""

from __future__ import annotations

import contextlib
import io
import os
import shutil
import sys
from dataclasses import dataclass
from typing import Any, TextIO

from autograder.report.columns import NARROWEST, WIDTH
from autograder.report.writing import cannot_write


class Stderr(io.TextIOWrapper):
    """Drops what cannot be written, as on a full disk: nobody could be told of it."""

    def write(self, text: str) -> int:
        with contextlib.suppress(OSError):
            super().write(text)
        return len(text)

    def flush(self) -> None:
        with contextlib.suppress(OSError):
            super().flush()


class Noted:
    """A stream that notes whether anything was written to it."""

    def __init__(self, stream: TextIO) -> None:
        self._stream, self.is_used = stream, False

    def write(self, text: str) -> int:
        self.is_used = True
        return self._stream.write(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


@dataclass(frozen=True)
class Screen:
    """Where a report is shown: whether it may have colours, and its columns."""

    colour: bool = False
    columns: int = WIDTH

    @property
    def used(self) -> int:
        """The columns that a report uses; a line of fewer would hold hardly anything."""
        return max(NARROWEST, min(self.columns, WIDTH))


def screen() -> Screen:
    """Return what stdout is connected to; of a file, and whatever is no terminal, the default."""
    if not sys.stdout.isatty():
        return Screen()
    is_plain = "NO_COLOR" in os.environ or os.environ.get("TERM") == "dumb"
    return Screen(not is_plain, shutil.get_terminal_size().columns)


def print_anything() -> None:
    """Let a command print whatever it says, wherever its output goes.

    A stream that is closed, as by `2>&-`, is opened on nothing, since files would else take its
    number. Characters that a stream cannot encode are replaced: where the output of Windows goes
    into a file, for example, it has no ✓.
    """
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            found = os.open(os.devnull, os.O_RDWR)  # the lowest number that is free: its own
            os.set_inheritable(found, True)
            stream = open(found, "w" if number else "r", encoding="utf-8")
            setattr(sys, name, stream)
            setattr(sys, f"__{name}__", stream)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")
    if isinstance(sys.stderr, io.TextIOWrapper):
        encoding = sys.stderr.encoding
        sys.stderr = Stderr(sys.stderr.buffer, encoding, "replace", line_buffering=True)


def print_utf8() -> None:
    """Encode stdout as UTF-8, as JSON requires, whatever the encoding of the terminal."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", errors="replace")


def say(text: str) -> None:
    """Print to stdout immediately; do nothing if the reader has closed it. Raises CannotWrite."""
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except OSError as problem:  # what is still in the buffer must not fail again
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(problem, BrokenPipeError):  # head or less has seen enough
            raise cannot_write("The output", problem) from None
