"""Write code in one form, so that ways to write the same compare as equal.

All that this evens out is the same for Python and PyTorch: names of local variables, annotations,
docstrings, order of keywords, arguments by position or by name, arguments that are the default,
methods and functions of one name, aliases, order of factors and of terms that are numbers. What is
the same for most numbers only is left as it is: `x * 1` is no bool, and no view of `x`.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator, Mapping

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
    "axis": "dim",
}  # fmt: skip
MODULES = frozenset({"torch", "F", "functional"})
CHOOSES_AXES = frozenset({"softmax", "log_softmax"})  # functions that take one if none is given
STATISTICS = frozenset({"var", "std"})


def canonical(definition: ast.stmt, imports: Mapping[str, str]) -> str:
    """Return a text that is equal for definitions that are proved to do the same.

    The definition is changed: hand over a copy. imports: what each name of its module stands for.
    """
    tree = _Canonical().visit(definition)
    for function in _outermost(tree):
        _rename(function)
    names = {one.id for one in ast.walk(tree) if isinstance(one, ast.Name)} & imports.keys()
    return "\n".join([ast.dump(tree), *(f"{name} = {imports[name]}" for name in sorted(names))])


class _Canonical(ast.NodeTransformer):
    def __init__(self) -> None:
        self._fields: set[ast.AST] = set()  # annotated names of classes

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.returns = None
        node.body = _body(node.body)
        self.generic_visit(node)
        node.body = _body(node.body)
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        self._fields.update(one for one in node.body if isinstance(one, ast.AnnAssign))
        node.body = _body(node.body)
        self.generic_visit(node)
        return node

    def visit_arg(self, node: ast.arg) -> ast.AST:
        node.annotation = None
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        self.generic_visit(node)
        if node.value is None or node in self._fields:  # which a dataclass reads
            return node
        return ast.Assign([node.target], node.value, lineno=node.lineno)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        self.generic_visit(node)
        match node:
            case ast.UnaryOp(ast.USub(), ast.Constant(int() | float() as value)):
                return ast.Constant(-value)
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        is_sum = isinstance(node.op, ast.Add) and (_is_number(node.left) or _is_number(node.right))
        if (is_sum or isinstance(node.op, ast.Mult)) and _are_apart(node.left, node.right):
            node.left, node.right = sorted([node.left, node.right], key=ast.dump)
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        self.generic_visit(node)
        match node:
            case ast.Attribute(ast.Name("math" | "torch" | "np"), "inf", ast.Load()):
                return ast.Constant(math.inf)
            case ast.Attribute(inner, "mT", ast.Load()):
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
        if isinstance(node.func, ast.Attribute) and _is_own(node.func.value):
            return node  # a method of the student's
        match node:
            case ast.Call(ast.Name("float"), [ast.Constant("inf" | "-inf" as value)], []):
                return ast.Constant(float(value))
            case ast.Call(ast.Attribute(one, "matmul"), [*given], []):
                factors = given if _is_module(one) else [one, *given]
                if len(factors) == 2:
                    return ast.BinOp(factors[0], ast.MatMult(), factors[1])
        match node.func:
            case ast.Attribute(inner, name):
                for keyword in node.keywords:
                    keyword.arg = ALIASES.get(keyword.arg or "", keyword.arg)
                name = ALIASES.get(name, name)
                node.func = ast.Attribute(inner, name, ast.Load())
                if name in METHODS and _is_module(inner) and _has_tensor(node, name):
                    node.func = ast.Attribute(node.args[0], name, ast.Load())
                    node.args = node.args[1:]
                    inner = node.func.value
                parameters = FUNCTIONS.get(name) or METHODS.get(name)
                if parameters and not (name in METHODS and _is_module(inner)):
                    _by_name(node, parameters)
                _without_defaults(node, name)
                if name == "transpose":
                    _sort_axes(node)
        if sum(not _is_pure(keyword.value) for keyword in node.keywords) < 2:
            node.keywords.sort(key=lambda keyword: keyword.arg or "")
        return node


def _body(body: list[ast.stmt]) -> list[ast.stmt]:
    """Return statements without docstrings and without `pass`."""
    kept = [one for one in body if not isinstance(one, ast.Pass) and not _is_text(one)]
    return kept or [ast.Pass()]


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _is_own(node: ast.expr) -> bool:
    """Return whether an expression is the student's object, whose methods are the student's."""
    match node:
        case ast.Name("self" | "cls") | ast.Call(ast.Name("super")):
            return True
    return False


def _is_module(node: ast.expr) -> bool:
    match node:
        case ast.Name(name) | ast.Attribute(_, name):
            return name in MODULES
    return False


def _has_tensor(node: ast.Call, name: str) -> bool:
    """Return whether a function has its tensor by position, and an axis if it would choose one."""
    is_chosen = len(node.args) > 1 or any(one.arg == "dim" for one in node.keywords)
    return bool(node.args) and (is_chosen or name not in CHOOSES_AXES)


def _is_number(node: ast.expr) -> bool:
    """Return whether an expression is a number or a tensor for sure, no text and no sequence."""
    match node:
        case ast.Constant(value):
            return isinstance(value, int | float)
        case ast.BinOp(_, ast.Sub() | ast.Div() | ast.Pow() | ast.MatMult()):
            return True
        case ast.BinOp(left, ast.Mult(), right):
            return _is_number(left) and _is_number(right)
        case ast.UnaryOp(ast.USub() | ast.Invert()):
            return True
        case ast.Call(ast.Attribute(inner, name)):
            return name in METHODS and name not in ("chunk", "unbind") and not _is_own(inner)
    return False


def _are_apart(left: ast.expr, right: ast.expr) -> bool:
    """Return whether two expressions can be computed in any order."""
    for one, other in ((left, right), (right, left)):
        if not _is_pure(one) and not isinstance(other, ast.Name | ast.Constant):
            return False
    return True


def _is_pure(node: ast.expr) -> bool:
    """Return whether computing an expression changes nothing, and draws no random numbers."""
    for one in ast.walk(node):
        match one:
            case ast.Call(ast.Attribute(inner, name)):
                if name not in METHODS or _is_own(inner):
                    return False
            case ast.Call(ast.Name("len" | "float" | "int")):
                continue
            case ast.Call() | ast.NamedExpr() | ast.Await() | ast.Yield() | ast.YieldFrom():
                return False
    return True


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
            case ast.keyword("unbiased", ast.Constant(bool() as value)) if name in STATISTICS:
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


def _outermost(tree: ast.AST) -> Iterator[ast.FunctionDef]:
    """Yield the functions that stand in no other function."""
    if isinstance(tree, ast.FunctionDef):
        yield tree
    else:
        for child in ast.iter_child_nodes(tree):
            yield from _outermost(child)


def _rename(function: ast.FunctionDef) -> None:
    """Give the local variables of a function names by the order of their first appearance.

    Names that stand elsewhere too, such as those of arguments, imports and patterns, are kept.
    """
    nodes = [*ast.walk(function)]
    if any(isinstance(one, ast.Global | ast.Nonlocal) for one in nodes):
        return
    kept = {name for one in nodes for name in _other_names(one)}
    stored: dict[str, None] = {}
    for one in nodes:
        if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store) and one.id not in kept:
            stored.setdefault(one.id)
    names = {name: f"_{i}" for i, name in enumerate(stored)}
    for one in nodes:
        if isinstance(one, ast.Name):
            one.id = names.get(one.id, one.id)


def _other_names(node: ast.AST) -> list[str]:
    """Return the names that a node binds other than by an assignment to a variable."""
    match node:
        case ast.arg(name) | ast.FunctionDef(name) | ast.ClassDef(name):
            return [name]
        case ast.ExceptHandler(name=str() as name) | ast.MatchAs(name=str() as name):
            return [name]
        case ast.MatchStar(name=str() as name) | ast.MatchMapping(rest=str() as name):
            return [name]
        case ast.Import(names) | ast.ImportFrom(names=names):
            return [(one.asname or one.name).split(".")[0] for one in names]
        case ast.AsyncFunctionDef(name):
            return [name]
    return []
