"""A hard-coded size costs points in every exercise.

Hard-coded sizes are right in the statement's example and wrong elsewhere, so no number of one may
go through all checks. Each size that a reference reads is replaced by each number in turn.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from copy import deepcopy
from itertools import product
from typing import Any

import pytest
from conftest import GradeText, of, sampled

from autograder.checking.collect import collect
from autograder.grading.grade import Outcome

NUMBERS = range(1, 9)  # some checks have no more than 9 tokens, so that larger tables pass
FREE = {"block"}  # sizes on which, as the statement says, no result depends
RIGHT = {"online_softmax: 1 for values.shape[-1]"}  # one column of zeros broadcasts to many
HOMES = collect().homes()


class Written(ast.NodeTransformer):
    """Replaces every reading of a size by a number."""

    def __init__(self, size: str, number: int) -> None:
        self.size = size
        self.number = number

    def visit(self, node: ast.AST) -> Any:
        is_read = isinstance(getattr(node, "ctx", None), ast.Load)
        if is_read and ast.unparse(node) == self.size:
            return ast.Constant(self.number)
        return super().generic_visit(node)


def functions(tree: ast.Module, exercise: str) -> Iterator[ast.FunctionDef]:
    """Yield an exercise's function, or the methods of its class."""
    defined = ast.ClassDef | ast.FunctionDef
    [node] = [n for n in tree.body if isinstance(n, defined) and n.name == exercise]
    yield from (n for n in ast.walk(node) if isinstance(n, ast.FunctionDef))


def sizes(function: ast.FunctionDef) -> set[str]:
    """Return the sizes that a function reads: arguments, parts of shapes, and names of those."""
    found = {
        a.arg for a in function.args.args if a.annotation and ast.unparse(a.annotation) == "int"
    }
    for node in ast.walk(function):
        match node:
            case ast.Subscript(value=ast.Attribute(attr="shape"), slice=index):
                if not isinstance(index, ast.Slice):
                    found.add(ast.unparse(node))
            case ast.Assign(targets=[ast.Tuple(elts=names)], value=value):
                if ".shape" in ast.unparse(value):
                    found |= {ast.unparse(name) for name in names}
    return found


def written_down(text: str, exercise: str) -> Iterator[tuple[str, str]]:
    """Yield each way to hard-code a size: a description and the module's text."""
    tree = ast.parse(text)
    for function in list(functions(tree, exercise)):
        whole, before = function.body, ast.unparse(function)
        for size, number in product(sorted(sizes(function) - FREE), NUMBERS):
            function.body = [Written(size, number).visit(deepcopy(part)) for part in whole]
            if ast.unparse(function) != before:
                yield f"{function.name}: {number} for {size}", ast.unparse(tree)
        function.body = whole


@pytest.mark.parametrize("exercise", sampled(sorted(HOMES), each=4))
@pytest.mark.dear
def test_no_size_can_be_written_down(
    exercise: str, grade_text: GradeText, solutions: dict[str, str]
) -> None:
    home = HOMES[exercise]
    for words, text in written_down(solutions[home], exercise):
        graded = of(grade_text(text, home, exercise), exercise)
        expected = Outcome.PASSED if words in RIGHT else Outcome.FAILED
        assert graded.outcome is expected, words


def test_most_exercises_read_a_size(solutions: dict[str, str]) -> None:
    reading = [name for name, home in HOMES.items() if any(written_down(solutions[home], name))]
    assert len(reading) > len(HOMES) / 2


@pytest.mark.parametrize(
    ("exercise", "mask", "tokens", "device"),
    [
        (
            "causal_weights",
            "torch.ones(T, T, dtype=torch.bool, device=queries.device)",
            "T",
            "queries.device",
        ),
        ("single_head", "torch.ones_like(scores, dtype=torch.bool)", "x.shape[1]", "x.device"),
    ],
)
def test_a_mask_for_the_eight_tokens_of_the_statement_is_too_small(
    exercise: str,
    mask: str,
    tokens: str,
    device: str,
    grade_text: GradeText,
    solutions: dict[str, str],
) -> None:
    home = HOMES[exercise]
    assert solutions[home].count(mask) == 1
    cut = f"torch.ones(8, 8, dtype=torch.bool, device={device})[:{tokens}, :{tokens}]"
    graded = of(grade_text(solutions[home].replace(mask, cut), home, exercise), exercise)
    assert graded.outcome is Outcome.FAILED


SPOILED = """

import functools

from torch import Tensor, nn


def spoiled(function):
    @functools.wraps(function)
    def call(*arguments, **named):
        outputs = function(*arguments, **named)
        x = next(one for one in (*arguments, *named.values()) if isinstance(one, Tensor))
        tokens = x.shape[:-1] if x.is_floating_point() else x.shape
        count = tokens[-1] if tokens else 1
        if count % 2 != {remainder}:
            return outputs
        if isinstance(outputs, tuple):
            return tuple(one * float("nan") for one in outputs)
        return outputs * float("nan")

    return call


if isinstance({name}, type):
    method = "forward" if issubclass({name}, nn.Module) else "__call__"
    setattr({name}, method, spoiled(getattr({name}, method)))
else:
    {name} = spoiled({name})
"""
COUNTING = [name for name in HOMES if name != "TestModule"]  # it takes no tensor


@pytest.mark.parametrize("exercise", COUNTING)
def test_each_exercise_is_asked_about_odd_and_even_numbers_of_tokens(
    exercise: str, grade_text: GradeText, solutions: dict[str, str]
) -> None:
    def outcome(remainder: int) -> Outcome:
        changed = solutions[HOMES[exercise]] + SPOILED.format(name=exercise, remainder=remainder)
        return of(grade_text(changed, HOMES[exercise], exercise), exercise).outcome

    assert outcome(2) is Outcome.PASSED  # never reached
    assert outcome(0) is Outcome.FAILED
    assert outcome(1) is Outcome.FAILED
