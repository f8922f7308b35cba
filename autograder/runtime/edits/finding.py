"""Find all edits of a class or function."""

from __future__ import annotations

import ast
import contextlib
from collections.abc import Collection, Sequence

from autograder.runtime.edits.edit import EVERYWHERE, Change, Edit
from autograder.runtime.edits.expressions import own
from autograder.runtime.edits.statements import Statements
from autograder.runtime.edits.whole import Whole


def edits_of(
    cells: Sequence[tuple[str, str]], name: str, others: Collection[str]
) -> list[tuple[int, Edit]]:
    """Return the edits of a definition in a module or in cells, each with its cell's index.

    cells: label and text of each, of which those that Python cannot read have none. See `edits`.
    """
    found: list[tuple[int, Edit]] = []
    for i, (_, text) in enumerate(cells):
        with contextlib.suppress(SyntaxError, ValueError, RecursionError, MemoryError):
            found += [(i, edit) for edit in edits(text, name, others)]
    return sorted(found, key=lambda one: one[1].rank)


def edits(text: str, name: str, others: Collection[str]) -> list[Edit]:
    """Return the edits of a class or function and of what it uses, those of a lower rank first.

    name: that of the class or function at the top level of the text. others: names of definitions
    that are not edited. Raises what ast.parse does.
    """
    whole = Whole(text)
    for definition in _used(ast.parse(text), name, others):
        _add(whole, definition)
    found = [*{edit.changes: edit for edit in reversed(whole.found)}.values()][::-1]
    by_theme: dict[str, list[Edit]] = {}
    for edit in found:
        by_theme.setdefault(edit.theme, []).append(edit)
    found += [_together(same) for same in by_theme.values() if len(same) > 1]
    return sorted((edit for edit in found if edit.of(text) != text), key=lambda edit: edit.rank)


def _together(same: Sequence[Edit]) -> Edit:
    """Return the edit that makes all changes of these, as far as they do not overlap."""
    changes: list[Change] = []
    for start, end, new in sorted(change for edit in same for change in edit.changes):
        if not changes or start >= changes[-1][1]:
            changes.append((start, end, new))
    return Edit(tuple(changes), min(edit.line for edit in same), EVERYWHERE, same[0].theme)


def _used(tree: ast.Module, name: str, others: Collection[str]) -> list[ast.stmt]:
    """Return the definition of a name and those that it uses, one through the other."""
    known = {
        node.name: node
        for node in tree.body
        if isinstance(node, ast.ClassDef | ast.FunctionDef) and node.name not in others
    }
    found = [known[name]] if name in known else []
    for one in found:  # it grows
        words = {node.id for node in ast.walk(one) if isinstance(node, ast.Name)}
        found += [known[word] for word in known if word in words and known[word] not in found]
    return [*found]


def _add(whole: Whole, definition: ast.stmt) -> None:
    """Find the edits of a class or function."""
    nodes = [*ast.walk(definition)]
    called = {own(node.func) for node in nodes if isinstance(node, ast.Call)}
    made = {
        own(node.targets[0])
        for node in nodes
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call)
    }
    attributes = {name: name in called | made for name in map(own, nodes) if name}
    for node in nodes:
        if isinstance(node, ast.FunctionDef):
            Statements(whole, node, attributes).edit()
