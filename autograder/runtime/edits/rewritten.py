"""Ways to write an expression that other mistakes than a wrong name or number call for."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence

from autograder.runtime.edits.tables import BINARY, INFINITE, TORCH
from autograder.runtime.edits.whole import Whole

ValueOf = Callable[[ast.expr], ast.expr]


def rewritten(
    node: ast.expr,
    whole: Whole,
    value_of: ValueOf,
    sizes: Sequence[str],
    widths: Sequence[str],
) -> Iterator[str]:
    """Yield other texts for an expression.

    value_of: returns what a name was last assigned. sizes: expressions for sizes of local tensors.
    widths: for sizes of layers that are handed in, and for quotients of sizes.
    """
    of = whole.of
    yield from _regrouped(node, whole)
    match node:
        case ast.BinOp(
            left, ast.MatMult(), ast.Attribute(ast.Attribute(layer, "weight"), "T" | "mT")
        ):
            yield f"{of(layer)}({of(left)})"
        case ast.Call(
            _,
            [
                *_,
                inner,
                ast.Attribute(layer, "weight")
                | ast.Attribute(ast.Attribute(layer, "weight"), "T" | "mT"),
            ],
        ):
            yield f"{of(layer)}({of(inner)})"
        case ast.BinOp(ast.Call(ast.Attribute(module, "rand" | "randn"), drawn)):
            for made in ("ones", "zeros"):
                yield f"{of(module)}.{made}({', '.join(map(of, drawn))})"
        case ast.BinOp(ast.Call(function, [inner]), ast.Add(), added):
            yield f"{of(function)}({of(inner)} + {of(added)})"  # as in sqrt(var) + eps
            yield f"(({of(node.left)}) ** 2 + {of(added)}) ** 0.5"  # as in std(x) + eps
        case ast.BinOp(left, ast.Add(), ast.Name() | ast.Attribute() | ast.Constant() as added):
            yield f"(({of(left)}) ** 2 + {of(added)}) ** 0.5"  # as in x.std(0) + eps
        case ast.BinOp(left, ast.Div(), right):
            yield from _divided(left, right, whole, value_of, sizes)
        case ast.BinOp(left, ast.Mult(), mask) if not isinstance(mask, ast.Constant):
            yield f"({of(left)}).masked_fill({of(mask)} == 0, {INFINITE})"
            yield f"({of(mask)}).masked_fill({of(left)} == 0, {INFINITE})"
            yield f"{of(left)} * {of(mask)}[..., None]"
            yield from _masked_before(left, f"{of(mask)} == 0", whole, value_of)
        case ast.Call(ast.Attribute(left, "masked_fill"), [mask, _]):
            yield from _masked_before(left, of(mask), whole, value_of)
        case ast.Call(ast.Attribute(_, "sqrt") | ast.Name("sqrt"), [ast.expr()]):
            yield from (f"{of(node.func)}({size})" for size in (*sizes, *widths))


def _regrouped(node: ast.expr, whole: Whole) -> Iterator[str]:
    """Yield two operations with their parentheses elsewhere."""
    match node:
        case ast.BinOp(ast.BinOp(a, inner, b), outer, c):
            first, second = BINARY.get(type(inner)), BINARY.get(type(outer))
            yield f"{whole.of(a)} {first} ({whole.of(b)} {second} {whole.of(c)})"
    match node:
        case ast.BinOp(ast.BinOp(_, _, ast.BinOp(_, ast.Pow(), power)), ast.Div(), c):
            (start, end), (begin, until) = whole.span(node.left), whole.span(power)
            divided = f"({whole.of(power)} / {whole.of(c)})"
            yield f"{whole.text[start:begin]}{divided}{whole.text[until:end]}"
    match node:
        case ast.BinOp(a, outer, ast.BinOp(b, inner, c)):
            first, second = BINARY.get(type(outer)), BINARY.get(type(inner))
            yield f"(({whole.of(a)} {first} {whole.of(b)}) {second} {whole.of(c)})"


def _divided(
    left: ast.expr,
    right: ast.expr,
    whole: Whole,
    value_of: ValueOf,
    sizes: Sequence[str],
) -> Iterator[str]:
    """Yield other quotients: of other sizes, by the number of tokens so far, or a softmax."""
    text = whole.of(left)
    yield f"({text}).softmax(-1)"
    if not isinstance(right, ast.Constant):
        yield f"{text} / {whole.of(right)}[..., None]"
    value = value_of(left)
    match value:
        case ast.Call(ast.Attribute(inner, "exp"), []) | ast.Call(_, [inner]):
            yield f"({whole.of(inner)}).softmax(-1)"
    if isinstance(right, ast.Name):
        yield f"({text}) / {TORCH}.arange(1, {right.id} + 1)[:, None]"
    for size in sizes:
        yield f"({text}) / ({size}) ** 0.5"


def _masked_before(left: ast.expr, mask: str, whole: Whole, value_of: ValueOf) -> Iterator[str]:
    """Yield the call that made `left` with the mask put on what goes into it."""
    value = value_of(left)
    match value:
        case ast.Call(ast.Attribute(ast.Name("torch" | "F"), _) | ast.Name(), [inner, *_]):
            pass
        case ast.Call(ast.Attribute(inner, _), _):
            pass
        case _:
            return
    (start, end), (first, last) = whole.span(value), whole.span(inner)
    masked = f"({whole.of(inner)}).masked_fill({mask}, {INFINITE})"
    yield f"{whole.text[start:first]}{masked}{whole.text[last:end]}"
