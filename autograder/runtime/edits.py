"""Small changes of code, one of which may mend a mistake: other names, numbers, operators, parts.

They are made of the code alone and say nothing about what is right: all are tried, and the checks
tell which make the work right. That the same line has to be changed each time is what is shown.
"""

from __future__ import annotations

import ast
import contextlib
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

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
    "GELU": ('approximate="none"',),
}
SIZES = ("shape[0]", "shape[1]", "shape[-1]", "shape[-2]")
TORCH = "__import__('torch')"
ADDED = (
    "({}).mT", "({}).softmax(-1)", "({}).clone()", "({}).detach()", f"{TORCH}.relu({{}})",
)  # fmt: skip
HIDDEN = f"({{}}).masked_fill({TORCH}.ones(({{}}).shape[-2:]).triu(1).bool(), -float('inf'))"
DROPPED = f"{TORCH}.dropout({{}}, self.{{}}, self.training)"
KEPT = (f"{TORCH}.nn.Parameter({{}})", f"{TORCH}.nn.ModuleList({{}})")  # in attributes
MOST_PARTS = 4  # of a tuple that are exchanged
NEARBY = 3  # statements between two that may have been exchanged
RANKS = CHANGES, EVERYWHERE, ADDS = range(3)  # changes one place, all alike, or adds something
WORD = re.compile(r"[A-Za-z_]\w*")


Change = tuple[int, int, str]  # the positions of a text's characters to replace, and the new text


@dataclass(frozen=True)
class Edit:
    """Replacements in a text.

    line: the first one that it changes. rank: one of RANKS. theme: what it does, the same for edits
    that do the same elsewhere.
    """

    changes: tuple[Change, ...]
    line: int
    rank: int
    theme: str

    def of(self, text: str) -> str:
        """Return the edited text."""
        for start, end, new in sorted(self.changes, reverse=True):
            text = f"{text[:start]}{new}{text[end:]}"
        return text


def edits_of(
    cells: Sequence[tuple[str, str]], name: str, others: Collection[str]
) -> list[tuple[int, Edit]]:
    """Return the edits of a definition in a module or in cells, each with its cell's index.

    cells: label and text of each, of which those that Python cannot read have none. See `edits`.
    """
    found: list[tuple[int, Edit]] = []
    for i, (_, text) in enumerate(cells):
        with contextlib.suppress(SyntaxError, ValueError, RecursionError, MemoryError):
            found += [(i, edit) for edit in edits(text, name, others)]
    return sorted(found, key=lambda one: one[1].rank)


def edits(text: str, name: str, others: Collection[str]) -> list[Edit]:
    """Return the edits of a class or function and of what it uses, those of a lower rank first.

    name: that of the class or function at the top level of the text. others: names of definitions
    that are not edited. Raises what ast.parse does.
    """
    whole = _Whole(text)
    for definition in _used(ast.parse(text), name, others):
        whole.add(definition)
    found = [*{edit.changes: edit for edit in reversed(whole.found)}.values()][::-1]
    by_theme: dict[str, list[Edit]] = {}
    for edit in found:
        by_theme.setdefault(edit.theme, []).append(edit)
    found += [_together(same) for same in by_theme.values() if len(same) > 1]
    return sorted(found, key=lambda edit: edit.rank)


def _together(same: Sequence[Edit]) -> Edit:
    """Return the edit that makes all changes of these, as far as they do not overlap."""
    changes: list[Change] = []
    for start, end, new in sorted(change for edit in same for change in edit.changes):
        if not changes or start >= changes[-1][1]:
            changes.append((start, end, new))
    return Edit(tuple(changes), min(edit.line for edit in same), EVERYWHERE, same[0].theme)


def _used(tree: ast.Module, name: str, others: Collection[str]) -> list[ast.stmt]:
    """Return the definition of a name and those that it uses, one through the other."""
    known = {
        node.name: node
        for node in tree.body
        if isinstance(node, ast.ClassDef | ast.FunctionDef) and node.name not in others
    }
    found = [known[name]] if name in known else []
    for one in found:  # it grows
        words = {node.id for node in ast.walk(one) if isinstance(node, ast.Name)}
        found += [known[word] for word in known if word in words and known[word] not in found]
    return [*found]


class _Whole:
    """A text and the edits of it that have been found."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.found: list[Edit] = []
        self._lines = text.splitlines(keepends=True)
        self._starts = [0]
        for line in self._lines:
            self._starts.append(self._starts[-1] + len(line))

    def position(self, line: int, column: int) -> int:
        """Return the position of a place as Python's parser gives it, in bytes of UTF-8."""
        text = self._lines[line - 1] if line <= len(self._lines) else ""
        return self._starts[line - 1] + len(text.encode()[:column].decode())

    def span(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        """Return where the text of a node begins and ends."""
        end = self.position(node.end_lineno or node.lineno, node.end_col_offset or 0)
        return self.position(node.lineno, node.col_offset), end

    def of(self, node: ast.expr | ast.stmt) -> str:
        """Return the text of a node."""
        start, end = self.span(node)
        return self.text[start:end]

    def put(
        self, node: ast.expr | ast.stmt, new: str, theme: str = "", rank: int = CHANGES
    ) -> None:
        """Note an edit that puts a new text in the place of a node's."""
        start, end = self.span(node)
        old = self.text[start:end]
        if new != old:
            change = (start, end, new)
            self.found.append(Edit((change,), node.lineno, rank, theme or f"{old} {new}"))

    def add(self, definition: ast.stmt) -> None:
        """Find the edits of a class or function."""
        functions = [n for n in ast.walk(definition) if isinstance(n, ast.FunctionDef)]
        nodes = [*ast.walk(definition)]
        own = dict.fromkeys(map(_own, nodes))
        called = {_own(node.func) for node in nodes if isinstance(node, ast.Call)}
        made = {
            _own(node.targets[0])
            for node in nodes
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call)
        }
        attributes = {name: name in called | made for name in own if name}
        for function in functions:
            _Function(self, function, attributes).edit()


class _Function:
    """A function whose edits are looked for.

    attributes: the names behind `self.` in its class, with whether they can be called.
    """

    def __init__(
        self, whole: _Whole, function: ast.FunctionDef, attributes: Mapping[str, bool]
    ) -> None:
        self.whole, self.put, self.of = whole, whole.put, whole.of
        self.function, self.attributes = function, attributes
        arguments = function.args
        named = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
        stored = (
            node.id
            for node in ast.walk(function)
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
        )
        self.locals = [*dict.fromkeys([*(one.arg for one in named), *stored])]
        self.locals = [name for name in self.locals if name != "self"]
        self.values = {
            node.targets[0].id: self.of(node.value)
            for node in ast.walk(function)
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
        }

    def edit(self) -> None:
        """Find the edits of the function, without those of functions in it."""
        arguments = self.function.args
        for default in (*arguments.defaults, *filter(None, arguments.kw_defaults)):
            self._expression(default)
        for decorator in self.function.decorator_list:
            start, end = self.whole.span(decorator)
            change = (start - 1, end, "#")
            self.whole.found.append(Edit((change,), decorator.lineno, CHANGES, self.of(decorator)))
        body = self.function.body
        if self.function.name == "__init__" and body:
            first = body[1] if _is_text(body[0]) and body[1:] else body[0]
            self.put(first, f"super().__init__(); {self.of(first)}", rank=ADDS)
        self._body(body)
        self._moved()

    def _moved(self) -> None:
        """Take each call of a part of the module away, and put it around another expression."""
        nodes = [node for statement in self.function.body for node in ast.walk(statement)]
        for call in nodes:
            match call:
                case ast.Call(ast.Attribute() as function, [inner]) if _own(function):
                    self._put_around(call, self.of(function), inner, nodes)

    def _put_around(
        self, call: ast.Call, function: str, inner: ast.expr, nodes: Sequence[ast.AST]
    ) -> None:
        start, end = self.whole.span(call)
        taken = (start, end, f"({self.of(inner)})")
        begin = self.whole.span(inner)[0]
        for node in nodes:
            if not isinstance(node, ast.expr) or isinstance(node, ast.Constant):
                continue
            first, last = self.whole.span(node)
            text = self.whole.text[first:last]
            changes: tuple[Change, ...] = ()
            if last <= start or first >= end:
                changes = taken, (first, last, f"{function}({text})")
            elif (first, last) != (start, end) and first <= start and end <= last:
                within = f"{text[: start - first]}{taken[2]}{text[end - first :]}"
                changes = ((first, last, f"{function}({within})"),)
            elif begin < first and last < end:
                before, after = self.whole.text[begin:first], self.whole.text[last : end - 1]
                changes = ((start, end, f"({before}{function}({text}){after})"),)
            if changes:
                self.whole.found.append(Edit(changes, call.lineno, CHANGES, f"move {function}"))

    def _body(self, body: Sequence[ast.stmt]) -> None:
        for i, statement in enumerate(body):
            for other in body[i + 1 : i + 1 + NEARBY]:
                self._exchange(statement, other)
            self._statement(statement)

    def _exchange(self, one: ast.stmt, other: ast.stmt) -> None:
        changes = ((*self.whole.span(one), self.of(other)), (*self.whole.span(other), self.of(one)))
        self.whole.found.append(
            Edit(changes, one.lineno, CHANGES, f"{self.of(one)} {self.of(other)}")
        )

    def _statement(self, node: ast.stmt) -> None:
        if _is_text(node) or isinstance(node, ast.FunctionDef | ast.ClassDef):
            return
        match node:
            case ast.Assign() | ast.AugAssign() | ast.AnnAssign() | ast.Expr() | ast.Return():
                self.put(node, "pass", f"without {_called(node.value)}" if node.value else "")
            case ast.With():
                start, end = self.whole.span(node)[0], self.whole.span(node.body[0])[0]
                end = self.whole.text.rindex(":", start, end)
                change = (start, end, "if True")
                self.whole.found.append(Edit((change,), node.lineno, CHANGES, "without with"))
            case ast.If():
                for new in ("True", "False", f"not ({self.of(node.test)})"):
                    self.put(node.test, new)
        match node:
            case ast.AugAssign(target, operator, value) if type(operator) in BINARY:
                left, right = self.of(target), self.of(value)
                self.put(node, f"{left} = {left} {BINARY[type(operator)]} ({right})")
                for new in BINARY.values():
                    self.put(node, f"{left} {new}= {right}")
                self.put(node, f"{left} = {right}")
                self._added(value)
            case ast.Return(ast.expr() as value) | ast.Assign(_, ast.expr() as value):
                self._added(value, to_all=True)
                for name in self.locals:
                    self.put(value, name)
            case ast.Expr(ast.Call(_, [first, *_])):
                self.put(node, f"return {self.of(first)}")
            case ast.For() | ast.While():
                self._loop(node)
        match node:
            case ast.Assign([ast.Attribute()], value):
                self.put(value, f"1 / ({self.of(value)})")
                for form in KEPT:
                    self.put(value, form.format(self.of(value)), form, rank=ADDS)
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr | ast.comprehension):
                self._expression(child)
        for part in ("body", "orelse", "finalbody"):
            self._body(getattr(node, part, []))

    def _loop(self, node: ast.For | ast.While) -> None:
        """Put a `return` in a loop behind it."""
        last = node.body[-1]
        if isinstance(last, ast.Return):
            start, end = self.whole.span(last)
            new = f"pass\n{' ' * node.col_offset}{self.of(last)}"
            self.whole.found.append(
                Edit(((start, end, new),), last.lineno, CHANGES, "behind the loop")
            )

    def _added(self, node: ast.expr, to_all: bool = False) -> None:
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
        for name in self.locals:
            self.put(node, f"({text}) / {name}.shape[-1] ** 0.5", rank=ADDS)
            if to_all:
                self.put(node, f"({text}) + {name}", rank=ADDS)
                self.put(node, f"({text}) / {name} ** 0.5", rank=ADDS)
                self.put(node, f"({text}) / {name}", rank=ADDS)
        if to_all:
            self.put(node, HIDDEN.replace("{}", text), rank=ADDS)

    def _expression(self, node: ast.AST) -> None:
        match node:
            case ast.Constant(value):
                self._constant(node, value)
            case ast.Name(name, ast.Load()):
                if name in self.locals:
                    for other in self.locals:
                        self.put(node, other)
                for other in INSTEAD.get(name, []):
                    self.put(node, other)
                if name in self.values:
                    self.put(node, f"({self.values[name]})")
            case ast.Attribute(inner, name, ast.Load()):
                self._attribute(node, self.of(inner), name)
            case ast.UnaryOp(operator, inner):
                self.put(node, f"({self.of(inner)})")
                if isinstance(operator, ast.USub) and isinstance(inner, ast.Constant):
                    for new in ("-1", "-2", "-3"):
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
            case ast.Tuple(parts) | ast.List(parts):
                for left, right in combinations(parts[:MOST_PARTS], 2):
                    self._exchange_within(node, left, right)
            case ast.Subscript(inner, part, ast.Load()):
                self.put(node, f"({self.of(inner)})")
                self._slice(part)
            case ast.Call():
                self._call(node)
        for child in ast.iter_child_nodes(node):
            self._expression(child)

    def _exchange_within(self, node: ast.expr, one: ast.expr, other: ast.expr) -> None:
        changes = ((*self.whole.span(one), self.of(other)), (*self.whole.span(other), self.of(one)))
        self.whole.found.append(
            Edit(changes, node.lineno, CHANGES, f"{self.of(one)} {self.of(other)}")
        )

    def _constant(self, node: ast.Constant, value: object, keyword: str = "") -> None:
        """Put other values in the place of one. keyword: before it, in a call."""
        theme = f"{keyword}{value} {{}}" if keyword else ""
        match value:
            case bool():
                self.put(node, repr(not value), theme)
            case int():
                numbers = dict.fromkeys([0, 1, 2, 3, -1, -2, -3, value + 1, value - 1, -value])
                for number in numbers:
                    new = f"({number})" if number < 0 else f"{number}"
                    self.put(node, new, theme.format(new))
                if value > 1:
                    sizes = [f"{name}.{size}" for name in self.locals for size in SIZES]
                    for new in (*self.locals, *sizes, *(f"self.{one}" for one in self.attributes)):
                        self.put(node, new)
            case float():
                for real in (0.0, 1.0, 0.5, 1e-5, -value):
                    self.put(node, f"({real!r})")
            case str() if "->" in value:
                self._pattern(node, value)

    def _pattern(self, node: ast.Constant, value: str) -> None:
        """Exchange two axes on one side of a pattern of einops or einsum, or in one operand."""
        names = WORD.findall(value) if " " in value else [*filter(str.isalpha, value)]
        sides = re.split(r"(->|,)", value)
        for one, other in combinations(dict.fromkeys(names), 2):
            changed = {one: other, other: one}
            axis = rf"\b(?:{one}|{other})\b" if " " in value else f"[{one}{other}]"
            for i, side in enumerate(sides):
                new = re.sub(axis, lambda found, changed=changed: changed[found[0]], side)
                self.put(node, repr("".join([*sides[:i], new, *sides[i + 1 :]])))

    def _attribute(self, node: ast.Attribute, inner: str, name: str) -> None:
        if inner == "self":
            for other in self.attributes:
                self.put(node, f"self.{other}")
        for other in INSTEAD.get(name, []):
            self.put(node, f"{inner}.{other}")
        if name in ("T", "mT", "data"):
            self.put(node, inner, f"without {name}")
        if name.endswith("_") and not name.startswith("_"):
            self.put(node, f"{inner}.{name.rstrip('_')}")

    def _binary(self, node: ast.BinOp) -> None:
        left, right = self.of(node.left), self.of(node.right)
        own = BINARY.get(type(node.op), "")
        for operator in BINARY.values():
            self.put(node, f"({left} {operator} {right})", f"{own} to {operator}")
        self.put(node, f"({right} {own} {left})")
        for side in (left, right):
            self.put(node, f"({side})", f"without {own} {right}")
        if own in ("+", "-") and isinstance(node.right, ast.BinOp):  # of a mask and -inf
            mask, hidden = self.of(node.right.left), self.of(node.right.right)
            for one, other in ((mask, hidden), (hidden, mask)):
                self.put(node, f"({left}).masked_fill(({one}).bool(), {own} ({other}))")
        if own == "@":
            self.put(node, f"({left}).mT @ {right}")
            self.put(node, f"{left} @ ({right}).mT")
        if own == "*" and isinstance(node.left, ast.List) and len(node.left.elts) == 1:
            self.put(node, f"[{self.of(node.left.elts[0])} for _ in range({right})]")
        for operand in (node.left, node.right):
            self._through_parts(operand)

    def _through_parts(self, node: ast.expr) -> None:
        """Hand the value of an expression to each part of the module."""
        text = self.of(node)
        for name, is_part in self.attributes.items():
            new = f"self.{name}({text})" if is_part else DROPPED.format(text, name)
            self.put(node, new, f"add {name}", rank=ADDS)

    def _slice(self, part: ast.expr) -> None:
        for bound in ast.walk(part):
            if isinstance(bound, ast.Name):
                self.put(bound, f"{bound.id} + 1")
                self.put(bound, f"{bound.id} - 1")
            if isinstance(bound, ast.Slice) and (bound.lower is None) != (bound.upper is None):
                text = self.of(bound)
                inner = text.strip(": ")
                self.put(bound, f": {inner} + 1" if bound.lower else f"{inner}:")
                self.put(bound, f": {inner}" if bound.lower else f"{inner}:")

    def _call(self, node: ast.Call) -> None:
        function = self.of(node.func)
        name = function.rpartition(".")[2]
        given = [self.of(one) for one in node.args]
        named = [f"{one.arg}={self.of(one.value)}" for one in node.keywords]
        without = f"without {name}"
        for text in given:
            self.put(node, f"({text})", without)
        if isinstance(node.func, ast.Attribute):
            self.put(node, f"({self.of(node.func.value)})", without)
        for one, other in combinations(node.args, 2):
            self._exchange_within(node, one, other)
        arguments = [*given, *named]
        for i in range(len(arguments)) if len(arguments) > 1 else ():
            rest = ", ".join([*arguments[:i], *arguments[i + 1 :]])
            self.put(node, f"{function}({rest})", f"{name} without {i}")
        for keyword in node.keywords:
            if isinstance(keyword.value, ast.Constant):
                self._constant(keyword.value, keyword.value.value, f"{keyword.arg}=")
        for new in KEYWORDS.get(name, ()):
            key = new.partition("=")[0]
            kept = [one for one in arguments if not one.startswith(f"{key}=")]
            theme = f"with {new}" if key == "keepdim" else f"{name} with {new}"
            self.put(node, f"{function}({', '.join([*kept, new])})", theme)
        if name == "range":
            for text in given:
                for new in ("+ 1", "- 1"):
                    self.put(node, f"range({text} {new})")
        for argument in node.args:
            self._added(argument)


def _own(node: ast.AST) -> str:
    """Return the name behind `self.`, or ""."""
    match node:
        case ast.Attribute(ast.Name("self"), name):
            return name
    return ""


def _is_text(node: ast.stmt) -> bool:
    """Return whether a statement is a docstring."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _called(value: ast.expr) -> str:
    """Return the name of the function that a statement calls, or ""."""
    match value:
        case ast.Call(ast.Attribute(_, name)) | ast.Call(ast.Name(name)):
            return name
    return ""
