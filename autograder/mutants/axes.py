"""Axes of softmax, of reductions, of what joins and splits."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from autograder.mutants.operators import Change, Operator, Place
from autograder.mutants.syntax import called, changed, literal, number

# Position of the axis among the arguments of the method; the function has the tensor before it.
AXIS = {
    "softmax": 0, "log_softmax": 0, "softmin": 0, "mean": 0, "sum": 0, "var": 0, "std": 0,
    "amax": 0, "max": 0, "cumsum": 0, "logsumexp": 0, "logcumsumexp": 0, "argmax": 0, "cat": 0,
    "concat": 0, "stack": 0, "chunk": 1, "split": 1, "unbind": 0, "unflatten": 0, "unsqueeze": 0,
    "squeeze": 0, "normalize": 1, "flip": 0, "select": 0, "narrow": 0, "repeat_interleave": 1,
}  # fmt: skip
JOINING = ("cat", "concat", "stack")  # take a list, not a tensor
OTHERS = {-1: (-2, 0), -2: (-1, 0), 0: (1, -1), 1: (0, 2), 2: (1, 0), 3: (2, 1), -3: (-1, -2)}
ALL = ("mean", "sum", "var", "std", "amax", "max")  # reduce all numbers without an axis
MODULES = ("torch", "F", "functional", "np", "einops")


def axis(node: ast.Call) -> ast.expr | None:
    """Return the axis that is given to a call, if its function takes one."""
    name = called(node)
    if name not in AXIS:
        return None
    for keyword in node.keywords:
        if keyword.arg in ("dim", "axis"):
            return keyword.value
    place = AXIS[name] + (is_function(node) and name not in JOINING) + (name in JOINING)
    return node.args[place] if place < len(node.args) else None


def is_function(node: ast.Call) -> bool:
    """Return whether a call is of a function, such as `torch.sum(x)`, not of a method."""
    match node.func:
        case ast.Attribute(ast.Name(module) | ast.Attribute(_, module)):
            return module in MODULES
    return isinstance(node.func, ast.Name)


def other_axis(place: Place) -> Iterator[Change]:
    """Take another axis."""
    call = place.parent
    if isinstance(call, ast.keyword):
        call = place.parents[1]
    if not isinstance(call, ast.Call) or axis(call) is not place.node:
        return
    value = number(place.node)
    for new in OTHERS.get(value, ()) if isinstance(value, int) else ():
        yield literal(new), f"{called(call)} runs over axis {new} instead of {value}"


def no_axis(place: Place) -> Iterator[Change]:
    """Reduce all numbers to one."""
    node = place.node
    if not isinstance(node, ast.Call) or called(node) not in ALL or not (given := axis(node)):
        return
    arguments = [one for one in node.args if one is not given]
    keywords = [one for one in node.keywords if one.value is not given and one.arg != "keepdim"]
    said = f"{called(node)} runs over all axes"
    yield changed(node, args=arguments, keywords=keywords), said


def other_keepdim(place: Place) -> Iterator[Change]:
    """Leave out keepdim, or keep an axis that should be gone."""
    match place.node:
        case ast.keyword("keepdim" | "keepdims", ast.Constant(bool() as value)):
            new = changed(place.node, value=literal(not value))
            yield new, f"keepdim is {not value}"


OPERATORS: dict[str, Operator] = {
    "other axis": other_axis,
    "no axis": no_axis,
    "other keepdim": other_keepdim,
}
