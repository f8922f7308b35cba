"""A law about the largest tensor that a call makes."""

from __future__ import annotations

import pytest

from autograder.checking import Draw, Trial, Wrong
from autograder.checking.laws import hold
from autograder.checking.memory import makes_no_tensor_of
from autograder.checking.trial import Cases
from autograder.client import Client, LocalImplementation, Text

TOKENS = 40  # so a table of them has 1600 numbers


def tokens(draw: Draw, arguments: tuple[int, ...]) -> Cases:
    return {"Tokens": (draw.normal(TOKENS, 2),)}


SUMS = Trial.function("sums", tokens)


def client(line: str) -> Client:
    text = f"import torch\n\ndef sums(x):\n    {line}\n"
    return LocalImplementation(Text("own", {"own": text}, ()).source()).client()


@pytest.mark.parametrize(
    "line",
    [
        "return x.sum(dim=-1)",
        "return x[:, :1].expand(40, 40).unflatten(1, (8, 5))[:, 0, 0]",  # a view of 40 numbers
        "return torch.stack([(x @ x[i]).softmax(0) @ x for i in range(40)])",
    ],
)
def test_what_is_small_may_be_made(line: str) -> None:
    hold(makes_no_tensor_of(client(line), Draw("memory"), SUMS, TOKENS**2))


@pytest.mark.parametrize(
    ("line", "numbers"),
    [
        ("return (x @ x.mT).softmax(dim=-1) @ x", 1600),
        ("return torch.einsum('id,jd->ij', x, x) @ x", 1600),
        ("return torch.cat([x @ x[i : i + 1].mT for i in range(40)], dim=1) @ x", 1600),
        ("return torch.empty(40, 40)[0]", 1600),
        ("return (x[:, None] * x).sum(dim=(0, 2))", 3200),
    ],
)
def test_what_is_large_is_measured(line: str, numbers: int) -> None:
    with pytest.raises(Wrong) as caught:
        hold(makes_no_tensor_of(client(line), Draw("memory"), SUMS, TOKENS**2))
    assert caught.value.category == "too large a tensor"
    assert str(caught.value) == f"Tokens: your code makes a tensor of {numbers} numbers on its way."
