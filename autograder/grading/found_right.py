"""Remember which exercises were right, by the part of the text on which that depends."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from autograder.client import Text
    from autograder.grading.grade import ExerciseGrade
    from autograder.runtime.source import Code

MOST = 500  # exercises that are remembered
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
EFFECTS = (ast.Call, ast.Attribute, ast.Subscript, ast.Import, ast.ImportFrom)  # unless read
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
    """Return all of a text that can change an exercise's grade, or "" if that is not known."""
    try:
        found = [(module, one) for module, code in text.texts.items() for one in _statements(code)]
        kept = _reached(name, [one for _, one in found])
        parts = [f"{module}: {ast.dump(one)}" for module, one in found if one in kept]
    except CANNOT_BE_READ:
        return ""
    places = text.stem, text.siblings, sorted(text.homes.items()), text.folders
    return "\n".join([name, repr(places), *parts])


def _statements(code: Code) -> list[ast.stmt]:
    """Return the statements of a module, or of a notebook's cells. Raises CANNOT_BE_READ."""
    texts = [code] if isinstance(code, str) else [part for _, part in code]
    return [one for text in texts for one in ast.parse(text).body]


def _reached(name: str, statements: list[ast.stmt]) -> set[ast.stmt]:
    """Return the statements that an exercise can depend on.

    These are all but the definitions that nothing mentions, directly or indirectly, on which it
    depends.
    """
    kept: set[ast.stmt] = set()
    definitions: dict[str, list[ast.stmt]] = {}
    waiting = [name]
    for one in statements:
        if isinstance(one, DEFINITIONS) and _does_nothing_else(one):
            definitions.setdefault(one.name, []).append(one)
        else:
            kept.add(one)
            waiting += _mentioned(one)
    while waiting:
        for one in definitions.pop(waiting.pop(), []):
            kept.add(one)
            waiting += _mentioned(one)
    return kept


def _does_nothing_else(definition: ast.stmt) -> bool:
    """Return whether a definition surely does nothing but to bind its name when it is executed."""
    for node in _at_once(definition):
        is_read = isinstance(getattr(node, "ctx", None), ast.Load)
        has_effect = isinstance(node, EFFECTS) and not is_read
        if has_effect or getattr(node, "decorator_list", []):
            return False
    return True


def _at_once(definition: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes of a definition but those that are executed only in calls."""
    waiting = [definition]
    while waiting:
        node = waiting.pop()
        yield node
        later = node.body if isinstance(node, FUNCTIONS) else []
        waiting += [one for one in ast.iter_child_nodes(node) if one not in later]


def _mentioned(statement: ast.stmt) -> Iterator[str]:
    """Yield the names that stand in a statement, also as parts of names and as texts."""
    for node in ast.walk(statement):
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.alias(name=name):
                yield name
            case ast.Constant(value=str(name)):
                yield name
