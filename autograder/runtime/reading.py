"""Which names a statement reads that it has not bound itself before."""

from __future__ import annotations

import ast
import symtable
from collections.abc import Sequence
from typing import TypeAlias

Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
Comprehension: TypeAlias = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp


def read_outside(statement: ast.stmt) -> set[str]:
    """Return the names that a statement reads and has not surely bound before.

    Those that are local to a function or a class in it are none.
    """
    reader = _Reader()
    try:
        reader.visit(statement)
    except (SyntaxError, ValueError, RecursionError):
        return {node.id for node in ast.walk(statement) if isinstance(node, ast.Name)}
    return reader.found


class _Reader(ast.NodeVisitor):
    """Goes through a statement in the order in which its parts run.

    found: the names that were read. bound: those that are surely bound so far.
    """

    def __init__(self) -> None:
        self.found: set[str] = set()
        self.bound: set[str] = set()

    def visit_Name(self, node: ast.Name) -> None:
        if isinstance(node.ctx, ast.Store):
            self.bound.add(node.id)
        else:
            self.found |= {node.id} - self.bound

    def visit_alias(self, node: ast.alias) -> None:
        self.bound.add(node.asname or node.name.partition(".")[0])

    def visit_Assign(self, node: ast.Assign) -> None:
        self._visit(node.value, *node.targets)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self.found |= {one.id for one in [node.target] if isinstance(one, ast.Name)} - self.bound
        self._visit(node.value, node.target)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        self._visit(node.annotation, *([node.value, node.target] if node.value else []))

    def visit_NamedExpr(self, node: ast.NamedExpr) -> None:
        self._visit(node.value, node.target)

    def visit_For(self, node: ast.For | ast.AsyncFor) -> None:
        self._visit(node.iter)
        self._one_of([node.target, *node.body], [])
        self._one_of(node.orelse, [])

    visit_AsyncFor = visit_For  # noqa: N815

    def visit_While(self, node: ast.While) -> None:
        self._visit(node.test)
        self._one_of(node.body, [])
        self._one_of(node.orelse, [])

    def visit_If(self, node: ast.If) -> None:
        self._visit(node.test)
        self._one_of(node.body, node.orelse)

    def visit_Try(self, node: ast.Try) -> None:
        self._one_of([*node.body, *node.orelse], *([one] for one in node.handlers))
        self._visit(*node.finalbody)

    visit_TryStar = visit_Try  # noqa: N815

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> None:
        self._visit(*filter(None, [node.type]))
        self.bound |= {*filter(None, [node.name])}
        self._visit(*node.body)

    def visit_Match(self, node: ast.Match) -> None:
        self._visit(node.subject)
        self._one_of(*([case] for case in node.cases), [])

    def visit_MatchAs(self, node: ast.MatchAs | ast.MatchStar) -> None:
        self.generic_visit(node)
        self.bound |= {*filter(None, [node.name])}

    visit_MatchStar = visit_MatchAs  # noqa: N815

    def visit_MatchMapping(self, node: ast.MatchMapping) -> None:
        self.generic_visit(node)
        self.bound |= {*filter(None, [node.rest])}

    def visit_ListComp(self, node: Comprehension) -> None:
        before = {*self.bound}
        for one in node.generators:
            self._visit(one.iter, one.target, *one.ifs)
        self._visit(*([node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]))
        self.bound = before

    visit_SetComp = visit_DictComp = visit_GeneratorExp = visit_ListComp  # noqa: N815

    def visit_FunctionDef(self, node: Function | ast.ClassDef) -> None:
        tables = symtable.symtable(ast.unparse(node), "", "exec").get_children()
        for table in tables:
            symbols = table.get_symbols()
            self.found |= {one.get_name() for one in symbols if one.is_global()} - self.bound
            tables += table.get_children()
        if isinstance(node, ast.ClassDef):
            self._visit(*node.decorator_list, *node.bases, *node.keywords)
        else:
            made = [*getattr(node, "decorator_list", []), getattr(node, "returns", None), node.args]
            self._visit(*filter(None, made))
        self.bound |= {*filter(None, [getattr(node, "name", "")])}

    visit_AsyncFunctionDef = visit_Lambda = visit_ClassDef = visit_FunctionDef  # noqa: N815

    def _visit(self, *nodes: ast.AST) -> None:
        for node in nodes:
            self.visit(node)

    def _one_of(self, *blocks: Sequence[ast.AST]) -> None:
        """Go through blocks of which one runs: surely bound is then what each of them binds."""
        before, after = {*self.bound}, list[set[str]]()
        for block in blocks:
            self.bound = {*before}
            self._visit(*block)
            after.append(self.bound)
        self.bound = set.intersection(*after)
