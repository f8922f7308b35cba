"""Find the edits of the statements in a function, and of all that is in them."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence, Set
from itertools import combinations, product

from autograder.runtime.edits.edit import ADDS, CHANGES, MOVES, Change, Edit
from autograder.runtime.edits.expressions import Expressions, own
from autograder.runtime.edits.tables import BINARY, KEPT, METHODS, NEARBY, PRODUCTS
from autograder.runtime.edits.whole import Node, Whole


class Statements:
    """The edits of a function. attributes: as for Expressions."""

    def __init__(
        self, whole: Whole, function: ast.FunctionDef, attributes: Mapping[str, bool]
    ) -> None:
        self.whole, self.put, self.of = whole, whole.put, whole.of
        self.function, self._attributes = function, attributes
        self._expressions = Expressions(whole, function, attributes)

    @property
    def _is_method(self) -> bool:
        return [one.arg for one in self.function.args.args[:1]] == ["self"]

    def edit(self) -> None:
        """Find the edits of the function, without those of functions in it."""
        arguments = self.function.args
        for default in (*arguments.defaults, *filter(None, arguments.kw_defaults)):
            self._expressions.expression(default)
        for one, other in combinations(arguments.args[self._is_method :], 2):
            self._expressions.exchange(one, other, MOVES)
        self._in_products()
        for decorator in self.function.decorator_list:
            start, end = self.whole.span(decorator)
            change = (start - 1, end, "#")
            self.whole.found.append(Edit((change,), decorator.lineno, CHANGES, self.of(decorator)))
        body = self.function.body
        self._named_otherwise()
        if body and isinstance(body[-1], ast.Assign | ast.Expr) and not _is_text(body[-1]):
            self.put(body[-1], f"return {self.of(body[-1].value)}", rank=ADDS)
        if self.function.name == "__init__" and body:
            first = body[1] if _is_text(body[0]) and body[1:] else body[0]
            self.put(first, f"super().__init__(); {self.of(first)}", rank=ADDS)
        self._body(body)
        self._moved()

    def _in_products(self) -> None:
        """Exchange arguments of the function in two factors of a product.

        Other names may be wrong where they are assigned.
        """
        nodes = [node for statement in self.function.body for node in ast.walk(statement)]
        names = [node for node in nodes if isinstance(node, ast.Name)]
        given = {one.arg for one in self.function.args.args}
        given -= {node.id for node in names if isinstance(node.ctx, ast.Store)}
        for node in nodes:
            factors: list[ast.expr] = []
            match node:
                case ast.BinOp(left, ast.MatMult(), right):
                    factors = [left, right]
                case ast.Call(ast.Attribute(_, name) as called, arguments) if name in PRODUCTS:
                    factors = [called, *arguments]
            for first, second in combinations(factors, 2):
                for one, other in product(_names(first, given), _names(second, given)):
                    if one.id != other.id:
                        self._expressions.exchange(one, other, MOVES)

    def _named_otherwise(self) -> None:
        """Give a method the names of those that Python and PyTorch call."""
        name = self.function.name
        if not self._is_method or name.startswith("__") or not self.function.col_offset:
            return  # one at the top level is called by its own name
        start, end = self.whole.span(self.function)
        place = self.whole.text.find(f"def {name}(", start, end) + len("def ")
        for new in METHODS if place >= start + len("def ") else ():
            if new != name:
                self.whole.change(place, place + len(name), new, f"{name} {new}")

    def _moved(self) -> None:
        """Put a call of a part of the module, or a factor, around another expression."""
        nodes = [node for statement in self.function.body for node in ast.walk(statement)]
        whole = [node for node in nodes if isinstance(node, ast.expr)]
        whole = [node for node in whole if not isinstance(node, ast.Constant)]
        scaled = [node.value for node in nodes if isinstance(node, ast.Assign | ast.Return)]
        scaled += [node.args[0] for node in nodes if isinstance(node, ast.Call) and node.args]
        for node in nodes:
            match node:
                case ast.Call(ast.Attribute() as function, [inner]) if own(function):
                    self._put_around(node, f"{self.of(function)}({{}})", inner, whole)
                case ast.BinOp(inner, ast.Mult() | ast.Div() as operator, other):
                    form = f"({{}}) {BINARY[type(operator)]} {self.of(other)}"
                    self._put_around(node, form, inner, scaled)
                case ast.AugAssign(_, ast.Mult() | ast.Div() as operator, other):
                    form = f"({{}}) {BINARY[type(operator)]} {self.of(other)}"
                    self._put_around(node, form, None, scaled)

    def _put_around(
        self, moved: Node, form: str, inner: ast.expr | None, others: Sequence[ast.expr | None]
    ) -> None:
        """Take what is around an expression away, and put it around each of others in turn.

        form: what is moved, with {} for the expression. inner: None if nothing is left.
        """
        start, end = self.whole.span(moved)
        begin, until = self.whole.span(inner) if inner else (end, end)
        left = f"({self.whole.text[begin:until]})" if inner else "pass"
        for node in filter(None, others):
            first, last = self.whole.span(node)
            text = self.whole.text[first:last]
            around = form.replace("{}", text)
            changes: tuple[Change, ...] = ()
            if last <= start or first >= end:
                changes = (start, end, left), (first, last, around)
            elif (first, last) != (start, end) and first <= start and end <= last:
                within = f"{text[: start - first]}{left}{text[end - first :]}"
                changes = ((first, last, form.replace("{}", within)),)
            elif begin <= first and last <= until and (begin, until) != (first, last):
                before, after = self.whole.text[begin:first], self.whole.text[last:until]
                changes = ((start, end, f"({before}{around}{after})"),)
            if changes:
                self.whole.found.append(Edit(changes, moved.lineno, MOVES, f"move {form}"))

    def _body(self, body: Sequence[ast.stmt]) -> None:
        for i, statement in enumerate(body):
            for other in body[i + 1 : i + 1 + NEARBY]:
                self._expressions.exchange(statement, other, MOVES)
                if isinstance(statement, ast.Assign) and isinstance(other, ast.For):
                    self._put_into(statement, other.body[0])
            if i and isinstance(statement, ast.For):
                self._put_before(statement.body[0], body[i - 1])
            self._statement(statement)

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
                self._expressions.added(value)
            case ast.Return(ast.expr() as value) | ast.Assign(_, ast.expr() as value):
                self._expressions.added(value, to_all=True)
                self._expressions.kept_instead(value)
                for name in self._expressions.known(value):
                    self.put(value, name)
                if isinstance(value, ast.Tuple):
                    self._other_tuples(value)
            case ast.Expr(ast.Call(ast.Attribute(ast.Name() as changed)) as call):
                self.put(node, f"{self.of(changed)} = {self.of(call)}")
            case ast.Expr(ast.Call(_, [first, *_])):
                self.put(node, f"return {self.of(first)}")
            case ast.For() | ast.While():
                self._loop(node)
        match node:
            case ast.For():
                self._left_out(node)
            case ast.Assign([ast.Attribute() as target], value):
                self.put(value, f"1 / ({self.of(value)})")
                if name := own(target):
                    self.put(node, f"self.register_buffer({name!r}, {self.of(value)})")
                for form in KEPT:
                    self.put(value, form.format(self.of(value)), form, rank=ADDS)
                if own(target) and self.function.name != "__init__":
                    self._keep_local(node, target)
            case ast.Return(ast.expr() as value) if self.function.name not in self._attributes:
                self.put(node, f"print({self.of(value)})")
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr | ast.comprehension):
                self._expressions.expression(child)
        for part in ("body", "orelse", "finalbody"):
            self._body(getattr(node, part, []))

    def _other_tuples(self, value: ast.Tuple) -> None:
        """Put others in the place of a tuple: one of names assigned together, and one detached."""
        for node in ast.walk(self.function):
            match node:
                case ast.Tuple(parts, ast.Store()) if len(parts) == len(value.elts):
                    self.put(value, self.of(node))
        detached = ", ".join(f"({self.of(part)}).detach()" for part in value.elts)
        self.put(value, f"({detached},)", rank=ADDS)

    def _put_into(self, statement: ast.stmt, first: ast.stmt) -> None:
        """Carry a statement out in each round of a loop, whose first one is given."""
        text, begin = self.of(statement), self.whole.span(first)[0]
        above = f"{text}\n{' ' * first.col_offset}"
        changes = ((*self.whole.span(statement), "pass"), (begin, begin, above))
        self.whole.found.append(Edit(changes, statement.lineno, CHANGES, f"{text} in a loop"))
        if isinstance(first, ast.For):
            self._put_into(statement, first.body[0])

    def _put_before(self, first: ast.stmt, before: ast.stmt) -> None:
        """Carry the first statement of a loop out once, behind the one before the loop."""
        if isinstance(first, ast.Assign) and isinstance(before, ast.Assign | ast.AugAssign):
            end = self.whole.span(before)[1]
            changes = ((end, end, f"; {self.of(first)}"), (*self.whole.span(first), "pass"))
            edit = Edit(changes, first.lineno, CHANGES, f"move {self.of(first)} before a loop")
            self.whole.found.append(edit)

    def _keep_local(self, statement: ast.Assign, target: ast.Attribute) -> None:
        """Assign to a local name in the place of an attribute, and use it from there on."""
        end = self.whole.span(statement)[1]
        spans = [
            self.whole.span(node)
            for node in ast.walk(self.function)
            if isinstance(node, ast.Attribute) and own(node) == target.attr
        ]
        spans = [span for span in spans if span == self.whole.span(target) or span[0] >= end]
        changes = tuple((*span, f"own_{target.attr}") for span in spans)
        theme = f"local {target.attr}"
        self.whole.found.append(Edit(changes, statement.lineno, CHANGES, theme))

    def _loop(self, node: ast.For | ast.While) -> None:
        """Put a `return` in a loop behind it."""
        last = node.body[-1]
        if isinstance(last, ast.Return):
            start, end = self.whole.span(last)
            new = f"pass\n{' ' * node.col_offset}{self.of(last)}"
            self.whole.found.append(
                Edit(((start, end, new),), last.lineno, CHANGES, "behind the loop")
            )

    def _left_out(self, node: ast.For) -> None:
        """Leave a call out in the first or the last round of a loop over a list or a range."""
        listed = self.of(node.iter)
        if isinstance(node.iter, ast.Call) and not listed.startswith("range"):
            return
        for call in (inner for statement in node.body for inner in ast.walk(statement)):
            match call:
                case ast.Call(ast.Attribute(changed), []) | ast.Call(_, [changed, *_]):
                    for i in (0, -1):
                        there = f"({self.of(node.target)}) == {listed}[{i}]"
                        new = f"({self.of(changed)} if {there} else {self.of(call)})"
                        self.put(call, new, rank=ADDS)


def _names(node: ast.expr, wanted: Set[str]) -> list[ast.Name]:
    """Return those of some names that stand in an expression."""
    return [one for one in ast.walk(node) if isinstance(one, ast.Name) and one.id in wanted]


def _is_text(node: ast.stmt) -> bool:
    """Return whether a statement is a docstring."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _called(value: ast.expr) -> str:
    """Return the name of the function that a statement calls, or ""."""
    match value:
        case ast.Call(ast.Attribute(_, name)) | ast.Call(ast.Name(name)):
            return name
    return ""
