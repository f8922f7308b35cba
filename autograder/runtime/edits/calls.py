"""Find the edits of a call's arguments, and those that are for calls of some functions alone."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from itertools import pairwise

from autograder.runtime.edits.edit import ADDS, REPAIRS
from autograder.runtime.edits.tables import (
    AXES,
    HIDDEN,
    INFINITE,
    KEYWORDS,
    MASKING,
    SHAPING,
    TORCH,
    TRANSPOSING,
    UNBIASED,
)
from autograder.runtime.edits.whole import Node, Whole

COMMA = re.compile(r"\s*,\s*")


class Calls:
    """The edits of calls in a function. names: its local names."""

    def __init__(self, whole: Whole, names: Sequence[str]) -> None:
        self.whole, self.put, self.of = whole, whole.put, whole.of
        self.names = names

    def edit(self, node: ast.Call, name: str) -> None:
        """Find the edits of a call of a function of this name."""
        self._without_one(node, name)
        self._with_keywords(node, name)
        if isinstance(node.func, ast.Attribute):
            self._of_method(node, node.func.value, name)
        if name in ("range", "arange"):
            self._counted(node)
        if name in ("max", "min") and isinstance(node.func, ast.Name):
            for text in map(self.of, node.args):
                self.put(node, f"({text} + 1)")
                self.put(node, f"({text} - 1)")
        if name in ("tanh", "erf"):  # in a GELU
            for one in self.names:
                self.put(node, f"{TORCH}.erf({one} / 2 ** 0.5)")
        if name == "full":
            self.put(node, f"{TORCH}.ones_like({self.of(node)}).cumsum(0)")
        if name[:1].isupper():  # a layer, of other sizes
            for argument in node.args:
                for other in self.names if isinstance(argument, ast.Name) else ():
                    self.put(argument, f"{self.of(argument)} * {other}")
            sizes = [*node.args, *(one.value for one in node.keywords)]
            for i, size in enumerate(sizes):
                if isinstance(size, ast.Name) and self.of(size) in map(self.of, sizes[:i]):
                    for times in (2, 3, 4):
                        self.put(size, f"{times} * {self.of(size)}")

    def _counted(self, node: ast.Call) -> None:
        """Begin or end a range of numbers elsewhere."""
        function = self.of(node.func)
        options = "".join(f", {self.of(one)}" for one in node.keywords)
        for text in map(self.of, node.args):
            for new in (f"{text} + 1", f"{text} - 1", f"1, {text} + 1"):
                self.put(node, f"{function}({new}{options})")
        self.put(node, f"({self.of(node)} + 1)")

    def _without_one(self, node: ast.Call, name: str) -> None:
        arguments: list[Node] = [*node.args, *node.keywords]
        for i, argument in enumerate(arguments if len(arguments) > 1 else ()):
            start, end = self.whole.span(argument)
            comma = COMMA.match(self.whole.text, end)
            self.whole.change(start, comma.end() if comma else end, "", f"{name} without {i}")

    def _with_keywords(self, node: ast.Call, name: str) -> None:
        biases = [f"bias={one}" for one in self.names] if name == "Linear" else []
        values = {one.arg: one.value for one in node.keywords}
        start, end = self.whole.span(node)
        before = self.whole.text[start : end - 1].rstrip()
        comma = "" if before.endswith((",", "(")) else ", "
        last = start + len(before)
        for new in (*KEYWORDS.get(name, ()), *biases):
            key, _, value = new.partition("=")
            theme = f"with {new}" if key == "keepdim" else f"{name} with {new}"
            if key in values:
                self.put(values[key], value, theme)
            else:
                self.whole.change(last, last, f"{comma}{new}", theme)

    def _of_method(self, node: ast.Call, whose: ast.expr, name: str) -> None:
        """Find the edits of a call of a method, or of a function in a module such as torch."""
        owner, given = self.of(whose), [*map(self.of, node.args)]
        is_module = owner.rpartition(".")[2] in ("torch", "functional", "F")
        operand = node.args[0] if is_module and given else whose
        changed = self.of(operand)
        if name in SHAPING:
            for moved in (*(f"transpose{axes}" for axes in AXES), "movedim(0, -2)"):
                new = f"({owner}).{moved}.reshape({', '.join(given)})"
                self.put(node, new, rank=ADDS)
                for argument in node.args[:1]:
                    self.put(argument, f"({self.of(argument)}).{moved}", rank=ADDS)
            for i, (one, other) in enumerate(pairwise(given)):
                sizes = ", ".join([*given[:i], other, one, *given[i + 2 :]])
                new = f"{owner}.{name}({sizes}).transpose({i}, {i + 1})"
                self.put(node, new, rank=ADDS)
        if name in TRANSPOSING:
            for axes in AXES:
                self.put(node, f"{owner}.transpose{axes}")
        if name == "max":
            self.put(node, f"({changed}).amax(-1, keepdim=True)")
        if name in ("tril", "triu"):
            self.put(node, HIDDEN.replace("{}", changed))
            self.put(node, f"{self.of(node)}.mT")
        if name == "softmax":
            self.put(operand, HIDDEN.replace("{}", changed), rank=REPAIRS)
        if name == "permute":
            self.put(node, f"{owner}.mT")
        if name in MASKING:
            for mask in node.args[1:2] if is_module and name != "where" else node.args[:1]:
                if isinstance(mask, ast.Name):  # others are turned round as each argument is
                    self.put(mask, f"~{mask.id}", rank=ADDS)
        if name == "where":
            for argument in node.args[1:]:
                self.put(argument, INFINITE)
        if name == "mean":
            for form in UNBIASED:
                text = form.replace("({})", f"({self.of(node)})", 1)
                self.put(node, text.replace("{}", changed), rank=ADDS)
