"""Remember which exercises were right, by the part of the text on which that depends."""

from __future__ import annotations

import ast
import hashlib
import warnings
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from autograder.runtime.statements import DEFINITIONS, HOOK, only_defines
from autograder.submissions.bindings import WORD

if TYPE_CHECKING:
    from autograder.client import Text
    from autograder.grading.grade import ExerciseGrade

MOST = 500  # exercises that are remembered
CANNOT_BE_READ = (SyntaxError, ValueError, RecursionError, MemoryError)


class FoundRight:
    """The grades of exercises that passed, by the text that they depend on.

    While a student works on one exercise, those that it uses need not be examined again each time.
    Only for one student's own work, and for one kit. most: how many are remembered, the last ones.
    """

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._grades: dict[str, ExerciseGrade] = {}

    def add(self, graded: ExerciseGrade, text: Text) -> None:
        """Remember the grade of an exercise, which passed."""
        if self._most and (key := _key(graded.name, text)):
            self._grades[key] = self._grades.pop(key, graded)
            while len(self._grades) > self._most:
                del self._grades[next(iter(self._grades))]

    def get(self, name: str, text: Text) -> ExerciseGrade | None:
        """Return the grade of an exercise if it passed with the same text, else None."""
        return self._grades.get(_key(name, text)) if self._grades else None


def _key(name: str, text: Text) -> str:
    """Return what is the same for texts that give an exercise the same grade.

    Returns "" if that is not known.
    """
    texts = [
        (module, part)
        for module, code in text.texts.items()
        for part in ([code] if isinstance(code, str) else [part for _, part in code])
    ]
    try:
        found = [(module, one) for module, part in texts for one in _statements(part)]
        has_hooks = any(HOOK.search(part) for _, part in texts)
        every = [one for _, one in found]
        kept = {*every} if has_hooks else _reached(name, every)
        parts = [f"{module}: {ast.dump(one)}" for module, one in found if one in kept]
    except CANNOT_BE_READ:
        return ""
    places = text.stem, text.siblings, sorted(text.homes.items()), text.folders
    return hashlib.sha256(
        "\n".join([name, repr(places), *parts]).encode(errors="backslashreplace")
    ).hexdigest()


@lru_cache(maxsize=500)  # a text is read for each exercise, and most texts stay
def _statements(text: str) -> list[ast.stmt]:
    """Return the statements of a module or a cell that runs. Raises CANNOT_BE_READ."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        compile(text, "", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
        return ast.parse(text).body


def _reached(name: str, statements: list[ast.stmt]) -> set[ast.stmt]:
    """Return the statements that an exercise can depend on.

    These are all but the definitions that nothing mentions, directly or indirectly, on which it
    depends.
    """
    kept: set[ast.stmt] = set()
    definitions: dict[str, list[ast.stmt]] = {}
    waiting = [name]
    for one in statements:
        if isinstance(one, DEFINITIONS) and only_defines(one):
            definitions.setdefault(one.name, []).append(one)
        else:
            kept.add(one)
            waiting += _mentioned(one)
    while waiting:
        for one in definitions.pop(waiting.pop(), []):
            kept.add(one)
            waiting += _mentioned(one)
    return kept


def _mentioned(statement: ast.stmt) -> Iterator[str]:
    """Yield the names that stand in a statement, also as parts of names and as texts."""
    for node in ast.walk(statement):
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.alias(name=name):
                yield name
            case ast.Constant(value=str(text)):  # which may be run, or name an attribute
                yield from WORD.findall(text)
