"""Checks of the tiny transformer: the whole model and its training."""

from __future__ import annotations

import math
from dataclasses import replace

import torch
from torch import Tensor

from autograder.client import Called, Client
from test_attention_layer import feed_forward
from test_causal_attention import causal_weights
from test_multi_head import packings
from autograder.checking import Draw, Trial, behaviour, compare, parts, start
from autograder.checking.agreement import Wrong, assert_agree
from autograder.checking.laws import hold
from autograder.checking.sizes import LONG, odd
from autograder.checking.tolerance import scores
from autograder.checking.trial import Cases, Inputs
from autograder.course.exercise import Exercise

tiny_transformer = Exercise("TinyTransformer", needs=(feed_forward,), may_use=(causal_weights,))

STEPS = 4  # of the short training
LAST = ("to_out.weight", "secondlayer.weight", "head.weight")  # last layers: may start as 0
UNTRAINED = 1.5  # largest difference between the first loss and that of guessing


def tokens(*shapes: tuple[int, int]) -> Inputs:
    """One case for each shape (B, T); the first argument is the number of different tokens."""

    def draw_cases(draw: Draw, arguments: tuple[int, ...]) -> Cases:
        return {
            f"Tokens of shape {shape}": (draw.integers(arguments[0], *shape),) for shape in shapes
        }

    return draw_cases


# Such scores overflow exp, and show any number in place of minus infinity down to -100 million;
# -1e9, which is often taken for it, still hides.
FAR = 2.0**27
WIDE = 64.0  # factor of queries and keys that spreads scores by hundreds: exp is 0 in float32
WIDEST = 512.0  # the largest score with WIDE
LARGE = 1024.0  # factor of weights that makes embeddings long and logits large
LOUD = 8.0  # factor of to_out that makes its rounding errors in float32 visible in the logits


def far_weights(drawn: dict[str, Tensor]) -> dict[str, Tensor]:
    """Copy weights and replace the first feature of all queries and keys (for d = 4).

    It moves the scores of head 0 up to FAR and as far apart, and makes those of head 1 -FAR.
    There, without other features, even float32 is exact.
    """
    moved = {name: weight.clone() for name, weight in drawn.items()}
    for name, weight in moved.items():
        if name.endswith("ln1.weight"):
            weight[:2] = torch.tensor([0.0, 1.0])
        if name.endswith("ln1.bias"):
            weight[:2] = torch.tensor([1.0, 0.0])  # with the line above, feature 0 is 1
        if name.endswith("to_qkv.weight"):
            packed = weight.unflatten(0, (3, 2, 4))
            packed[0, 1] = 0.0
            first = packed[:, :, 0]
            first[:2] = 0.0  # of queries and keys
            first[:2, :, 0] = torch.tensor([[FAR, FAR], [2.0, -2.0]])
            first[1, 0, 1] = 2.0  # feature 1 differs from token to token
    return moved


def wide_weights(drawn: dict[str, Tensor]) -> dict[str, Tensor]:
    """Copy weights and enlarge queries and keys of head 0, so that its scores are hundreds apart.

    The queries of head 1, and so its scores, become 0.
    """
    moved = {name: weight.clone() for name, weight in drawn.items()}
    for name, weight in moved.items():
        if name.endswith("to_qkv.weight"):
            packed = weight.unflatten(0, (3, 2, 4))
            packed[:2, 0] *= WIDE
            packed[0, 1] = 0.0
        if name.endswith("to_out.weight"):
            weight *= LOUD
    return moved


def limitless_weights(drawn: dict[str, Tensor]) -> dict[str, Tensor]:
    """Enlarge the weights of embeddings and head, since nothing may limit what they give."""
    large = ("embedding.weight", "head.weight")
    return {
        name: LARGE * weight if name.endswith(large) else weight for name, weight in drawn.items()
    }


PACKINGS = packings(lambda vocab_size, block_size, dim_h, nr_heads, n_layers: nr_heads)
# The random weights are small enough for scores below 1.
MODEL = Trial("TinyTransformer", (11, 6, 8, 2, 2), tokens((3, 5), (1, 1)), condition=scores(1.0))
ONE_BLOCK, DEEPER = MODEL.sized(11, 6, 8, 2, 1), MODEL.sized(11, 12, 8, 2, 3)
NAMES = ("block_size", "dim_h", "nr_heads", "n_layers")  # of the arguments after the first
NAMED = replace(
    ONE_BLOCK,
    arguments=DEEPER.arguments[:1],
    named=dict(zip(NAMES, (12, 8, 2, 1), strict=True)),
)


@tiny_transformer.check(points=2)
def test_model_parameters(submission: Client, reference: Client) -> None:
    """Has the parameters of embeddings, blocks, ln_f and head"""
    parts.has_parameters(submission, reference, MODEL)


@tiny_transformer.check(points=1, layout=True)
def test_model_layout(submission: Client, reference: Client, draw: Draw) -> None:
    """Packs to_qkv as stated: all queries, all keys, all values"""
    compare.keeps_layout(submission, reference, draw, ONE_BLOCK, PACKINGS)


@tiny_transformer.check(points=3)
def test_model_agrees(submission: Client, reference: Client, draw: Draw) -> None:
    """Agrees with the reference"""
    compare.agrees(submission, reference, draw, MODEL)


# BEGIN HIDDEN TESTS
@tiny_transformer.check(points=4, symptom="other inputs")
def test_model_agrees_elsewhere(submission: Client, reference: Client, draw: Draw) -> None:
    """Agrees with the reference on other sizes and numbers"""
    T = draw.size(*LONG)
    one_head = MODEL.sized(4, T + 3, 4, 1, 1, inputs=tokens((4, 4), (1, T))).in_evaluation(
        ONE_BLOCK
    )
    words, heads, T = draw.size(300, 330), odd(draw, 5, 7), draw.size(10, 14)
    deep = MODEL.sized(words, T + 2, 3 * heads, heads, 4, inputs=tokens((3, T)))
    limitless = deep.with_weights(limitless_weights(deep.weights(reference, draw)))
    compare.agrees_strided(submission, reference, draw, one_head, limitless)


# END HIDDEN TESTS
@tiny_transformer.check(points=3)
def test_model_gradients(submission: Client, reference: Client, draw: Draw) -> None:
    """Lets gradients reach every parameter"""
    compare.gradients_agree(submission, reference, draw, ONE_BLOCK)


@tiny_transformer.check(points=2, symptom="extreme numbers")
def test_model_far(submission: Client, reference: Client, draw: Draw) -> None:
    """Stays right and causal with scores far from 0 and far apart"""
    drawn, trial = ONE_BLOCK.weights(reference, draw), ONE_BLOCK.on(tokens((2, 6)))
    far = trial.with_condition(scores(4 * FAR)).with_weights(far_weights(drawn))
    wide = trial.with_condition(scores(WIDEST)).with_weights(wide_weights(drawn))
    hold(
        compare.agreement(submission, reference, draw, far),
        compare.agreement_in_single(submission, reference, draw, wide),
    )


@tiny_transformer.check(points=2)
def test_model_behaves(submission: Client, reference: Client, draw: Draw) -> None:
    """Behaves as a module: past, batches, state_dict, device"""
    behaviour.of_module(submission, reference, draw, ONE_BLOCK, causal=True)


@tiny_transformer.check(points=3, symptom="training")
def test_model_trains(submission: Client, reference: Client, draw: Draw) -> None:
    """Learns as the reference does in a short training"""
    weights = DEEPER.weights(reference, draw)
    idx = draw.integers(11, 4, 12)
    targets = idx.roll(-1, dims=1)  # the token that follows
    both = (DEEPER.build(implementation, keep=False) for implementation in (submission, reference))
    ours, theirs = (made.load(weights) for made in both)
    losses = [made.descend(idx, targets=targets, steps=STEPS) for made in (ours, theirs)]
    own, usual = (
        NAMED.build(implementation, torch.float32, keep=False, as_built=True)
        for implementation in (submission, reference)
    )
    before, begins = own.values(), usual.values()
    second = NAMED.build(submission, torch.float32, keep=False, as_built=True).values()
    trained, after = own.descend(idx, targets=targets, steps=start.STEPS), own.values()
    got, want = (Called(torch.tensor(found.value).double(), [], None) for found in losses)
    got = replace(got, rounds=lambda: ours(idx).value.rounds())
    # In so few steps, rounding errors grow no larger than those of the gradients.
    operation = MODEL.operation([idx], weights).gradients()
    assert_agree(submission, f"Losses of {STEPS} steps", got, want, operation)
    start.assert_begins_well(before.value, begins.value, zeros=LAST)
    start.assert_random(before.value, second.value, begins.value)
    first = trained.value[0]
    if not abs(first - math.log(11)) < UNTRAINED:
        text = f"Before training, the loss is {first:.2f}; guessing among 11 tokens gives 2.40."
        raise Wrong("wrong start values", text)
    start.assert_moved(before.value, after.value)
