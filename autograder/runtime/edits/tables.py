"""Names, operators and arguments that students confuse, and expressions that they leave out."""

from __future__ import annotations

import ast
import re

BINARY: dict[type[ast.operator], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.MatMult: "@", ast.Pow: "**",
    ast.FloorDiv: "//",
}  # fmt: skip
COMPARED: dict[type[ast.cmpop], str] = {
    ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!=",
}  # fmt: skip
ALIKE = [  # names that are taken for each other
    "softmax log_softmax sigmoid", "tril triu", "mean sum amax prod", "cumsum cumprod", "var std",
    "relu gelu tanh silu leaky_relu", "ReLU GELU Tanh SiLU LeakyReLU", "rand randn zeros ones",
    "zeros_like ones_like", "T mT", "view reshape", "append extend", "key query value",
]  # fmt: skip
INSTEAD = {
    one: [other for other in row.split() if other != one] for row in ALIKE for one in row.split()
}
KEYWORDS: dict[str, tuple[str, ...]] = {  # that a call may lack
    "softmax": ("dim=-1", "dim=-2", "dim=1"),
    "log_softmax": ("dim=-1",),
    "cumsum": ("dim=1", "dim=-1", "dim=0", "dim=-2"),
    "mean": ("dim=0", "dim=1", "dim=-1", "keepdim=True"),
    "sum": ("dim=0", "dim=1", "dim=-1", "keepdim=True"),
    "amax": ("keepdim=True",),
    "var": ("keepdim=True", "correction=0", "correction=1", "dim=0", "dim=1", "dim=-1"),
    "std": ("keepdim=True", "correction=0", "correction=1", "dim=0", "dim=1", "dim=-1"),
    "tril": ("diagonal=-1", "diagonal=1"),
    "triu": ("diagonal=1", "diagonal=-1"),
    "Linear": ("bias=False", "bias=True"),
    "dropout": ("training=self.training",),
    "scaled_dot_product_attention": ("is_causal=True",),
    "GELU": ('approximate="none"',),
    "cat": ("dim=-1", "dim=1"),
    "stack": ("dim=0", "dim=1", "dim=-1"),
}
SIZES = ("shape[0]", "shape[1]", "shape[-1]", "shape[-2]")
TORCH = "__import__('torch')"
ADDED = (
    "({}).mT",
    "({}).softmax(-1)",
    "({}).clone()",
    "({}).detach()",
    "({}) ** 0.5",
    f"{TORCH}.relu({{}})",
    "~({})",
)
SHARES = "({}) / ({}).sum(-1, keepdim=True)"
UNBIASED = ("({}) * (1 + 1 / (({}).shape[-1] - 1))", "({}) * (1 + 1 / (({}).shape[0] - 1))")
PLACES = f"{TORCH}.arange({{}}.shape[-1], device={{}}.device)"
SHAPING = ("reshape", "view", "flatten")
MASKING = ("masked_fill", "masked_fill_", "where")
AXES = ("(0, 1)", "(1, 2)", "(2, 3)", "(-1, -2)")
TRANSPOSING = ("transpose", "swapaxes", "swapdims")
PRODUCTS = ("matmul", "bmm", "mm", "einsum", "dot", "inner", "baddbmm", "addbmm", "addmm")
INFINITE = "-float('inf')"
HIDDEN = f"({{}}).masked_fill({TORCH}.ones_like({{}}).triu(1).bool(), -float('inf'))"
DROPPED = f"{TORCH}.dropout({{}}, self.{{}}, self.training)"
KEPT = (  # in attributes
    f"{TORCH}.nn.Parameter({{}})",
    f"{TORCH}.nn.ModuleList({{}})",
    "__import__('copy').deepcopy({})",
)
METHODS = ("forward", "__call__", "__init__")  # whose names are misspelt
MOST_PARTS = 4  # of a tuple that are exchanged
NEARBY = 3  # statements between two that may have been exchanged
WORD = re.compile(r"[A-Za-z_]\w*")
