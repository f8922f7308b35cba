"""Laws about positions: a sequence in pieces, and scores that depend on the distance."""

from __future__ import annotations

import pytest

from autograder.checking import Draw, Trial, Wrong
from autograder.checking.laws import Law, hold
from autograder.checking.positions import (
    IN_PIECES,
    continues,
    depends_on_distance,
    keeps_lengths,
    one_by_one,
)
from autograder.checking.tolerance import of_sums
from autograder.checking.trial import one_batch
from autograder.client import Client, LocalImplementation, Text

BEGINNING = """\
import torch
from torch import nn

class Sums(nn.Module):  # adds up the tokens so far
    def __init__(self, dim):
        super().__init__()

    def forward(self, x, start_pos=0):
        kept = self.kept[:, :start_pos] if start_pos else x[:, :0]
        self.kept = torch.cat([kept, x], dim=1)
        return self.kept.cumsum(dim=1)[:, start_pos:]

class Turned(nn.Module):  # turns pairs of features by their position
    def __init__(self, dim):
        super().__init__()

    def forward(self, x, start_pos=0):
        angles = start_pos + torch.arange(x.shape[-2], dtype=x.dtype)[:, None]
        (one, two), cos, sin = x.chunk(2, dim=-1), angles.cos(), angles.sin()
        return torch.cat([one * cos - two * sin, one * sin + two * cos], dim=-1)
"""
BACK = (0, 6), (2, 3), (3, 6), (0, 1), (1, 4)
SUMS = Trial("Sums", (4,), one_batch, condition=of_sums)
TURNED = Trial("Turned", (4,), one_batch, condition=of_sums)


def client(find: str = "", replace: str = "") -> Client:
    """Return a client of the modules above, after replacing a passage."""
    assert find in BEGINNING
    text = BEGINNING.replace(find, replace) if find else BEGINNING
    return LocalImplementation(Text("own", {"own": text}, ()).source()).client()


def in_pieces(submission: Client, between: bool = False) -> Law:
    return continues(submission, client(), Draw("pieces"), SUMS, BACK, between)


def test_right_pieces_hold() -> None:
    hold(in_pieces(client(), between=True))
    one = continues(client(), client(), Draw("pieces"), SUMS, one_by_one(6))
    hold(one)


@pytest.mark.parametrize(
    ("find", "replace", "said"),
    [
        ("self.kept[:, :start_pos] if start_pos else x[:, :0]", "x[:, :0]", "token 2 in call 1: "),
        ("self.kept[:, :start_pos]", "self.kept", "token 2 in call 1: expected shape"),
        ("[:, start_pos:]", "", "token 2 in call 1: expected shape (2, 1, 4), got (2, 3, 4)."),
        ("if start_pos else", "if start_pos > 2 else", "token 2 in call 1: "),
    ],
)
def test_other_results_in_pieces_are_wrong(find: str, replace: str, said: str) -> None:
    with pytest.raises(Wrong) as caught:
        hold(in_pieces(client(find, replace)))
    assert said in str(caught.value)
    assert (caught.value.category, caught.value.symptom) == ("another result", IN_PIECES)


def test_a_second_object_between_the_calls_shows_what_is_shared() -> None:
    shared = client("self.kept", "Sums.kept")
    hold(in_pieces(shared))
    with pytest.raises(Wrong, match=r"tokens? .* in call"):
        hold(in_pieces(shared, between=True))


def test_numbers_kept_in_float32_cost_a_note_only() -> None:
    coarse = client("self.kept.cumsum", "(self.kept.float() / 3).to(x).mul(3).cumsum")
    hold(in_pieces(coarse))
    assert coarse.notes


def test_turned_tokens_depend_on_the_distance_and_keep_their_lengths() -> None:
    hold(depends_on_distance(client(), Draw("turned"), TURNED, 9))
    hold(keeps_lengths(client(), Draw("turned"), TURNED))


@pytest.mark.parametrize(
    ("find", "replace", "category"),
    [
        ("angles.cos(), angles.sin()", "1, 0", "does not depend on the distance"),
        ("start_pos + torch.arange(x.shape[-2], dtype=x.dtype)[:, None]",
            "(start_pos + torch.arange(x.shape[-2], dtype=x.dtype)[:, None]) ** 2",
            "depends on the position"),
        ("start_pos + torch", "(1 + start_pos) * torch", "depends on the position"),
        ("return torch.cat(", "return x + angles + 0 * torch.cat(", "depends on the position"),
        ("one * sin + two * cos], dim=-1", "one * sin + two * cos], dim=-2", "wrong shape"),
    ],
)  # fmt: skip
def test_other_scores_are_wrong(find: str, replace: str, category: str) -> None:
    with pytest.raises(Wrong) as caught:
        hold(depends_on_distance(client(find, replace), Draw("turned"), TURNED, 9))
    assert caught.value.category == category


@pytest.mark.parametrize(
    ("find", "replace", "said"),
    [
        ("start_pos + torch", "1 + start_pos + torch", "tokens at position 0: "),
        ("return torch.cat(", "return (1 + angles) * torch.cat(", "lengths of the tokens: "),
    ],
)
def test_other_lengths_are_wrong(find: str, replace: str, said: str) -> None:
    with pytest.raises(Wrong) as caught:
        hold(keeps_lengths(client(find, replace), Draw("turned"), TURNED))
    assert said in str(caught.value)
