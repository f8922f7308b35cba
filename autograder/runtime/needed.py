"""Take out of a notebook what some names do not need, judged by the text of its cells.

Beside its exercises, a notebook may train a model for minutes. What may do more than its text tells
stays, such as an import.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from autograder.runtime.compiling import parsed
from autograder.runtime.main_blocks import prepares
from autograder.runtime.reading import read_outside
from autograder.runtime.statements import (
    DEFINITIONS,
    bound,
    changed,
    first_line,
    is_change,
    owner,
)

# They may bind or change what the text does not tell.
OPEN = {"exec", "eval", "get_ipython", "globals", "locals", "vars", "setattr", "delattr"}
IMPORTS = (ast.Import, ast.ImportFrom)


def only_needed(cells: Sequence[str], names: Iterable[str]) -> tuple[list[str], set[str]]:
    """Return cells without the statements that names do not need, and the names that those bind.

    Definitions and imports stay, and what may bind or change a needed name, itself or by what it
    calls. Lines keep their numbers.
    """
    trees = [parsed(text).body for text in cells]
    kept = _kept([one for tree in trees for one in tree], {*names})
    found: list[str] = []
    left_out: set[str] = set()
    for text, tree in zip(cells, trees, strict=True):
        lines = text.split("\n")
        for group in _by_lines(tree):
            if kept.isdisjoint(group):
                left_out |= {name for one in group for name in bound(one)}
                first, last = first_line(group[0]), _last_line(group[-1])
                lines[first - 1 : last] = [""] * (last - first + 1)
        found.append("\n".join(lines))
    return found, left_out


def _kept(statements: Sequence[ast.stmt], needed: set[str]) -> set[ast.stmt]:
    """Return the statements that stay. needed: the names that are asked for."""
    imported = _imported(statements)
    effects = Effects(statements)
    making: dict[str, list[ast.stmt]] = defaultdict(list)
    for statement in statements:
        for name in effects.of(statement):
            making[name].append(statement)
    kept: set[ast.stmt] = set()
    seen: set[str] = set()
    new = {one for one in statements if _stays(one, imported)}
    while new or needed - seen:
        kept |= new
        names = needed.union(*map(read_outside, new)) - seen
        seen |= names
        new = {one for name in names for one in making[name]} - kept
    return kept.union(one for one in statements if isinstance(one, DEFINITIONS))


def _stays(statement: ast.stmt, imported: set[str]) -> bool:
    """Return whether a statement may do what its text does not tell. imported: names of modules."""
    if isinstance(statement, DEFINITIONS):
        return False
    called = {node.id for node in ast.walk(statement) if isinstance(node, ast.Name)} & OPEN
    patched = {one for node in ast.walk(statement) if is_change(node) for one in _names(node)}
    return bool(called or patched & imported) or _imports(statement) or prepares(statement)


class Effects:
    """Finds the names that a statement may bind, delete or change.

    statements: all of them.
    """

    def __init__(self, statements: Sequence[ast.stmt]) -> None:
        self._imported = _imported(statements)
        self._constant = {one for one in statements if _is_constant(one)}
        self._binding: dict[str, list[ast.stmt]] = defaultdict(list)
        for statement in statements:
            for name in {*bound(statement)}:
                self._binding[name].append(statement)
        self._found: dict[ast.stmt, set[str]] = {}

    def of(self, statement: ast.stmt) -> set[str]:
        """Return the names that a statement may bind, delete or change, or what it calls may."""
        if statement not in self._found:
            found = {*bound(statement)} | _deleted(statement)
            if not isinstance(statement, DEFINITIONS):
                found |= {one for one in _given(statement) if not self._is_fixed(one)}
                found |= changed(statement) - self._imported
                found |= self._by_calls(statement)
            self._found[statement] = found
        return self._found[statement]

    def made_by(self, statement: ast.stmt) -> set[str]:
        """Return the names that a statement binds or deletes, or of which it assigns a part.

        Itself, or by a `global` in what it calls. What it only calls or is given is none of them.
        """
        parts = {owner(node) for node in ast.walk(statement) if is_change(node)}
        found = {*bound(statement)} | _deleted(statement) | (parts - self._imported - {""})
        return found.union(*(_global_in(one) for one in self._called(statement)))

    def _by_calls(self, statement: ast.stmt) -> set[str]:
        """Return the names that the functions and classes a statement uses may bind or change."""
        found: set[str] = set()
        for one in self._called(statement):
            found |= _global_in(one) | (changed(one) & read_outside(one) - self._imported)
        return found

    def _called(self, statement: ast.stmt) -> Iterator[ast.stmt]:
        """Yield the functions and classes that a statement uses, one through the other."""
        seen: set[str] = set()
        waiting = {*_names(statement)}
        while waiting:
            seen |= waiting
            using = [one for name in waiting for one in self._binding[name]]
            waiting = set().union(*(_names(one) for one in using)) - seen
            yield from (one for one in using if isinstance(one, DEFINITIONS))

    def _is_fixed(self, name: str) -> bool:
        """Return whether a function that is given the value of a name cannot change it."""
        made = self._binding[name]
        return name in self._imported or all(
            isinstance(one, DEFINITIONS) or one in self._constant for one in made
        )


def _imported(statements: Iterable[ast.stmt]) -> set[str]:
    """Return the names that statements import, most of which are modules."""
    return {name for one in statements if _imports(one) for name in bound(one)}


def _global_in(definition: ast.stmt) -> set[str]:
    nodes = (node for node in ast.walk(definition) if isinstance(node, ast.Global))
    return {name for node in nodes for name in node.names}


def _given(statement: ast.stmt) -> Iterator[str]:
    """Yield the names whose values a call in a line of its own is given: `fill(weights)`."""
    match statement:
        case ast.Expr(value=ast.Call(args=args, keywords=keywords)):
            for one in (*args, *(keyword.value for keyword in keywords)):
                yield from _names(one)


def _is_constant(statement: ast.stmt) -> bool:
    """Return whether a statement only binds names to numbers or strings."""
    match statement:
        case ast.Assign(value=ast.Constant() | ast.UnaryOp(operand=ast.Constant())):
            return True
        case ast.Assign(value=ast.IfExp(body=ast.Constant(), orelse=ast.Constant())):
            return True
    return False


def _imports(statement: ast.stmt) -> bool:
    """Return whether a statement imports something when it runs."""
    is_definition = isinstance(statement, DEFINITIONS)
    return not is_definition and any(isinstance(one, IMPORTS) for one in ast.walk(statement))


def _deleted(statement: ast.stmt) -> set[str]:
    nodes = (node for node in ast.walk(statement) if isinstance(node, ast.Name))
    return {node.id for node in nodes if isinstance(node.ctx, ast.Del)}


def _names(node: ast.AST) -> set[str]:
    return {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}


def _by_lines(statements: Sequence[ast.stmt]) -> list[list[ast.stmt]]:
    """Return statements in groups of which no two have a line in common."""
    groups: list[list[ast.stmt]] = []
    for one in statements:
        if groups and first_line(one) <= _last_line(groups[-1][-1]):
            groups[-1].append(one)
        else:
            groups.append([one])
    return groups


def _last_line(statement: ast.stmt) -> int:
    return statement.end_lineno or statement.lineno
