"""Decide whether code holds work: whether an exercise in it is more than what was released."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence, Set
from functools import cache
from typing import NamedTuple

from autograder.course import assignments, skeleton
from autograder.submissions.bindings import (
    KEYWORD,
    WORD,
    binds,
    does_nothing,
    lines_within,
    mentioned,
)
from autograder.submissions.imports import IMPORT, imported, is_imported
from autograder.submissions.source_text import code_lines

INSIDE = " )]}"  # what begins the lines of a statement, except the first
DEFINITION = re.compile(r"(?:async[ \t]+)?(?:def|class)\b(?:[ \t]|\\\n)*(\w*)")
GLOBAL = re.compile(r"\bglobals?\b")  # a definition with it binds names outside
TEST = re.compile(r"class[ \t]+\w+\([^)\n]*\bTestCase\b")  # TestModule may be one
# A class that inherits from more than nn.Module.
INHERITS = re.compile(r"class[ \t]+\w+[ \t]*\((?!(?:[\w.]*\bModule|object|)[ \t]*\))")
HEADER = 3  # lines in which a definition has its name: backslashes may end the first ones
UNWRITTEN = "raise NotImplementedError"  # in the skeleton, in place of what a student writes


class Source(NamedTuple):
    """The place from which code has an exercise.

    module: a file that it imports, "" for the code itself. is_own: the code itself has the exercise
    if the module does not define it, as in `mean = module.my_mean`. is_taken: the code surely has
    what it has imported under this name, of which it may have changed a part.
    """

    module: str = ""
    is_own: bool = True
    is_taken: bool = False


def is_in(lines: Sequence[str], assignment: str) -> bool:
    """Return whether lines of code define or change an exercise, or import it from earlier work.

    A definition that does nothing is none, however it is written, nor is one as it was released.
    """
    exercises = exercises_of(assignment)
    rest = _rest(lines, assignment)
    is_changed = bool(_change(assignment).search(rest))
    return (
        binds(rest, exercises) or is_changed or is_imported(rest, _earlier(assignment), exercises)
    )


def is_defined(lines: Sequence[str], assignment: str) -> bool:
    """Return whether lines, maybe of prose, define an exercise that is written."""
    return any(
        _is_exercise(block, assignment) and _written(block, assignment) for block in _blocks(lines)
    )


def is_in_text(data: bytes, exercises: Set[str]) -> bool:
    """Return whether a text of any kind, such as a page, has a line that defines an exercise.

    Prose that only mentions one has none, whatever brackets and quotes it has.
    """
    there = [one for one in sorted(exercises) if one.encode() in data]
    names = "|".join(there)  # if there is none, as in pictures, the search would take long
    defines = re.compile(rf"(?:def|class) +(?:{names})\b|^(?:{names}) *=".encode(), re.M)
    return bool(there and defines.search(data))


def replaced(cells: Sequence[Sequence[str]], assignment: str) -> str:
    """Return an exercise that is written, and defined once more below, but not written; or ""."""
    written: set[str] = set()
    for block in itertools.chain.from_iterable(map(_blocks, cells)):
        if _is_exercise(block, assignment):
            name = _defined(block)
            if _written(block, assignment):
                written.add(name)
            elif name in written:
                return name
    return ""


def sources(
    cells: Sequence[Sequence[str]], assignment: str, modules: Mapping[str, str]
) -> dict[str, set[Source]]:
    """Return from where code has exercises of an assignment when it has run, by their names.

    cells: their lines; a module is one cell. modules: the files that it can import, by the names of
    the modules. A name that is bound inside a function or a class is none, and a later definition
    replaces an earlier one.
    """
    exercises = exercises_of(assignment)
    found: dict[str, set[Source]] = {}
    everything = "\n".join(itertools.chain.from_iterable(cells))
    if not mentioned(everything, exercises) and not IMPORT.search(everything):
        return found  # at once, since a file may be long
    known: dict[str, str] = {}  # the files that are imported, by the names that mean them
    for block in itertools.chain.from_iterable(map(_blocks, cells)):
        text, name = "\n".join(block), _defined(block)
        words = mentioned(text, exercises)
        if not _written(block, assignment):
            found.pop(name, None)
            continue
        new: set[str] = set()
        if not name:
            new = _add_imported(found, known, text, assignment, modules)
            for change in _change(assignment).finditer(text):
                for one in words & {*WORD.findall(change[0])}:
                    found.setdefault(one, set()).add(Source(is_taken=True))
        binding = IMPORT.sub("", text) if new else text
        for one in words:
            if name == one or ((not name or GLOBAL.search(text)) and binds(binding, {one})):
                values = found[one] if one in new else _value(found, known, block, one)
                found[one] = {value._replace(is_taken=False) for value in values}
    return found


def _add_imported(
    found: dict[str, set[Source]],
    known: dict[str, str],
    text: str,
    assignment: str,
    modules: Mapping[str, str],
) -> set[str]:
    """Add the exercises and the files that a statement imports; return the former's names."""
    exercises, new = exercises_of(assignment), set()
    for module, name, bound in imported(text):
        file = modules.get(module, "")
        if file and name == "*":
            for one in exercises:
                found.setdefault(one, set()).add(Source(file, is_own=False, is_taken=True))
        elif bound in exercises and (file or module in _earlier(assignment)):
            is_own = not file or name != bound
            is_sure = not KEYWORD.match(text)  # else what is there before may stay
            is_taken = not is_own and (is_sure or all(one.is_taken for one in found.get(bound, ())))
            found[bound] = {Source(file, is_own, is_taken)}
            new.add(bound)
        elif file:
            known[bound.rpartition(".")[2]] = file
    return new


def _value(
    found: Mapping[str, set[Source]], known: Mapping[str, str], block: list[str], name: str
) -> set[Source]:
    """Return from where a statement takes what it binds to the name of an exercise.

    From an imported file that the statement mentions, or a class in the names of its bases.
    """
    if DEFINITION.match(block[0]) and not block[0].startswith("class"):
        return {Source()}
    text = block[0] if DEFINITION.match(block[0]) else "\n".join(block)
    taken = {Source(known[word]) for word in known.keys() & {*WORD.findall(text)}}
    before = found.get(name, set()) if _is_used(text, name) else set()
    return taken | before or {Source()}


def _is_used(text: str, name: str) -> bool:
    """Return whether a statement that binds a name also uses it, as in `class A(A): pass`."""
    return WORD.findall(text).count(name) > 1


def _blocks(lines: Sequence[str]) -> Iterator[list[str]]:
    """Yield the statements at the top level, each with the lines inside it."""
    block: list[str] = []
    inside = lines_within(lines)
    for number, line in enumerate(lines):
        if line[0] not in INSIDE and number not in inside and block:
            yield block
            block = []
        block.append(line)
    yield block


def _rest(lines: Sequence[str], assignment: str) -> str:
    """Return code without the exercises that are not written yet."""
    return "\n".join(line for block in _blocks(lines) for line in _written(block, assignment))


def _written(block: list[str], assignment: str) -> list[str]:
    """Return the lines of a statement; none of an exercise that is not written yet."""
    if _is_exercise(block, assignment):
        is_empty = not INHERITS.match(block[0]) and does_nothing("\n".join(block))
        is_unwritten = is_empty or block in _released(assignment) or TEST.match(block[0])
        return [] if is_unwritten else block
    return block


def _is_exercise(block: list[str], assignment: str) -> bool:
    """Return whether a statement defines an exercise."""
    return _defined(block) in exercises_of(assignment)


def _defined(block: list[str]) -> str:
    """Return the name that a statement defines, or ""."""
    known = DEFINITION.match("\n".join(block[:HEADER]))
    return known[1] if known else ""


def _earlier(assignment: str) -> set[str]:
    return {*assignments()} - {assignment}


@cache
def exercises_of(assignment: str) -> frozenset[str]:
    """Return the names of what an assignment's skeleton leaves to write."""
    blocks = _blocks(code_lines(skeleton(assignment)))
    left = [block for block in blocks if any(UNWRITTEN in line for line in block)]
    return frozenset(filter(None, map(_defined, left)))


@cache
def _released(assignment: str) -> list[list[str]]:
    return [*_blocks(code_lines(skeleton(assignment)))]


@cache
def _change(assignment: str) -> re.Pattern[str]:
    """Return a pattern of lines that change a class: its attributes, or by a decorator."""
    names = "|".join(sorted(exercises_of(assignment)))
    return re.compile(
        rf"\b(?:{names})\.\w+[ \t]*=(?!=)|\bsetattr\([ \t]*(?:{names})\b"
        rf"|^[ \t]*@[\w.]+\([^)\n]*\b(?:{names})\b",
        re.MULTILINE,
    )
