"""The order of results, of what is unpacked, of what is joined, of arguments and of layers."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from itertools import pairwise

from autograder.mutants.operators import Change, Operator, Place
from autograder.mutants.syntax import called, changed, made, own, put

LISTS = ("cat", "concat", "stack", "hstack", "vstack", "Sequential", "ModuleList")
MOST = 6  # arguments of a call that are exchanged
DRAWLESS = frozenset(  # functions that draw no random numbers
    {
        *("zeros", "ones", "full", "empty", "zeros_like", "ones_like", "eye", "tensor", "arange"),
        *("LayerNorm", "Dropout", "GELU", "ReLU", "Parameter", "sqrt", "tril", "triu", "float"),
    }
)


def of_results(place: Place) -> Iterator[Change]:
    """Return results in another order."""
    match place.node:
        case ast.Tuple(parts, ast.Load()) if isinstance(place.parent, ast.Return):
            for new in _exchanged(parts):
                yield changed(place.node, elts=new), "the results come in another order"


def of_parts(place: Place) -> Iterator[Change]:
    """Unpack in another order, or put values in another order into names."""
    match place.node:
        case ast.Tuple(parts, ast.Store()) if all(isinstance(one, ast.Name) for one in parts):
            for new in _exchanged(parts):
                yield changed(place.node, elts=new), "parts are unpacked in another order"


def of_lists(place: Place) -> Iterator[Change]:
    """Join in another order."""
    match place.node:
        case ast.Call(_, [ast.List(parts) | ast.Tuple(parts), *_]) if called(place.node) in LISTS:
            first, *rest = place.node.args
            for new in _exchanged(parts):
                given = [changed(first, elts=new), *rest]
                yield changed(place.node, args=given), "parts are joined in another order"


def of_arguments(place: Place) -> Iterator[Change]:
    """Exchange two neighbouring arguments of a call."""
    node = place.node
    if isinstance(node, ast.Call) and 2 <= len(node.args) <= MOST:
        if any(isinstance(one, ast.Starred) for one in node.args) or called(node) == "isinstance":
            return
        for new in _exchanged(node.args):
            yield changed(node, args=new), "two arguments are exchanged"
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub | ast.Div | ast.FloorDiv):
        after = changed(node, left=node.right, right=node.left)
        yield after, "the operands are exchanged"


def of_names(place: Place) -> Iterator[Change]:
    """Use another of the names that were unpacked together, such as keys for values."""
    if not _is_sized(place):
        for other, new in _others(place):
            yield new, f"{other} stands in the place of {ast.unparse(place.node)}"


def of_sizes(place: Place) -> Iterator[Change]:
    """Read a size of another tensor."""
    if _is_sized(place):
        whole = place.parent
        match place.parents[1]:
            case ast.Subscript(value) | ast.Call(value) if value is whole:
                whole = place.parents[1]
        for _, new in _others(place):
            other = ast.unparse(put(whole, place.node, new))
            yield new, f"{other} is read instead of {ast.unparse(whole)}"


def _is_sized(place: Place) -> bool:
    """Return whether the size of a node is read, as in `x.shape` or `x.size(0)`."""
    match place.parent:
        case ast.Attribute(_, "shape" | "size" | "dtype" | "device" | "ndim" | "dim" | "new_ones"):
            return True
        case ast.Call(_, [ast.Name(), *_]):
            return called(place.parent) in ("len", "ones_like", "zeros_like")
    return False


def _others(place: Place) -> Iterator[tuple[str, ast.Name]]:
    """Yield the other names that may stand in the place of one, each with its node."""
    node, function = place.node, place.function
    if not isinstance(node, ast.Name) or not place.is_read or function is None:
        return
    groups = [["Q", "K", "V"], ["q", "k", "v"], ["queries", "keys", "values"], ["query", "key"]]
    for one in ast.walk(function):
        match one:
            case ast.Tuple([ast.Name(), ast.Name(), *_] as parts, ast.Store()):
                groups.append([part.id for part in parts if isinstance(part, ast.Name)])
    bound = {one.id for one in ast.walk(function) if isinstance(one, ast.Name)}
    bound |= set(place.parameters())
    others = [other for group in groups if node.id in group for other in group]
    for other in dict.fromkeys(others):
        if other != node.id and other in bound:
            yield other, ast.Name(other, ast.Load())


def of_loops(place: Place) -> Iterator[Change]:
    """Go through a loop backwards, or leave out its first or last round."""
    match place.node:
        case ast.For(_, listed) | ast.comprehension(_, listed):
            every = made("list(X)", X=listed)
            rounds = {"without its first round": "X[1:]", "without its last round": "X[:-1]"}
            if called(listed) not in ("range", "list", "reversed"):  # often the same backwards
                rounds["backwards"] = "X[::-1]"
            for said, form in rounds.items():
                after = changed(place.node, iter=made(form, X=every))
                yield after, f"a loop runs {said}"


def of_layers(place: Place) -> Iterator[Change]:
    """Make a parameter or a layer in another order, so that it gets other random numbers."""
    body = getattr(place.node, "body", None)
    if not isinstance(place.node, ast.FunctionDef) or not isinstance(body, list):
        return
    for one, other in pairwise(body):
        if own(_target(one)) and own(_target(other)) and _draws(one) and _draws(other):
            new = [*body]
            i = body.index(one)
            new[i], new[i + 1] = other, one
            said = f"{own(_target(other))} is made before {own(_target(one))}"
            yield changed(place.node, body=new), said


def _target(node: ast.stmt) -> ast.AST:
    match node:
        case ast.Assign([target]):
            return target
    return node


def _draws(node: ast.stmt) -> bool:
    """Return whether a statement may draw random numbers."""
    return any(isinstance(one, ast.Call) and called(one) not in DRAWLESS for one in ast.walk(node))


def _exchanged(parts: Sequence[ast.expr]) -> Iterator[list[ast.expr]]:
    """Yield the lists in which two different neighbours are exchanged."""
    for i in range(len(parts) - 1):
        if ast.dump(parts[i]) != ast.dump(parts[i + 1]):
            new = [*parts]
            new[i], new[i + 1] = new[i + 1], new[i]
            yield new


OPERATORS: dict[str, Operator] = {
    "other order of results": of_results,
    "other order of parts": of_parts,
    "other order in a list": of_lists,
    "arguments exchanged": of_arguments,
    "another name": of_names,
    "size of another tensor": of_sizes,
    "other rounds of a loop": of_loops,
    "other order of layers": of_layers,
}
