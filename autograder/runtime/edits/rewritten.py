"""Ways to write an expression that other mistakes than a wrong name or number call for."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence

from autograder.runtime.edits.tables import TORCH
from autograder.runtime.edits.whole import Whole

INFINITE = "-float('inf')"


def rewritten(
    node: ast.expr,
    whole: Whole,
    values: Mapping[str, ast.expr],
    sizes: Sequence[str],
    widths: Sequence[str],
) -> Iterator[str]:
    """Yield other texts for an expression.

    values: what local names were assigned. sizes: expressions for sizes of local tensors.
    widths: for sizes of layers that are handed in, and for quotients of sizes.
    """
    of = whole.of
    match node:
        case ast.BinOp(
            left, ast.MatMult(), ast.Attribute(ast.Attribute(layer, "weight"), "T" | "mT")
        ):
            yield f"{of(layer)}({of(left)})"
        case ast.Call(ast.Attribute(_, "linear"), [inner, ast.Attribute(layer, "weight")]):
            yield f"{of(layer)}({of(inner)})"
        case ast.BinOp(ast.Call(function, [inner]), ast.Add(), added):
            yield f"{of(function)}({of(inner)} + {of(added)})"  # as in sqrt(var) + eps
        case ast.BinOp(left, ast.Div(), right):
            yield from _divided(left, right, whole, values, sizes)
        case ast.BinOp(left, ast.Mult(), mask):
            yield from _masked_before(left, f"{of(mask)} == 0", whole, values)
        case ast.Call(ast.Attribute(left, "masked_fill"), [mask, _]):
            yield from _masked_before(left, of(mask), whole, values)
        case ast.Call(ast.Attribute(_, "sqrt") | ast.Name("sqrt"), [ast.expr()]):
            yield from (f"{of(node.func)}({size})" for size in (*sizes, *widths))


def _divided(
    left: ast.expr,
    right: ast.expr,
    whole: Whole,
    values: Mapping[str, ast.expr],
    sizes: Sequence[str],
) -> Iterator[str]:
    """Yield other quotients: of other sizes, by the number of tokens so far, or a softmax."""
    text = whole.of(left)
    yield f"({text}).softmax(-1)"
    value = values.get(left.id) if isinstance(left, ast.Name) else left
    match value:
        case ast.Call(ast.Attribute(inner, "exp"), []) | ast.Call(_, [inner]):
            yield f"({whole.of(inner)}).softmax(-1)"
    if isinstance(right, ast.Name):
        yield f"({text}) / {TORCH}.arange(1, {right.id} + 1)[:, None]"
    for size in sizes:
        yield f"({text}) / ({size}) ** 0.5"


def _masked_before(
    left: ast.expr, mask: str, whole: Whole, values: Mapping[str, ast.expr]
) -> Iterator[str]:
    """Yield the call that made `left` with the mask put on what goes into it."""
    value = values.get(left.id) if isinstance(left, ast.Name) else left
    match value:
        case ast.Call(ast.Attribute(ast.Name("torch" | "F"), _) | ast.Name(), [inner, *_]):
            pass
        case ast.Call(ast.Attribute(inner, _), _):
            pass
        case _:
            return
    made, text = whole.of(value), whole.of(inner)
    yield made.replace(text, f"({text}).masked_fill({mask}, {INFINITE})", 1)
