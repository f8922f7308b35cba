"""Build syntax trees from templates, and replace one node in the text of a definition."""

from __future__ import annotations

import ast
import copy
from functools import cache

Located = ast.stmt | ast.expr | ast.arg | ast.keyword
MAKING = frozenset(  # functions that make tensors without a gradient
    {
        *("zeros", "ones", "full", "empty", "arange", "eye", "tensor", "linspace", "rand", "randn"),
        *("zeros_like", "ones_like", "full_like", "empty_like", "rand_like"),
    }
)


def made(template: str, **parts: ast.AST) -> ast.expr:
    """Return the expression of a template, with nodes in the place of its names.

    made("A @ B", A=left, B=right): names without a part stay as they are.
    """
    return _Filled(parts).visit(copy.deepcopy(_expression(template)))


def statement(template: str, **parts: ast.AST) -> ast.stmt:
    """Return the statement of a template, as `made` does for expressions."""
    return _Filled(parts).visit(ast.parse(template).body[0])


def changed(node: ast.AST, **fields: object) -> ast.AST:
    """Return a copy of a node with other values in some fields."""
    new = copy.copy(node)
    for name, value in fields.items():
        setattr(new, name, value)
    return new


def put(whole: ast.AST, old: ast.AST, new: ast.AST) -> ast.AST:
    """Return a copy of a tree with another node in the place of one of its nodes."""
    if whole is old:
        return new
    fields = {}
    for name, value in ast.iter_fields(whole):
        if isinstance(value, list):
            value = [put(one, old, new) if isinstance(one, ast.AST) else one for one in value]
        elif isinstance(value, ast.AST):
            value = put(value, old, new)
        fields[name] = value
    return ast.copy_location(type(whole)(**fields), whole)


def number(node: ast.AST) -> int | float | None:
    """Return the number that a node writes down, such as -1; None if it is none."""
    match node:
        case ast.Constant(int() | float() as value) if not isinstance(value, bool):
            return value
        case ast.UnaryOp(ast.USub(), ast.Constant(int() | float() as value)):
            return -value
    return None


def literal(value: object) -> ast.expr:
    """Return the node of a constant; a negative number is one too."""
    return ast.parse(repr(value), mode="eval").body


def is_made(node: ast.AST) -> bool:
    """Return whether a tensor is made of no other, so that it has no gradient: `torch.ones(T)`."""
    match node:
        case ast.Call(ast.Attribute(ast.Name("torch"), name), arguments):
            return name in MAKING or (bool(arguments) and all(map(is_made, arguments)))
        case ast.Call(ast.Attribute(_, name)) if name.startswith("new_"):
            return True
        case ast.Call(ast.Attribute(inner), _) | ast.UnaryOp(_, inner) | ast.Attribute(inner):
            return is_made(inner)
        case ast.Compare():
            return True
    return False


def called(node: ast.AST) -> str:
    """Return the last part of the name that a call calls, such as "softmax"; "" for other nodes."""
    match node:
        case ast.Call(ast.Attribute(_, name)) | ast.Call(ast.Name(name)):
            return name
    return ""


def own(node: ast.AST) -> str:
    """Return the name behind `self.`, or ""."""
    match node:
        case ast.Attribute(ast.Name("self"), name):
            return name
    return ""


def replaced(text: str, node: Located, new: ast.AST) -> str:
    """Return a text with the code of another node in the place of one of its nodes.

    text: begins at line 1 of the tree that the node is from. Parentheses are put only where they
    are needed.
    """
    data = text.encode()
    start, end = _span(data, node)
    code = ast.unparse(ast.fix_missing_locations(new))
    if isinstance(node, ast.stmt):
        before = data[:start].rpartition(b"\n")[2].decode()
        indent = "\n" + before[: len(before) - len(before.lstrip())]
        return _joined(data, start, end, code.replace("\n", indent))
    bare = _joined(data, start, end, code)
    if not isinstance(node, ast.expr) or isinstance(new, ast.Name | ast.Attribute | ast.Call):
        return bare
    wrapped = _joined(data, start, end, f"({code})")
    return bare if _dump(wrapped) in ("", _dump(bare)) else wrapped


def _span(data: bytes, node: Located) -> tuple[int, int]:
    """Return where the text of a node begins and ends, in bytes of UTF-8, with its decorators."""
    lines = data.splitlines(keepends=True)
    first, column = node.lineno, node.col_offset
    if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.decorator_list:
        first = node.decorator_list[0].lineno
    last, end = node.end_lineno or first, node.end_col_offset or column
    return sum(map(len, lines[: first - 1])) + column, sum(map(len, lines[: last - 1])) + end


def _joined(data: bytes, start: int, end: int, code: str) -> str:
    return (data[:start] + code.encode() + data[end:]).decode()


def _dump(text: str) -> str:
    try:
        return ast.dump(ast.parse(text))
    except SyntaxError:
        return ""


@cache
def _expression(template: str) -> ast.expr:
    return ast.parse(template, mode="eval").body


class _Filled(ast.NodeTransformer):
    """Put nodes in the place of names."""

    def __init__(self, parts: dict[str, ast.AST]) -> None:
        self._parts = parts

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return self._parts.get(node.id, node)
