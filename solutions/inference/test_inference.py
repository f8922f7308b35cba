"""Checks of attention in daily use: shared heads, a cache, positions, and windows."""

from __future__ import annotations

from collections.abc import Sequence

import torch

from autograder.client import Client, Input
from test_attention_layer import attention_inputs
from test_causal_attention import (
    causal_weights,
    far,
    far_pairs,
    long_pairs,
    pairs,
    steep,
    steep_pairs,
)
from autograder.checking import Draw, Trial, behaviour, compare, laws, parts, start
from autograder.checking.memory import never_holds
from autograder.checking.positions import (
    Piece,
    continues,
    depends_on_distance,
    gradients_continue,
    keeps_lengths,
    one_by_one,
)
from autograder.checking.sizes import long_sentence, odd, two_sentences
from autograder.checking.trial import (
    Cases,
    Inputs,
    batches,
    given,
    one_batch,
    sentences,
    with_padding,
)
from autograder.course.exercise import Exercise

grouped_query_attention = Exercise("GroupedQueryAttention", may_use=(causal_weights,))
cached_attention = Exercise("CachedAttention")
rotary_embedding = Exercise("RotaryEmbedding")
sliding_window = Exercise("sliding_window_weights", may_use=(causal_weights,))
online_softmax = Exercise("online_softmax")


# GroupedQueryAttention

GROUPED = Trial("GroupedQueryAttention", (24, 4, 2), batches)
OWN_HEADS, ONE_HEAD = GROUPED.sized(15, 3, 3), GROUPED.sized(15, 3, 1)
TWO_TOKENS = torch.tensor([[[2.0, 10, 0, 0], [4, 30, 0, 0]]]).double()
SHARED_BY_HAND = {
    "W_query.weight": torch.zeros(4, 4).double(),
    "W_key.weight": torch.ones(2, 4).double(),
    "W_value.weight": torch.eye(2, 4).double(),
    "to_out.weight": torch.eye(4).double(),
    "to_out.bias": torch.zeros(4).double(),
}


@grouped_query_attention.check(points=1)
def test_grouped_parameters(submission: Client, reference: Client) -> None:
    """Has W_query, W_key and W_value without bias, and to_out"""
    laws.hold(
        parts.parameters(submission, reference, GROUPED),
        start.begins_well(submission, reference, GROUPED.sized(66, 6, 2), zeros=("to_out.weight",)),
    )
    laws.hold(parts.uses_parameters(submission, reference, GROUPED))


@grouped_query_attention.check(points=1)
def test_grouped_by_hand(submission: Client, reference: Client, draw: Draw) -> None:
    """Gives [3, 3, 20, 20] for token 1 of the statement"""
    tokens = given(The_tokens_of_the_statement=(TWO_TOKENS,))
    trial = GROUPED.sized(4, 4, 2, inputs=tokens).with_weights(SHARED_BY_HAND)
    compare.agrees(submission, reference, draw, trial)


@grouped_query_attention.check(points=2)
def test_grouped_agrees(submission: Client, reference: Client, draw: Draw) -> None:
    """Agrees with the reference"""
    compare.agrees(submission, reference, draw, GROUPED)


@grouped_query_attention.check(points=1)
def test_grouped_at_the_ends(submission: Client, reference: Client, draw: Draw) -> None:
    """Is multi-head attention if no head shares, multi-query if all do"""
    compare.agrees(submission, reference, draw, OWN_HEADS, ONE_HEAD)


# BEGIN HIDDEN TESTS
@grouped_query_attention.check(points=2, symptom="other inputs")
def test_grouped_agrees_elsewhere(submission: Client, reference: Client, draw: Draw) -> None:
    """Agrees with the reference on other sizes and numbers"""
    kv_heads, shared, d = odd(draw, 5, 7), draw.size(2, 4), draw.size(9, 12)
    heads = kv_heads * shared
    wide = GROUPED.sized(heads * d, heads).on(two_sentences, nr_kv_heads=kv_heads)
    long = GROUPED.sized(6, 6, 3, inputs=long_sentence).in_evaluation(GROUPED)
    laws.hold(
        compare.agreement(submission, reference, draw, wide, strided=True),
        compare.agreement_in_single(submission, reference, draw, long),
    )


# END HIDDEN TESTS
@grouped_query_attention.check(points=1, symptom="extreme numbers")
def test_grouped_far(submission: Client, reference: Client, draw: Draw) -> None:
    """Stays right and causal with scores far from 0 and far apart"""
    narrow, names = GROUPED.sized(7, 7, 1), ("W_query.weight", "W_key.weight")
    drawn = narrow.weights(reference, draw)
    trials = far(narrow, drawn, *names)
    laws.hold(
        compare.agreement(submission, reference, draw, *trials),
        compare.agreement_in_single(submission, reference, draw, steep(narrow, drawn, *names)),
    )


@grouped_query_attention.check(points=1)
def test_grouped_gradients(submission: Client, reference: Client, draw: Draw) -> None:
    """Lets gradients reach the input and every parameter"""
    compare.gradients_agree(submission, reference, draw, GROUPED)


@grouped_query_attention.check(points=2)
def test_grouped_behaves(submission: Client, reference: Client, draw: Draw) -> None:
    """Behaves as a module: past, arguments, batches, state_dict, device"""
    behaviour.of_module(submission, reference, draw, GROUPED, causal=True)


# CachedAttention

CACHED = Trial("CachedAttention", (7, 4), batches)
COUNTING = torch.tensor([[[0.0], [1], [2]]]).double()
ALL_ONES = {f"W_{name}.weight": torch.ones(1, 1).double() for name in ("query", "key", "value")}
IN_PIECES: tuple[Piece, ...] = ((0, 2), (2, 3), (3, 5), (5, 6))
AND_BACK: tuple[Piece, ...] = ((0, 6), (2, 3), (3, 6), (5, 6), (0, 1), (1, 4))


@cached_attention.check(points=1)
def test_cached_parameters(submission: Client, reference: Client) -> None:
    """Has W_query, W_key and W_value without bias, and no others"""
    begins = start.begins_well(submission, reference, CACHED.sized(65, 33))
    laws.hold(parts.parameters(submission, reference, CACHED), begins)
    laws.hold(parts.uses_parameters(submission, reference, CACHED))


@cached_attention.check(points=1)
def test_cached_by_hand(submission: Client, reference: Client, draw: Draw) -> None:
    """Gives 0, 0.7311 and 1.8509 for the tokens of the statement"""
    tokens = given(The_tokens_of_the_statement=(COUNTING,))
    compare.agrees(
        submission, reference, draw, CACHED.sized(1, 1, inputs=tokens).with_weights(ALL_ONES)
    )


@cached_attention.check(points=1)
def test_cached_agrees(submission: Client, reference: Client, draw: Draw) -> None:
    """Agrees with the reference for whole sequences"""
    compare.agrees(submission, reference, draw, CACHED)


@cached_attention.check(points=2)
def test_cached_one_by_one(submission: Client, reference: Client, draw: Draw) -> None:
    """Gives the same one token at a time as for all tokens at once"""
    tokens = one_by_one(5)
    laws.hold(continues(submission, reference, draw, CACHED, tokens))


@cached_attention.check(points=2)
def test_cached_in_pieces(submission: Client, reference: Client, draw: Draw) -> None:
    """Gives the same in pieces of several tokens"""
    trial = CACHED.on(one_batch)
    laws.hold(continues(submission, reference, draw, trial, IN_PIECES))


@cached_attention.check(points=2)
def test_cached_goes_back(submission: Client, reference: Client, draw: Draw) -> None:
    """Goes back and begins anew, with a cache of its own"""
    trial = CACHED.on(one_batch)
    laws.hold(continues(submission, reference, draw, trial, AND_BACK, between=True))


# BEGIN HIDDEN TESTS
@cached_attention.check(points=2, symptom="other inputs")
def test_cached_agrees_elsewhere(submission: Client, reference: Client, draw: Draw) -> None:
    """Agrees with the reference on other sizes and numbers"""
    wide = CACHED.sized(odd(draw, 33, 49), draw.size(51, 67), inputs=two_sentences)
    square = CACHED.sized(4, 4, inputs=one_batch)
    long = CACHED.sized(3, 2, inputs=long_sentence)
    pieces = (0, 540), (540, 542), *((i, i + 1) for i in range(542, 550)), (550, 1050)
    longer = long.on(given(Many_tokens=(draw.normal(1, 1050, 3),)))
    laws.hold(
        compare.agreement(submission, reference, draw, wide, square, strided=True),
        compare.agreement_in_single(submission, reference, draw, long.in_evaluation(CACHED)),
        continues(submission, reference, draw, longer, pieces),
        continues(submission, reference, draw, wide, one_by_one(10)),
    )


# END HIDDEN TESTS
@cached_attention.check(points=1, symptom="extreme numbers")
def test_cached_far(submission: Client, reference: Client, draw: Draw) -> None:
    """Stays right and causal with scores far from 0 and far apart"""
    drawn, names = CACHED.weights(reference, draw), ("W_query.weight", "W_key.weight")
    trials = far(CACHED, drawn, *names)
    laws.hold(
        compare.agreement(submission, reference, draw, *trials),
        compare.agreement_in_single(submission, reference, draw, steep(CACHED, drawn, *names)),
        *(continues(submission, reference, draw, each, ((0, 2), (2, 5))) for each in trials),
    )


@cached_attention.check(points=1)
def test_cached_gradients(submission: Client, reference: Client, draw: Draw) -> None:
    """Lets gradients reach the input and every parameter"""
    trial = CACHED.on(one_batch)
    laws.hold(
        compare.gradients(submission, reference, draw, CACHED),
        gradients_continue(submission, reference, draw, trial, ((0, 3), (3, 6))),
    )


@cached_attention.check(points=2)
def test_cached_behaves(submission: Client, reference: Client, draw: Draw) -> None:
    """Behaves as a module: past, arguments, batches, state_dict, device"""
    long, short = (CACHED.build(submission, keep=False) for _ in range(2))
    long(draw.normal(2, 5, 7)), short(draw.normal(3, 2, 7))
    saved = laws.has_loadable_state(long, short)  # a cache that is saved would not fit
    behaviour.of_module(submission, reference, draw, CACHED, causal=True, also=(saved,))


# RotaryEmbedding


def of_positions(inputs: Sequence[Input]) -> float:
    """Return the condition of an angle: the last position, by which its rounding error grows."""
    x, *start_pos = inputs
    assert isinstance(x, torch.Tensor)
    return float(x.shape[-2] + sum(int(position) for position in start_pos))


def heads_and_tokens(draw: Draw, arguments: tuple[int, ...]) -> Cases:
    """Draw the cases of `sentences`, a batch of heads, and a sentence from position 3 on."""
    return {
        **sentences(draw, arguments),
        "A batch of 2 sentences, 3 heads": (draw.normal(2, 3, 4, arguments[0]),),
        "A sentence from position 3 on": (draw.normal(5, arguments[0]), 3),
    }


def at(start_pos: int) -> Inputs:
    """A batch whose first tokens stand at a position; the first argument is dim."""

    def draw_cases(draw: Draw, arguments: tuple[int, ...]) -> Cases:
        x = draw.normal(3, 5, arguments[0])
        return {f"Tokens from position {start_pos} on": (x, start_pos)}

    return draw_cases


ROTARY = Trial("RotaryEmbedding", (8,), heads_and_tokens, condition=of_positions)
UNIT_PAIRS = torch.tensor([[1.0, 0, 1, 0], [0, 1, 0, 1], [1, 0, 1, 0]]).double()


@rotary_embedding.check(points=1)
def test_rotary_by_hand(submission: Client, reference: Client, draw: Draw) -> None:
    """Gives the numbers of the statement at positions 1, 2 and 100"""
    by_hand = ROTARY.sized(4).on(
        given(
            Tokens_from_position_0_on=(UNIT_PAIRS,), A_token_at_position_100=(UNIT_PAIRS[:1], 100)
        )
    )
    compare.agrees(submission, reference, draw, by_hand)


@rotary_embedding.check(points=2)
def test_rotary_agrees(submission: Client, reference: Client, draw: Draw) -> None:
    """Agrees with the reference from position 0 on"""
    compare.agrees(submission, reference, draw, ROTARY)


@rotary_embedding.check(points=1)
def test_rotary_continues(submission: Client, reference: Client, draw: Draw) -> None:
    """Gives tokens in pieces what it gives them in one call"""
    trial = ROTARY.on(one_batch)
    laws.hold(
        continues(submission, reference, draw, trial, one_by_one(6)),
        continues(submission, reference, draw, trial, IN_PIECES),
    )


@rotary_embedding.check(points=2)
def test_rotary_distance(submission: Client, reference: Client, draw: Draw) -> None:
    """Makes scores depend on the distance only, and keeps lengths"""
    laws.hold(
        keeps_lengths(submission, draw, ROTARY),
        depends_on_distance(submission, draw, ROTARY, 50),
    )


@rotary_embedding.check(points=1, symptom="options")
def test_rotary_base(submission: Client, reference: Client, draw: Draw) -> None:
    """Uses the base that it is given, 10000 if none"""
    far = ROTARY.sized(6, inputs=at(300))
    compare.agrees(submission, reference, draw, far, far.on(at(30), base=10.0))


# BEGIN HIDDEN TESTS
@rotary_embedding.check(points=2, symptom="other inputs")
def test_rotary_agrees_elsewhere(submission: Client, reference: Client, draw: Draw) -> None:
    """Agrees with the reference on other sizes and numbers"""
    dim, start_pos = 2 * draw.size(33, 67), draw.size(2500, 4000)
    wide = ROTARY.sized(dim).on(two_sentences, base=500_000.0)
    far, narrow = ROTARY.sized(10, inputs=at(start_pos)), ROTARY.sized(2, inputs=two_sentences)
    beyond_tables = far.on(at(draw.size(150_000, 300_000)))
    square = ROTARY.sized(4, inputs=given(Four_by_four=(draw.normal(4, 4, 4),)))
    long = ROTARY.sized(6, inputs=long_sentence).in_evaluation(ROTARY)
    laws.hold(
        compare.agreement(submission, reference, draw, wide, far, narrow, square, strided=True),
        compare.agreement(submission, reference, draw, beyond_tables),
        compare.agreement_in_single(submission, reference, draw, long),
        continues(submission, reference, draw, long, ((0, 9), (500, 510), (100, 101))),
    )


# END HIDDEN TESTS
@rotary_embedding.check(points=1)
def test_rotary_gradients(submission: Client, reference: Client, draw: Draw) -> None:
    """Lets gradients reach the tokens"""
    compare.gradients_agree(submission, reference, draw, ROTARY)


@rotary_embedding.check(points=1)
def test_rotary_behaves(submission: Client, reference: Client, draw: Draw) -> None:
    """Behaves as a module: no parameters, arguments, batches, device"""
    behaviour.of_module(
        submission,
        reference,
        draw,
        ROTARY,
        also=(parts.parameters(submission, reference, ROTARY),),
    )


# sliding_window_weights


def through(inputs: Inputs, *windows: int) -> Inputs:
    """The queries and keys of some cases, each with every window."""

    def draw_cases(draw: Draw, arguments: tuple[int, ...]) -> Cases:
        drawn = inputs(draw, arguments)
        return {
            f"{label}, window {window}": (*case, window)
            for label, case in drawn.items()
            for window in windows
        }

    return draw_cases


WINDOW = Trial.function("sliding_window_weights", through(pairs(7, (3, 5), (9,), (2, 3, 6)), 2, 3))
SAME_QUERIES = torch.tensor([[2.0, 0, 0, 0]]).repeat(3, 1).double()
KEYS = torch.tensor([[1.0, 0, 0, 0], [0, 0, 0, 0], [5, 0, 0, 0]]).double()


@sliding_window.check(points=1)
def test_window_by_hand(submission: Client, reference: Client, draw: Draw) -> None:
    """Gives 0, 0.0067 and 0.9933 for the last of three tokens"""
    numbers = given(The_numbers_of_the_statement=(SAME_QUERIES, KEYS))
    compare.agrees(submission, reference, draw, WINDOW.on(through(numbers, 2)))


@sliding_window.check(points=2)
def test_window_agrees(submission: Client, reference: Client, draw: Draw) -> None:
    """Agrees with the reference, with and without a batch"""
    compare.agrees(submission, reference, draw, WINDOW)


@sliding_window.check(points=1)
def test_window_at_the_ends(submission: Client, reference: Client, draw: Draw) -> None:
    """Sees itself with window 1, all of the past with T or more"""
    trial = WINDOW.on(through(pairs(4, (2, 5)), 1, 5, 6, 50))
    compare.agrees(submission, reference, draw, trial)


# BEGIN HIDDEN TESTS
@sliding_window.check(points=1, symptom="other inputs")
def test_window_agrees_elsewhere(submission: Client, reference: Client, draw: Draw) -> None:
    """Agrees with the reference on other sizes and numbers"""
    features, few, many = draw.size(33, 67), draw.size(4, 7), draw.size(260, 300)
    wide = WINDOW.on(through(with_padding(pairs(features, (5, 1, 3, 9), (2, 1))), few))
    long = WINDOW.on(through(long_pairs, many))
    laws.hold(
        compare.agreement(submission, reference, draw, wide, strided=True),
        compare.agreement_in_single(submission, reference, draw, long),
    )


# END HIDDEN TESTS
@sliding_window.check(points=1, symptom="extreme numbers")
def test_window_far(submission: Client, reference: Client, draw: Draw) -> None:
    """Stays right with scores far from 0 and far apart"""
    far_apart, steep_ones = (WINDOW.on(through(x, 2, 3)) for x in (far_pairs, steep_pairs))
    laws.hold(
        compare.agreement(submission, reference, draw, far_apart),
        compare.agreement_in_single(submission, reference, draw, steep_ones),
    )


@sliding_window.check(points=2)
def test_window_behaves(submission: Client, reference: Client, draw: Draw) -> None:
    """Behaves as a function: past, arguments, batches, gradients"""
    behaviour.of_function(submission, reference, draw, WINDOW, causal=True)
    compare.gradients_agree(submission, reference, draw, WINDOW)


# online_softmax


def with_values(pairs_of: Inputs, d_v: int) -> Inputs:
    """Queries and keys of some cases, with values of d_v features."""

    def draw_cases(draw: Draw, arguments: tuple[int, ...]) -> Cases:
        drawn = pairs_of(draw, arguments)
        return {
            label: (queries, keys, draw.normal(*keys.shape[:-1], d_v))
            for label, (queries, keys) in drawn.items()
            if isinstance(queries, torch.Tensor) and isinstance(keys, torch.Tensor)
        }

    return draw_cases


def blocks(inputs: Inputs, *sizes: int) -> Inputs:
    """Queries, keys and values of some cases, each in blocks of every size."""

    def draw_cases(draw: Draw, arguments: tuple[int, ...]) -> Cases:
        drawn = inputs(draw, arguments)
        return {
            f"{label}, blocks of {size}": (*case, size)
            for label, case in drawn.items()
            for size in sizes
        }

    return draw_cases


# S is the largest size, so that the smallest example has two keys before it has two features.
ONLINE = Trial.function(
    "online_softmax", blocks(attention_inputs(5, 8, 7, 2, (3,), (2, 3), ()), 3, 2)
)
ONE_QUERY = torch.tensor([[2.0, 0, 0, 0]]).double()
ITS_KEYS, ITS_VALUES = KEYS, torch.tensor([[10.0], [0], [20]]).double()
TEXTS = (20, 60, 1), (20, 240, 8)  # queries, keys, keys in a block


@online_softmax.check(points=1)
def test_online_by_hand(submission: Client, reference: Client, draw: Draw) -> None:
    """Gives 19.6899 and 5.0247 for the numbers of the statement"""
    numbers = given(The_numbers_of_the_statement=(ONE_QUERY, ITS_KEYS, ITS_VALUES))
    compare.agrees(submission, reference, draw, ONLINE.on(blocks(numbers, 1, 2)))


@online_softmax.check(points=2)
def test_online_agrees(submission: Client, reference: Client, draw: Draw) -> None:
    """Agrees with the reference, with and without a batch"""
    one_query = ONLINE.on(blocks(attention_inputs(1, 5, 7, 2, (3,)), 2))
    compare.agrees(submission, reference, draw, ONLINE, one_query)


@online_softmax.check(points=1)
def test_online_any_block(submission: Client, reference: Client, draw: Draw) -> None:
    """Gives the same with blocks of any length"""
    inputs = attention_inputs(2, 6, 3, 4, (2,))
    compare.agrees(submission, reference, draw, ONLINE.on(blocks(inputs, 1, 4, 5, 6, 7, 50)))


# BEGIN HIDDEN TESTS
@online_softmax.check(points=2, symptom="other inputs")
def test_online_agrees_elsewhere(submission: Client, reference: Client, draw: Draw) -> None:
    """Agrees with the reference on other sizes and numbers"""
    d, d_v = odd(draw, 33, 49), odd(draw, 51, 67)
    wide = with_padding(attention_inputs(draw.size(9, 12), 14, d, d_v, (5, 1, 2)))
    square, few = attention_inputs(4, 4, 4, 4, (4,)), attention_inputs(6, 1, 3, 2, (2,))
    many, small = attention_inputs(3, draw.size(513, 530), 3, 2, (1,)), draw.size(4, 7)
    laws.hold(
        *(
            compare.agreement(submission, reference, draw, ONLINE.on(each), strided=True)
            for each in (blocks(wide, small), blocks(square, 3), blocks(few, 1, 4))
        ),
        compare.agreement_in_single(
            submission, reference, draw, ONLINE.on(blocks(many, draw.size(60, 300)))
        ),
    )


# END HIDDEN TESTS
@online_softmax.check(points=1, symptom="extreme numbers")
def test_online_far(submission: Client, reference: Client, draw: Draw) -> None:
    """Stays right with scores far from 0 and far apart"""
    far_apart, steep_ones = (
        ONLINE.on(blocks(with_values(x, 3), 1, 2)) for x in (far_pairs, steep_pairs)
    )
    laws.hold(
        compare.agreement(submission, reference, draw, far_apart),
        compare.agreement_in_single(submission, reference, draw, steep_ones),
    )


@online_softmax.check(points=2)
def test_online_memory(submission: Client, reference: Client, draw: Draw) -> None:
    """Agrees without ever holding a score for each query and each key"""
    texts = {
        queries * keys: ONLINE.on(blocks(attention_inputs(queries, keys, 2, 1, ()), block))
        for queries, keys, block in TEXTS
    }
    laws.hold(
        *(compare.agreement(submission, reference, draw, text) for text in texts.values()),
        *(never_holds(submission, draw, text, count) for count, text in texts.items()),
    )


@online_softmax.check(points=2)
def test_online_behaves(submission: Client, reference: Client, draw: Draw) -> None:
    """Behaves as a function: arguments, batches, device, gradients"""
    behaviour.of_function(submission, reference, draw, ONLINE)
    compare.gradients_agree(submission, reference, draw, ONLINE)
