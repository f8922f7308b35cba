"""Tell which own modules make a name otherwise than they did before they were reloaded."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Collection, Mapping, Sequence
from itertools import filterfalse
from types import FunctionType, ModuleType

from autograder.notebook.cell_names import made_at_once
from autograder.notebook.ran import PLAIN, Version
from autograder.runtime.statements import DEFINITIONS
from autograder.submissions.imports import imports

IMPORTS = re.compile("import |from ")  # begins a statement that makes nothing of its own
Modules = Mapping[str, Version]  # own modules by their names


def made_otherwise(
    name: str, value: object, cells: Sequence[str], former: Modules, now: Modules
) -> list[str]:
    """Return the modules with other statements than before for what a name was made of.

    They are compared as text, without lines and comments, since each run of a module makes other
    objects. value: of the name. cells: those that make it, the last of them at the end.
    """
    is_removed = _is_of_removed(value, now)
    had, has = (_taken(cells, name, each, is_removed) for each in (former, now))
    return sorted(one for one in had.keys() | has.keys() if had.get(one) != has.get(one))


def is_as_now(statement: ast.stmt, name: str, names: Mapping[str, object]) -> bool:
    """Return whether a name has what a statement would give it now, which takes it from a module.

    As in `from helpers import name`, or `name = helpers.other`; or it is a module.
    """
    value = names[name]
    if isinstance(value, ModuleType):
        return sys.modules.get(value.__name__) is value
    module: object = None
    part = name
    match statement:
        case ast.ImportFrom(module=str() as path):
            module = sys.modules.get(path)
            parts = {one.asname or one.name: one.name for one in statement.names}
            part = parts.get(name, name)
        case ast.Assign(
            targets=[ast.Name()], value=ast.Attribute(value=ast.Name(id=own), attr=part)
        ):
            module = names.get(own)
    there = getattr(module, "__dict__", {})
    now = there.get(part)
    is_equal = isinstance(value, PLAIN) and type(value) is type(now) and value == now
    return part in there and (value is now or is_equal)


def _taken(
    cells: Sequence[str], name: str, modules: Modules, is_called: bool
) -> dict[str, set[str]]:
    """Return what makes a name in own modules that cells import: the text of statements.

    modules: their lines, by their names. is_called: whether all counts that is used when it is
    called.
    """
    found: dict[str, set[str]] = {}
    waiting = [made_at_once(cells, {name})]
    while waiting:
        made = waiting.pop()
        wanted = {name, *made.words}
        called = wanted if is_called else made.called & wanted
        for module in _named_in(made.parts, modules):
            inner = made_at_once(["\n".join(modules[module] or ())], wanted, called)
            texts = {ast.unparse(one) for one in inner.statements}
            if not texts <= found.get(module, set()):
                waiting.append(inner)
            found.setdefault(module, set()).update(texts)
    return {one: {*filterfalse(IMPORTS.match, texts)} for one, texts in found.items()}


def _is_of_removed(value: object, modules: Collection[str]) -> bool:
    """Return whether a function, or one of a class, does not see what its module has now.

    As if the module was not reloaded, but removed and imported anew.
    """
    inner = vars(value).values() if isinstance(value, type) else ()
    functions = [one for one in (value, *inner) if isinstance(one, FunctionType)]
    seen = [(str(one.__globals__.get("__name__")), one.__globals__) for one in functions]
    return any(
        name in modules and getattr(sys.modules.get(name), "__dict__", None) is not names
        for name, names in seen
    )


def _named_in(parts: Sequence[ast.AST], modules: Collection[str]) -> list[str]:
    """Return the modules that parts of statements import, of which each runs."""
    runs = [one for one in parts if isinstance(one, ast.stmt) and not isinstance(one, DEFINITIONS)]
    words = imports("\n".join(map(ast.unparse, runs)))
    return [one for one in modules if one.rpartition(".")[2] in words]
