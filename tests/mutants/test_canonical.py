"""The form in which ways to write the same are equal, and others are not."""

from __future__ import annotations

import ast

import pytest

from autograder.mutants.canonical import canonical


def form(body: str, **imports: str) -> str:
    lines = "".join(f"    {line}\n" for line in body.split("\n"))
    return canonical(ast.parse(f"def f(x, y, i):\n{lines}").body[0], imports)


SAME = [
    ("return x + 1", "return 1 + x"),
    ("return x @ y + i", "return i + x @ y"),
    ("return 2 * x", "return x * 2"),
    ("return x.exp() * y", "return y * x.exp()"),
    ("return x * -1", "return x * (-1)"),
    ("a = x\nreturn a", "b = x\nreturn b"),
    ('"""Text."""\nreturn x', "return x"),
    ("pass\nreturn x", "return x"),
    ("a: Tensor = x\nreturn a", "a = x\nreturn a"),
    ("return torch.softmax(x, dim=-1)", "return x.softmax(-1)"),
    ("return F.softmax(x, dim=-1)", "return x.softmax(dim=-1)"),
    ("return x.mean(0, keepdim=False)", "return x.mean(dim=0)"),
    ("return x.sum(axis=1)", "return x.sum(1)"),
    ("return x.var(0, unbiased=True)", "return x.var(dim=0)"),
    ("return torch.triu(x)", "return x.triu(diagonal=0)"),
    ("return x.mT", "return x.transpose(-2, -1)"),
    ("return x.swapaxes(-1, -2)", "return torch.transpose(x, -2, -1)"),
    ("return torch.matmul(x, y)", "return x @ y"),
    ("return x.masked_fill(y, -math.inf)", "return x.masked_fill(y, float('-inf'))"),
    ("return nn.Linear(i, 2, True)", "return nn.Linear(i, 2)"),
    ("return nn.Parameter(x, requires_grad=True)", "return nn.Parameter(x)"),
    ("return nn.GELU(approximate='none')", "return nn.GELU()"),
    ("return torch.concat([x, y], 0)", "return torch.cat([x, y])"),
]
OTHER = [
    ("return x - y", "return y - x"),
    ("return x @ y", "return y @ x"),
    ("return (1, 2) + x", "return x + (1, 2)"),
    ("return x.shape + y", "return y + x.shape"),
    ("return f(x) + f(y)", "return f(y) + f(x)"),  # each may draw random numbers
    ("return x + y", "return y + x"),  # of lists
    ("return 2 * x + y", "return y + 2 * x"),
    ("return self.a * self.step()", "return self.step() * self.a"),
    ("return (x + 1) * x.add_(1)", "return x.add_(1) * (x + 1)"),
    ("return (y := x) * y.exp()", "return y.exp() * (y := x)"),
    ("return x * 1.0", "return x"),  # of whole numbers
    ("return 1.0 * x", "return x"),
    ("return x * 1", "return x"),  # of bools
    ("return x + 0", "return x"),
    ("return ~~x", "return x"),
    ("return -(-x)", "return x"),  # a view
    ("return +x", "return x"),
    ("return x / 1", "return x"),
    ("return x.reshape_as(y)", "return x.view_as(y)"),
    ("return F.softmax(x)", "return torch.softmax(x)"),  # which has no axis of its own
    ("return self.mean(x, keepdim=False)", "return self.mean(x)"),
    ("return self.norm(x, axis=1)", "return self.norm(x, dim=1)"),
    ("return f(b=g(), a=h())", "return f(a=h(), b=g())"),
    ("a = x\ndef g():\n    b = 1\nreturn a", "a = x\ndef g():\n    b = 1\nreturn b"),
    (
        "e = 1\ntry:\n    pass\nexcept E as e:\n    pass\nreturn e",
        "b = 1\ntry:\n    pass\nexcept E as e:\n    pass\nreturn b",
    ),
    ("class A:\n    a: int = 1", "class A:\n    a = 1"),  # a dataclass differs
    ("return not not x", "return x"),
    ("return x.softmax(-1)", "return x.softmax(0)"),
    ("return x.var(0, unbiased=False)", "return x.var(0)"),
    ("return x.triu(1)", "return x.triu()"),
    ("return x.transpose(0, 1)", "return x.transpose(0, 2)"),
    ("return nn.Linear(i, 2, False)", "return nn.Linear(i, 2)"),
    ("return math.inf", "return -math.inf"),
    ("a = x\nb = y\nreturn a", "a = x\nb = y\nreturn b"),
    ("return True", "return 1"),
    ("return x.tril(True)", "return x.tril()"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_the_same_in_other_words(one: str, other: str) -> None:
    assert form(one) == form(other)


@pytest.mark.parametrize(("one", "other"), OTHER)
def test_what_may_differ(one: str, other: str) -> None:
    assert form(one) != form(other)


def test_a_name_that_is_an_argument_too_keeps_its_name() -> None:
    text = "def inner(a):\n    return a\n{} = inner(a=x)\nreturn {}"
    assert form(text.format("b", "b")) == form(text.format("c", "c"))
    assert form(text.format("a", "a")) != form(text.format("b", "b"))


def test_a_name_that_is_imported_from_elsewhere_differs() -> None:
    text = "return sqrt(x)"
    assert form(text, sqrt="math.sqrt") == form(text, sqrt="math.sqrt", exp="math.exp")
    assert form(text, sqrt="math.sqrt") != form(text, sqrt="torch.sqrt")
