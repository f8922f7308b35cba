"""Write commands that can be copied into a shell."""

from __future__ import annotations

import os
import re
from pathlib import Path
from shlex import quote

from autograder.course import commands
from autograder.grading.grade import ExerciseGrade, Grade
from autograder.submissions import archives

REPLACED = "\N{REPLACEMENT CHARACTER}…"  # they stand for parts of a name that cannot be shown
PLAIN_ON_WINDOWS = re.compile(r"[\w .,:/+=@-]+")  # other characters cannot be quoted safely there
TO_FILL_IN = "..."


def command(exercise: ExerciseGrade, grade: Grade, hints: int = 0, paste: bool = False) -> str:
    """Return the command that grades this exercise alone, with so many hints if there are any.

    paste: it also shows the lines that rebuild the smallest example.
    It has the path of the submission's folder or archive, or of a file that is not named after its
    assignment. A path that cannot be typed in a shell is replaced by "...".
    """
    path = Path(grade.path)
    place = path.parent if path.stem == grade.assignment else path
    for around in (place, *place.parents):
        place = around if archives.is_archive(around.name) else place
    name, where = exercise.name, _typed(place)
    make = "make grade " + f"SUBMISSION={where} " * (place != Path("assignments")) + f"EX={name}"
    words = f"grade {where} --exercise {name}"
    return commands.command(
        make + f" HINTS={hints}" * (hints > 0) + " PASTE=1" * paste,
        words + f" --hints {hints}" * (hints > 0) + " --paste 1" * paste,
    )


def _typed(place: Path) -> str:
    """Return a path quoted so that the shell, and make after it, take it literally."""
    name = place.as_posix()
    if not name.isprintable() or set(name) & set(REPLACED):
        return TO_FILL_IN
    if name.startswith(" "):  # make drops leading blanks
        name = f"./{name}"
    if os.name == "nt":
        return f'"{name}"' if PLAIN_ON_WINDOWS.fullmatch(name) else TO_FILL_IN
    return quote(name)
