"""Indices, ranges, slices and sizes: off by one, of another axis, written as numbers."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from autograder.mutants.operators import Change, Operator, Place
from autograder.mutants.syntax import called, changed, literal, made, number

COMPARED: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.Gt), ast.LtE: (ast.Lt, ast.GtE), ast.Gt: (ast.GtE, ast.Lt),
    ast.GtE: (ast.Gt, ast.LtE), ast.Eq: (ast.NotEq,), ast.NotEq: (ast.Eq,),
}  # fmt: skip
WRITTEN = 4  # a size that is written as a number
RANGES = ("range", "arange")


def other_index(place: Place) -> Iterator[Change]:
    """Take an index that is off by one, or the size of another axis."""
    match place.node:
        case ast.Subscript(inner, index, ast.Load()) if isinstance(number(index), int):
            old = int(number(index) or 0)
            is_size = isinstance(inner, ast.Attribute) and inner.attr == "shape"
            for new in _nearby(old, is_size):
                yield (
                    changed(place.node, slice=literal(new)),
                    f"index {new} is taken instead of {old}",
                )
        case ast.Call(ast.Attribute(_, "size"), [index]) if isinstance(number(index), int):
            old = int(number(index) or 0)
            for new in _nearby(old, is_size=True):
                yield (
                    changed(place.node, args=[literal(new)]),
                    f"the size of axis {new} is taken instead of {old}",
                )


def other_bound(place: Place) -> Iterator[Change]:
    """Begin or end a slice or a range one earlier or later."""
    node = place.node
    if isinstance(node, ast.Slice):
        for name in ("lower", "upper"):
            if bound := getattr(node, name):
                for new in _off_by_one(bound):
                    yield changed(node, **{name: new}), "a slice is off by one"
        if node.lower is None and node.upper is not None and node.step is None:
            after = changed(node, lower=node.upper, upper=None)
            yield after, "a slice takes the rest instead of the beginning"
        elif node.upper is None and node.lower is not None and node.step is None:
            after = changed(node, upper=node.lower, lower=None)
            yield after, "a slice takes the beginning instead of the rest"
    if isinstance(node, ast.Call) and called(node) in RANGES:
        for i, bound in enumerate(node.args[:2]):
            for new in _off_by_one(bound):
                arguments = [*node.args]
                arguments[i] = new
                yield changed(node, args=arguments), "a range is off by one"
        if len(node.args) == 1:
            arguments = [literal(1), *node.args]
            yield changed(node, args=arguments), "a range begins at 1"


def other_count(place: Place) -> Iterator[Change]:
    """Add one more or one less in a sum, or write another whole number."""
    match place.node:
        case ast.BinOp(_, ast.Add() | ast.Sub(), ast.Constant(int() as value)):
            for new in (value - 1, value + 1):
                yield (
                    changed(place.node, right=literal(new)),
                    f"{new} is written instead of {value}",
                )
        case ast.BinOp(ast.Constant(int() as value), ast.Mult() | ast.Sub() | ast.Add(), _):
            for new in (value - 1, value + 1):
                yield changed(place.node, left=literal(new)), f"{new} is written instead of {value}"


def written_size(place: Place) -> Iterator[Change]:
    """Write a size as a number."""
    node = place.node
    match node:
        case ast.Subscript(ast.Attribute(_, "shape"), index, ast.Load()) if (
            number(index) is not None
        ):
            yield literal(WRITTEN), f"a size is written as {WRITTEN}"
        case ast.Call(ast.Attribute(_, "size"), [_]):
            yield literal(WRITTEN), f"a size is written as {WRITTEN}"
        case ast.Name(name, ast.Load()) if name in place.parameters():
            made_by = place.function is not None and place.function.name == "__init__"
            if made_by and _is_size(name):
                yield literal(WRITTEN), f"{name} is written as {WRITTEN}"


def other_comparison(place: Place) -> Iterator[Change]:
    """Compare otherwise."""
    match place.node:
        case ast.Compare(_, [comparison], [_]) if type(comparison) in COMPARED:
            for new in COMPARED[type(comparison)]:
                yield changed(place.node, ops=[new()]), "a comparison is made otherwise"


def _is_size(name: str) -> bool:
    """Return whether a parameter of a constructor is a size, judging by its name."""
    parts = name.lower().split("_")
    return not {"dropout", "p", "eps", "momentum", "bias", "factor"} & {*parts}


def _nearby(old: int, is_size: bool) -> tuple[int, ...]:
    if is_size:
        return {-1: (-2, 0), -2: (-1, 0), 0: (1, -1), 1: (0, 2)}.get(old, (old - 1,))
    return (old + 1, old - 1)


def _off_by_one(bound: ast.expr) -> Iterator[ast.expr]:
    value = number(bound)
    if isinstance(value, int):
        yield literal(value + 1)
        yield literal(value - 1)
    else:
        yield made("B + 1", B=bound)
        yield made("B - 1", B=bound)


OPERATORS: dict[str, Operator] = {
    "another index": other_index,
    "off by one": other_bound,
    "another count": other_count,
    "size written as a number": written_size,
    "another comparison": other_comparison,
}
