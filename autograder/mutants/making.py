"""Make all mutants of a right solution: its code with one small change each."""

from __future__ import annotations

import ast
import hashlib
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace

from autograder.mutants import (
    axes,
    bounds,
    layers,
    masks,
    order,
    patterns,
    scale,
    state,
    tensors,
    terms,
    transposes,
)
from autograder.mutants.canonical import canonical
from autograder.mutants.operators import Operator, Place
from autograder.mutants.syntax import Located, put, replaced
from autograder.runtime.source_lines import source_lines

FAMILIES = (
    axes, transposes, scale, masks, terms, order, patterns, layers, state, bounds, tensors,
)  # fmt: skip
OPERATORS: Mapping[str, Operator] = {
    name: operator for family in FAMILIES for name, operator in family.OPERATORS.items()
}
NAMED = (ast.ClassDef, ast.FunctionDef)
LONGEST = 60  # characters of a label


@dataclass(frozen=True)
class Mutant:
    """A solution with one change.

    solution: the name of the right solution, such as Head/reference. operator: what made the
    change. said: what it does, as a clause. where: the classes and functions around it. before,
    after: the lines of its statement that it changes, as Python would write them. line: the first
    one of these in the solution. copy: how many such changes are before it.
    """

    exercise: str
    solution: str
    operator: str
    said: str
    where: str
    before: tuple[str, ...]
    after: tuple[str, ...]
    line: int
    copy: int = 0
    text: str = ""

    @property
    def id(self) -> str:
        """Ten hexadecimal digits, which no change elsewhere in the solution alters."""
        about = (self.solution, self.operator, self.where, *self.before, "", *self.after)
        made = hashlib.sha256("\n".join(about).encode()).hexdigest()[:10]
        return f"{made}-{self.copy}" if self.copy else made

    @property
    def label(self) -> str:
        """The solution and the changed line, of at most 60 characters, for a reader."""
        how = self.solution.removeprefix(self.exercise).strip("/_")
        lines = [one.strip() for one in self.after if one.strip() != "pass"]
        line = " ".join(lines) or f"without {' '.join(one.strip() for one in self.before)}"
        text = f"{how}: {line}"
        return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def mutants(
    exercise: str,
    solution: str,
    text: str,
    others: Collection[str],
    share: int = 1,
) -> Iterator[Mutant]:
    """Yield the mutants of a solution, without those that are proved to do what it does.

    solution: its name. others: the names of exercises whose code is left as it is. share: 4 for
    every fourth mutant, drawn by their ids.
    """
    has_arrays = "numpy" in text
    copies: Counter[str] = Counter()
    for definition in definitions(ast.parse(text), exercise, others):
        code = _code(text, definition)
        seen = {canonical(_parsed(code), has_arrays)}
        for name, said, place, after in _changes(code):
            before, new = _lines_changed(place, after)
            chain = (*place.parents[::-1], place.node)
            where = ".".join(one.name for one in chain if isinstance(one, NAMED))
            line = definition.lineno - 1 + place.line
            mutant = Mutant(exercise, solution, name, said, where, before, new, line)
            copies[mutant.id] += 1
            mutant = replace(mutant, copy=copies[mutant.id] - 1)
            if int(mutant.id[:8], 16) % share:
                continue
            edited = _spliced(code, place, after)
            form = canonical(_parsed(edited), has_arrays)
            if form not in seen:
                seen.add(form)
                yield replace(mutant, text=_with(text, definition, edited))


def definitions(tree: ast.Module, exercise: str, others: Collection[str]) -> list[ast.stmt]:
    """Return the definitions of an exercise, and those that they use, one through the other.

    others: names of exercises, whose definitions are left out. Also those statements count that
    change something of these: `Head.forward = forward`.
    """
    known: dict[str, list[ast.stmt]] = {}
    for node in tree.body:
        for name in _defined(node):
            if name == exercise or name not in others:
                known.setdefault(name, []).append(node)
    found = [*known.get(exercise, [])]
    for one in found:  # it grows
        for name in sorted({node.id for node in ast.walk(one) if isinstance(node, ast.Name)}):
            found += [node for node in known.get(name, []) if node not in found]
    return [node for node in tree.body if node in found]


def _defined(node: ast.stmt) -> list[str]:
    match node:
        case ast.ClassDef(name) | ast.FunctionDef(name):
            return [name]
        case ast.AnnAssign(ast.Name(name)):
            return [name]
        case ast.Assign(targets):
            parts = [one for target in targets for one in ast.walk(target)]
            return [one.id for one in parts if isinstance(one, ast.Name)]
    return []


def _changes(code: str) -> Iterator[tuple[str, str, Place, ast.AST]]:
    """Yield each change of a definition: its operator, what it says, its place, the new node."""
    tree = _parsed(code)
    for place in _places(tree):
        for name, operator in OPERATORS.items():
            for after, said in operator(place):
                yield name, said, place, after


def _spliced(code: str, place: Place, after: ast.AST) -> str:
    """Return the code of a definition with a change; a node without a place is in its parent."""
    node = place.node
    if isinstance(node, ast.arguments | ast.comprehension):
        after, node = put(place.parent, node, after), place.parent
    assert isinstance(node, Located)
    return replaced(code, node, after)


def _places(tree: ast.stmt) -> Iterator[Place]:
    """Yield all nodes of a definition, but none in f-strings, asserts and annotations."""
    waiting: list[tuple[ast.AST, tuple[ast.AST, ...]]] = [(tree, ())]
    while waiting:
        node, parents = waiting.pop()
        yield Place(node, parents, tree)
        for name, value in reversed([*ast.iter_fields(node)]):
            if name in ("annotation", "returns", "decorator_list", "bases"):
                continue
            children = value if isinstance(value, list) else [value]
            for child in reversed(children):
                if isinstance(child, ast.AST) and not isinstance(child, ast.JoinedStr | ast.Assert):
                    waiting.append((child, (node, *parents)))


def _lines_changed(place: Place, after: ast.AST) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the lines that a change alters in the statement around it, before and after it."""
    outer = next(one for one in (place.node, *place.parents) if isinstance(one, ast.stmt))
    old = ast.unparse(outer).split("\n")
    new = ast.unparse(ast.fix_missing_locations(put(outer, place.node, after))).split("\n")
    while old and new and old[0] == new[0]:
        old, new = old[1:], new[1:]
    while old and new and old[-1] == new[-1]:
        old, new = old[:-1], new[:-1]
    return tuple(old), tuple(new)


def _parsed(code: str) -> ast.stmt:
    """Return the definition that a code consists of."""
    [tree] = ast.parse(code).body
    return tree


def _code(text: str, definition: ast.stmt) -> str:
    start, end = _lines(definition)
    return "".join(source_lines(text)[start:end])


def _with(text: str, definition: ast.stmt, code: str) -> str:
    start, end = _lines(definition)
    lines = source_lines(text)
    ending = "" if code.endswith("\n") else "\n"
    return "".join([*lines[:start], code, ending, *lines[end:]])


def _lines(definition: ast.stmt) -> tuple[int, int]:
    first = min([definition.lineno, *(d.lineno for d in getattr(definition, "decorator_list", []))])
    assert definition.end_lineno is not None
    return first - 1, definition.end_lineno
