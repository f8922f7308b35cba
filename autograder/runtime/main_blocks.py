"""Decide which blocks `if __name__ == "__main__":` of a notebook run.

Jupyter runs all of them, but most hold a trial or a long training. Here a block runs if it defines
a function or class, or binds the name of one or a name that one needs. Of another block, only what
prepares imports runs, such as a change of sys.path, and what runs another file.
"""

from __future__ import annotations

import ast
import dis
from collections import defaultdict
from collections.abc import Iterable, Iterator, Set
from types import CodeType

from autograder.runtime.statements import bound

PREPARE = {"chdir", "run_line_magic"}  # methods
Defined = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def as_in_jupyter(tree: ast.Module, needed: Set[str]) -> ast.Module:
    """Return a cell's tree with `__name__ == "__main__"` true, and without what is a trial.

    needed: what `needed` found for the notebook.
    """
    for node in tree.body:
        if isinstance(node, ast.If) and _is_guard(node) and not _counts(node, needed):
            node.body = _preparing(node.body) or [ast.copy_location(ast.Pass(), node.body[0])]
    return ast.fix_missing_locations(_AsMain().visit(tree))


def needed(trees: Iterable[ast.Module]) -> set[str]:
    """Return the names of a notebook's functions and classes, and the names that these need."""
    binding: dict[str, list[ast.stmt]] = defaultdict(list)
    names: list[str] = []
    for statement in (one for tree in trees for one in tree.body):
        bound_here = {*bound(statement)}
        for name in bound_here:
            binding[name].append(statement)
        if _defines(statement):
            names += bound_here
    found: set[str] = set()
    while names:
        name = names.pop()
        found.add(name)
        for statement in binding.pop(name, []):
            names += {*_used(statement)} - found
    return found


def prepares(statement: ast.stmt) -> bool:
    """Return whether a statement changes where modules are looked for, or imports all of one."""
    nodes = [*ast.walk(statement)]
    called = {node.attr for node in nodes if isinstance(node, ast.Attribute)}
    paths = [node for node in nodes if isinstance(node, ast.Attribute) and node.attr == "path"]
    has_path = any(isinstance(one.value, ast.Name) and one.value.id == "sys" for one in paths)
    all_names = any(isinstance(node, ast.alias) and node.name == "*" for node in nodes)
    return has_path or all_names or not called.isdisjoint(PREPARE)


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
    """Return whether a block defines something, or binds or uses (`f = g`) a needed name."""
    values = {one.value.id for one in _assigned(guard) if isinstance(one.value, ast.Name)}
    return _defines(guard) or not needed.isdisjoint({*bound(guard), *values})


def _preparing(block: list[ast.stmt]) -> list[ast.stmt]:
    """Return the statements that prepare imports or run files, and those that they need."""
    kept: list[ast.stmt] = []
    names: set[str] = set()
    for statement in reversed(block):
        if prepares(statement) or not names.isdisjoint(bound(statement)):
            kept.insert(0, statement)
            names |= {*_used(statement)}
    return kept


def _defines(statement: ast.stmt) -> bool:
    """Return whether a statement defines a function or class, also as in `f = lambda x: x`."""
    is_named = any(isinstance(one.value, ast.Lambda) for one in _assigned(statement))
    return is_named or any(isinstance(node, Defined) for node in ast.walk(statement))


def _assigned(statement: ast.stmt) -> list[ast.Assign]:
    """Return the assignments of a statement, or of a block's own level."""
    body = statement.body if isinstance(statement, ast.If) else [statement]
    return [one for one in body if isinstance(one, ast.Assign)]


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
