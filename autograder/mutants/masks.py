"""Masks: their diagonal, their side, their place before or after the softmax, their fill."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from autograder.mutants.axes import is_function
from autograder.mutants.operators import Change, Operator, Place
from autograder.mutants.syntax import called, changed, literal, made, number, put

SIDES = {"triu": "tril", "tril": "triu", "triu_": "tril_", "tril_": "triu_"}
FILLING = ("masked_fill", "masked_fill_")
FILLS = ("0.0", "-1.0", "-100.0", "-1e4", "-1e9", "float('inf')")


def other_diagonal(place: Place) -> Iterator[Change]:
    """Move the diagonal of a triangle up or down by one."""
    node = place.node
    if not isinstance(node, ast.Call) or called(node) not in SIDES:
        return
    rest = [one for one in node.keywords if one.arg != "diagonal"]
    given = [one.value for one in node.keywords if one.arg == "diagonal"]
    tensors, places = node.args[: is_function(node)], node.args[is_function(node) :]
    old = number((given or places or [literal(0)])[0])
    for new in (old - 1, old + 1) if isinstance(old, int) else ():
        keyword = ast.keyword("diagonal", literal(new))
        after = changed(node, args=tensors, keywords=[*rest, keyword])
        yield after, f"the triangle begins at diagonal {new} instead of {old}"


def other_side(place: Place) -> Iterator[Change]:
    """Take the other triangle."""
    node = place.node
    if isinstance(node, ast.Call) and called(node) in SIDES:
        new = SIDES[called(node)]
        function = node.func
        if isinstance(function, ast.Attribute):
            yield changed(node, func=changed(function, attr=new)), f"{new} is taken"


def negated(place: Place) -> Iterator[Change]:
    """Hide what should be seen."""
    match place.node:
        case ast.UnaryOp(ast.Invert() | ast.Not(), inner):
            yield inner, "a condition is not negated"
        case ast.Call(_, [*before, mask, fill]) if called(place.node) in FILLING:
            if not isinstance(mask, ast.UnaryOp):
                after = changed(place.node, args=[*before, made("~(M)", M=mask), fill])
                yield after, "the mask is negated"
        case ast.Call(_, [mask, one, other]) if called(place.node) == "where":
            yield changed(place.node, args=[mask, other, one]), "the mask is negated"


def other_fill(place: Place) -> Iterator[Change]:
    """Fill in another number."""
    match place.node:
        case ast.Call(_, [*before, _]) if called(place.node) in FILLING:
            for new in FILLS:
                after = changed(place.node, args=[*before, made(new)])
                yield after, f"hidden scores are {new}"


def not_masked(place: Place) -> Iterator[Change]:
    """Leave out the mask."""
    match place.node:
        case ast.Call(ast.Attribute(inner), [_, _]) if called(place.node) in FILLING:
            yield inner, "nothing is masked"
        case ast.Call(_, [_, one, other]) if called(place.node) == "where":
            yield one, "nothing is chosen by a mask"
            yield other, "nothing is chosen by a mask"


def after_softmax(place: Place) -> Iterator[Change]:
    """Hide the weights instead of the scores."""
    softmax = place.node
    if not isinstance(softmax, ast.Call) or called(softmax) != "softmax":
        return
    for node in ast.walk(softmax):
        match node:
            case ast.Call(ast.Attribute(scores), [mask, _]) if called(node) in FILLING:
                weights = put(softmax, node, scores)
                after = made("W.masked_fill(M, 0.0)", W=weights, M=mask)
                yield after, "the mask is put on after the softmax"


OPERATORS: dict[str, Operator] = {
    "other diagonal": other_diagonal,
    "other triangle": other_side,
    "mask negated": negated,
    "other fill": other_fill,
    "no mask": not_masked,
    "mask after softmax": after_softmax,
}
