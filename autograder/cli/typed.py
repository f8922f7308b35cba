"""Paths as a user types them for make."""

from __future__ import annotations

import os
from pathlib import Path

from autograder.report.writing import named_path

# An environment variable that assignments/Makefile sets: the folder in which the path was typed,
# seen from the one in which the command runs.
FOLDER = "AUTOGRADER_FROM"


def path(text: str) -> Path:
    """Return the path that a user means, who may have typed it in another folder.

    Some shells leave the ~ in `KIT=~/kit` as it is. It is the user's own folder, unless there is a
    file of that name. What is not where it was typed may be a path that a report has printed: it
    begins in the folder in which the command runs. Raises ArgumentTypeError
    for an empty text.
    """
    named_path(text)
    folder = os.environ.get(FOLDER, "")
    expanded = os.path.join(folder, os.path.expanduser(text))
    meant = (os.path.join(folder, text), expanded, text)
    return Path(next(filter(os.path.lexists, meant), expanded))
