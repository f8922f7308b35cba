"""Find the edits that use what a definition prepares and nowhere uses: parameters, and parts."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from itertools import permutations

from autograder.runtime.edits.edit import USES
from autograder.runtime.edits.expressions import own
from autograder.runtime.edits.tables import PLACES
from autograder.runtime.edits.whole import Whole


def use_parameters(whole: Whole, function: ast.FunctionDef) -> None:
    """Use each parameter that a function does not read in the place of each of its expressions.

    It also becomes a further argument of each call.
    """
    nodes = [node for statement in function.body for node in ast.walk(statement)]
    read = {node.id for node in nodes if isinstance(node, ast.Name)}
    arguments = function.args
    given = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    for name in [one.arg for one in given if one.arg not in {*read, "self"}]:
        for node in nodes:
            match node:
                case ast.BinOp() | ast.Constant(int() | float()) | ast.Name(ctx=ast.Load()):
                    whole.put(node, name, rank=USES)
                case ast.Call(ast.Name("super")):
                    pass
                case ast.Call():
                    _hand_over(whole, node, name)


def _hand_over(whole: Whole, call: ast.Call, name: str) -> None:
    """Make a name the last argument of a call, without and with a keyword."""
    start, end = whole.span(call)
    before = whole.text[start : end - 1].rstrip()
    last = start + len(before)
    comma = "" if before.endswith(("(", ",")) else ", "
    for argument in (name, f"{name}={name}"):
        if not (call.keywords and argument == name):
            theme = f"{whole.of(call.func)} with {argument}"
            whole.change(last, last, f"{comma}{argument}", theme, USES)


def use_parts(whole: Whole, definition: ast.stmt, parts: Sequence[str]) -> None:
    """Apply each part of a module that nothing reads to each value in its methods.

    What it makes of the numbers of the places, as a table of positions does, is added to each.
    parts: the names of the attributes that are parts.
    """
    nodes = [*ast.walk(definition)]
    attributes = [node for node in nodes if isinstance(node, ast.Attribute)]
    read = {own(node) for node in attributes if isinstance(node.ctx, ast.Load)}
    functions = [node for node in nodes if isinstance(node, ast.FunctionDef)]
    for name in [part for part in parts if part not in read]:
        for function in functions:
            if function.name == "__init__":
                continue
            given = [one.arg for one in function.args.args[1:]]
            for value in _values(function):
                text = whole.of(value)
                whole.put(value, f"self.{name}({text})", rank=USES)
                for one in given:
                    places = PLACES.replace("{}", one)
                    whole.put(value, f"({text}) + self.{name}({places})", rank=USES)


def use_factors(whole: Whole, definition: ast.stmt) -> None:
    """Multiply what methods return by an attribute and add another, if no method applies them.

    A method without arguments, such as `parameters`, applies none.
    """
    nodes = [*ast.walk(definition)]
    functions = [node for node in nodes if isinstance(node, ast.FunctionDef)]
    applying = [one for one in functions if one.args.args[1:] and one.name != "__init__"]
    within = [node for function in applying for node in ast.walk(function)]
    attributes = [node for node in nodes if isinstance(node, ast.Attribute)]
    kept = [own(node) for node in attributes if isinstance(node.ctx, ast.Store)]
    unused = [name for name in dict.fromkeys(kept) if name not in map(own, within)]
    returned = [node.value for node in within if isinstance(node, ast.Return)]
    for value in filter(None, returned):
        for one, other in permutations(unused, 2):
            new = f"self.{one} * ({whole.of(value)}) + self.{other}"
            whole.put(value, new, f"use {one} {other}", USES)


def _values(function: ast.FunctionDef) -> Iterator[ast.expr]:
    """Yield what a function assigns, returns and hands to calls."""
    for node in ast.walk(function):
        match node:
            case ast.Assign(value=value) | ast.Return(ast.expr() as value):
                yield value
            case ast.Call(_, [*given]):
                yield from given
