"""Checks of self-attention: for one token, for all tokens, with trained weights."""

from __future__ import annotations

from itertools import permutations

import torch

from autograder.client import Client, Packing
from autograder.checking import Draw, Trial, behaviour, compare, laws, parts
from autograder.checking.laws import Law
from autograder.checking.sizes import LONG, cube
from autograder.checking.trial import (
    Cases,
    Inputs,
    batch_of_one,
    given,
    sentences,
    with_padding,
)
from autograder.course.exercise import Exercise

context_vector = Exercise("context_vector")
simple_self_attention = Exercise("simple_self_attention")
self_attention = Exercise("SelfAttention")
self_attention_v2 = Exercise("SelfAttentionV2")

SENTENCE = torch.tensor(
    [
        [0.43, 0.15, 0.89], [0.55, 0.87, 0.66], [0.57, 0.85, 0.64],
        [0.22, 0.58, 0.33], [0.77, 0.25, 0.10], [0.05, 0.80, 0.55],
    ]
).double()  # fmt: skip
MANY = 68  # tokens, of which loops over chunks take several
MODERATE = 0.25  # keeps dot products of many features small, so that the softmax is not one-hot
THE_SENTENCE = given(The_sentence_of_the_statement=(SENTENCE,))


def one_sentence(*shapes: tuple[int, int], scale: float = 1.0) -> Inputs:
    """One case for each shape (T, d), its numbers multiplied by `scale`."""

    def draw_cases(draw: Draw, arguments: tuple[int, ...]) -> Cases:
        return {f"A sentence of shape {s}": (draw.normal(*s) * scale,) for s in shapes}

    return draw_cases


def long(draw: Draw, arguments: tuple[int, ...]) -> Cases:
    """A long sentence; the seed determines the length."""
    return one_sentence((draw.size(*LONG), 3))(draw, arguments)


def wide(draw: Draw, arguments: tuple[int, ...]) -> Cases:
    """A sentence of many features; the seed determines how many."""
    shape = draw.size(9, 16), draw.size(33, 67)
    return one_sentence(shape, scale=MODERATE)(draw, arguments)


def exchanged(query: str, key: str, value: str) -> tuple[Packing, ...]:
    """Return all ways to swap the parameters of these names, which have the same shape."""
    right = (query, key, value)
    return tuple(
        Packing(
            f"{own[0]} makes the queries, {own[1]} the keys, {own[2]} the values. Swap them "
            "to match their names.",
            names=dict(zip(right, own, strict=True)),
        )
        for own in permutations(right)
        if own != right
    )


def of_hundreds(draw: Draw, arguments: tuple[int, ...]) -> Cases:
    """Short sentences of whole hundreds, whose scores of 10,000 and more are exact in float32.

    In the second one, a small token has scores far below 0 with all others.
    """
    hundreds = 100.0 * (draw.integers(5, 4, 3).double() - 2)
    opposed = 10_000.0 * (1 + draw.integers(3, 4, 3).double())
    opposed[1] = -1.0
    return {"Scores of 10,000": (hundreds, 1), "Scores far below 0": (opposed, 1)}


def a_sentence(draw: Draw, arguments: tuple[int, ...]) -> Cases:
    """A sentence of more than 8 tokens; the first argument is the number of features."""
    return {"A sentence of many features": (draw.normal(draw.size(9, 16), arguments[0]),)}


def survives_large_scores(submission: Client, reference: Client, draw: Draw, trial: Trial) -> Law:
    """Law laws.survives_large_scores, for the first case of a function's trial."""
    ours, theirs = (trial.build(implementation) for implementation in (submission, reference))
    [(label, inputs), *_] = trial.cases(draw).items()
    operation = trial.operation(inputs)
    return laws.survives_large_scores(submission, ours, theirs, label, operation)


# context_vector


def tokens(*cases: tuple[int, int, int], scale: float = 1.0) -> Inputs:
    """One case for each (T, d, i): token i of a sentence of shape (T, d)."""

    def draw_cases(draw: Draw, arguments: tuple[int, ...]) -> Cases:
        return {
            f"Token {i} of a sentence of shape {(T, d)}": (draw.normal(T, d) * scale, i)
            for T, d, i in cases
        }

    return draw_cases


def near_the_end(inputs: Inputs) -> Inputs:
    """The sentences of some cases, each with the index of a token near the end."""

    def draw_cases(draw: Draw, arguments: tuple[int, ...]) -> Cases:
        drawn = inputs(draw, arguments)
        return {
            label: (x, len(x) - draw.size(2, 4))
            for label, (x,) in drawn.items()
            if isinstance(x, torch.Tensor)
        }

    return draw_cases


CONTEXT = Trial.function("context_vector", tokens((5, 3, 1), (6, 4, 5), (1, 2, 0)))


@context_vector.check(points=1)
def test_context_by_hand(submission: Client, reference: Client, draw: Draw) -> None:
    """Gives [0.4431, 0.6496, 0.5671] for the third word of the sentence"""
    trial = CONTEXT.on(given(The_third_word=(SENTENCE, 2)))
    compare.agrees(submission, reference, draw, trial)


@context_vector.check(points=1)
def test_context_agrees(submission: Client, reference: Client, draw: Draw) -> None:
    """Gives the scores, the weights and the context of the reference"""
    compare.agrees(submission, reference, draw, CONTEXT)


# BEGIN HIDDEN TESTS
@context_vector.check(points=1, symptom="other inputs")
def test_context_agrees_elsewhere(submission: Client, reference: Client, draw: Draw) -> None:
    """Agrees with the reference on other sizes and numbers"""
    one_feature = CONTEXT.on(tokens((7, 1, 4), (4, 3, 0), (4, 4, 1)))
    ends = (CONTEXT.on(near_the_end(long)), CONTEXT.on(near_the_end(with_padding(wide))))
    compare.agrees_strided(submission, reference, draw, one_feature, *ends)


# END HIDDEN TESTS
@context_vector.check(points=1)
def test_context_behaves(submission: Client, reference: Client, draw: Draw) -> None:
    """Stays right with large scores, in float64 and in float32"""
    also = survives_large_scores(submission, reference, draw, CONTEXT)
    last = compare.agreement_in_single(
        submission, reference, draw, CONTEXT.on(of_hundreds), symptom="extreme numbers"
    )
    behaviour.of_function(
        submission, reference, draw, CONTEXT, batch=False, also=(also,), last=(last,)
    )


# simple_self_attention

SIMPLE = Trial.function("simple_self_attention", one_sentence((5, 3), (1, 2), (3, 6)))


@simple_self_attention.check(points=1)
def test_simple_by_hand(submission: Client, reference: Client, draw: Draw) -> None:
    """Gives the contexts of all six words of the sentence"""
    compare.agrees(submission, reference, draw, SIMPLE.on(THE_SENTENCE))


@simple_self_attention.check(points=1)
def test_simple_agrees(submission: Client, reference: Client, draw: Draw) -> None:
    """Gives the weights and the contexts of the reference"""
    compare.agrees(submission, reference, draw, SIMPLE)


# BEGIN HIDDEN TESTS
@simple_self_attention.check(points=1, symptom="other inputs")
def test_simple_agrees_elsewhere(submission: Client, reference: Client, draw: Draw) -> None:
    """Agrees with the reference on other sizes and numbers"""
    laws.hold(
        compare.agreement(submission, reference, draw, SIMPLE.on(with_padding(wide)), strided=True),
        compare.agreement(submission, reference, draw, SIMPLE.on(one_sentence((4, 4)))),
        compare.agreement_in_single(submission, reference, draw, SIMPLE.on(long)),
    )


# END HIDDEN TESTS
@simple_self_attention.check(points=1)
def test_simple_behaves(submission: Client, reference: Client, draw: Draw) -> None:
    """Works without a loop, with gradients and with large scores"""
    few, many = SIMPLE.on(one_sentence((4, 3))), SIMPLE.on(one_sentence((MANY, 3)))
    also = (
        laws.avoids_loops(submission, few, many, draw),
        compare.gradients(submission, reference, draw, SIMPLE),
        survives_large_scores(submission, reference, draw, SIMPLE),
    )
    behaviour.of_function(submission, reference, draw, SIMPLE, batch=False, also=also)


# SelfAttention

EXCHANGED = exchanged("W_query", "W_key", "W_value")
ATTENTION = Trial("SelfAttention", (7, 4), one_sentence((5, 7), (1, 7)))


@self_attention.check(points=1)
def test_attention_parameters(submission: Client, reference: Client) -> None:
    """Has the parameters W_query, W_key and W_value"""
    parts.has_parameters(submission, reference, ATTENTION)


@self_attention.check(points=1, layout=True)
def test_attention_begins_alike(submission: Client, reference: Client, draw: Draw) -> None:
    """Has each weight under its name, as after manual_seed(123)"""
    compare.keeps_layout(submission, reference, draw, ATTENTION, EXCHANGED)
    larger = ATTENTION.sized(17, 11, inputs=one_sentence((5, 17)))
    laws.hold(
        compare.beginning(submission, reference, ATTENTION.sized(3, 2, inputs=THE_SENTENCE), 123),
        compare.beginning(submission, reference, larger, 123, second=False),
    )


@self_attention.check(points=1)
def test_attention_agrees(submission: Client, reference: Client, draw: Draw) -> None:
    """Agrees with the reference"""
    compare.agrees(submission, reference, draw, ATTENTION)


# BEGIN HIDDEN TESTS
@self_attention.check(points=1, symptom="other inputs")
def test_attention_agrees_elsewhere(submission: Client, reference: Client, draw: Draw) -> None:
    """Agrees with the reference on other sizes and numbers"""
    longer = ATTENTION.sized(3, 3, inputs=long).in_evaluation(ATTENTION)
    sizes = draw.size(33, 41), draw.size(43, 67)
    wider = ATTENTION.sized(*sizes, inputs=with_padding(a_sentence))
    square = ATTENTION.sized(4, 4, inputs=one_sentence((4, 4)))
    compare.agrees_strided(submission, reference, draw, longer, wider, square)


# END HIDDEN TESTS
@self_attention.check(points=1)
def test_attention_gradients(submission: Client, reference: Client, draw: Draw) -> None:
    """Lets gradients reach the input and every parameter"""
    compare.gradients_agree(submission, reference, draw, ATTENTION)


@self_attention.check(points=1)
def test_attention_behaves(submission: Client, reference: Client, draw: Draw) -> None:
    """Behaves as a module: arguments, state_dict, device, large scores"""
    behaviour.of_module(submission, reference, draw, ATTENTION, batch=False)


# SelfAttentionV2

LINEAR = Trial("SelfAttentionV2", (7, 4), sentences)
BIASED = LINEAR.sized(3, 5).on(batch_of_one, qkv_bias=True)


def many_sentences(draw: Draw, arguments: tuple[int, ...]) -> Cases:
    """A batch of 5 sentences; the first argument is the number of their features."""
    shape = 5, 4, arguments[0]
    return {"A batch of many sentences": (draw.normal(*shape),)}


@self_attention_v2.check(points=1)
def test_linear_parameters(submission: Client, reference: Client) -> None:
    """Has three linear layers, with a bias when qkv_bias is set"""
    parts.has_parameters(submission, reference, LINEAR, BIASED)


@self_attention_v2.check(points=1, layout=True)
def test_linear_begins_alike(submission: Client, reference: Client, draw: Draw) -> None:
    """Has each weight under its name, as after manual_seed(789)"""
    compare.keeps_layout(submission, reference, draw, LINEAR, EXCHANGED)
    larger = LINEAR.sized(17, 11, True, inputs=one_sentence((5, 17)))
    laws.hold(
        compare.beginning(submission, reference, LINEAR.sized(3, 2, inputs=THE_SENTENCE), 789),
        compare.beginning(submission, reference, larger, 789, second=False),
    )


@self_attention_v2.check(points=1)
def test_linear_agrees(submission: Client, reference: Client, draw: Draw) -> None:
    """Agrees with the reference, for a sentence and for a batch"""
    compare.agrees(submission, reference, draw, LINEAR)


# BEGIN HIDDEN TESTS
@self_attention_v2.check(points=1, symptom="other inputs")
def test_linear_agrees_elsewhere(submission: Client, reference: Client, draw: Draw) -> None:
    """Agrees with the reference on other sizes and numbers"""
    longer = LINEAR.sized(3, 3, inputs=long).in_evaluation(LINEAR)
    sizes = draw.size(33, 41), draw.size(43, 67)
    wider = LINEAR.sized(*sizes, True, inputs=with_padding(many_sentences))
    square = LINEAR.sized(4, 4, inputs=cube)
    compare.agrees_strided(submission, reference, draw, longer, wider, square)


# END HIDDEN TESTS
@self_attention_v2.check(points=1)
def test_linear_gradients(submission: Client, reference: Client, draw: Draw) -> None:
    """Lets gradients reach the input and every parameter"""
    compare.gradients_agree(submission, reference, draw, BIASED, fallback=LINEAR)


@self_attention_v2.check(points=1)
def test_linear_behaves(submission: Client, reference: Client, draw: Draw) -> None:
    """Behaves as a module: arguments, batches, state_dict, device"""
    behaviour.of_module(submission, reference, draw, LINEAR)
