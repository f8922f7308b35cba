"""Read Python text statement by statement: what it defines, and where."""

from __future__ import annotations

import ast
import re
from collections.abc import Container, Iterator

from autograder.runtime.recovery import without_broken

DEFINED = re.compile(r"^(?:class|def|async def)\s+(\w+)", re.MULTILINE)  # at the top level
DEFINITIONS = (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
# What may do more than define: a keyword names a metaclass.
DOES = (
    ast.Call, ast.NamedExpr, ast.Await, ast.AugAssign, ast.keyword, ast.Import, ast.ImportFrom,
    ast.Global,
)  # fmt: skip
ONLY_WRAPS = ("staticmethod", "classmethod", "property")  # decorators that only wrap
# Words of code that runs when other classes are made, or when a name is asked for.
HOOK = re.compile(r"\b__(?:init_subclass|set_name|subclasses|getattr)__\b|\bmetaclass\b")


def without_definitions(tree: ast.Module, names: Container[str]) -> ast.Module:
    """Return a text's tree with `pass` in place of the top-level definitions of these names."""
    return ast.fix_missing_locations(_Remove(names).visit(tree))


class _Remove(ast.NodeTransformer):
    def __init__(self, known: Container[str]) -> None:
        self.known = known

    def _replaced(self, node: ast.ClassDef | ast.FunctionDef) -> ast.AST:
        return ast.copy_location(ast.Pass(), node) if node.name in self.known else node

    visit_ClassDef = visit_FunctionDef = _replaced  # noqa: N815  (does not visit their bodies)


def first_line(node: ast.stmt) -> int:
    """Return the first line of a statement, including its decorators."""
    return min(n.lineno for n in (node, *getattr(node, "decorator_list", [])))


def bound(statement: ast.stmt) -> Iterator[str]:
    """Yield the names that a statement would bind, judging by its text."""
    waiting: list[ast.AST] = [statement]
    while waiting:
        node = waiting.pop()
        if isinstance(node, DEFINITIONS):
            yield node.name
            continue
        if isinstance(node, ast.alias):
            yield node.asname or node.name.partition(".")[0]
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        waiting += ast.iter_child_nodes(node)


def definitions(text: str) -> list[tuple[int, int, str]]:
    """Return the first line, last line and name of each top-level class and function."""
    try:
        body = ast.parse(text).body
    except SyntaxError:
        body = ast.parse(without_broken(text)).body
    except (ValueError, RecursionError, MemoryError):
        return []
    found = [node for node in body if isinstance(node, DEFINITIONS)]
    return [(node.lineno, node.end_lineno or node.lineno, node.name) for node in found]


def runs_at_once(statement: ast.stmt) -> Iterator[ast.AST]:
    """Yield the parts of a statement that run with it: not those of the functions in it."""
    waiting: list[ast.AST] = [statement]
    while waiting:
        node = waiting.pop()
        yield node
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                waiting += [*node.decorator_list, node.args, *filter(None, [node.returns])]
            case ast.Lambda():
                waiting.append(node.args)
            case _:
                waiting += ast.iter_child_nodes(node)


def only_defines(statement: ast.stmt) -> bool:
    """Return whether a statement is a definition that does nothing but bind its name.

    It does more if something is called or changed when it is made, as by a decorator. A class may
    do more where a base class has a HOOK.
    """
    return (
        isinstance(statement, DEFINITIONS)
        and not statement.decorator_list
        and not any(map(_does_more, runs_at_once(statement)))
    )


def _does_more(node: ast.AST) -> bool:
    decorators = [ast.unparse(one) for one in getattr(node, "decorator_list", [])]
    return isinstance(node, DOES) or is_change(node) or not {*decorators} <= {*ONLY_WRAPS}


def is_change(node: ast.AST) -> bool:
    """Return whether a node stands for a part of a value that is assigned or deleted."""
    return isinstance(node, ast.Attribute | ast.Subscript) and not isinstance(node.ctx, ast.Load)


def changed(statement: ast.stmt) -> set[str]:
    """Return the names of whose values a statement may change a part: `a[0] = 1`, `a.append(1)`."""
    found: set[str] = set()
    for node in ast.walk(statement):
        match node:
            case ast.Attribute() | ast.Subscript() if is_change(node):
                found.add(owner(node))
            case ast.Expr(value=ast.Call(func=ast.Attribute() as method)):
                found.add(owner(method))
    return found - {""}


def owner(node: ast.AST) -> str:
    """Return the name at the start of `name.part[0].part`, or ""."""
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""
