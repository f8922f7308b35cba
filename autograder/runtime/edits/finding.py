"""Find all edits of a class or function."""

from __future__ import annotations

import ast
import contextlib
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from autograder.runtime.edits.edit import EVERYWHERE, Change, Edit
from autograder.runtime.edits.expressions import Expressions, own
from autograder.runtime.edits.parts import Part
from autograder.runtime.edits.statements import Statements
from autograder.runtime.edits.unused import use_factors, use_parameters, use_parts
from autograder.runtime.edits.whole import Read, Whole

NO_ARGUMENTS = ast.arguments(posonlyargs=[], args=[], kwonlyargs=[], kw_defaults=[], defaults=[])
OUTSIDE = ast.FunctionDef("", NO_ARGUMENTS, [], [])  # for values outside of functions
UNREADABLE = (SyntaxError, ValueError, RecursionError, MemoryError)


def edits_of(parts: Sequence[Part], name: str, others: Collection[str]) -> list[tuple[int, Edit]]:
    """Return the edits of a definition, and of what it uses, each with the index of its part.

    Parts that Python cannot read have none. See `edits`.
    """
    trees: dict[int, ast.Module] = {}
    for i, part in enumerate(parts):
        with contextlib.suppress(*UNREADABLE):
            trees[i] = ast.parse(part.text)
    patches = _patches([*trees.values()], name)
    by_file: dict[str, list[ast.stmt]] = {}
    for i, tree in trees.items():
        by_file.setdefault(parts[i].file, []).extend(tree.body)
    wanted = {name, *patches.values()}
    used = {id(node) for node in _used([*by_file.values()], wanted, others)}
    found: list[tuple[int, Edit]] = []
    for i, tree in trees.items():
        definitions = [node for node in tree.body if id(node) in used]
        with contextlib.suppress(*UNREADABLE):
            found += [(i, edit) for edit in edits(parts[i].text, definitions)]
    return sorted(found, key=lambda one: one[1].rank)


def edits(text: str, definitions: Sequence[ast.stmt]) -> list[Edit]:
    """Return the edits of some definitions in a text, those of a lower rank first."""
    whole = Whole(text)
    for definition in definitions:
        _add(whole, definition)
    found = [*{edit.changes: edit for edit in reversed(whole.found)}.values()][::-1]
    found = [replace(edit, origins=_origins(whole, edit)) for edit in found]
    by_theme: dict[str, list[Edit]] = {}
    for edit in found:
        by_theme.setdefault(edit.theme, []).append(edit)
    found += [_together(same) for same in by_theme.values() if len(same) > 1]
    return sorted((edit for edit in found if edit.of(text) != text), key=lambda edit: edit.rank)


def _origins(whole: Whole, edit: Edit) -> tuple[int, ...]:
    """Return the lines that assign what an edit reads no more; none for a move.

    Where it reads the same otherwise, as with another operator, its own line may be the wrong one.
    """
    if len(edit.changes) > 1:
        return ()
    [(start, end, new)] = edit.changes
    within = [read for read in whole.reads if start <= read.start and read.end <= end]
    gone = [read for read in within if not _stands(whole.text[read.start : read.end], new)]
    return tuple(sorted({line for read in gone for line in read.lines}))


def _stands(name: str, text: str) -> bool:
    """Return whether a name, or an attribute such as `self.scale`, stands in a text."""
    return re.search(rf"(?<![\w.]){re.escape(name)}(?!\w)", text) is not None


def _together(same: Sequence[Edit]) -> Edit:
    """Return the edit that makes all changes of these, as far as they do not overlap."""
    changes: list[Change] = []
    for start, end, new in sorted(change for edit in same for change in edit.changes):
        if not changes or start >= changes[-1][1]:
            changes.append((start, end, new))
    return Edit(tuple(changes), min(edit.line for edit in same), EVERYWHERE, same[0].theme)


def _patches(trees: Sequence[ast.Module], name: str) -> dict[str, str]:
    """Remove the methods of a class that later statements replace, as in `Head.forward = f`.

    Returns, by method, the name of the function that replaces it; "" if it has none, as a lambda.
    """
    found: dict[str, str] = {}
    classes: list[ast.ClassDef] = []
    for node in (node for tree in trees for node in tree.body):
        match node:
            case ast.ClassDef(one) if one == name:
                found.clear()
                classes.append(node)
            case ast.Assign([ast.Attribute(ast.Name(one), method)], value) | ast.Expr(
                ast.Call(ast.Name("setattr"), [ast.Name(one), ast.Constant(str(method)), value])
            ) if one == name:
                found[method] = value.id if isinstance(value, ast.Name) else ""
    for definition in classes:
        kept = (one for one in definition.body if getattr(one, "name", "") not in found)
        definition.body = [*kept]
    return found


def _used(
    files: Sequence[Sequence[ast.stmt]], names: Collection[str], others: Collection[str]
) -> list[ast.stmt]:
    """Return the definitions of names and those that they use, one through the other.

    An assignment at the top level is one too, and so is an import by another name. Of several of
    one name in a file, the last counts.
    """
    known = [one for file in files for one in _definitions(file).items() if one[0] not in others]
    found = [node for name, node in known if name in names]
    for one in found:  # it grows
        words = _free(one)
        found += [node for name, node in known if name in words and node not in found]
    return found


def _definitions(statements: Sequence[ast.stmt]) -> dict[str, ast.stmt]:
    found: dict[str, ast.stmt] = {}
    for node in statements:
        match node:
            case ast.ClassDef(name) | ast.FunctionDef(name) | ast.Assign([ast.Name(name)]):
                found[name] = node
            case ast.ImportFrom(names=names):
                found |= {one.asname: node for one in names if one.asname}
    return found


def _free(definition: ast.stmt) -> set[str]:
    """Return the names that a definition reads and does not bind within itself.

    In another file, they are those that it imports, and those behind a dot.
    """
    nodes = [*ast.walk(definition)]
    names = [node for node in nodes if isinstance(node, ast.Name)]
    own_names = {node.id for node in names if isinstance(node.ctx, ast.Store)}
    own_names |= {node.arg for node in nodes if isinstance(node, ast.arg)}
    read = {node.id for node in names} - own_names
    read |= {node.attr for node in nodes if isinstance(node, ast.Attribute) and not own(node)}
    return read | {node.name for node in nodes if isinstance(node, ast.alias)}


def _add(whole: Whole, definition: ast.stmt) -> None:
    """Find the edits of a class, a function, or a value that is assigned outside of them."""
    nodes = [*ast.walk(definition)]
    called = {own(node.func) for node in nodes if isinstance(node, ast.Call)}
    layers = [node for node in nodes if isinstance(node, ast.Assign) and _makes_layer(node.value)]
    made = dict.fromkeys(own(node.targets[0]) for node in layers)
    attributes = {name: name in called | made.keys() for name in map(own, nodes) if name}
    use_parts(whole, definition, [*filter(None, made)])
    use_factors(whole, definition)
    for node in nodes:
        if isinstance(node, ast.FunctionDef):
            use_parameters(whole, node)
            Statements(whole, node, attributes).edit()
            whole.reads += _reads(whole, nodes, node)
    outside = definition.body if isinstance(definition, ast.ClassDef) else [definition]
    for statement in outside:
        if isinstance(statement, ast.Assign):
            Expressions(whole, OUTSIDE, {}).expression(statement.value)


def _reads(whole: Whole, nodes: Sequence[ast.AST], function: ast.FunctionDef) -> Iterator[Read]:
    """Yield the names and attributes that a function reads, with the lines that assign them.

    nodes: of the whole definition, in which attributes are assigned.
    """
    within = [*ast.walk(function)]
    given = (node for node in ast.walk(function.args) if isinstance(node, ast.arg))
    assigned = {f" {node.arg}": [node.lineno] for node in given if node.arg != "self"}
    statements = [node for node in nodes if isinstance(node, ast.Assign)]
    lines = {
        part: range(node.lineno, (node.end_lineno or node.lineno) + 1)
        for node in statements
        for target in node.targets
        for part in ast.walk(target)
    }
    for node in [*filter(own, nodes), *(one for one in within if isinstance(one, ast.Name))]:
        if isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Store):
            there = lines.get(node, [node.lineno])
            assigned.setdefault(own(node) or f" {whole.of(node)}", []).extend(there)
    for node in nodes:
        if isinstance(node, ast.FunctionDef):
            above = [one.lineno for one in node.decorator_list]
            assigned.setdefault(node.name, []).extend([*above, node.lineno])
    for node in within:
        if isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Load):
            read = assigned.get(own(node) or f" {whole.of(node)}", ())
            yield Read(*whole.span(node), tuple(read))


def _makes_layer(value: ast.expr) -> bool:
    """Return whether a value is a call of a class, by the first letter of its name."""
    match value:
        case ast.Call(ast.Attribute(_, name)) | ast.Call(ast.Name(name)):
            return name[:1].isupper()
    return False
