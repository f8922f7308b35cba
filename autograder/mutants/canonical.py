"""Write code in one form, so that two ways to write the same compare as equal.

Layout, comments and brackets do not count, nor does which of the two axes of a transpose comes
first, or which argument of a symmetric function such as `max`. All else is left as it is: in
Python, little is the same for every number, text and module.
"""

from __future__ import annotations

import ast

EXCHANGES = frozenset({"transpose", "swapaxes", "swapdims"})  # the last two arguments, of a tensor
SYMMETRIC = frozenset(  # functions of torch, of two arguments
    {
        *("maximum", "minimum", "fmax", "fmin", "add", "mul", "multiply", "eq", "ne", "equal"),
        *("logical_and", "logical_or", "logical_xor", "dot", "hypot", "gcd", "lcm"),
    }
)
OWN = frozenset({"self", "cls"})  # objects whose methods are the student's


def canonical(definition: ast.stmt, has_arrays: bool) -> str:
    """Return a text that is equal for definitions that are proved to do the same.

    The definition is changed: hand over a copy. has_arrays: its module may have NumPy's arrays,
    whose `transpose` lists all axes in their new order.
    """
    return ast.dump(
        _Canonical(EXCHANGES - {"transpose"} if has_arrays else EXCHANGES).visit(definition)
    )


class _Canonical(ast.NodeTransformer):
    """exchanges: the names of methods and functions that exchange two axes."""

    def __init__(self, exchanges: frozenset[str]) -> None:
        self._exchanges = exchanges

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        self.generic_visit(node)
        match node:
            case ast.UnaryOp(ast.USub(), ast.Constant(int() | float() as value)):
                return ast.Constant(-value)
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        match node:
            case ast.Call(ast.Name("max" | "min"), [_, _, *_] as numbers, []):
                if not any(isinstance(one, ast.Starred) for one in numbers):
                    node.args = sorted(numbers, key=ast.dump)
            case ast.Call(ast.Attribute(ast.Name("torch"), name), [_, _], []) if name in SYMMETRIC:
                node.args = sorted(node.args, key=ast.dump)
            case ast.Call(ast.Attribute(inner, name), [*first, one, other], []):
                axes = _is_axis(one) and _is_axis(other) and name in self._exchanges
                if axes and not (isinstance(inner, ast.Name) and inner.id in OWN):
                    node.args = [*first, *sorted([one, other], key=ast.dump)]
        return node


def _is_axis(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and type(node.value) is int
