"""Make the texts of a submission fit to be shown: printable, and cut to a limit."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, replace

from autograder.grading.grade import ExerciseGrade, Grade
from autograder.submissions.invisible import INVISIBLE, VARIATION_SELECTORS

# Terminal escape sequences, from the escape character to the end: colours, titles, links.
ESCAPE = re.compile(r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)")
BLANK = INVISIBLE - VARIATION_SELECTORS | {"\N{BRAILLE PATTERN BLANK}"}  # emoji may have selectors
MARKS = 3  # accents on one letter
CLEANED = 4  # times the limit: only so much of a long text is cleaned before it is cut
LONG_WORD = re.compile(r"\S{301,}")  # a name: its middle can be left out of a sentence
LINE = 40  # characters that each line break counts for
LEAST = 120  # characters of a text that are shown when the budget for all texts is used up


@dataclass(frozen=True)
class TextLimit:
    """The most characters and lines of a text that are shown."""

    characters: int
    lines: int


NAME = TextLimit(200, 1)
PATH = TextLimit(500, 1)
SAID = TextLimit(400, 1)  # the text of an exception, within a message
MESSAGE = TextLimit(1500, 12)
PRINTED = TextLimit(4000, 100)
ALL_MESSAGES = 12_000  # characters, of one submission
ALL_PRINTED = 12_000


def fit(grade: Grade) -> Grade:
    """Return the grade with every text of the submission printable and cut to its limit.

    Each message of a check has a limit, and all messages together have one; so has printed text.
    """
    messages, printed = _Budget(MESSAGE, ALL_MESSAGES), _Budget(PRINTED, ALL_PRINTED)
    return replace(
        grade,
        submission=cut(grade.submission, NAME),
        path=cut(_as_it_is(grade.path), PATH),
        message=cut(grade.message, MESSAGE),
        exercises=tuple(_fit(exercise, messages, printed) for exercise in grade.exercises),
    )


def cut(text: str, limit: TextLimit) -> str:
    """Return the text, printable and cut to a limit.

    A text of one line, such as a name, loses its middle; a longer text loses its end. Cutting the
    result again changes nothing.
    """
    start = printable(text[: CLEANED * limit.characters])
    if limit.lines == 1:
        end = printable(text[-CLEANED * limit.characters :])
        return _without_middle(start, end, limit.characters)
    start = LONG_WORD.sub(lambda word: _without_middle(word[0], word[0], NAME.characters), start)
    lines = start.split("\n")
    whole = len(text) <= CLEANED * limit.characters
    if whole and len(start) <= limit.characters and len(lines) <= limit.lines:
        return start
    mark = f"… (the rest of {len(text)} characters is left out)"
    kept = "\n".join(lines[: limit.lines - 1])[: max(0, limit.characters - len(mark) - 1)]
    return f"{kept}\n{mark}"


def _as_it_is(path: str) -> str:
    """Return a path with a mark for each character that cannot be shown.

    Without these characters it might be another path.
    """
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in path)


def printable(text: str) -> str:
    """Return a student's text without anything that moves the cursor, hides text or piles up.

    Escape sequences are removed, other control characters are replaced, and accents beyond a few
    on one letter are dropped.
    """
    if text.isascii() and text.isprintable():  # the usual case
        return text
    text = ESCAPE.sub("", text).replace("\r\n", "\n").replace("\r", "\n").replace("\t", "    ")
    text = "".join(
        c if (c.isprintable() or c == "\n") and c not in BLANK else "\N{REPLACEMENT CHARACTER}"
        for c in text
    )
    if text.isascii():
        return text
    marks = "".join("x" if unicodedata.category(c) in ("Mn", "Me") else " " for c in text)
    tower = "x" * (MARKS + 1)
    return "".join(c for i, c in enumerate(text) if marks[max(0, i - MARKS) : i + 1] != tower)


class _Budget:
    """The characters that remain for several texts, each of which has a limit of its own."""

    def __init__(self, limit: TextLimit, characters: int) -> None:
        self._limit = limit
        self._characters = characters

    def cut(self, text: str) -> str:
        """Cut the next text and count what it uses."""
        most = min(self._limit.characters, max(LEAST, self._characters))
        made = cut(text, self._limit if most == self._limit.characters else TextLimit(most, 3))
        self._characters -= len(made) + LINE * made.count("\n")
        return made


def _fit(exercise: ExerciseGrade, messages: _Budget, printed: _Budget) -> ExerciseGrade:
    checks = tuple(
        replace(check, message=messages.cut(check.message), printed=printed.cut(check.printed))
        if check.message or check.printed
        else check
        for check in exercise.checks
    )
    example = exercise.example
    if example:
        example = replace(example, said=tuple(cut(text, MESSAGE) for text in example.said))
    line = exercise.line
    if line:
        line = replace(line, cell=cut(line.cell, NAME), text=cut(line.text, NAME))
    return replace(exercise, checks=checks, example=example, line=line)


def _without_middle(start: str, end: str, most: int) -> str:
    """Return a name in one line, at most `most` characters of its start and end.

    start and end are the same text if they are the whole name.
    """
    start, end = (text.replace("\n", "\N{REPLACEMENT CHARACTER}") for text in (start, end))
    if start == end and len(start) <= most:
        return start
    half = (most - 1) // 2
    return f"{start[:half]}…{end[-half:]}"
