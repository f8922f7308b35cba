"""The form in which two ways to write the same are equal, and others are not."""

from __future__ import annotations

import ast

import pytest

from autograder.mutants.canonical import canonical


def form(body: str, has_arrays: bool = False) -> str:
    return canonical(ast.parse(f"def f(x, y, i):\n    return {body}").body[0], has_arrays)


SAME = [
    ("x + (y)", "x + y  # a sum"),
    ("x * -1", "x * (-1)"),
    ("x.transpose(-2, -1)", "x.transpose(-1, -2)"),
    ("torch.transpose(x, 0, 1)", "torch.transpose(x, 1, 0)"),
    ("x.swapaxes(1, 2)", "x.swapaxes(2, 1)"),
    ("max(x, y, i)", "max(y, i, x)"),
    ("torch.maximum(x, y)", "torch.maximum(y, x)"),
]
OTHER = [
    ("x + y", "y + x"),  # of lists
    ("x * 1", "x"),  # of bools
    ("-(-x)", "x"),  # a view
    ("True", "1"),
    ("-True", "-1.0"),
    ("x.transpose(0, 1)", "x.transpose(0, 2)"),
    ("x.transpose(0, i)", "x.transpose(i, 0)"),
    ("x.permute(0, 1)", "x.permute(1, 0)"),
    ("torch.max(x, -1)", "torch.max(-1, x)"),
    ("max(*x, y)", "max(y, *x)"),
    ("max(x, y, key=len)", "max(y, x, key=len)"),
    ("self.maximum(x, y)", "self.maximum(y, x)"),
    ("self.transpose(0, 1)", "self.transpose(1, 0)"),  # a method of the student's
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_the_same_in_other_words(one: str, other: str) -> None:
    assert form(one) == form(other)


@pytest.mark.parametrize(("one", "other"), OTHER)
def test_what_may_differ(one: str, other: str) -> None:
    assert form(one) != form(other)


def test_an_array_is_transposed_otherwise() -> None:
    """NumPy's `transpose(0, 1)` leaves a table as it is."""
    assert form("x.transpose(0, 1)", True) != form("x.transpose(1, 0)", True)
    assert form("x.swapaxes(0, 1)", True) == form("x.swapaxes(1, 0)", True)
