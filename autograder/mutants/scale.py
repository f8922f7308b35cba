"""The scale of scores: another size, another power, multiplied instead of divided."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from autograder.mutants.operators import Change, Operator, Place
from autograder.mutants.syntax import called, changed, literal, made, number


def without_root(place: Place) -> Iterator[Change]:
    """Leave out a root."""
    match place.node:
        case ast.Call(ast.Attribute(inner), []) if called(place.node) in ("sqrt", "rsqrt"):
            yield inner, f"no {called(place.node)} is taken"
        case ast.Call(_, [inner]) if called(place.node) in ("sqrt", "rsqrt"):
            yield inner, f"no {called(place.node)} is taken"


def other_power(place: Place) -> Iterator[Change]:
    """Take another power."""
    match place.node:
        case ast.BinOp(_, ast.Pow(), power):
            for new in (1, -1, 0.5, -0.5, 2):
                if new != number(power):
                    after = changed(place.node, right=literal(new))
                    yield after, f"the power is {new}"
            if number(power) is None:
                negative = power.operand if isinstance(power, ast.UnaryOp) else made("-P", P=power)
                yield changed(place.node, right=negative), "the power has the other sign"


def other_operation(place: Place) -> Iterator[Change]:
    """Multiply instead of dividing, and divide instead of multiplying."""
    match place.node:
        case ast.BinOp(left, ast.Div(), right):
            yield made("A * B", A=left, B=right), "a product stands in the place of a quotient"
        case ast.BinOp(left, ast.Mult(), right) if not isinstance(left, ast.List | ast.Tuple):
            yield made("A / B", A=left, B=right), "a quotient stands in the place of a product"
        case ast.BinOp(left, ast.FloorDiv(), right):
            yield made("A * B", A=left, B=right), "a product stands in the place of a quotient"


def other_factor(place: Place) -> Iterator[Change]:
    """Use a factor twice, or take the double of a divisor."""
    match place.node:
        case ast.BinOp(left, ast.Div(), right) if place.is_read:
            yield made("A / (B + 1)", A=left, B=right), "the divisor is larger by 1"
            yield made("A / (2 * B)", A=left, B=right), "the divisor is twice as large"


OPERATORS: dict[str, Operator] = {
    "no root": without_root,
    "other power": other_power,
    "times for divided by": other_operation,
    "other divisor": other_factor,
}
