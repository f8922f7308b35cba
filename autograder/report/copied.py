"""Commands that are printed to be copied into a shell."""

from __future__ import annotations

import os
import re
from pathlib import Path
from shlex import quote

from autograder.grading.grade import ExerciseGrade, Grade

REPLACED = "\N{REPLACEMENT CHARACTER}…"  # what stands in a shown name for what cannot be shown
PLAIN_ON_WINDOWS = re.compile(r"[\w .,:/+=@-]+")  # there is no quoting there that holds the rest
TO_FILL_IN = "..."


def command(exercise: ExerciseGrade, grade: Grade) -> str:
    """The command that grades this exercise alone.

    It names the folder or archive of the submission, or a file that is not named after its
    assignment. A name that cannot be typed in one line is left to be filled in.
    """
    path = Path(grade.path)
    place = path.parent if path.stem == grade.assignment else path
    where = "" if place == Path("assignments") else f"SUBMISSION={_typed(place)} "
    return f"make grade {where}EX={exercise.name}"


def _typed(place: Path) -> str:
    """The path as a word that a shell, and make behind it, take for nothing but itself."""
    name = place.as_posix()
    if not name.isprintable() or set(name) & set(REPLACED):
        return TO_FILL_IN
    if name.startswith(" "):  # make drops what is blank at the beginning
        name = f"./{name}"
    if os.name == "nt":
        return f'"{name}"' if PLAIN_ON_WINDOWS.fullmatch(name) else TO_FILL_IN
    return quote(name)
