"""Recognize the assignment that a file is meant for, by a name that is not quite right."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from autograder.course import assignments
from autograder.submissions.source_text import form, stem

# <student>[_LATE]_<number>_<number>_<name>, and what Moodle puts in front where there is no folder.
CANVAS = re.compile(r"([^\W_]+)(?:_LATE)?_(\d+)_\d+_(.+)")
MOODLE = re.compile(r"(.+?_\d+)_assignsubmission_file_(.+)")
AGAIN = re.compile(r"-\d+(?=\.\w+$)")  # what Canvas appends when something is handed in again
CHECKPOINT = "-checkpoint"  # what Jupyter saves on the side


def plain(name: str) -> str:
    """A file's name without its ending, in small letters, spaces and hyphens as underscores."""
    return re.sub(r"[\s_-]+", "_", unicodedata.normalize("NFC", stem(name)).casefold()).strip("_")


def is_exactly(name: str, assignment: str) -> bool:
    """Return whether a module or notebook has exactly the assignment's name."""
    return bool(form(name)) and plain(name) == assignment.casefold()


def is_about(name: str, assignment: str) -> bool:
    """Return whether a longer name, of a copy say, means this assignment and no other."""
    if not form(name) or stem(name).endswith(CHECKPOINT):
        return False
    return [one for one in assignments() if _has(plain(name), one)] == [assignment]


def handed_in(name: str) -> tuple[str, str]:
    """Whose a downloaded file is, and its own name; whose is "" where its name does not say it."""
    if found := CANVAS.fullmatch(name):
        return f"{found[1]}_{found[2]}", AGAIN.sub("", found[3])
    if found := MOODLE.fullmatch(name):
        return found[1], found[2]
    return "", name


def nearest(names: Iterable[str], assignment: str) -> list[str]:
    """Of names in several folders those that lie least deep, or in the folder of its name."""
    found = sorted(names, key=lambda name: (name.count("/"), name))
    level = [name for name in found if name.count("/") == found[0].count("/")]
    named = [name for name in level if plain(f"{_folder(name)}.py") == assignment.casefold()]
    return named or level


def _folder(name: str) -> str:
    return name.rpartition("/")[0].rpartition("/")[2]


def _has(text: str, assignment: str) -> bool:
    return bool(re.search(rf"(?<![^\W_]){re.escape(assignment)}(?![^\W_])", text))
