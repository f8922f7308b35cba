"""Terms, factors, calls and statements that are left out, or of another operation."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from autograder.mutants.axes import is_function
from autograder.mutants.operators import Change, Operator, Place
from autograder.mutants.syntax import called, changed, literal, made, own

UNWRAPPED = (  # functions of one tensor that students leave out
    "softmax", "dropout", "Dropout", "relu", "gelu", "exp", "log", "abs", "square", "clone",
    "mean", "tanh", "sigmoid", "layer_norm", "reversed", "neg", "reciprocal",
)  # fmt: skip


def without_term(place: Place) -> Iterator[Change]:
    """Leave out a term, such as a skip connection."""
    match place.node:
        case ast.BinOp(left, ast.Add() | ast.Sub(), right) if place.is_read:
            yield left, f"{_short(right)} is left out"
            if isinstance(place.node.op, ast.Add):
                yield right, f"{_short(left)} is left out"
        case ast.AugAssign(target, ast.Add() | ast.Sub(), value):
            after = ast.Assign([target], value, lineno=place.node.lineno)
            yield after, f"{_short(target)} is left out"


def other_sign(place: Place) -> Iterator[Change]:
    """Subtract instead of adding, and add instead of subtracting."""
    match place.node:
        case ast.BinOp(left, ast.Add(), right) if not isinstance(left, ast.List | ast.Tuple):
            yield made("A - B", A=left, B=right), f"{_short(right)} is subtracted"
        case ast.BinOp(left, ast.Sub(), right):
            yield made("A + B", A=left, B=right), f"{_short(right)} is added"
        case ast.UnaryOp(ast.USub(), inner) if not isinstance(inner, ast.Constant):
            yield inner, "the sign is left out"


def without_factor(place: Place) -> Iterator[Change]:
    """Leave out a factor, a divisor or a power."""
    match place.node:
        case ast.BinOp(left, ast.Mult() | ast.MatMult(), right):
            yield left, f"{_short(right)} is left out"
            if not isinstance(left, ast.List | ast.Tuple):
                yield right, f"{_short(left)} is left out"
        case ast.BinOp(left, ast.Div() | ast.FloorDiv() | ast.Pow(), right):
            yield left, f"{_short(right)} is left out"
        case ast.AugAssign(target, ast.Mult() | ast.Div()):
            yield ast.Pass(), f"{_short(target)} is not scaled"
        case ast.Call(ast.Attribute(inner, "mul" | "div" | "add" | "sub"), [other, *_]):
            if not is_function(place.node):
                yield inner, f"{_short(other)} is left out"


def without_call(place: Place) -> Iterator[Change]:
    """Leave out a part of the module, or a function of a tensor."""
    node = place.node
    match node:
        case ast.Call(ast.Attribute() as function, [inner]) if own(function):
            yield inner, f"{_short(function)} is left out"
        case ast.Call(function, [inner, *_]) if called(node) in UNWRAPPED:
            if is_function(node):
                yield inner, f"{called(node)} is left out"
            elif isinstance(function, ast.Attribute) and not own(function):
                yield function.value, f"{called(node)} is left out"
        case ast.Call(ast.Attribute(inner), _) if called(node) in UNWRAPPED:
            if not is_function(node) and not own(node.func):
                yield inner, f"{called(node)} is left out"


def without_statement(place: Place) -> Iterator[Change]:
    """Leave out a statement, or what comes after a condition or a loop."""
    match place.node:
        case ast.Assign([ast.Name(name)], value):
            if any(isinstance(one, ast.Name) and one.id == name for one in ast.walk(value)):
                yield ast.Pass(), f"the line that changes {name} is left out"
        case ast.Assign([ast.Subscript() | ast.Attribute() as target]) if place.function:
            yield ast.Pass(), f"{_short(target)} is not assigned"
        case ast.AugAssign(target):
            yield ast.Pass(), f"the line that changes {_short(target)} is left out"
        case ast.Expr(ast.Call() as call) if place.function:
            yield ast.Pass(), f"{_short(call.func)} is not called"


def other_condition(place: Place) -> Iterator[Change]:
    """Decide otherwise."""
    match place.node:
        case ast.If(test) | ast.IfExp(test):
            if isinstance(test, ast.Constant):
                return
            yield changed(place.node, test=literal(True)), "a condition is always true"
            yield changed(place.node, test=literal(False)), "a condition is never true"
            yield changed(place.node, test=made("not T", T=test)), "a condition is negated"
        case ast.BoolOp(_, [left, *_, right]):
            yield left, "a part of a condition is left out"
            yield right, "a part of a condition is left out"


def _short(node: ast.AST) -> str:
    text = " ".join(ast.unparse(node).split())
    return text if len(text) <= 40 else text[:39] + "…"


OPERATORS: dict[str, Operator] = {
    "no term": without_term,
    "other sign": other_sign,
    "no factor": without_factor,
    "no call": without_call,
    "no statement": without_statement,
    "other condition": other_condition,
}
