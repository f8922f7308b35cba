"""Checks of many heads: as a list of heads, and all in one tensor."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import permutations, product

import torch
from einops import rearrange
from torch import Tensor

from autograder.client import Called, Client, Order, Packing, Reply
from test_attention_layer import EXCHANGED, WIDE, attention_head, scaled_dot_product
from autograder.checking import Draw, Trial, behaviour, compare, parts, start
from autograder.checking.agreement import assert_output
from autograder.checking.dropout import (
    assert_calls_drop_differently,
    assert_divides_for_small_p,
    assert_drops_weights,
    assert_gradient_is_dropped,
    assert_stays_in_evaluation,
    assert_uses_all_weights,
    gradient_of_queries,
)
from autograder.checking.laws import hold
from autograder.checking.sizes import long_sentence, odd, two_sentences
from autograder.checking.tolerance import scores
from autograder.checking.trial import Cases, batches, enlarged, one_batch, sentences
from autograder.course.exercise import Exercise

multi_head_list = Exercise("MultiHeadList", needs=(attention_head,))
multi_head_attention = Exercise("MultiHeadAttention", may_use=(scaled_dot_product,))


def unpacked(axes: str, kinds: str) -> Order:
    """Another order of the features of to_qkv.

    axes: their axes in einops' notation. kinds: the order of queries, keys and values.
    """

    def order(count: int, heads: int) -> Tensor:
        by_kind = torch.arange(count).unflatten(0, (3, -1))
        chosen = by_kind[["qkv".index(kind) for kind in kinds]]
        return rearrange(chosen, f"qkv (h d) -> ({axes})", h=heads)

    return order


def alternating(count: int, heads: int) -> Tensor:
    """The order of features with the first of each head, then the second of each."""
    return rearrange(torch.arange(count), "(h d) -> (d h)", h=heads)


def backwards(count: int, heads: int) -> Tensor:
    """The order of features with the last head first."""
    return torch.arange(count).unflatten(0, (heads, -1)).flip(0).flatten()


# MultiHeadList


def head_orders() -> tuple[Packing, ...]:
    """Other orders of the heads' features in aggregation_step, also with W_q and W_k swapped."""
    orders = {"the last head first": backwards, "features of alternating heads": alternating}
    found = [
        Packing(
            f"aggregation_step gets {order}, not head 0, then head 1, and so on.",
            orders={"aggregation_step.weight": (1, columns)},
            heads=lambda dim_h, dim_k, nr_heads: nr_heads,
        )
        for order, columns in orders.items()
    ]
    both = [
        replace(
            packing, differs=f"{EXCHANGED.differs} And {packing.differs}", names=EXCHANGED.names
        )
        for packing in found
    ]
    return *found, EXCHANGED, *both


HEADS = Trial("MultiHeadList", (7, 4, 2), sentences)
HEAD_ORDERS = head_orders()


@multi_head_list.check(points=1)
def test_list_parameters(submission: Client, reference: Client) -> None:
    """Has the parameters of its heads and of aggregation_step"""
    hold(
        parts.parameters(submission, reference, HEADS),
        parts.has(submission, HEADS, {"heads": "ModuleList", "aggregation_step": ""}),
        start.begins_well(
            submission,
            reference,
            HEADS.sized(*WIDE[:2], 2),
            zeros=("aggregation_step.weight",),
        ),
    )
    hold(parts.uses_parameters(submission, reference, HEADS))


@multi_head_list.check(points=1, layout=True)
def test_list_layout(submission: Client, reference: Client, draw: Draw) -> None:
    """Puts the features of head 0 first, then those of head 1, and so on"""
    compare.keeps_layout(submission, reference, draw, HEADS, HEAD_ORDERS)


@multi_head_list.check(points=1)
def test_list_agrees(submission: Client, reference: Client, draw: Draw) -> None:
    """Agrees with the reference"""
    compare.agrees(submission, reference, draw, HEADS)


# BEGIN HIDDEN TESTS
@multi_head_list.check(points=2, symptom="other inputs")
def test_list_agrees_elsewhere(submission: Client, reference: Client, draw: Draw) -> None:
    """Agrees with the reference on other sizes and numbers"""
    one_head = HEADS.sized(3, 3, 1, inputs=long_sentence).in_evaluation(HEADS)
    width = odd(draw, 9, 13)
    as_wide = HEADS.sized(width, width, 11, inputs=two_sentences)  # each head as wide as the tokens
    compare.agrees_strided(submission, reference, draw, one_head, as_wide)


# END HIDDEN TESTS
@multi_head_list.check(points=1)
def test_list_gradients(submission: Client, reference: Client, draw: Draw) -> None:
    """Lets gradients reach the input and every head"""
    compare.gradients_agree(submission, reference, draw, HEADS)


@multi_head_list.check(points=2)
def test_list_behaves(submission: Client, reference: Client, draw: Draw) -> None:
    """Behaves as a module: arguments, batches, state_dict, device"""
    behaviour.of_module(submission, reference, draw, HEADS)


# MultiHeadAttention


def packings(heads: Callable[..., int]) -> tuple[Packing, ...]:
    """Return other orders of the features of to_qkv and of to_out's input, the simplest first.

    heads: as in Packing.
    """
    merges: dict[str, Order] = {
        "": lambda count, heads: torch.arange(count),
        "the heads are merged as (d h), not (h d)": alternating,
        "the heads are merged with the last one first": backwards,
    }
    found = []
    ways = product(permutations(("qkv", "h", "d")), permutations("qkv"), merges.items())
    for axes, kinds, (merged, columns) in ways:
        packed = f"({' '.join(axes)})".replace("qkv", "".join(kinds))
        split = f"to_qkv is unpacked as {packed}, not (qkv h d)" if packed != "(qkv h d)" else ""
        rows = unpacked(" ".join(axes), "".join(kinds))
        orders = {"to_qkv.weight": (0, rows), "to_out.weight": (1, columns)}
        if split or merged:
            differs = "; ".join(filter(None, (split, merged)))
            found.append(Packing(f"{differs}.", orders=orders, heads=heads))
    return tuple(sorted(found, key=lambda packing: len(packing.differs)))


PACKINGS = packings(lambda dim_input, nr_heads=8, *_, **__: nr_heads)


def eight_of_eight(draw: Draw, arguments: tuple[int, ...]) -> Cases:
    """Eight sentences of eight tokens."""
    return {"Eight sentences of eight tokens": (draw.normal(8, 8, arguments[0]),)}


ATTENTION = Trial("MultiHeadAttention", (7, 3, 4), batches)


@multi_head_attention.check(points=1)
def test_attention_parameters(submission: Client, reference: Client) -> None:
    """Has to_qkv without bias and to_out with bias"""
    begins = start.begins_well(
        submission, reference, ATTENTION.sized(65, 2, 33), zeros=("to_out.weight",)
    )
    hold(
        parts.parameters(submission, reference, ATTENTION),
        begins,
    )
    hold(parts.uses_parameters(submission, reference, ATTENTION))


@multi_head_attention.check(points=1, layout=True)
def test_attention_layout(submission: Client, reference: Client, draw: Draw) -> None:
    """Packs to_qkv as stated: all queries, all keys, all values"""
    compare.keeps_layout(submission, reference, draw, ATTENTION, PACKINGS)


@multi_head_attention.check(points=2)
def test_attention_agrees(submission: Client, reference: Client, draw: Draw) -> None:
    """Agrees with the reference"""
    compare.agrees(submission, reference, draw, ATTENTION)


@multi_head_attention.check(points=1, symptom="options")
def test_attention_options(submission: Client, reference: Client, draw: Draw) -> None:
    """Has the right defaults, and the scale dim_head ** -scale_factor"""
    defaults = ATTENTION.sized(7, inputs=one_batch)
    unscaled = defaults.on(one_batch, nr_heads=3, dim_head=4, scale_factor=0.0)
    wide_head = 2, 1, odd(draw, 129, 145)
    by_size = ATTENTION.sized(*wide_head).on(one_batch, scale_factor=1.0)
    compare.agrees(submission, reference, draw, defaults, unscaled, by_size)


# BEGIN HIDDEN TESTS
@multi_head_attention.check(points=2, symptom="other inputs")
def test_attention_agrees_elsewhere(submission: Client, reference: Client, draw: Draw) -> None:
    """Agrees with the reference on other sizes and numbers"""
    square, one_head = (
        ATTENTION.sized(8, 1, 8).on(inputs, scale_factor=factor)
        for inputs, factor in ((eight_of_eight, 1.25), (long_sentence, 0.25))
    )
    heads = odd(draw, 5, 7)
    sizes = (
        heads * odd(draw, 5, 7),
        heads,
        odd(draw, 9, 15),
    )  # a dim_head that is not dim_input / nr_heads
    wide = ATTENTION.sized(*sizes).on(two_sentences, scale_factor=-0.2)
    compare.agrees_strided(
        submission, reference, draw, square, one_head.in_evaluation(ATTENTION), wide
    )


# END HIDDEN TESTS
@multi_head_attention.check(points=1)
def test_attention_gradients(submission: Client, reference: Client, draw: Draw) -> None:
    """Lets gradients reach the input and every parameter"""
    compare.gradients_agree(submission, reference, draw, ATTENTION)


@multi_head_attention.check(points=2)
def test_attention_drops_weights(submission: Client, reference: Client, draw: Draw) -> None:
    """Drops attention weights, in training only"""
    H, d, T, p = 3, 4, 3, 0.7
    to_keys, to_values = draw.normal(H * d, H * d), draw.normal(H * d, H * d)
    weights = {
        "to_qkv.weight": torch.cat([torch.zeros(H * d, H * d).double(), to_keys, to_values]),
        "to_out.weight": torch.eye(H * d).double(),
        "to_out.bias": torch.zeros(H * d).double(),
    }  # all scores are 0, all weights 1/T, and the output is the heads' results, concatenated
    module = submission.MultiHeadAttention(H * d, H, d, dropout_p=p).load(weights)
    x = draw.normal(50, T, H * d)
    all_dropped = ATTENTION.sized(7, 1, 4).on(one_batch, dropout_p=1.0)
    drawn = all_dropped.weights(reference, draw)
    drops_all = all_dropped.build(submission).load(drawn)
    shapes = (2, T, 7), (1, 33, 7), (1, 1, 7)
    nothing = [drops_all(draw.normal(*shape)) for shape in shapes]
    small = draw.size(1, 3) / 100
    units = torch.eye(d).double()[:T].repeat(1, H).expand(250, T, H * d)
    rows = [*weights["to_qkv.weight"].chunk(3)[:2], torch.eye(H * d).double()]
    dropping = submission.MultiHeadAttention(H * d, H, d, dropout_p=small)
    seldom = dropping.load({**weights, "to_qkv.weight": torch.cat(rows)})(units)
    training, again = module(x, gradient=True), module(x, reseed=False)
    evaluation, later = module.eval()(x), module(x)

    def without() -> Reply[Called]:
        return submission.MultiHeadAttention(H * d, H, d, dropout_p=0.0).load(weights).eval()(x)

    def trained_without() -> Reply[Called]:
        made = submission.MultiHeadAttention(H * d, H, d, dropout_p=0.0)
        return made.load(weights)(x, gradient=True)

    def by_head(features: Tensor) -> Tensor:  # (B, T, H·d) -> (B·H, T, d)
        return features.unflatten(-1, (H, d)).transpose(1, 2).flatten(0, 1)

    def of_weight(factors: Tensor) -> Tensor:
        of_mixed = by_head(torch.arange(x.numel()).double().cos().reshape(x.shape))
        keys = by_head(x @ to_keys.mT)
        of_queries = gradient_of_queries(of_mixed, factors, uniform, keys, by_head(values))
        of_queries = of_queries.unflatten(0, (-1, H)).transpose(1, 2).flatten(2)  # (B, T, H·d)
        return of_queries.flatten(0, 1).mT @ x.flatten(0, 1)

    values = x @ to_values.mT
    mean = values.mean(dim=1, keepdim=True).expand_as(x)
    operation = ATTENTION.with_condition(scores(0.0)).operation([x], weights)
    assert_uses_all_weights(submission, evaluation, without, mean, operation)
    assert_output(submission, "In training", training.value.output, mean, operation, values=False)
    uniform = torch.full((T, T), 1 / T, dtype=torch.float64)
    mixed = by_head(training.value.output)
    factors = assert_drops_weights(mixed, by_head(values), uniform, p, operation, heads=H)
    assert_calls_drop_differently(training.value.output, again.value.output, mean, operation)
    assert_stays_in_evaluation(submission, later, mean, operation)
    assert_gradient_is_dropped(
        training.value, "to_qkv.weight", of_weight, factors, trained_without, operation
    )
    for shape, reply in zip(shapes, nothing, strict=True):
        bias = drawn["to_out.bias"].expand(shape)
        label = "In training, with a dropout of 1.0 and one head"
        assert_output(submission, label, reply.value.output, bias, operation)
    label = f"In training, with a dropout of {small}"
    assert_output(submission, label, seldom.value.output, units, operation, values=False)
    found = by_head(seldom.value.output)[..., :T]
    assert_divides_for_small_p(found, uniform, small, operation)


@multi_head_attention.check(points=2)
def test_attention_behaves(submission: Client, reference: Client, draw: Draw) -> None:
    """Behaves as a module: arguments, batches, state_dict, device"""
    large = ATTENTION.on(enlarged(batches))
    last = compare.agreement_in_single(
        submission, reference, draw, large, symptom="extreme numbers"
    )
    dropping = ATTENTION.on(batches, dropout_p=0.5)
    behaviour.of_module(submission, reference, draw, ATTENTION, last=(last,), dropping=dropping)
