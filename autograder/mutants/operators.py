"""Define operators of mutation: functions that yield changes of one node of a syntax tree."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass

Change = tuple[ast.AST, str]  # what stands in the place of a node; what that says, as a clause
Operator = Callable[["Place"], Iterator[Change]]


@dataclass(frozen=True)
class Place:
    """A node, and what is around it.

    parents: the nodes that contain it, the innermost first. function: the function in which it
    stands, if any. definition: the class or function at the top level, or another statement there.
    """

    node: ast.AST
    parents: tuple[ast.AST, ...]
    definition: ast.stmt

    @property
    def parent(self) -> ast.AST:
        """Return what contains the node; a definition at the top level contains itself."""
        return self.parents[0] if self.parents else self.definition

    @property
    def line(self) -> int:
        """Return the line of the node, or of what is around it if it has none."""
        lines = (getattr(one, "lineno", 0) for one in (self.node, *self.parents))
        return next(filter(None, lines), 1)

    @property
    def function(self) -> ast.FunctionDef | None:
        return next((one for one in self.parents if isinstance(one, ast.FunctionDef)), None)

    @property
    def is_read(self) -> bool:
        """Return whether the node is an expression whose value is used."""
        context = getattr(self.node, "ctx", None)
        return isinstance(self.node, ast.expr) and not isinstance(context, ast.Store | ast.Del)

    def parameters(self) -> list[str]:
        """Return the names of the function's parameters, without `self`."""
        if self.function is None:
            return []
        given = self.function.args
        names = [one.arg for one in (*given.posonlyargs, *given.args, *given.kwonlyargs)]
        return [name for name in names if name != "self"]
