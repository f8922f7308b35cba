"""The one place that makes the texts of a submission fit to be shown: plain, and cut."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, replace

from autograder.grading.grade import ExerciseGrade, Grade

# What tells a terminal something, from the escape character to its end: colours, titles, links.
ESCAPE = re.compile(r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)")
INVISIBLE = frozenset("\u115f\u1160\u3164\uffa0\u2800\u034f\u17b4\u17b5")  # count as letters
MARKS = 3  # accents on one letter
EAGER = 4  # times the room: what is cut away need not be made plain
LONG_WORD = re.compile(r"\S{301,}")  # a name; in a sentence its middle tells nothing
LINE = 40  # characters of room that a line takes besides its own
LEAST = 120  # characters of a text, where all room is taken


@dataclass(frozen=True)
class Room:
    """How much of a text is shown."""

    characters: int
    lines: int


NAME = Room(200, 1)
PATH = Room(500, 1)
SAID = Room(400, 1)  # the text of an exception, within a message
MESSAGE = Room(1500, 12)
PRINTED = Room(4000, 100)
ALL_MESSAGES = 12_000  # characters, of one submission
ALL_PRINTED = 12_000


def fit(grade: Grade) -> Grade:
    """The grade with every text of the submission plain, and cut to its room.

    What the checks say has a room of its own, and another one in all; so has what was printed.
    """
    messages, printed = _Left(MESSAGE, ALL_MESSAGES), _Left(PRINTED, ALL_PRINTED)
    return replace(
        grade,
        submission=cut(grade.submission, NAME),
        path=cut(grade.path, PATH),
        message=cut(grade.message, MESSAGE),
        exercises=tuple(_fit(exercise, messages, printed) for exercise in grade.exercises),
    )


def cut(text: str, room: Room) -> str:
    """The text, plain, or as much of it as there is room for.

    Of what has one line, a name, the middle is left out, else the end. Nothing changes if that is
    done again.
    """
    begun = plain(text[: EAGER * room.characters])
    if room.lines == 1:
        ended = plain(text[-EAGER * room.characters :])
        return _without_middle(begun, ended, room.characters)
    begun = LONG_WORD.sub(lambda word: _without_middle(word[0], word[0], NAME.characters), begun)
    lines = begun.split("\n")
    whole = len(text) <= EAGER * room.characters
    if whole and len(begun) <= room.characters and len(lines) <= room.lines:
        return begun
    mark = f"… (the rest of {len(text)} characters is left out)"
    kept = "\n".join(lines[: room.lines - 1])[: max(0, room.characters - len(mark) - 1)]
    return f"{kept}\n{mark}"


def plain(text: str) -> str:
    """A student's text without anything that could move a cursor, hide or pile up.

    Colours and the like are taken out, other control characters replaced, accents beyond a few on
    one letter dropped.
    """
    if text.isascii() and text.isprintable():  # as mostly
        return text
    text = ESCAPE.sub("", text).replace("\r\n", "\n").replace("\r", "\n").replace("\t", "    ")
    text = "".join(
        c if (c.isprintable() or c == "\n") and c not in INVISIBLE else "\N{REPLACEMENT CHARACTER}"
        for c in text
    )
    if text.isascii():
        return text
    marks = "".join("x" if unicodedata.category(c) in ("Mn", "Me") else " " for c in text)
    tower = "x" * (MARKS + 1)
    return "".join(c for i, c in enumerate(text) if marks[max(0, i - MARKS) : i + 1] != tower)


class _Left:
    """What is left of the room for several texts."""

    def __init__(self, room: Room, characters: int) -> None:
        self._room = room
        self._characters = characters

    def cut(self, text: str) -> str:
        """Cut the next one of them."""
        most = min(self._room.characters, max(LEAST, self._characters))
        made = cut(text, self._room if most == self._room.characters else Room(most, 3))
        self._characters -= len(made) + LINE * made.count("\n")
        return made


def _fit(exercise: ExerciseGrade, messages: _Left, printed: _Left) -> ExerciseGrade:
    checks = tuple(
        replace(check, message=messages.cut(check.message), printed=printed.cut(check.printed))
        if check.message or check.printed
        else check
        for check in exercise.checks
    )
    example = exercise.example
    if example:
        example = replace(example, said=tuple(cut(text, MESSAGE) for text in example.said))
    return replace(exercise, checks=checks, example=example)


def _without_middle(begun: str, ended: str, most: int) -> str:
    """A name in one line, by its beginning and its end, which may be all of it."""
    begun, ended = (text.replace("\n", "\N{REPLACEMENT CHARACTER}") for text in (begun, ended))
    if begun == ended and len(begun) <= most:
        return begun
    half = (most - 1) // 2
    return f"{begun[:half]}…{ended[-half:]}"
