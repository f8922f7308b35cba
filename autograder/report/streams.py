"""Print results to stdout, whatever it is connected to."""

from __future__ import annotations

import io
import os
import sys


def print_anything() -> None:
    """Replace characters that stdout or stderr cannot encode, instead of raising an error.

    Where the output of Windows goes into a file, for example, it has no ✓.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def print_utf8() -> None:
    """Encode stdout as UTF-8, as JSON requires, whatever the encoding of the terminal."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", errors="replace")


def say(text: str) -> None:
    """Print to stdout immediately; do nothing if the reader has closed it."""
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:  # head or less has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
