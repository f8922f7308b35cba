"""Make a function return what it assigns in a line, to show the value there."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

from autograder.runtime.edits.whole import Whole

CALLED = ("forward", "__call__")  # what a call of a module's object carries out
EQUALS = re.compile(r"\s*=")


def returned(text: str, name: str, line: int) -> str | None:
    """Return the text with a function that ends in a line by returning what it assigns there.

    name: a function at the top level, or a class, of which it is `forward` or `__call__`. None if
    that line assigns nothing there, or may be carried out several times. Raises what ast.parse
    does.
    """
    whole = Whole(text)
    for function in _functions(ast.parse(text), name):
        for statement in _once(function.body):
            if statement.lineno <= line <= (statement.end_lineno or 0):
                return _ended(whole, statement)
    return None


def _functions(tree: ast.Module, name: str) -> Iterator[ast.FunctionDef]:
    for node in tree.body:
        match node:
            case ast.FunctionDef(found) if found == name:
                yield node
            case ast.ClassDef(found) if found == name:
                methods = (one for one in node.body if isinstance(one, ast.FunctionDef))
                yield from (one for one in methods if one.name in CALLED)


def _once(body: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield the statements that a call carries out at most once, without those with a body."""
    for statement in body:
        match statement:
            case ast.If() | ast.With():
                yield from _once([*statement.body, *getattr(statement, "orelse", [])])
            case ast.Assign() | ast.AnnAssign() | ast.AugAssign():
                yield statement


def _ended(whole: Whole, statement: ast.stmt) -> str | None:
    """Return the text with a `return` in the place of an assignment, or behind it."""
    text, (start, end) = whole.text, whole.span(statement)
    match statement:
        case ast.Assign([before]) | ast.AnnAssign(annotation=before, value=ast.expr()):
            equals = EQUALS.match(text, whole.span(before)[1])
            return f"{text[:start]}return {text[equals.end() :].lstrip(' ')}" if equals else None
        case ast.AugAssign(target):
            return f"{text[:end]}; return {whole.of(target)}{text[end:]}"
    return None
