"""Find the edits of the expressions in a function."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from itertools import combinations, permutations

from autograder.runtime.edits.calls import Calls
from autograder.runtime.edits.edit import ADDS, CHANGES, Edit
from autograder.runtime.edits.rewritten import rewritten
from autograder.runtime.edits.tables import (
    ADDED,
    BINARY,
    COMPARED,
    DROPPED,
    INFINITE,
    INSTEAD,
    MOST_PARTS,
    PRODUCTS,
    SHARES,
    SIZES,
    WORD,
)
from autograder.runtime.edits.whole import Node, Whole

Place = tuple[int, int]  # a line and a column


class Expressions:
    """The edits of the expressions in a function.

    attributes: the names behind `self.` in its class, with whether they can be called.
    """

    def __init__(
        self, whole: Whole, function: ast.FunctionDef, attributes: Mapping[str, bool]
    ) -> None:
        self.whole, self.put, self.of = whole, whole.put, whole.of
        self.function, self.attributes = function, attributes
        arguments = function.args
        named = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
        given = [one.arg for one in named if one.arg != "self"]
        self._since: dict[str, Place] = dict.fromkeys(given, (0, 0))
        for name, place in _bound(function):
            self._since[name] = min(place, self._since.get(name, place))
        self._assigned = [
            (node.targets[0].id, node.lineno, node.value)
            for node in ast.walk(function)
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
        ]
        self._tokens = [f"{name}.shape[-2]" for name in given]
        self.widths = [f"{name}.weight.shape[0]" for name in given]
        self.widths += [f"({one} // {other})" for one, other in permutations(given, 2)]

    def known(self, node: ast.expr) -> list[str]:
        """Return the local names that may have a value where a node stands."""
        place = node.lineno, node.col_offset
        return [name for name, since in self._since.items() if since <= place]

    def value_of(self, node: ast.expr) -> ast.expr:
        """Return what was last assigned to a name in the lines above it; other nodes themselves."""
        if not isinstance(node, ast.Name):
            return node
        above = [one for one in self._assigned if one[0] == node.id and one[1] < node.lineno]
        return max(above, key=lambda one: one[1])[2] if above else node

    def added(self, node: ast.expr, to_all: bool = False) -> None:
        """Add something to an expression. to_all: also what is rarely missing in a part of one."""
        text = self.of(node)
        if isinstance(node, ast.Constant):
            return
        self._through_parts(node)
        if isinstance(node, ast.Name) and not to_all:
            return
        for form in ADDED:
            self.put(node, form.format(text), rank=ADDS)
        for name, is_part in self.attributes.items() if to_all else ():
            for operator in "" if is_part else "+*":
                self.put(node, f"({text}) {operator} self.{name}", rank=ADDS)
            if "training" in self.attributes and not is_part:
                self.put(node, f"({text}) if self.training else self.{name}", rank=ADDS)
        for name in self.known(node) if _is_product(node) else ():
            for size in (f"{name}.shape[-1]", name):
                self.put(node, f"({text}) / {size} ** 0.5", rank=ADDS)
        layers = [f"self.{name}.weight.shape[0]" for name in map(own, ast.walk(node)) if name]
        for size in dict.fromkeys([*layers, *self.widths]) if _is_product(node) else ():
            self.put(node, f"({text}) / {size} ** 0.5", rank=ADDS)
        for name in self.known(node) if to_all else ():
            self.put(node, f"({text}) + {name}", rank=ADDS)
            self.put(node, f"({text}) / {name}", rank=ADDS)
        if to_all:
            self.put(node, SHARES.replace("{}", text), rank=ADDS)

    def _through_parts(self, node: ast.expr) -> None:
        """Hand the value of an expression to each part of the module."""
        text = self.of(node)
        for name, is_part in self.attributes.items():
            new = f"self.{name}({text})" if is_part else DROPPED.format(text, name)
            self.put(node, new, f"add {name}", rank=ADDS)

    def expression(self, node: ast.AST) -> None:
        match node:
            case ast.Constant(value):
                self._constant(node, value)
            case ast.Name(name, ast.Load()):
                for other in self.known(node) if name in self._since else ():
                    self.put(node, other)
                for other in INSTEAD.get(name, []):
                    self.put(node, other)
                if (assigned := self.value_of(node)) is not node:
                    self.put(node, f"({self.of(assigned)})")
            case ast.Attribute(inner, name, ast.Load()):
                self._attribute(node, self.of(inner), name)
            case ast.UnaryOp(operator, inner):
                self.put(node, f"({self.of(inner)})")
                if isinstance(operator, ast.USub) and isinstance(inner, ast.Constant):
                    for new in ("-1", "-2", "-3", "-float('inf')"):
                        self.put(node, new)
            case ast.BinOp():
                self._binary(node)
            case ast.Compare(left, [comparison], [right]) if type(comparison) in COMPARED:
                for new in COMPARED.values():
                    self.put(node, f"{self.of(left)} {new} {self.of(right)}")
            case ast.BoolOp(_, operands):
                for operand in operands:
                    self.put(node, f"({self.of(operand)})")
            case ast.IfExp(_, first, second):
                self.put(node, f"({self.of(first)})")
                self.put(node, f"({self.of(second)})")
            case ast.Tuple(parts, ast.Load()) | ast.List(parts, ast.Load()):
                for left, right in combinations(parts[:MOST_PARTS], 2):
                    self.exchange(left, right)
                for part in parts:
                    self.kept_instead(part)
            case ast.Tuple(parts, ast.Store()):
                for left, right in combinations(parts[:MOST_PARTS], 2):
                    self.exchange(left, right)
            case ast.Subscript(inner, part, ast.Load()):
                for new in (f"({self.of(inner)})", *self.known(node)):
                    self.put(node, new)
                self._slice(part)
            case ast.Subscript(_, part, ast.Store()):
                if isinstance(part, ast.Name):  # it may be a mask
                    self.put(part, f"~{part.id}", rank=ADDS)
                self._slice(part)
            case ast.Call():
                self._call(node)
        if isinstance(node, ast.expr):
            sizes = [f"{name}.shape[-1]" for name in self.known(node)]
            for new in rewritten(node, self.whole, self.value_of, sizes, self.widths):
                self.put(node, new)
        for child in ast.iter_child_nodes(node):
            self.expression(child)

    def kept_instead(self, node: ast.expr) -> None:
        """Put each attribute that is no part of the module in the place of an expression."""
        for name, is_part in self.attributes.items():
            if not is_part:
                self.put(node, f"self.{name}")

    def exchange(self, one: Node, other: Node, rank: int = CHANGES) -> None:
        """Put two nodes in each other's place."""
        changes = ((*self.whole.span(one), self.of(other)), (*self.whole.span(other), self.of(one)))
        theme = f"{self.of(one)} {self.of(other)}"
        self.whole.found.append(Edit(changes, one.lineno, rank, theme))

    def _constant(self, node: ast.Constant, value: object, keyword: str = "") -> None:
        """Put other values in the place of one. keyword: before it, in a call."""
        theme = f"{keyword}{value} {{}}" if keyword else ""
        match value:
            case bool():
                self.put(node, repr(not value), theme)
            case int():
                self.put(node, INFINITE)
                nearby = [value + 1, value - 1, 2 * value, value // 2, -value]
                for number in dict.fromkeys([0, 1, 2, 3, -1, -2, -3, *nearby]):
                    new = f"({number})" if number < 0 else f"{number}"
                    self.put(node, new, theme.format(new))
                if value > 1:
                    names = self.known(node)
                    sizes = [f"{name}.{size}" for name in names for size in SIZES]
                    for new in (*names, *sizes, *(f"self.{one}" for one in self.attributes)):
                        self.put(node, new)
            case float():
                self.put(node, INFINITE)
                for real in (0.0, 1.0, 0.5, 1e-5, -value):
                    self.put(node, f"({real!r})")
                self.kept_instead(node)
            case str() if "->" in value:
                self._pattern(node, value)

    def _pattern(self, node: ast.Constant, value: str) -> None:
        """Exchange two axes on one side of a pattern of einops or einsum, or in one operand."""
        sides = re.split(r"(->|,)", value)
        words = {*WORD.findall(value)}
        has_words = any(len(WORD.findall(side)) > 1 for side in sides)
        has_words &= not {*"".join(words)} <= words  # as in "ts, b s c -> b t c"
        names = WORD.findall(value) if has_words else [*filter(str.isalpha, value)]
        for one, other in combinations(dict.fromkeys(names), 2):
            changed = {one: other, other: one}
            axis = rf"\b(?:{one}|{other})\b" if has_words else f"[{one}{other}]"
            for i, side in enumerate(sides):
                new = re.sub(axis, lambda found, changed=changed: changed[found[0]], side)
                self.put(node, repr("".join([*sides[:i], new, *sides[i + 1 :]])))

    def _attribute(self, node: ast.Attribute, inner: str, name: str) -> None:
        if inner == "self":
            for other in self.attributes:
                self.put(node, f"self.{other}")
        for other in INSTEAD.get(name, []):
            self.put(node, f"{inner}.{other}")
        if inner == "self" and not self.attributes.get(name):  # a buffer that is cut
            for size in (*self.known(node), *self._tokens):
                self.put(node, f"self.{name}[:{size}, :{size}]", f"cut {name}", rank=ADDS)
        if name == "inf":
            self.put(node, f"(-{inner}.inf)")
        if name in ("T", "mT", "data"):
            self.put(node, inner, f"without {name}")
        if name.endswith("_") and not name.startswith("_"):
            self.put(node, f"{inner}.{name.rstrip('_')}")

    def _binary(self, node: ast.BinOp) -> None:
        left, right = self.of(node.left), self.of(node.right)
        sign = BINARY.get(type(node.op), "")
        for operator in BINARY.values():
            self.put(node, f"({left} {operator} {right})", f"{sign} to {operator}")
        if sign == "**":
            self.put(node.right, f"-{right}")
            for width in self.widths:
                self.put(node.left, width)
        self.put(node, f"({right} {sign} {left})")
        for side in (left, right):
            self.put(node, f"({side})", f"without {sign} {right}")
        if sign in ("+", "-") and isinstance(node.right, ast.BinOp):  # of a mask and -inf
            mask, hidden = self.of(node.right.left), self.of(node.right.right)
            for true, fill in ((mask, hidden), (hidden, mask)):
                self.put(node, f"({left}).masked_fill(({true}).bool(), {sign} ({fill}))")
        if sign == "/" and not isinstance(node.right, ast.BinOp | ast.Constant):
            names = self.known(node)
            for name in names:
                self.put(node.right, name)
            for name in dict.fromkeys([*names, right]):
                self.put(node.right, f"({name} + 1)")
                self.put(node.right, f"({name} - 1)")
        match node.left, node.right:  # the shares of a mean that moves
            case ast.BinOp(one, ast.Mult(), first), ast.BinOp(other, ast.Mult(), second):
                a, b, c, d = map(self.of, (one, first, other, second))
                self.put(node, f"{c} * {b} {sign} {a} * {d}", "exchanged factors")
                self.put(node, f"{a} * {c} {sign} {b} * {d}", "exchanged factors within")
        if sign == "@":
            self.put(node, f"({left}).mT @ {right}")
            self.put(node, f"{left} @ ({right}).mT")
        match node.left, node.op:
            case ast.List([repeated]), ast.Mult():
                for made in (repeated, self.value_of(repeated)):
                    self.put(node, f"[{self.of(made)} for _ in range({right})]")
        for operand in (node.left, node.right):
            self._through_parts(operand)
            if sign in ("*", "/"):
                self.put(operand, f"({self.of(operand)}) ** 0.5")

    def _slice(self, part: ast.expr) -> None:
        for bound in ast.walk(part):
            if isinstance(bound, ast.Name):
                self.put(bound, f"{bound.id} + 1")
                self.put(bound, f"{bound.id} - 1")
            if isinstance(bound, ast.Constant):
                for name in self.known(bound):
                    self.put(bound, name)
            if isinstance(bound, ast.Slice) and (bound.lower is None) != (bound.upper is None):
                text = self.of(bound)
                inner = text.strip(": ")
                self.put(bound, f": {inner} + 1" if bound.lower else f"{inner}:")
                self.put(bound, f": {inner}" if bound.lower else f"{inner}:")

    def _call(self, node: ast.Call) -> None:
        function = self.of(node.func)
        name = function.rpartition(".")[2]
        given = [self.of(one) for one in node.args]
        without = f"without {name}"
        for text in given:
            self.put(node, f"({text})", without)
        if isinstance(node.func, ast.Attribute):
            self.put(node, f"({self.of(node.func.value)})", without)
        for one, other in combinations(node.args, 2):
            self.exchange(one, other)
        if function == "float" and any(isinstance(one, ast.Constant) for one in node.args):
            self.put(node, f"(-{self.of(node)})")
        named = [one for one in node.keywords if one.arg != self.of(one.value)]
        for one, other in combinations([one.value for one in named], 2):
            self.exchange(one, other)
        for keyword in node.keywords:
            if isinstance(keyword.value, ast.Constant):
                self._constant(keyword.value, keyword.value.value, f"{keyword.arg}=")
        Calls(self.whole, self.known(node)).edit(node, name)
        for argument in node.args:
            self.added(argument)


def _bound(function: ast.FunctionDef) -> Iterator[tuple[str, Place]]:
    """Yield the names that a function binds, with the place from which each has a value.

    That is behind an assignment, and in all of a comprehension.
    """
    places: dict[ast.AST, Place] = {}
    for node in ast.walk(function):
        match node:
            case ast.Assign(targets=parts):
                place = node.end_lineno or 0, node.end_col_offset or 0
            case ast.ListComp(_, parts) | ast.SetComp(_, parts) | ast.GeneratorExp(_, parts):
                place = node.lineno, node.col_offset
            case _:
                parts, place = [], (0, 0)
        places |= {inner: place for part in parts for inner in ast.walk(part)}
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id, places.get(node, (node.lineno, node.col_offset))


def _is_product(node: ast.expr) -> bool:
    """Return whether an expression multiplies tensors, none of which is an attribute."""
    parts = [*ast.walk(node)]
    called = [one.func for one in parts if isinstance(one, ast.Call)]
    names = {one.attr for one in parts if isinstance(one, ast.Attribute)}
    if any(own(one) for one in parts if one not in called):
        return False
    return any(isinstance(one, ast.MatMult) for one in parts) or not names.isdisjoint(PRODUCTS)


def own(node: ast.AST) -> str:
    """Return the name behind `self.`, or ""."""
    match node:
        case ast.Attribute(ast.Name("self"), name):
            return name
    return ""
