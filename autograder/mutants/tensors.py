"""Tensors that are changed in place, or made of another type or on another device."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from autograder.mutants.operators import Change, Operator, Place
from autograder.mutants.syntax import called, changed, literal, made

IN_PLACE: dict[type[ast.operator], str] = {
    ast.Add: "add_", ast.Sub: "sub_", ast.Mult: "mul_", ast.Div: "div_",
}  # fmt: skip
METHODS = ("masked_fill", "add", "sub", "mul", "div", "relu", "sqrt", "exp", "clamp")


def in_place(place: Place) -> Iterator[Change]:
    """Change an argument in place."""
    node = place.node
    match node:
        case ast.BinOp(ast.Name(name) as left, operator, right) if type(operator) in IN_PLACE:
            if name in place.parameters():
                method = IN_PLACE[type(operator)]
                yield made(f"A.{method}(B)", A=left, B=right), f"{name} is changed in place"
        case ast.Call(ast.Attribute(ast.Name(name), method) as function) if method in METHODS:
            if name in place.parameters():
                after = changed(node, func=changed(function, attr=f"{method}_"))
                yield after, f"{name} is changed in place"
        case ast.Return(ast.expr() as value) if place.function and place.parameters():
            first = place.parameters()[0]
            is_call = place.function.name in ("forward", "__call__")
            is_call |= place.function is place.definition
            if is_call and not isinstance(value, ast.Tuple):
                after = made("(R, X.zero_())[0]", R=value, X=made(first))
                yield changed(node, value=after), f"{first} is set to 0 after its use"


def without_keyword(place: Place) -> Iterator[Change]:
    """Make a tensor of the default type, or on the processor."""
    node = place.node
    if not isinstance(node, ast.Call):
        return
    for keyword in node.keywords:
        if keyword.arg in ("dtype", "device"):
            rest = [one for one in node.keywords if one is not keyword]
            said = "of the default type" if keyword.arg == "dtype" else "on the processor"
            yield changed(node, keywords=rest), f"a new tensor is {said}"


def other_type(place: Place) -> Iterator[Change]:
    """Make a tensor of float32, or on the processor, whatever is given."""
    node = place.node
    if not isinstance(node, ast.Call):
        return
    names = {one.arg for one in node.keywords}
    if ast.unparse(node.func).startswith("np."):
        return
    if called(node) in ("zeros_like", "ones_like", "full_like", "empty_like"):
        if "dtype" not in names:
            keywords = [*node.keywords, ast.keyword("dtype", made("torch.float32"))]
            yield changed(node, keywords=keywords), "a new tensor is of float32"
        if "device" not in names:
            keywords = [*node.keywords, ast.keyword("device", literal("cpu"))]
            yield changed(node, keywords=keywords), "a new tensor is on the processor"
    match node:
        case ast.Call(ast.Attribute(inner, "to" | "type_as" | "double" | "float")):
            yield inner, "a tensor keeps its type or device"


def rounded(place: Place) -> Iterator[Change]:
    """Compute in float32 or in float16, whatever is given."""
    match place.node:
        case ast.Return(ast.expr() as value) if place.function and place.parameters():
            if place.function.name in ("__init__", "parameters") or isinstance(value, ast.Tuple):
                return
            for form, said in {"X.float()": "float32", "X.double()": "float64"}.items():
                yield changed(place.node, value=made(form, X=value)), f"the result is {said}"


OPERATORS: dict[str, Operator] = {
    "in place": in_place,
    "default type or device": without_keyword,
    "other type": other_type,
    "result of another type": rounded,
}
