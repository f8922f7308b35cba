"""Write code in one form, so that ways to write the same compare as equal.

All that this evens out is the same for Python and PyTorch: names of local variables, annotations,
docstrings, order of keywords, arguments by position or by name, arguments that are the default,
methods and functions of one name, aliases, double negation, order of the terms of a sum.
"""

from __future__ import annotations

import ast
import math

# Arguments of methods, by position; the functions of the same names have the tensor before them.
METHODS: dict[str, tuple[str, ...]] = {
    "softmax": ("dim",), "log_softmax": ("dim",), "mean": ("dim", "keepdim"),
    "sum": ("dim", "keepdim"), "amax": ("dim", "keepdim"), "cumsum": ("dim",),
    "logsumexp": ("dim", "keepdim"), "tril": ("diagonal",), "triu": ("diagonal",),
    "transpose": ("dim0", "dim1"), "unsqueeze": ("dim",), "squeeze": ("dim",),
    "masked_fill": ("mask", "value"), "chunk": ("chunks", "dim"), "unbind": ("dim",),
    "flatten": ("start_dim", "end_dim"), "sqrt": (), "rsqrt": (), "exp": (), "log": (),
    "square": (), "abs": (), "relu": (), "detach": (), "clone": (), "var": ("dim",),
    "std": ("dim",),
}  # fmt: skip
FUNCTIONS: dict[str, tuple[str, ...]] = {
    "Linear": ("in_features", "out_features", "bias"), "Parameter": ("data", "requires_grad"),
    "register_buffer": ("name", "tensor", "persistent"), "GELU": ("approximate",),
    "gelu": ("input", "approximate"), "Dropout": ("p", "inplace"), "cat": ("tensors", "dim"),
    "stack": ("tensors", "dim"), "LayerNorm": ("normalized_shape", "eps"),
}  # fmt: skip
DEFAULTS: dict[str, dict[str, object]] = {
    "mean": {"keepdim": False}, "sum": {"keepdim": False}, "amax": {"keepdim": False},
    "var": {"keepdim": False, "correction": 1}, "std": {"keepdim": False, "correction": 1},
    "logsumexp": {"keepdim": False}, "tril": {"diagonal": 0}, "triu": {"diagonal": 0},
    "Linear": {"bias": True}, "Parameter": {"requires_grad": True}, "cat": {"dim": 0},
    "stack": {"dim": 0}, "register_buffer": {"persistent": True}, "unbind": {"dim": 0},
    "GELU": {"approximate": "none"}, "gelu": {"approximate": "none"}, "LayerNorm": {"eps": 1e-5},
    "Dropout": {"inplace": False}, "chunk": {"dim": 0}, "flatten": {"start_dim": 0, "end_dim": -1},
}  # fmt: skip
ALIASES = {
    "swapaxes": "transpose", "swapdims": "transpose", "concat": "cat", "concatenate": "cat",
    "axis": "dim", "reshape_as": "view_as",
}  # fmt: skip
MODULES = frozenset({"torch", "F", "functional"})


def canonical(definition: ast.stmt) -> str:
    """Return a text that is equal for definitions that are proved to do the same.

    The definition is changed: hand over a copy.
    """
    tree = _Canonical().visit(definition)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            _rename(node)
    return ast.dump(tree)


class _Canonical(ast.NodeTransformer):
    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.returns = None
        node.body = _body(node.body)
        self.generic_visit(node)
        node.body = _body(node.body)
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        node.body = _body(node.body)
        self.generic_visit(node)
        return node

    def visit_arg(self, node: ast.arg) -> ast.AST:
        node.annotation = None
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        if node.value is None:
            return ast.Pass()
        return self.visit(ast.Assign([node.target], node.value, lineno=node.lineno))

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        self.generic_visit(node)
        match node:
            case ast.UnaryOp(ast.USub(), ast.Constant(int() | float() as value)):
                return ast.Constant(-value)
            case ast.UnaryOp(outer, ast.UnaryOp(inner, operand)):
                is_twice = type(inner) is type(outer) and not isinstance(inner, ast.UAdd)
                if is_twice and not isinstance(inner, ast.Not):
                    return operand
            case ast.UnaryOp(ast.UAdd(), operand):
                return operand
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        left, right = node.left, node.right
        match node:
            case ast.BinOp(ast.Constant(1), ast.Mult(), other):
                return other
            case ast.BinOp(other, ast.Mult() | ast.Div() | ast.Pow(), ast.Constant(1)):
                if not isinstance(node.op, ast.Div) and _is_whole(right):
                    return other
            case ast.BinOp(other, ast.Add() | ast.Sub(), ast.Constant(0)) if _is_whole(right):
                return other
        if isinstance(node.op, ast.Add | ast.Mult) and _commute(left, right):
            node.left, node.right = sorted([left, right], key=ast.dump)
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        self.generic_visit(node)
        match node:
            case ast.Attribute(ast.Name("math" | "torch" | "np"), "inf"):
                return ast.Constant(math.inf)
            case ast.Attribute(inner, "mT") if node.attr == "mT":
                given = [
                    ast.keyword("dim0", ast.Constant(-2)),
                    ast.keyword("dim1", ast.Constant(-1)),
                ]
                call = ast.Call(ast.Attribute(inner, "transpose", ast.Load()), [], given)
                _sort_axes(call)
                return call
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        match node:
            case ast.Call(ast.Name("float"), [ast.Constant("inf" | "-inf" as value)]):
                return ast.Constant(float(value))
            case ast.Call(ast.Attribute(one, "matmul"), [*given], []):
                factors = given if _is_module(one) else [one, *given]
                if len(factors) == 2:
                    return ast.BinOp(factors[0], ast.MatMult(), factors[1])
        for keyword in node.keywords:
            keyword.arg = ALIASES.get(keyword.arg or "", keyword.arg)
        match node.func:
            case ast.Attribute(inner, name):
                name = ALIASES.get(name, name)
                node.func = ast.Attribute(inner, name, ast.Load())
                if name in METHODS and _is_module(inner) and node.args:
                    node.func = ast.Attribute(node.args[0], name, ast.Load())
                    node.args = node.args[1:]
                    inner = node.func.value
                parameters = FUNCTIONS.get(name) or METHODS.get(name)
                if parameters and not (name in METHODS and _is_module(inner)):
                    _by_name(node, parameters)
                _without_defaults(node, name)
                if name == "transpose":
                    _sort_axes(node)
        node.keywords.sort(key=lambda keyword: keyword.arg or "")
        return node


def _body(body: list[ast.stmt]) -> list[ast.stmt]:
    """Return statements without docstrings and without `pass`."""
    kept = [one for one in body if not isinstance(one, ast.Pass) and not _is_text(one)]
    return kept or [ast.Pass()]


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _is_whole(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and type(node.value) is int


def _is_module(node: ast.expr) -> bool:
    match node:
        case ast.Name(name) | ast.Attribute(_, name):
            return name in MODULES
    return False


def _commute(left: ast.expr, right: ast.expr) -> bool:
    """Return whether two operands of a sum or product can be exchanged.

    Lists and shapes are joined by `+`; two calls may depend on each other.
    """
    nodes = [*ast.walk(left), *ast.walk(right)]
    if any(isinstance(one, ast.List | ast.Tuple | ast.JoinedStr | ast.ListComp) for one in nodes):
        return False
    for side in (left, right):
        if isinstance(side, ast.Constant) and isinstance(side.value, str):
            return False
        if isinstance(side, ast.Attribute) and side.attr == "shape":
            return False
        if isinstance(side, ast.Subscript) and isinstance(side.slice, ast.Slice):
            return False
    return not all(_calls(side) for side in (left, right))


def _calls(node: ast.expr) -> bool:
    return any(isinstance(one, ast.Call) for one in ast.walk(node))


def _by_name(node: ast.Call, parameters: tuple[str, ...]) -> None:
    """Name the arguments that are given by position, unless one is starred or there are more."""
    if any(isinstance(one, ast.Starred) for one in node.args) or len(node.args) > len(parameters):
        return
    named = zip(parameters, node.args, strict=False)
    node.keywords = [*(ast.keyword(name, one) for name, one in named), *node.keywords]
    node.args = []


def _without_defaults(node: ast.Call, name: str) -> None:
    known = DEFAULTS.get(name, {})
    for keyword in node.keywords:
        match keyword:
            case ast.keyword("unbiased", ast.Constant(bool() as value)):
                keyword.arg, keyword.value = "correction", ast.Constant(int(value))
    node.keywords = [
        one
        for one in node.keywords
        if one.arg not in known
        or not isinstance(one.value, ast.Constant)
        or one.value.value != known[one.arg]
        or type(one.value.value) is not type(known[one.arg])
    ]


def _sort_axes(node: ast.Call) -> None:
    """Sort the two axes of a transpose, which exchanges them."""
    axes = [one for one in node.keywords if one.arg in ("dim0", "dim1")]
    if len(axes) == 2 and all(isinstance(one.value, ast.Constant) for one in axes):
        values = sorted((one.value for one in axes), key=ast.dump)
        for name, keyword, value in zip(("dim0", "dim1"), axes, values, strict=True):
            keyword.arg, keyword.value = name, value


def _rename(function: ast.FunctionDef) -> None:
    """Give the local variables of a function names by the order of their first appearance."""
    nodes = [*ast.walk(function)]
    if any(isinstance(one, ast.Global | ast.Nonlocal) for one in nodes):
        return
    kept = {one.arg for one in nodes if isinstance(one, ast.arg)}
    kept |= {one.name for one in nodes if isinstance(one, ast.FunctionDef)}
    stored: dict[str, None] = {}
    for one in nodes:
        if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store) and one.id not in kept:
            stored.setdefault(one.id)
    names = {name: f"_{i}" for i, name in enumerate(stored)}
    for one in nodes:
        if isinstance(one, ast.Name):
            one.id = names.get(one.id, one.id)
