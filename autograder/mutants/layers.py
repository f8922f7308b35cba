"""Layers and statistics: bias, eps, variance, activations, starting values, defaults."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from autograder.mutants.operators import Change, Operator, Place
from autograder.mutants.syntax import called, changed, literal, made, number

INSTEAD = {
    "GELU": ("ReLU",), "gelu": ("relu",), "ReLU": ("GELU",), "softmax": ("log_softmax", "sigmoid"),
    "rand": ("randn", "zeros"), "randn": ("rand",), "ones": ("zeros",), "zeros": ("ones",),
    "ones_like": ("zeros_like",), "zeros_like": ("ones_like",), "var": ("std",), "std": ("var",),
    "amax": ("amin", "mean"), "mean": ("sum",), "sum": ("mean",), "cumsum": ("cumprod",),
    "cat": ("stack",), "stack": ("cat",), "LayerNorm": ("Identity",), "Embedding": ("Linear",),
    "rsqrt": ("sqrt",), "sqrt": ("rsqrt",), "tanh": ("sigmoid",),
}  # fmt: skip
WITH_BIAS = ("Linear",)
ROOTS = ("sqrt", "rsqrt")


def other_bias(place: Place) -> Iterator[Change]:
    """Give a layer a bias, or none."""
    node = place.node
    if not isinstance(node, ast.Call) or called(node) not in WITH_BIAS or len(node.args) > 2:
        return
    rest = [one for one in node.keywords if one.arg != "bias"]
    given = [one.value for one in node.keywords if one.arg == "bias"]
    old = given[0].value if given and isinstance(given[0], ast.Constant) else None
    for new in (True, False) if given else (False,):
        if new is not old:
            keywords = [*rest, ast.keyword("bias", literal(new))]
            yield changed(node, keywords=keywords), f"a layer has {'a' if new else 'no'} bias"


def eps_outside(place: Place) -> Iterator[Change]:
    """Add eps outside of the root, or inside."""
    match place.node:
        case ast.Call(_, [ast.BinOp(var, ast.Add(), eps)]) if called(place.node) in ROOTS:
            root = changed(place.node, args=[var])
            yield made("R + E", R=root, E=eps), "eps is added outside of the root"
        case ast.Call(ast.Attribute(ast.BinOp(var, ast.Add(), eps)) as function, []):
            if called(place.node) in ROOTS:
                root = changed(place.node, func=changed(function, value=var))
                yield made("R + E", R=root, E=eps), "eps is added outside of the root"
        case ast.BinOp(ast.BinOp(var, ast.Add(), eps), ast.Pow(), power):
            after = made("V ** P + E", V=var, P=power, E=eps)
            yield after, "eps is added outside of the root"


def other_variance(place: Place) -> Iterator[Change]:
    """Divide a variance by the other number of examples."""
    node = place.node
    if not isinstance(node, ast.Call) or called(node) not in ("var", "std", "var_mean", "std_mean"):
        return
    rest = [one for one in node.keywords if one.arg not in ("correction", "unbiased")]
    given = [one.value for one in node.keywords if one not in rest]
    old = given[0].value if given and isinstance(given[0], ast.Constant) else 1
    keywords = [*rest, ast.keyword("correction", literal(int(not old)))]
    yield changed(node, keywords=keywords), f"the variance has correction {int(not old)}"


def other_function(place: Place) -> Iterator[Change]:
    """Call a function that is taken for another."""
    match place.node:
        case ast.Call(ast.Attribute() as function) if called(place.node) in INSTEAD:
            for new in INSTEAD[called(place.node)]:
                after = changed(place.node, func=changed(function, attr=new))
                yield after, f"{new} stands in the place of {function.attr}"


def gelu_by_tanh(place: Place) -> Iterator[Change]:
    """Approximate the GELU."""
    node = place.node
    if isinstance(node, ast.Call) and called(node) in ("GELU", "gelu"):
        rest = [one for one in node.keywords if one.arg != "approximate"]
        keywords = [*rest, ast.keyword("approximate", literal("tanh"))]
        yield changed(node, keywords=keywords), "GELU is approximated by tanh"


def other_default(place: Place) -> Iterator[Change]:
    """Give a parameter another default."""
    if not isinstance(place.node, ast.arguments) or not place.node.defaults:
        return
    for i, default in enumerate(place.node.defaults):
        match default:
            case ast.Constant(bool() as value):
                new: float = not value
            case ast.Constant(int() as value):
                new = value + 1
            case ast.Constant(float() as value):
                new = 10 * value or 0.5
            case _:
                continue
        defaults = [*place.node.defaults]
        defaults[i] = literal(new)
        yield changed(place.node, defaults=defaults), f"a default is {new} instead of {value}"


def other_momentum(place: Place) -> Iterator[Change]:
    """Exchange the shares of a moving average."""
    match place.node:
        case ast.BinOp(
            ast.BinOp(one, ast.Mult(), old), ast.Add(), ast.BinOp(other, ast.Mult(), new)
        ):
            after = made("O * A + N * B", O=other, A=old, N=one, B=new)
            yield after, "the shares of an average are exchanged"


def other_number(place: Place) -> Iterator[Change]:
    """Write another number where it is no index: a float."""
    value = number(place.node)
    if isinstance(value, float) and not isinstance(place.parent, ast.arguments):
        for new in dict.fromkeys([10 * value, 0.0, -value]):
            if new != value:
                yield literal(new), f"a number is {new:g} instead of {value:g}"


OPERATORS: dict[str, Operator] = {
    "other bias": other_bias,
    "eps outside of the root": eps_outside,
    "other variance": other_variance,
    "another function": other_function,
    "approximate GELU": gelu_by_tanh,
    "other default": other_default,
    "shares exchanged": other_momentum,
    "another number": other_number,
}
