"""Operators on what a module keeps and trains, and on its two modes, training and evaluation."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from autograder.mutants.operators import Change, Operator, Place
from autograder.mutants.syntax import called, changed, is_made, literal, made, own, statement

ANEW = {  # a layer that is made in each call, out of the sizes of the one that is kept
    "Linear": "torch.nn.Linear(L.in_features, L.out_features, L.bias is not None).to(L.weight)",
    "LayerNorm": "torch.nn.LayerNorm(L.normalized_shape).to(L.weight)",
    "Embedding": "torch.nn.Embedding(L.num_embeddings, L.embedding_dim).to(L.weight)",
    "Dropout": "torch.nn.Dropout(L.p)",
}
CALLED = ("forward", "__call__")


def detached(place: Place) -> Iterator[Change]:
    """Cut the gradient off."""
    match place.node:
        case ast.Return(ast.expr() as value) if not _is_setup(place):
            if isinstance(value, ast.Tuple):
                for i, one in enumerate(value.elts):
                    parts = [*value.elts]
                    parts[i] = made("X.detach()", X=one)
                    new = changed(value, elts=parts)
                    yield changed(place.node, value=new), f"result {i} is detached"
            elif not isinstance(value, ast.Constant | ast.List | ast.Dict | ast.ListComp):
                after = made("X.detach()", X=value)
                yield changed(place.node, value=after), "the result is detached"
        case ast.Assign([ast.Name(name)], ast.BinOp() | ast.Call() as value):
            if not _is_setup(place) and not is_made(value):
                after = made("X.detach()", X=value)
                yield changed(place.node, value=after), f"{name} is detached"


def within_no_grad(place: Place) -> Iterator[Change]:
    """Run a method without gradients."""
    node = place.node
    if isinstance(node, ast.FunctionDef) and node.name in CALLED:
        decorators = [made("torch.no_grad()"), *node.decorator_list]
        yield changed(node, decorator_list=decorators), f"{node.name} runs without gradients"


def without_detach(place: Place) -> Iterator[Change]:
    """Keep gradients where none should be."""
    match place.node:
        case ast.Call(ast.Attribute(inner, "detach"), []) | ast.Attribute(inner, "data"):
            if place.is_read:
                yield inner, "nothing is detached"
        case ast.With([ast.withitem(ast.Call() as context)], body):
            if called(context) in ("no_grad", "inference_mode"):
                after = ast.If(literal(True), body, [])
                yield after, "gradients are kept in memory"


def other_attribute(place: Place) -> Iterator[Change]:
    """Keep a tensor otherwise: as a parameter, as a buffer, as a plain attribute."""
    match place.node:
        case ast.Expr(
            ast.Call(
                ast.Attribute(_, "register_buffer"),
                [ast.Constant(str() as name), value, *_],
            ) as call
        ):
            yield _assigned(name, value), f"{name} is no buffer"
            parameter = made("torch.nn.Parameter(V, requires_grad=False)", V=value)
            yield _assigned(name, parameter), f"{name} is a parameter"
            keywords = [one for one in call.keywords if one.arg != "persistent"]
            if len(keywords) == len(call.keywords):
                keywords.append(ast.keyword("persistent", literal(False)))
            buffer = changed(call, keywords=keywords)
            yield changed(place.node, value=buffer), f"{name} is kept in the state otherwise"
        case ast.Assign([ast.Attribute() as target], ast.Call(_, [value, *_]) as call):
            if called(call) == "Parameter" and own(target):
                yield changed(place.node, value=value), f"{own(target)} is no parameter"
                kept = made("torch.nn.Parameter(V, requires_grad=False)", V=value)
                yield changed(place.node, value=kept), f"{own(target)} is not trained"
                buffer = made(f"self.register_buffer({own(target)!r}, V)", V=value)
                yield ast.Expr(buffer), f"{own(target)} is a buffer"


def plain_list(place: Place) -> Iterator[Change]:
    """Keep layers in a list of Python, which hides their parameters."""
    match place.node:
        case ast.Call(_, [layers]) if called(place.node) in ("ModuleList", "ModuleDict"):
            yield layers, "layers are kept in a plain list"
        case ast.Call(_, []) if called(place.node) == "ModuleList":
            yield ast.List([], ast.Load()), "layers are kept in a plain list"


def other_mode(place: Place) -> Iterator[Change]:
    """Take training for evaluation."""
    match place.node:
        case ast.Attribute(ast.Name("self"), "training") if place.is_read:
            yield literal(True), "it always trains"
            yield literal(False), "it never trains"
            yield made("not X", X=place.node), "evaluation is taken for training"
        case ast.Call(ast.Attribute(), [_, *_]) if called(place.node) == "dropout":
            if any(one.arg == "training" for one in place.node.keywords):
                rest = [one for one in place.node.keywords if one.arg != "training"]
                yield changed(place.node, keywords=rest), "dropout does not know whether it trains"


def made_in_call(place: Place) -> Iterator[Change]:
    """Make a layer anew in each call."""
    node, function = place.node, place.function
    if not own(node) or function is None or function.name not in CALLED or not place.is_read:
        return
    for one in ast.walk(place.definition):
        match one:
            case ast.Assign([ast.Attribute() as target], ast.Call() as call):
                is_called = isinstance(place.parent, ast.Call) and place.parent.func is node
                if is_called and own(target) == own(node) and called(call) in ANEW:
                    after = made(ANEW[called(call)], L=node)
                    yield after, f"{own(node)} is made anew in each call"


def shared(place: Place) -> Iterator[Change]:
    """Use one layer twice."""
    node = place.node
    match node:
        case ast.Assign([ast.Attribute() as target], ast.Call() as call):
            if own(target) and isinstance(place.parent, ast.FunctionDef):
                for one in place.parent.body:
                    match one:
                        case ast.Assign([ast.Attribute() as earlier], ast.Call() as other):
                            is_earlier = one.lineno < node.lineno and own(earlier)
                            if is_earlier and ast.dump(call) == ast.dump(other):
                                after = changed(node, value=made(f"self.{own(earlier)}"))
                                said = f"{own(target)} and {own(earlier)} are one layer"
                                yield after, said
        case ast.ListComp(ast.Call() as layer, [ast.comprehension(_, ast.Call(_, [count]))]):
            if called(node.generators[0].iter) == "range":
                yield made("[L] * N", L=layer, N=count), "all layers of a list are one"


def _assigned(name: str, value: ast.AST) -> ast.stmt:
    """Return the statement that assigns to an attribute of `self`."""
    return statement(f"self.{name} = V", V=value)


def _is_setup(place: Place) -> bool:
    """Return whether a node stands in a constructor or in no function."""
    return place.function is None or place.function.name in ("__init__", "parameters")


OPERATORS: dict[str, Operator] = {
    "detached": detached,
    "no gradients": within_no_grad,
    "not detached": without_detach,
    "kept otherwise": other_attribute,
    "plain list of layers": plain_list,
    "other mode": other_mode,
    "made in each call": made_in_call,
    "shared layer": shared,
}
