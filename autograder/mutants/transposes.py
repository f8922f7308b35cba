"""Transposes: left out, of other axes, added, or made by a reshape."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from autograder.mutants.axes import is_function
from autograder.mutants.operators import Change, Operator, Place
from autograder.mutants.syntax import called, changed, literal, made, number

NAMES = ("transpose", "swapaxes", "swapdims", "movedim", "permute", "rearrange")
PAIRS = ("transpose", "swapaxes", "swapdims")
OTHERS = {(-2, -1): ((0, 1), (-3, -1)), (1, 2): ((0, 1), (-2, -1)), (0, 1): ((-2, -1),)}
RESHAPED = "X.reshape(X.shape[0], X.shape[2], X.shape[1], *X.shape[3:])"


def turned(node: ast.AST) -> ast.expr | None:
    """Return the tensor that a node transposes, or None."""
    match node:
        case ast.Attribute(inner, "T" | "mT"):
            return inner
        case ast.Call(ast.Attribute(inner, "t"), []):
            return inner
        case ast.Call(ast.Attribute(inner), arguments) if called(node) in NAMES:
            return arguments[0] if is_function(node) and arguments else inner
    return None


def without(place: Place) -> Iterator[Change]:
    """Leave out a transpose."""
    inner = turned(place.node)
    if inner is not None and place.is_read and called(place.node) != "rearrange":
        yield inner, "a transpose is left out"


def of_other_axes(place: Place) -> Iterator[Change]:
    """Transpose other axes."""
    node = place.node
    if not isinstance(node, ast.Call):
        return
    given = node.args[is_function(node) :]
    axes = [number(one) for one in given]
    if called(node) in PAIRS and len(axes) == 2 and None not in axes:
        for new in OTHERS.get(tuple(sorted(axes)), ()):  # type: ignore[type-var,arg-type]
            arguments = [*node.args[: is_function(node)], *map(literal, new)]
            yield changed(node, args=arguments), f"axes {new[0]} and {new[1]} are exchanged"
    if called(node) == "permute" and len(given) > 2:
        for i in range(len(given) - 1):
            order = [*given]
            order[i], order[i + 1] = order[i + 1], order[i]
            arguments = [*node.args[: is_function(node)], *order]
            yield changed(node, args=arguments), "permute puts the axes in another order"


def by_reshape(place: Place) -> Iterator[Change]:
    """Make the shape of a transpose by a reshape, which mixes up the numbers."""
    match place.node:
        case ast.Call(ast.Attribute(inner), [one, other]) if called(place.node) in PAIRS:
            if (number(one), number(other)) in ((1, 2), (2, 1)) and not is_function(place.node):
                yield made(RESHAPED, X=inner), "a reshape stands in the place of a transpose"


def added(place: Place) -> Iterator[Change]:
    """Transpose a factor of a matrix product, or exchange the factors."""
    match place.node:
        case ast.BinOp(left, ast.MatMult(), right):
            if turned(right) is None:
                yield made("A @ B.mT", A=left, B=right), "the right factor is transposed"
            if turned(left) is None:
                yield made("A.mT @ B", A=left, B=right), "the left factor is transposed"
            yield made("B @ A", A=left, B=right), "the factors of a product are exchanged"


OPERATORS: dict[str, Operator] = {
    "no transpose": without,
    "other axes transposed": of_other_axes,
    "reshape for transpose": by_reshape,
    "another product": added,
}
