"""Read Python text statement by statement: what it defines, and where."""

from __future__ import annotations

import ast
import re
from collections.abc import Container, Iterator

from autograder.runtime.recovery import without_broken

DEFINED = re.compile(r"^(?:class|def|async def)\s+(\w+)", re.MULTILINE)  # at the top level


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
    named = (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    waiting: list[ast.AST] = [statement]
    while waiting:
        node = waiting.pop()
        if isinstance(node, named):
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
    named = (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    return [(n.lineno, n.end_lineno or n.lineno, n.name) for n in body if isinstance(n, named)]
