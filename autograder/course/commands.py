"""Write paths and commands as someone can type them in the current folder."""

from __future__ import annotations

import os
import shlex
from pathlib import Path

from autograder.course import place


def near(path: Path) -> Path:
    """Return a path as seen from the current folder."""
    try:
        return Path(os.path.relpath(path))
    except ValueError:  # on another drive of Windows
        return path


def command(by_make: str, otherwise: str) -> str:
    """Return what to type, for the course that is used: make knows only the kit's own.

    otherwise: the verb and its arguments.
    """
    if place.is_default():
        return by_make
    return f"python -m autograder --course {shlex.quote(str(near(place.folder())))} {otherwise}"
