"""A law about the numbers that a call holds at the same time."""

from __future__ import annotations

import pytest

from autograder.checking import Draw, Trial, Wrong
from autograder.checking.laws import hold
from autograder.checking.memory import never_holds
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
        "return sum((x @ x[i]).softmax(0) for i in range(40))",  # one after the other
        "return torch.stack([(x @ x[i]).softmax(0) @ x for i in range(40)])",
    ],
)
def test_what_is_small_may_be_made(line: str) -> None:
    hold(never_holds(client(line), Draw("memory"), SUMS, TOKENS**2))


@pytest.mark.parametrize(
    ("line", "numbers"),
    [
        ("return (x @ x.mT).softmax(dim=-1) @ x", 3200),  # scores and weights
        ("return torch.einsum('id,jd->ij', x, x).sum(dim=1)", 1640),
        ("return torch.stack([x @ row for row in x]).sum(dim=1)", 3200),
        ("table = [x @ row for row in x]\n    return table[0]", 1600),  # never joined
        ("return torch.empty(40, 40)[0]", 1600),
        ("return (x[:, None] * x).sum(dim=(0, 2))", 3240),
    ],
)
def test_what_is_large_is_measured(line: str, numbers: int) -> None:
    with pytest.raises(Wrong) as caught:
        hold(never_holds(client(line), Draw("memory"), SUMS, TOKENS**2))
    assert caught.value.category == "too many numbers"
    assert f"hold {numbers} numbers at one time" in str(caught.value)
