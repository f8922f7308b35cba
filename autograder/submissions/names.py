"""Recognize the assignment of a file whose name is not quite right."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from autograder.course import assignments
from autograder.submissions.source_text import form, stem

# Canvas: <student>[_LATE]_<number>_<number of the file>_<name>; what was typed into a form, a text
# or the address of a page, has no number of a file. The student's name may be empty, or have `_` in
# it, but a number between two only before LATE. Without names: [LATE_]anon_<code>_… Anonymous ones
# and those of names with `_` are taken for others' names more easily, so the file's number must be
# a longer one. A file's own name may have any character in it, even a line break.
STUDENT = r"[^_]*(?:_(?!\d+_(?!(?:LATE|late)_\d+_))[^_]*)*?"
LATE = r"(?:_LATE|_late)?"
OWN = r"((?s:.+))"
FORM = r"((?:text|link)\.html)"
CANVAS = (
    re.compile(rf"(?:LATE_)?(anon)_([^\W_]{{5}})_\d{{3,}}_{OWN}"),
    re.compile(rf"([^_]+){LATE}_(\d+)_\d+_{OWN}"),
    re.compile(rf"({STUDENT}){LATE}_(\d+)_\d{{3,}}_{OWN}"),
)
CANVAS_FORM = (
    re.compile(rf"(?:LATE_)?(anon)_([^\W_]{{5}})_{FORM}"),
    re.compile(rf"({STUDENT}){LATE}_(\d+)_{FORM}"),
)
# The second reading of such a name: the student's name ends with `_` and a number.
CLASSMATE = re.compile(rf"({STUDENT}_\d+)_(\d+)_\d+_{OWN}")
CLASSMATE_FORM = re.compile(rf"({STUDENT}_\d+)_(\d+)_{FORM}")
# Moodle, without a folder for each student: <student>_<number>_assignsubmission_file_<name>, or
# onlinetext for what was typed into a form.
MOODLE = re.compile(r"(.+?)_(\d+)_assignsubmission_(file|onlinetext)_((?s:.+))")
# With a folder for each student, and one for what was typed; newer ones end without `_`.
MOODLE_FOLDER = re.compile(r"(.+?)_(\d+)_assignsubmission_(file|onlinetext)_?")
AGAIN = re.compile(r"-\d+(?=\.\w+$)")  # Canvas appends it to a file that is handed in again
CHECKPOINT = "-checkpoint"  # the end of the name of a copy that Jupyter saves automatically


class WebsiteName(NamedTuple):
    """The parts of a name that a website has given to a file or folder.

    student: their name there, and number: what the website calls them. own: the name that the
    student gave to the file, in Canvas with a number that it may have appended; "" for a folder.
    is_typed: True for what was typed into a form.
    """

    student: str
    number: str
    own: str
    is_typed: bool = False

    @property
    def id(self) -> str:
        """The student's id where nothing else is known: name and number, such as anna_101.

        No id begins with `_`: of one whose name has no letters, the number is left.
        """
        return f"{self.student}_{self.number}".lstrip("_")


@lru_cache(maxsize=1 << 14)
def normalised(name: str) -> str:
    """Return a file name without its ending, in lower case, spaces and hyphens as underscores."""
    return re.sub(r"[\s_-]+", "_", unicodedata.normalize("NFC", stem(name)).casefold()).strip("_")


def is_exactly(name: str, assignment: str) -> bool:
    """Return whether a module or notebook has exactly the assignment's name."""
    return bool(form(name)) and normalised(name) == assignment.casefold()


def is_an_assignments(name: str) -> bool:
    """Return whether a name without an ending is that of an assignment, however it is written."""
    return any(is_exactly(f"{name}.py", one) for one in assignments())


def is_about(name: str, assignment: str) -> bool:
    """Return whether a longer name, such as a copy's, means this assignment and no other."""
    return _about(name) == (assignment,)


def is_copy(name: str, assignment: str) -> bool:
    """Return whether a program has named a copy of a file so, which no student is called.

    As browsers, file managers and Jupyter do: `X (1).py`, `X copy 2.py`, `X-Copy1.ipynb`.
    """
    own = re.escape(assignment.casefold())
    copy = rf"copy_of_{own}|{own}(?:_?copy_?\d*)?(?:_?\(\d+\))?"
    is_like_it = bool(form(name)) and bool(re.fullmatch(copy, normalised(name)))
    return is_like_it and not is_exactly(name, assignment)


@lru_cache(maxsize=1 << 14)
def _about(name: str) -> tuple[str, ...]:
    """Return the assignments that the name of a module or notebook contains."""
    if not form(name) or stem(name).endswith(CHECKPOINT):
        return ()
    return tuple(one for one in assignments() if _has(normalised(name), one))


def downloaded(name: str, as_it_is: bool = False, is_classmates: bool = False) -> tuple[str, str]:
    """Split the name of a file downloaded from a website into its student, or "", and its name.

    as_it_is: leave at the end of the latter what may be a number that Canvas has appended.
    is_classmates: read it as that of `of_classmate`.
    """
    if found := (of_classmate if is_classmates else of_canvas)(name):
        return found.id, found.own if as_it_is else AGAIN.sub("", found.own)
    if found := of_moodle(name):
        return found.id, found.own
    return "", name


def of_canvas(name: str) -> WebsiteName | None:
    """Return what the name of a file from Canvas says, or None if it is not such a name."""
    return _first(CANVAS, CANVAS_FORM, name)


def of_classmate(name: str) -> WebsiteName | None:
    """Return what the name of a file from Canvas says if it is read in the other way, or None.

    That is of one with a number in their name, such as anna_101: `anna_101_102_9001_my.py` has
    three numbers, as a file of anna's has that is called `9001_my.py`, and so may
    `anna_101_102_text.html` be a file `text.html` of anna's.
    """
    if not of_canvas(name) or of_moodle(name):
        return None
    return _first((CLASSMATE,), (CLASSMATE_FORM,), name)


def of_moodle(name: str) -> WebsiteName | None:
    """Return what the name of a file from Moodle says, or None if it is not such a name."""
    found = MOODLE.fullmatch(name)
    return WebsiteName(found[1], found[2], found[4], found[3] == "onlinetext") if found else None


def of_moodle_folder(name: str) -> WebsiteName | None:
    """Return what the name of a folder from Moodle says, or None if it is not such a name."""
    found = MOODLE_FOLDER.fullmatch(name)
    return WebsiteName(found[1], found[2], "", found[3] == "onlinetext") if found else None


def folder_owner(name: str) -> str:
    """Return the student in the name of a folder that Moodle has made, else the name."""
    found = of_moodle_folder(name)
    return found.id if found else name


def is_online_text(name: str) -> bool:
    """Return whether Moodle calls so the folder of what a student has typed into a form."""
    found = of_moodle_folder(name)
    return found is not None and found.is_typed


def _first(
    files: Sequence[re.Pattern[str]], forms: Sequence[re.Pattern[str]], name: str
) -> WebsiteName | None:
    """Return what a name says by the first pattern that it fits, or None."""
    for pattern in (*files, *forms):
        if (found := pattern.fullmatch(name)) and all(map(_is_of_word, found[1])):
            return WebsiteName(found[1], found[2], found[3], pattern in forms)
    return None


def _is_of_word(c: str) -> bool:
    """Return whether Canvas keeps a character of a student's name: letters, digits, accents, _."""
    return c.isalnum() or c == "_" or unicodedata.category(c).startswith("M")


def shallowest(names: Iterable[str], assignment: str) -> list[str]:
    """Return the names in the fewest folders; of these, those in a folder of the assignment's name.

    Returns all of the shallowest names if none is in such a folder.
    """
    found = sorted(names, key=lambda name: (name.count("/"), name))
    level = [name for name in found if name.count("/") == found[0].count("/")]
    named = [name for name in level if normalised(f"{_folder(name)}.py") == assignment.casefold()]
    return named or level


def _folder(name: str) -> str:
    return name.rpartition("/")[0].rpartition("/")[2]


def _has(text: str, assignment: str) -> bool:
    return bool(re.search(rf"(?<![^\W_]){re.escape(assignment)}(?![^\W_])", text))
