"""Find the edits of the reference that give a wrong solution."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import TypeVar

from autograder.course import source_lines
from autograder.errors import UsageError

Tree = TypeVar("Tree", bound=ast.AST)
MOST = 4  # edits: whoever needs more has written other code
LEAST = 6  # characters of a `find`: fewer say nothing to a reader
REMEDY = (
    "A misconception is a small edit of the reference: copy that into the file, change what is "
    "wrong, and nothing else."
)
PIECES = re.compile(r"\w+|\s+|.")  # of code


class NotAnEdit(UsageError):
    """A wrong solution differs from the reference in more than a few passages."""


@dataclass(frozen=True)
class Statement:
    """A statement, or the head of one that has a body. key: its code, whatever its layout.

    first, last: offsets in the text of its definition. depth: of the blocks around it.
    """

    key: str
    first: int
    last: int
    depth: int


class Definition:
    """The class or function of an exercise in a module. Raises NotAnEdit."""

    def __init__(self, exercise: str, module: str, file: str) -> None:
        try:
            body = ast.parse(module).body
        except SyntaxError as problem:
            at = f"{file}, line {problem.lineno}"
            raise NotAnEdit(f"{at}: {problem.msg}. Correct the code.") from None
        kinds = (ast.ClassDef, ast.FunctionDef)
        found = [node for node in body if isinstance(node, kinds) and node.name == exercise]
        if not found:
            raise NotAnEdit(f"{file} does not define {exercise}. Define it, or name another file.")
        node = found[0]
        lines = source_lines(module)[node.lineno - 1 : node.end_lineno]
        self.text = "".join(lines)
        self._lines = lines
        self.statements = list(self._flattened(_plain(ast.parse(self.text).body[0]), 0))
        self.code = ast.dump(_plain(ast.parse(self.text)))

    def _flattened(self, node: ast.stmt, depth: int) -> Iterator[Statement]:
        """Yield a statement, and after its head those of its body."""
        blocks = [b for name in ("body", "orelse", "finalbody") if (b := getattr(node, name, []))]
        first = self._offset(node.lineno, node.col_offset)
        if not blocks:
            last = self._offset(node.end_lineno or 0, node.end_col_offset or 0)
            yield Statement(ast.unparse(node), first, last, depth)
            return
        key = ast.unparse(node).partition("\n")[0]
        last = first + len(self.text[first:].partition(":\n")[0]) + 1
        yield Statement(key, first, last, depth)
        for block in blocks:
            for inner in block:
                yield from self._flattened(inner, depth + 1)

    def _offset(self, line: int, column: int) -> int:
        """Return the offset of a place in the text. column: in bytes of UTF-8."""
        before = sum(map(len, self._lines[: line - 1]))
        return before + len(self._lines[line - 1].encode()[:column].decode())


def edits(exercise: str, reference: str, wrong: str, file: str) -> list[tuple[str, str]]:
    """Return the pairs (find, replace) that turn the reference into a wrong solution.

    reference, wrong: texts of modules. file: names the wrong one in errors. Layout, comments,
    docstrings and annotations do not count. Raises NotAnEdit.
    """
    old, new = Definition(exercise, reference, "The reference"), Definition(exercise, wrong, file)
    if old.code == new.code:
        raise NotAnEdit(f"{file} is the reference of {exercise}. Make the mistake in it.")
    small = [_shrunk(old.text, *passage) for passage in _passages(old, new)]
    if len(small) > MOST:
        raise NotAnEdit(f"{file} differs from the reference in {len(small)} passages. {REMEDY}")
    for found in (small, [_shrunk(old.text, *_whole(old, new))]):
        if _applied(old.text, found) == new.code:
            return found
    raise NotAnEdit(f"{file} is no edit of the reference of {exercise}. {REMEDY}")


def _changes(old: Definition, new: Definition) -> list[tuple[str, int, int, int, int]]:
    """Return what difflib says of the statements, without those that are equal."""
    ours, theirs = ([(one.depth, one.key) for one in d.statements] for d in (old, new))
    found = SequenceMatcher(None, ours, theirs, autojunk=False).get_opcodes()
    return [one for one in found if one[0] != "equal"]


def _passages(old: Definition, new: Definition) -> Iterator[tuple[int, int, str]]:
    """Yield offsets of passages of the reference, each with the code in its place."""
    for _, i, j, k, m in _changes(old, new):
        if j - i == m - k:  # one by one, each as small as can be
            for one, other in zip(old.statements[i:j], new.statements[k:m], strict=True):
                yield one.first, one.last, new.text[other.first : other.last]
        else:
            yield _passage(old, new, i, j, k, m)


def _whole(old: Definition, new: Definition) -> tuple[int, int, str]:
    """Return one passage, from the first statement that differs to the last."""
    changes = _changes(old, new)
    (_, i, _, k, _), (_, _, j, _, m) = changes[0], changes[-1]
    return _passage(old, new, i, j, k, m)


def _passage(
    old: Definition, new: Definition, i: int, j: int, k: int, m: int
) -> tuple[int, int, str]:
    """Return the passage of statements i to j of the reference, with k to m in their place.

    Where one side has none, a statement that stays is in both: the one below, or else above.
    """
    if i == j or k == m:
        below = old.statements[j : j + 1], new.statements[m : m + 1]
        beside = (old.statements[i : i + 1] or new.statements[k : k + 1])[0]
        if all(below) and below[0][0].depth == beside.depth == below[1][0].depth:
            j, m = j + 1, m + 1
        else:
            i, k = max(i - 1, 0), max(k - 1, 0)
    code = new.text[new.statements[k].first : new.statements[m - 1].last]
    lines = [line for line in source_lines(code) if not line.lstrip().startswith("#")]
    return old.statements[i].first, old.statements[j - 1].last, "".join(lines)


def _shrunk(text: str, first: int, last: int, replace: str) -> tuple[str, str]:
    """Return an edit without the pieces that stay, as far as its `find` occurs once in a text."""
    old, new = PIECES.findall(text[first:last]), PIECES.findall(replace)

    def is_enough(pieces: list[str]) -> bool:
        found = "".join(pieces)
        return len(found) >= LEAST and text.count(found) == 1

    while new and old[-1] == new[-1] and is_enough(old[:-1]):
        old, new = old[:-1], new[:-1]
    while new and old[0] == new[0] and is_enough(old[1:]):
        old, new = old[1:], new[1:]
    return "".join(old), "".join(new)


def _applied(text: str, found: list[tuple[str, str]]) -> str:
    """Return the code of a definition after edits, as Definition.code; "" if they fail."""
    for find, replace in found:
        if text.count(find) != 1:
            return ""
        text = text.replace(find, replace)
    try:
        return ast.dump(_plain(ast.parse(text)))
    except SyntaxError:
        return ""


def _plain(tree: Tree) -> Tree:
    """Take docstrings and annotations out of a tree. Returns it."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node):
            node.body = node.body[1:] or [ast.Pass()]
        if isinstance(node, ast.FunctionDef):
            node.returns = None
        if isinstance(node, ast.arg):
            node.annotation = None
    return tree
