"""Decide which names can be ids of students.

An id comes from the name of a stranger's file or folder. It appears in terminals, tables, pages and
file names.
"""

from __future__ import annotations

import unicodedata

from autograder.errors import SubmissionError
from autograder.submissions.invisible import INVISIBLE
from autograder.submissions.spellings import KATAKANA_DOT, MIDDLE_DOT, PARTS, unified

MOST = 120  # bytes, so that any file system can append an ending
MARKS = 3  # accents above, below or in one letter; others stand beside it
REPLACEMENT = "\N{REPLACEMENT CHARACTER}"  # no id has it
SIGNS = frozenset(f" ._-@+,'()\N{RIGHT SINGLE QUOTATION MARK}{MIDDLE_DOT}{KATAKANA_DOT}")
DOTS = "\u119e\u1427\u18df\u302e\ua78f\U0001d16d"  # look like a middle dot
UNCLEAR = INVISIBLE | frozenset(DOTS)
# Names of devices on Windows, with any ending.
DEVICES = {"CON", "PRN", "AUX", "NUL", *(f"{d}{i}" for d in ("COM", "LPT") for i in range(10))}
RULE = (
    "An id begins with a letter or a digit, has letters, digits, spaces, middle dots and any of "
    f"._-@+,'() in it, does not end with a space or a dot, and has at most {MOST} bytes."
)
RESERVED = (
    "Windows keeps this name for a device, with any ending, so no file can be named after it."
)


class NoId(SubmissionError):
    """A name cannot be an id; the text says why and what to do."""


def checked(name: str) -> str:
    """Return a name as an id, in the one spelling that ids have. Raises NoId."""
    known = composed(name)
    if not _fits(known):
        why = RESERVED if _is_device(known) else RULE
        raise NoId(f"{shown(name)} cannot be a student's id. Rename it. {why}")
    return known


def is_id(name: str) -> bool:
    """Return whether a name can be a student's id."""
    return _fits(composed(name))


def shown(name: str) -> str:
    """Return a name as an id, or similar text that is safe to show and is never an id.

    A replacement character stands for what cannot be shown, or is at the end of a name that is cut
    or does not look like what it is.
    """
    known = composed(name)
    if _fits(known):
        return known
    text = "".join(
        c if _is_allowed(c) and not _is_mark(c) else REPLACEMENT for c in known[: MOST + 1]
    )
    return text if REPLACEMENT in text or _is_plain(known) else text + REPLACEMENT


def key(name: str) -> str:
    """Return a key that is equal for names that people or file systems do not distinguish."""
    return unicodedata.normalize("NFC", composed(name).casefold())


def composed(name: str) -> str:
    """Return the one spelling of a name, cut to a length that no id exceeds.

    Names that look the same have one: accents are composed, joiners removed. Composing a long row
    of accents would take too long. A letter of two bytes may be written as three characters, so an
    id has at most 1.5 characters per byte.
    """
    return unified(name[: 2 * MOST])


def _fits(name: str) -> bool:
    return (
        name[:1].isalnum()
        and all(map(_is_allowed, name))
        and not name.endswith((" ", "."))
        and not _has_tower(name)
        and not _is_look_alike(name)
        and not _is_device(name)
        and len(name.encode()) <= MOST
    )


def _is_plain(name: str) -> bool:
    """Return whether a name looks like what it is, from its first character to its last."""
    is_whole = 0 < len(name) <= MOST + 1
    # A dot in the middle of a line is hardly seen at an end.
    return is_whole and name == name.strip(" \N{MIDDLE DOT}") and not _is_look_alike(name)


def _is_look_alike(name: str) -> bool:
    """Return whether a name has another form of a letter, such as a ligature."""
    return unicodedata.normalize("NFKC", name) != name.translate(PARTS)


def _is_device(name: str) -> bool:
    """Return whether Windows takes a file of this name for a device."""
    return name.split(".")[0].strip().upper() in DEVICES


def _is_allowed(c: str) -> bool:
    """Return whether a character is a visible letter, digit or accent, or one of a few signs."""
    return c in SIGNS or ((c.isalnum() or _is_mark(c)) and c not in UNCLEAR)


def _is_mark(c: str) -> bool:
    return unicodedata.category(c) in ("Mn", "Mc")


def _has_tower(text: str) -> bool:
    """Return whether a letter has more accents than any script puts on one, or one of them twice.

    Two equal accents may lie on each other. Spacing marks, such as vowel signs, are beside it.
    """
    marks = ""
    for c in text.translate(PARTS):
        if unicodedata.category(c) == "Mn":
            if c in marks or len(marks) == MARKS:
                return True
            marks += c
        elif not _is_mark(c):
            marks = ""
    return False
