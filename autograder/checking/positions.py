"""Laws about calls that say at which position of a longer sequence their first token stands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import torch
from torch import Tensor

from autograder.checking.agreement import (
    Wrong,
    assert_agree,
    assert_output,
    assert_same_numbers,
    assert_within_rounding,
)
from autograder.checking.compare import same_gradients
from autograder.checking.draw import Draw
from autograder.checking.laws import Law
from autograder.checking.trial import Trial
from autograder.client import Called, Client, Reply

TOKENS = 6  # of a query and of a key, to compare their scores
CLEAR = 1e-3  # a difference of scores that is no rounding error
IN_PIECES = "in pieces"  # symptom of wrong results for a sequence in pieces
Piece = tuple[int, int]  # the position of its first token, and the one after its last


def one_by_one(tokens: int) -> tuple[Piece, ...]:
    """Return the pieces of a sequence that comes one token at a time."""
    return tuple((position, position + 1) for position in range(tokens))


def continues(
    submission: Client,
    reference: Client,
    draw: Draw,
    trial: Trial,
    pieces: Sequence[Piece],
    between: bool = False,
) -> Law:
    """Law: a sequence in pieces gives what the reference gives for the whole sequence.

    The first case of the trial is one tensor (..., T, d). Each piece of it is given to one object
    with the number of tokens before it: `module(x[..., 4:6, :], 4)`. A piece may also go back, or
    begin anew. between: other numbers are given to a second object meanwhile.
    """
    weights = trial.weights(reference, draw)
    label, [x] = trial.first_case(draw)
    assert isinstance(x, Tensor)
    whole = trial.build(reference).load(weights)(x)
    module, other = (trial.build(submission, keep=False).load(weights) for _ in range(2))
    replies = []
    for first, end in pieces:
        piece = x[..., first:end, :]
        replies.append(module(piece, first))
        if between:
            other(-piece, first)
    operation = trial.operation([x], weights)
    yield
    for i, ((first, end), reply) in enumerate(zip(pieces, replies, strict=True)):
        expected = replace(whole.value, output=whole.value.output[..., first:end, :])
        tokens = f"token {first}" if end == first + 1 else f"tokens {first} to {end - 1}"
        try:
            assert_agree(
                submission, f"{label}, {tokens} in call {i}", reply.value, expected, operation
            )
        except Wrong as wrong:
            raise Wrong("another result", str(wrong), symptom=IN_PIECES) from None


def gradients_continue(
    submission: Client, reference: Client, draw: Draw, trial: Trial, pieces: Sequence[Piece]
) -> Law:
    """Law: the last piece of a sequence gets the gradient that it gets in the reference.

    The pieces are those of `continues`. What is kept of earlier ones may be detached or not, so
    the gradients of parameters are not compared.
    """
    weights = trial.weights(reference, draw)
    label, [x] = trial.first_case(draw)
    assert isinstance(x, Tensor)
    clients = (submission, torch.float32), (reference, torch.float64), (reference, torch.float32)
    ours, theirs, single = (
        trial.build(client, dtype, keep=False).load(weights) for client, dtype in clients
    )
    *before, (first, end) = pieces
    for start, stop in before:
        for module in (ours, theirs, single):
            module(x[..., start:stop, :], start)
    operation = trial.operation([x[..., first:end, :], first], weights)
    label = f"{label}, tokens {first} to {end - 1}"
    yield from same_gradients(submission, label, (ours, theirs, single), operation, of_inputs=True)


def depends_on_distance(submission: Client, draw: Draw, trial: Trial, start: int) -> Law:
    """Law: the score of a query and a key depends on the distance of their positions only.

    The exercise moves the features of tokens (T, d) by their positions. It gets one query and one
    key, each at TOKENS positions from 0 on, then from `start` on. The score has to differ between
    some distances.
    """
    module = trial.build(submission)
    query, key = (draw.normal(1, trial.arguments[0]).expand(TOKENS, -1) for _ in range(2))
    near = module(query), module(key)
    far = module(query, start), module(key, start)
    operation = trial.operation([query, start])
    yield

    def scores(queries: Reply[Called], keys: Reply[Called]) -> Tensor:
        for reply in (queries, keys):
            assert_output(
                submission, "The tokens", reply.value.output, query, operation, values=False
            )
        return queries.value.output.double() @ keys.value.output.double().mT

    here, there = scores(*near), scores(*far)

    def judge(dtype: torch.dtype) -> None:
        for label, got, expected in (
            ("Scores one position later", here[1:, 1:], here[:-1, :-1]),
            (f"Scores {start} positions later", there, here),
        ):
            try:
                assert_same_numbers(label, got, expected, operation, dtype)
            except Wrong as wrong:
                raise Wrong(
                    "depends on the position", f"{wrong} The distances are equal."
                ) from None

    assert_within_rounding(submission, far[0].value, judge)
    if float(here.max() - here.min()) < CLEAR:
        text = "The score of a query and a key is the same at every distance."
        raise Wrong("does not depend on the distance", text)


def keeps_lengths(submission: Client, draw: Draw, trial: Trial) -> Law:
    """Law: no token of the first case changes its length, and those at position 0 do not change.

    The first case is one tensor (..., T, d).
    """
    label, [x] = trial.first_case(draw)
    assert isinstance(x, Tensor)
    called = trial.build(submission)(x)
    operation = trial.operation([x])
    yield
    assert_output(submission, label, called.value.output, x, operation, values=False)
    got = called.value.output.double()

    def judge(dtype: torch.dtype) -> None:
        first = f"{label}, tokens at position 0"
        assert_same_numbers(first, got[..., 0, :], x[..., 0, :], operation, dtype)
        lengths = got.norm(dim=-1), x.norm(dim=-1)
        assert_same_numbers(f"{label}, lengths of the tokens", *lengths, operation, dtype)

    assert_within_rounding(submission, called.value, judge)
