"""Which names the text of a cell binds, reads and defines, as far as the text tells."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence, Set
from functools import lru_cache
from typing import NamedTuple

from autograder.course.calls import CALLS
from autograder.notebook.stopped import body
from autograder.runtime.reading import read_outside
from autograder.runtime.statements import (
    DEFINITIONS,
    HOOK,
    bound,
    changed,
    only_defines,
    runs_at_once,
)
from autograder.submissions.magics import of_cell

ANY = "*"  # stands for names that the text does not tell, as after `from helpers import *`


@lru_cache(maxsize=10_000)
def bound_in(text: str) -> frozenset[str]:
    """Return the names that a cell binds or deletes, with ANY if there may be more."""
    names = {name for statement in body(text) for name in bound(statement)}
    names |= {node.id for node in _names(text) if isinstance(node.ctx, ast.Del)}
    is_open = any(node.id in ("get_ipython", "exec") for node in _names(text))
    return frozenset(names | ({ANY} if is_open else set()))


@lru_cache(maxsize=10_000)
def surely_bound_in(text: str) -> frozenset[str]:
    """Return the names that a cell binds or deletes whatever is true when it runs."""
    return frozenset(_surely_bound(body(text)))


def _surely_bound(statements: Iterable[ast.stmt]) -> set[str]:
    """Return the names that statements bind or delete whatever is true when they run."""
    found: set[str] = set()
    for statement in statements:
        match statement:
            case ast.Assign(targets=targets) | ast.Delete(targets=targets):
                nodes = [node for target in targets for node in ast.walk(target)]
                names = [node for node in nodes if isinstance(node, ast.Name)]
                found |= {node.id for node in names if not isinstance(node.ctx, ast.Load)}
            case ast.Import() | ast.ImportFrom() | ast.FunctionDef() | ast.ClassDef():
                found |= {*bound(statement)}
    return found


@lru_cache(maxsize=10_000)
def made_anew(text: str) -> frozenset[str]:
    """Return the names that a cell surely binds before it reads them at its top level."""
    found: set[str] = set()
    read: set[str] = set()
    for statement in body(text):
        read |= {node.id for node in _at_once(statement) if isinstance(node.ctx, ast.Load)}
        found |= _surely_bound([statement]) - read
    return frozenset(found)


def made_anew_in(texts: Iterable[str]) -> set[str]:
    """Return the names that some of these cells surely bind before they read them."""
    return {name for text in texts for name in made_anew(text)}


@lru_cache(maxsize=10_000)
def changed_in(text: str) -> frozenset[str]:
    """Return the names of whose values a cell may change a part."""
    return frozenset(one for statement in body(text) for one in changed(statement))


def affected_by(text: str, texts: Sequence[str]) -> frozenset[str]:
    """Return the names that a cell may bind, delete or change, itself or by what it calls.

    texts: those of all cells.
    """
    called = used_through(texts, mentioned(text))
    parts = changed_in(text).union(
        *(names for one in texts for name, names in _changed_by_calls(one) if name in called)
    )
    return bound_in(text) | (parts - imported_by(texts))


@lru_cache(maxsize=10_000)
def _changed_by_calls(text: str) -> list[tuple[str, frozenset[str]]]:
    """Return each definition of a cell with the names that it may bind or change when called."""
    found = []
    for one in body(text):
        if isinstance(one, DEFINITIONS):
            nodes = (node for node in ast.walk(one) if isinstance(node, ast.Global))
            found.append((one.name, frozenset(changed(one).union(*(n.names for n in nodes)))))
    return found


def used_through(texts: Sequence[str], names: Iterable[str]) -> set[str]:
    """Return names with all that stand in the cells which bind them, one through the other."""
    beside = _beside(tuple(texts))
    found: set[str] = set()
    waiting = {*names}
    while new := waiting - found:
        found |= new
        waiting = {one for name in new for one in beside.get(name, ())}
    return found


@lru_cache(maxsize=10)  # of a session's cells, which are asked for once for each of them
def _beside(texts: tuple[str, ...]) -> dict[str, set[str]]:
    """Return all that stands in the cells which bind a name, by the name."""
    found: dict[str, set[str]] = {}
    for text in {*texts}:
        for name in bound_in(text):
            found.setdefault(name, set()).update(mentioned(text))
    return found


def imported_by(texts: Sequence[str]) -> set[str]:
    """Return the names that cells import, most of which are modules."""
    return {name for text in texts for name in imported_in(text)}


@lru_cache(maxsize=10_000)
def imported_in(text: str) -> frozenset[str]:
    """Return the names that a cell imports, most of which are modules."""
    nodes = (node for statement in body(text) for node in ast.walk(statement))
    found = (node for node in nodes if isinstance(node, ast.Import | ast.ImportFrom))
    return frozenset(name for node in found for name in bound(node))


@lru_cache(maxsize=10_000)
def mentioned(text: str) -> frozenset[str]:
    """Return the names that stand in a cell, and those that it binds."""
    return bound_in(text) | {node.id for node in _names(text)}


@lru_cache(maxsize=10_000)
def read_from_outside(text: str, name: str, may_change: bool = True) -> frozenset[str]:
    """Return the names that a cell's statements which bind or change a name read outside of them.

    Names that are local to a function in them are none. may_change: a part of its value may be
    changed, as of a list; not so of a module, whose functions are called.
    """
    found: set[str] = set()
    for statement in body(text) if name in text else ():
        if name in bound(statement) or (may_change and name in changed(statement)):
            found |= read_outside(statement)
    return frozenset(found)


def reached(texts: Sequence[str], names: set[str]) -> set[str]:
    """Return names with those that their definitions read from outside, one through the other.

    texts: those of cells, in the order in which they were run. What made a name before another cell
    has surely made it anew does not count.
    """
    modules = imported_by(texts)
    found: set[str] = set()
    while new := names - found:
        found |= new
        names = set()
        for name in new:
            may_change = name not in modules
            last = _last_made_anew(name, texts)
            names.update(*(read_from_outside(text, name, may_change) for text in texts[last:]))
    return found


def _last_made_anew(name: str, texts: Sequence[str]) -> int:
    """Return the number of the last text that surely makes a name anew; 0 if there is none."""
    return max((i for i, text in enumerate(texts) if name in made_anew(text)), default=0)


@lru_cache(maxsize=10_000)
def read_in(text: str) -> frozenset[str]:
    """Return the names that stand in a cell other than where it binds them."""
    return frozenset(node.id for node in _names(text) if isinstance(node.ctx, ast.Load))


def makers(text: str, names: Set[str]) -> list[ast.stmt]:
    """Return the statements of a cell that bind one of these names, or may bind any."""
    wanted = {*names, "*"}
    return [one for one in body(text) if not wanted.isdisjoint(bound(one))]


def last_makers(texts: Sequence[str], names: Set[str]) -> list[ast.stmt]:
    """Return the statements that bind these names, without what made one before it was made anew.

    texts: those of cells, in the order in which they were run.
    """
    found: dict[ast.stmt, None] = {}
    for name in sorted(names):
        for text in texts[_last_made_anew(name, texts) :]:
            found |= dict.fromkeys(makers(text, {name}))
    return [*found]


def takes_all(text: str) -> bool:
    """Return whether a cell takes all names out of a file, by a star or by %run."""
    is_star = any("*" in bound(statement) for statement in body(text))
    return is_star or "run_line_magic('run'" in of_cell(text)


class Made(NamedTuple):
    """Code that makes names: statements, all parts of them that run then, and the words they call.

    Words are names, also those of attributes and of what is imported.
    """

    statements: list[ast.stmt]
    parts: list[ast.AST]
    called: set[str]

    @property
    def words(self) -> set[str]:
        return _words(self.parts)


def made_at_once(texts: Sequence[str], names: Set[str], called: Set[str] = frozenset()) -> Made:
    """Return what makes names, one through the other.

    What a definition uses only when it is called does not count, except of names that are called.
    texts: those of cells, in the order in which they were run.
    """
    modules = imported_by(texts)
    found = Made([], [], {*called})
    seen: set[tuple[str, bool]] = set()
    waiting = {(name, name in called) for name in names}
    while new := waiting - seen:
        seen |= new
        for name, is_called in new:
            for one in _making(name, texts[_last_made_anew(name, texts) :], name not in modules):
                parts = [*ast.walk(one)] if is_called else [*runs_at_once(one)]
                calls = [one] if is_called else [*_calls(parts)]
                called_here = _words(node for call in calls for node in ast.walk(call))
                found.statements.append(one)
                found.parts.extend(parts)
                found.called.update(called_here)
                read = read_outside(one) & _words(parts)
                waiting |= {(word, word in called_here) for word in read}
    return found


def _making(name: str, texts: Sequence[str], may_change: bool) -> Iterator[ast.stmt]:
    """Yield the statements that bind a name, or may change a part of its value."""
    for text in (one for one in texts if name in one or "*" in one):
        for statement in body(text):
            parts = changed(statement) if may_change else set[str]()
            if name in parts or not {name, "*"}.isdisjoint(bound(statement)):
                yield statement


def _calls(nodes: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """Yield the calls among the parts of a statement, and the decorators, which are called."""
    for node in nodes:
        if isinstance(node, ast.Call):
            yield node
        yield from getattr(node, "decorator_list", ())


def _words(nodes: Iterable[ast.AST]) -> set[str]:
    found: set[str] = set()
    for node in nodes:
        match node:
            case ast.Name(id=word) | ast.Attribute(attr=word):
                found.add(word)
            case ast.alias(name=path):
                found.add(path.rpartition(".")[2])
    return found


@lru_cache(maxsize=10_000)
def only_definitions(text: str) -> bool:
    """Return whether a cell has only definitions that do nothing else, and calls of the grader."""
    return all(map(only_defines, body(CALLS.sub("", text))))


@lru_cache(maxsize=10_000)
def has_hook(text: str) -> bool:
    """Return whether a cell may make a class that does something where another one is made."""
    return bool(HOOK.search(text))


def _names(text: str) -> list[ast.Name]:
    nodes = (node for statement in body(text) for node in ast.walk(statement))
    return [node for node in nodes if isinstance(node, ast.Name)]


def _at_once(statement: ast.stmt) -> Iterator[ast.Name]:
    """Yield the names that a statement uses or binds when it runs, not in calls of functions."""
    return (node for node in runs_at_once(statement) if isinstance(node, ast.Name))
