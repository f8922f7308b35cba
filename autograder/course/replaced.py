"""Replace texts of a statement: by an instructor's own, or by those in another language.

An instructor's own stand in a folder `texts` beside course.toml: `ScaledDotProduct.md` replaces the
statement of that exercise, `attention_layer.md` the introduction of that assignment, and
`README.md` what students read first. Those in German stand in `attention_layer.de.md`, there or
beside attention_layer.py, all of an assignment in one file:

    # Eine Attention-Schicht

    The introduction.

    ## Übung 1: TestModule

    The statement of that exercise.

    ### Bild: ...

    The text of its first picture. A line --- begins a text without a heading.

The texts of an exercise replace those of its section in their order. What is missing stays.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from autograder.course import place
from autograder.course.cells import HEADING, Cell, cells
from autograder.errors import CourseError

FOLDER = "texts"
README = "README"
BEGINNING = re.compile(r"^(?=#{1,3} )|^---[ \t]*\n", re.MULTILINE)  # of a text
CELL = re.compile(r"^%%.*", re.MULTILINE)  # would begin a cell of the script


class Text(NamedTuple):
    """A text, and the file in which it stands."""

    path: Path
    text: str


Texts = dict[str, list[Text]]  # by exercise, or by assignment for its introduction


def readme() -> str | None:
    """Return the instructor's own README for students, None if there is none."""
    path = _file(README)
    return place.text_of(path) if path.exists() else None


def replaced(text: str, assignment: str, exercises: Collection[str]) -> tuple[str, list[str]]:
    """Return a statement with the texts that replace its own.

    exercises: those of the assignment. Returns also the beginnings of the texts that are missing
    in the language of the course. Raises CourseError.
    """
    language = place.declared().language
    own = _own((assignment, *exercises), exercises)
    found = _translated(assignment, language, exercises) | own
    parts, missing, section = list[str](), list[str](), assignment
    for cell in cells(text, exercises):
        heading = HEADING.match(cell.rest) if cell.is_text else None
        section = heading[2] if heading and heading[2] in exercises else section
        new = found[section].pop(0) if cell.first and cell.is_text and found.get(section) else None
        if cell.first and cell.is_text and not new and language and section not in own:
            missing.append(heading[2] if heading else f"{cell.rest.lstrip('# ')[:40]}…")
        parts.append(_with(cell, new.text).text if new else cell.text)
    for section, more in found.items():
        for path, left in more:
            raise CourseError(
                f"{path} has more texts for {section} than its statement. The one that begins with "
                f"{left.partition(chr(10))[0]!r} has no place: correct the heading above it, or "
                "delete it."
            )
    return "".join(parts), missing


def unknown(names: Collection[str]) -> Iterator[Path]:
    """Yield the files of an instructor's own texts that belong to none of these names."""
    for path in sorted((place.folder() / FOLDER).glob("*.md")):
        if path.stem.partition(".")[0] not in (README, *names):
            yield path


def _with(cell: Cell, text: str) -> Cell:
    """Return a cell with another text: under its own heading, if the text has none."""
    old, new = HEADING.match(cell.rest), HEADING.match(f"# {text}")
    lines = [f"# {line}".rstrip() for line in text.splitlines()]
    if new:  # of the same level, by which sections are told apart
        lines[0] = f"# {old[1] if old else '###'} {text.partition(chr(10))[0].lstrip('# ')}"
    elif old:
        lines = [old[0], "#", *lines]
    end = cell.rest[len(cell.rest.rstrip("\n")) :]
    return replace(cell, rest="\n".join(lines) + end)


def _own(names: Collection[str], exercises: Collection[str]) -> Texts:
    """Return the instructor's own texts for an assignment and its exercises. Raises CourseError."""
    found: Texts = {}
    for name in names:
        path = _file(name)
        if path.exists():
            texts = _read(path, name, exercises)
            first = HEADING.match(f"# {texts[name][0].text}") if name in texts else None
            if texts.keys() != {name} or (first and name in exercises and first[2] != name):
                raise CourseError(
                    f"{path} must hold one text for {name}. Write it without a heading, or under "
                    f"its own, which ends with {name}."
                )
            found |= texts
    return found


def _translated(assignment: str, language: str, exercises: Collection[str]) -> Texts:
    """Return an assignment's texts in a language, "" for none. Raises CourseError."""
    beside = place.solution_file(assignment).with_name(f"{assignment}.{language}.md")
    for path in (_file(f"{assignment}.{language}"), beside):
        if language and path.exists():
            return _read(path, assignment, exercises)
    return {}


def _file(name: str) -> Path:
    return place.folder() / FOLDER / f"{name}.md"


def _read(path: Path, section: str, exercises: Collection[str]) -> Texts:
    """Return the texts in a file. section: of those in front of any. Raises CourseError."""
    text, found = place.text_of(path), Texts()
    if bad := CELL.search(text):
        raise CourseError(f"{path}: the line {bad[0]!r} would begin a cell. Indent it.")
    for part in filter(str.strip, BEGINNING.split(text)):
        heading = HEADING.match(f"# {part}")
        section = heading[2] if heading and heading[2] in exercises else section
        found.setdefault(section, []).append(Text(path, part.strip()))
    return found
