"""A size that is written down as a number, instead of being read, costs points in every exercise.

Hard-coded sizes are right in the statement's example and wrong elsewhere, so no number of one may
go through all checks. Each size that a reference reads is replaced by each number in turn.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest
from conftest import GradeText, of

from autograder.course import CHECKS
from autograder.grading.collect import collect
from autograder.grading.grade import Outcome

NUMBERS = range(1, 9)  # those of the statements, and of the visible checks; more than 8 tokens fail
HOMES = collect(CHECKS).homes()
WITHOUT_SIZES = {"TestModule", "simple_self_attention"}


class Written(ast.NodeTransformer):
    """Puts a number in all places where one function reads a size."""

    def __init__(self, size: str, number: int) -> None:
        self.size = size
        self.number = number

    def visit_arguments(self, node: ast.arguments) -> ast.arguments:
        return node

    def generic_visit(self, node: ast.AST) -> ast.AST:
        if isinstance(node, ast.expr) and is_read(node) and ast.unparse(node) == self.size:
            return ast.copy_location(ast.Constant(self.number), node)
        return super().generic_visit(node)


def is_read(node: ast.expr) -> bool:
    return isinstance(getattr(node, "ctx", ast.Load()), ast.Load)


def functions(tree: ast.Module, exercise: str) -> Iterator[ast.FunctionDef]:
    """The function that an exercise is, or the methods of its class."""
    defined = ast.ClassDef | ast.FunctionDef
    [node] = [n for n in tree.body if isinstance(n, defined) and n.name == exercise]
    yield from (n for n in ast.walk(node) if isinstance(n, ast.FunctionDef))


def sizes(function: ast.FunctionDef) -> set[str]:
    """The sizes that it reads: of a shape, of its arguments, or of names given to them."""
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
    """Each way to write a size down: in words, and the module's text."""
    count = len(list(functions(ast.parse(text), exercise)))
    for i in range(count):
        for size in sorted(sizes(list(functions(ast.parse(text), exercise))[i])):
            for number in NUMBERS:
                tree = ast.parse(text)
                function = list(functions(tree, exercise))[i]
                before = ast.unparse(function)
                Written(size, number).generic_visit(function)
                if ast.unparse(function) != before:
                    yield f"{function.name}: {number} for {size}", ast.unparse(tree)


@pytest.mark.parametrize("exercise", sorted(HOMES))
def test_no_size_can_be_written_down(
    exercise: str, grade_text: GradeText, solutions: dict[str, str]
) -> None:
    home = HOMES[exercise]
    tried = list(written_down(solutions[home], exercise))
    assert bool(tried) is (exercise not in WITHOUT_SIZES)
    for words, text in tried:
        graded = of(grade_text(text, home, exercise), exercise)
        assert graded.outcome is Outcome.FAILED, words
