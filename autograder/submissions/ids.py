"""What a student may be called: the one place that says which names are ids.

An id comes from the name of a stranger's file or folder, and goes into terminals, tables, pages,
and names of files.
"""

from __future__ import annotations

import unicodedata

MOST = 120  # bytes, which leaves room for an ending in any file system
MARKS = 3  # accents on one letter; more are a tower
MARK = "\N{REPLACEMENT CHARACTER}"  # no id has it
BESIDES = frozenset(" ._-@+,'()\N{RIGHT SINGLE QUOTATION MARK}")
# What Windows takes for a device, whatever ending follows.
DEVICES = {"CON", "PRN", "AUX", "NUL", *(f"{d}{i}" for d in ("COM", "LPT") for i in range(10))}
RULE = (
    "An id begins with a letter or a digit, has letters, digits, spaces and any of ._-@+,'() in "
    f"it, does not end with a space or a dot, and has at most {MOST} bytes."
)


class NoId(ValueError):
    """A name cannot be an id; the text says why and what to do."""


def checked(name: str) -> str:
    """The id that a name is, its accents composed. Raises NoId."""
    known = composed(name)
    if not _fits(known):
        raise NoId(f"{shown(name)} cannot be a student's id. Rename it. {RULE}")
    return known


def is_id(name: str) -> bool:
    """Return whether a name can be a student's id."""
    return _fits(composed(name))


def shown(name: str) -> str:
    """The id that a name is, or something like the name that can be shown and is no id."""
    known = composed(name)
    if _fits(known):
        return known
    text = "".join(c if _is_allowed(c) and not _is_mark(c) else MARK for c in known[: MOST + 1])
    return text if MARK in text else text + MARK


def key(name: str) -> str:
    """The same for names that people, or file systems, take for one."""
    return unicodedata.normalize("NFC", composed(name).casefold())


def composed(name: str) -> str:
    """Compose the accents of a name, cut where no id reaches: a long row of them would take long.

    A letter of two bytes may be written as three characters, so an id has 1.5 for each byte at
    most.
    """
    return unicodedata.normalize("NFC", name[: 2 * MOST])


def _fits(name: str) -> bool:
    return (
        name[:1].isalnum()
        and all(map(_is_allowed, name))
        and not name.endswith((" ", "."))
        and not _has_tower(name)
        and unicodedata.normalize("NFKC", name) == name  # no letters that look like others
        and name.split(".")[0].strip().upper() not in DEVICES
        and len(name.encode()) <= MOST
    )


def _is_allowed(c: str) -> bool:
    """Letters and digits of any script, accents, and a few signs."""
    return c in BESIDES or c.isalnum() or _is_mark(c)


def _is_mark(c: str) -> bool:
    return unicodedata.category(c) in ("Mn", "Mc")


def _has_tower(text: str) -> bool:
    """Are there more accents on a letter than any script has?"""
    high = 0
    for c in text:
        high = high + 1 if _is_mark(c) else 0
        if high > MARKS:
            return True
    return False
