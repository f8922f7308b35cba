"""Decide which blocks `if __name__ == "__main__":` of a notebook run.

Jupyter runs all of them, but most hold a trial or a long training. Here a block runs if it defines
a function or class, or binds a name that one of the notebook's functions or classes needs.
"""

from __future__ import annotations

import ast
import dis
from collections import defaultdict
from collections.abc import Iterable, Iterator, Set
from types import CodeType

from autograder.runtime.statements import bound

Defined = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def as_in_jupyter(tree: ast.Module, needed: Set[str]) -> ast.Module:
    """Return a cell's tree with `__name__ == "__main__"` true, and without blocks for trials.

    needed: what `needed` found for the notebook.
    """
    for node in tree.body:
        if isinstance(node, ast.If) and _is_guard(node) and not _counts(node, needed):
            node.body = [ast.copy_location(ast.Pass(), node.body[0])]
    return ast.fix_missing_locations(_AsMain().visit(tree))


def needed(trees: Iterable[ast.Module]) -> set[str]:
    """Return the names that the functions and classes of a notebook use, and what these need."""
    binding: dict[str, list[ast.stmt]] = defaultdict(list)
    to_read: list[ast.stmt] = []
    for statement in (one for tree in trees for one in tree.body):
        for name in {*bound(statement)}:
            binding[name].append(statement)
        if _defines(statement):
            to_read.append(statement)
    found: set[str] = set()
    while to_read:
        for name in {*_used(to_read.pop())} - found:
            found.add(name)
            to_read += binding.pop(name, [])
    return found


class _AsMain(ast.NodeTransformer):
    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        if not _is_main(node):
            return self.generic_visit(node)
        return ast.copy_location(ast.Constant(isinstance(node.ops[0], ast.Eq)), node)


def _is_main(node: ast.Compare) -> bool:
    """Return whether an expression compares `__name__` with "__main__"."""
    match node:
        case ast.Compare(left, [ast.Eq() | ast.NotEq()], [right]):
            sides = (left, right)
            is_name = any(isinstance(one, ast.Name) and one.id == "__name__" for one in sides)
            return is_name and any(
                isinstance(one, ast.Constant) and one.value == "__main__" for one in sides
            )
    return False


def _is_guard(node: ast.If) -> bool:
    tests = [one for one in ast.walk(node.test) if isinstance(one, ast.Compare)]
    return any(_is_main(one) and isinstance(one.ops[0], ast.Eq) for one in tests)


def _counts(guard: ast.If, needed: Set[str]) -> bool:
    return _defines(guard) or not needed.isdisjoint(bound(guard))


def _defines(statement: ast.stmt) -> bool:
    """Return whether a function or class gets a name, as in `f = g` and `f = lambda x: x`."""
    for node in ast.walk(statement):
        if isinstance(node, Defined):
            return True
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Name | ast.Lambda):
            return True
    return False


def _used(statement: ast.stmt) -> Iterator[str]:
    """Yield the names of the module that a statement uses."""
    flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
    try:
        waiting = [compile(ast.Module([statement], []), "", "exec", flags, dont_inherit=True)]
    except (SyntaxError, ValueError, RecursionError, MemoryError):  # it never runs
        return
    while waiting:
        code = waiting.pop()
        waiting += [one for one in code.co_consts if isinstance(one, CodeType)]
        for step in dis.get_instructions(code):
            if step.opname.startswith("LOAD_") and step.opname.endswith(
                ("NAME", "GLOBAL", "GLOBALS")
            ):
                yield step.argval
