"""Checks of causal attention: no token looks at later ones."""

from __future__ import annotations

import torch
from torch import Tensor

from autograder.client import Called, Client, Reply
from test_self_attention import EXCHANGED, SENTENCE, exchanged
from autograder.checking import Draw, Trial, Wrong, behaviour, compare, laws, parts
from autograder.checking.agreement import assert_output, showing
from autograder.checking.dropout import (
    assert_calls_drop_differently,
    assert_divides_for_small_p,
    assert_drops_weights,
    assert_gradient_is_dropped,
    assert_stays_in_evaluation,
    assert_uses_all_weights,
    gradient_of_queries,
)
from autograder.checking.laws import Law
from autograder.checking.sizes import LONG, cube, long_sentence
from autograder.checking.tolerance import scores
from autograder.checking.trial import (
    Cases,
    Inputs,
    batches,
    given,
    one_batch,
    with_padding,
)
from autograder.course.exercise import Exercise

causal_weights = Exercise("causal_weights")
single_head = Exercise("single_head", may_use=(causal_weights,))
causal_attention = Exercise("CausalAttention", may_use=(causal_weights, single_head))

FAR = 20_000.0  # such scores overflow exp, and show whether a mask is low enough
# Minus infinity hides whatever the scores are. So low, and so far apart, they show any number in
# its place down to -100 million; -1e9, which is often taken for it, still hides.
DEEP = 2.0**28
STEP = 2.0**26  # from one score to the next: a mask that subtracts less hides nothing
RISING = torch.arange(5.0).double()
LEVELS = (
    torch.arange(1.0, 6.0).double() / 8 + 0.375
)  # of queries, so that each row has its own maximum

# causal_weights


def pairs(d: int, *leading: tuple[int, ...]) -> Inputs:
    """Queries and keys, each of shape (..., T, d); each leading shape ends with T."""

    def draw_cases(draw: Draw, arguments: tuple[int, ...]) -> Cases:
        return {
            f"Queries and keys of shape {(*shape, d)}": (
                draw.normal(*shape, d),
                draw.normal(*shape, d),
            )
            for shape in leading
        }

    return draw_cases


def far_pairs(draw: Draw, arguments: tuple[int, ...]) -> Cases:
    """Queries and keys whose fourth feature moves scores up to FAR, or below -DEEP / 2.

    It moves the scores of the last query most. At -DEEP key 0 is far above the others, so that it
    does not matter how sums are rounded.
    """
    queries, keys = draw.normal(2, 5, 4).clone(), draw.normal(2, 5, 4).clone()
    queries[..., 3], keys[..., 3] = FAR * LEVELS, 2.0  # divided by sqrt(4)
    deep, low = torch.zeros_like(queries), keys.clone()
    deep[..., 3], low[..., 3] = DEEP * LEVELS, -3.0
    low[:, 0, 3] = -2.0
    return {
        f"Scores up to {FAR:.0f}": (queries, keys),
        f"Scores down to -{3 * DEEP / 2:.0f}": (deep, low),
    }


def steep_pairs(draw: Draw, arguments: tuple[int, ...]) -> Cases:
    """Queries and keys whose scores rise or fall by STEP from key to key.

    exp of such a difference is 0, so that it does not matter how the random parts are rounded.
    """
    queries, keys = draw.normal(2, 5, 4).clone(), draw.normal(2, 5, 4).clone()
    queries[..., 3] = 2.0  # divided by sqrt(4)
    keys[0, :, 3], keys[1, :, 3] = STEP * RISING, -STEP * RISING
    return {f"Scores {STEP:.0f} apart": (queries, keys)}


def long_pairs(draw: Draw, arguments: tuple[int, ...]) -> Cases:
    """Long sequences; the seed determines the length."""
    return pairs(3, (draw.size(*LONG),))(draw, arguments)


def wide_pairs(draw: Draw, arguments: tuple[int, ...]) -> Cases:
    """Queries and keys of many features; the seed determines how many.

    The first ones have three leading dimensions, the second ones a single token.
    """
    return pairs(draw.size(33, 67), (5, 1, 3, 4), (2, 1))(draw, arguments)


# d differs from the statement's example, and 9 tokens are more than its 8.
WEIGHTS = Trial.function("causal_weights", pairs(7, (3, 5), (9,), (2, 3, 6), (1,)))


@causal_weights.check(points=1)
def test_weights_by_hand(submission: Client, reference: Client, draw: Draw) -> None:
    """Gives 0.7311 and 0.2689 for the second of two tokens"""
    queries = torch.tensor([[5.0, 0, 0, 0], [2, 0, 0, 0]]).double()
    keys = torch.tensor([[1.0, 0, 0, 0], [0, 1, 0, 0]]).double()
    trial = WEIGHTS.on(given(Queries_2_and_keys_1=(queries, keys)))
    compare.agrees(submission, reference, draw, trial)


@causal_weights.check(points=1)
def test_weights_agree(submission: Client, reference: Client, draw: Draw) -> None:
    """Agrees with the reference, with and without a batch"""
    compare.agrees(submission, reference, draw, WEIGHTS)


# BEGIN HIDDEN TESTS
@causal_weights.check(points=1, symptom="other inputs")
def test_weights_agree_elsewhere(submission: Client, reference: Client, draw: Draw) -> None:
    """Agrees with the reference on other sizes and numbers"""
    wide, long = WEIGHTS.on(with_padding(wide_pairs)), WEIGHTS.on(long_pairs)
    laws.hold(
        compare.agreement(submission, reference, draw, wide, strided=True),
        compare.agreement(submission, reference, draw, WEIGHTS.on(pairs(4, (4, 4)))),
        compare.agreement_in_single(submission, reference, draw, long),
    )


# END HIDDEN TESTS
@causal_weights.check(points=1, symptom="extreme numbers")
def test_weights_far(submission: Client, reference: Client, draw: Draw) -> None:
    """Stays right and causal with scores far from 0 and far apart"""
    laws.hold(
        compare.agreement(submission, reference, draw, WEIGHTS.on(far_pairs)),
        compare.agreement_in_single(submission, reference, draw, WEIGHTS.on(steep_pairs)),
    )


@causal_weights.check(points=2)
def test_weights_behave(submission: Client, reference: Client, draw: Draw) -> None:
    """Behaves as a function: past, arguments, batches, gradients"""
    behaviour.of_function(submission, reference, draw, WEIGHTS, causal=True)
    compare.gradients_agree(submission, reference, draw, WEIGHTS)


# single_head


def projections(C: int, d: int) -> dict[str, tuple[int, int]]:
    """Projections from C features to d, the arguments of single_head."""
    return {"q_proj": (C, d), "k_proj": (C, d), "v_proj": (C, d)}


def sequences(*shapes: tuple[int, int, int]) -> Inputs:
    """One case for each shape (B, T, C)."""

    def draw_cases(draw: Draw, arguments: tuple[int, ...]) -> Cases:
        return {f"A batch of shape {shape}": (draw.normal(*shape),) for shape in shapes}

    return draw_cases


HEAD = Trial.function("single_head", sequences((3, 5, 7), (1, 1, 7)), projections(7, 4))
PROJECTED = exchanged("q_proj", "k_proj", "v_proj")


def far(trial: Trial, drawn: dict[str, Tensor], query: str, key: str) -> list[Trial]:
    """Trials with scores up to FAR and far below 0, from the weights of queries and keys.

    drawn: the other weights. Without other features of queries, even float32 is exact at -DEEP.
    """
    up = far_weights(drawn, query, key, FAR, 2.0)
    down = far_weights(drawn, query, key, DEEP, -2.0)
    down[query][1:] = 0.0
    held = ((far_batch, up, scores(FAR)), (deep_batch, down, scores(2 * DEEP)))
    return [
        trial.on(batch).with_weights(weights).with_condition(condition)
        for batch, weights, condition in held
    ]


def far_weights(
    drawn: dict[str, Tensor], query: str, key: str, of_queries: float, of_keys: float
) -> dict[str, Tensor]:
    """Copy projections and replace the first feature of queries and keys (for d = 4).

    It becomes of_queries times a token's first feature, and of_keys times its second one.
    """
    moved = {name: weight.clone() for name, weight in drawn.items()}
    for feature, (name, number) in enumerate(((query, of_queries), (key, of_keys))):
        moved[name][0] = 0.0
        moved[name][0, feature] = number
    return moved


def far_batch(draw: Draw, arguments: tuple[int, ...]) -> Cases:
    """A batch whose first features move scores up to FAR, or down to -DEEP."""
    x = draw.normal(2, 5, 7).clone()
    x[..., 0], x[..., 1] = LEVELS, 1.0
    return {"Scores far above or below 0": (x,)}


def deep_batch(draw: Draw, arguments: tuple[int, ...]) -> Cases:
    """The same batch, with scores of token 0 far above the others, so that rounding is harmless."""
    [(label, (x,))] = far_batch(draw, arguments).items()
    assert isinstance(x, Tensor)
    x[:, 1:, 1] = 1.5
    return {label: (x,)}


def steep(trial: Trial, drawn: dict[str, Tensor], query: str, key: str) -> Trial:
    """A trial with scores that rise by STEP from token to token, or fall in the second sentence.

    Token 2 of the first sentence has a score of 0 with every token.
    """
    moved = {name: weight.clone() for name, weight in drawn.items()}
    for feature, (name, number) in enumerate(((query, 2.0), (key, STEP))):  # divided by sqrt(4)
        moved[name][0] = 0.0
        moved[name][0, feature] = number
    return trial.on(steep_batch).with_weights(moved).with_condition(scores(4 * STEP))


def steep_batch(draw: Draw, arguments: tuple[int, ...]) -> Cases:
    """Two sentences: feature 0 is 1, feature 1 rises or falls. The first has a token of zeros."""
    x = draw.normal(2, 5, 7).clone()
    x[..., 0], x[0, :, 1], x[1, :, 1] = 1.0, RISING, -RISING
    x[0, 2] = 0.0
    return {f"Scores {STEP:.0f} apart, and scores of 0": (x,)}


@single_head.check(points=1, layout=True)
def test_head_layout(submission: Client, reference: Client, draw: Draw) -> None:
    """Makes queries with q_proj, keys with k_proj, values with v_proj"""
    compare.keeps_layout(submission, reference, draw, HEAD, PROJECTED)


@single_head.check(points=1)
def test_head_agrees(submission: Client, reference: Client, draw: Draw) -> None:
    """Gives the weights and the output of the reference"""
    biased = HEAD.projecting(sequences((2, 4, 3)), **projections(3, 5)).with_bias()
    compare.agrees(submission, reference, draw, HEAD, biased)


# BEGIN HIDDEN TESTS
@single_head.check(points=1, symptom="other inputs")
def test_head_agrees_elsewhere(submission: Client, reference: Client, draw: Draw) -> None:
    """Agrees with the reference on other sizes and numbers"""
    shape = 5, 4, draw.size(33, 41)
    wide = HEAD.projecting(
        with_padding(sequences(shape)), **projections(shape[2], draw.size(43, 67))
    )
    long = HEAD.projecting(sequences((1, draw.size(*LONG), 3)), **projections(3, 3))
    laws.hold(
        compare.agreement(submission, reference, draw, wide.with_bias(), strided=True),
        compare.agreement_in_single(submission, reference, draw, long.with_bias()),
    )


# END HIDDEN TESTS
@single_head.check(points=1, symptom="extreme numbers")
def test_head_far(submission: Client, reference: Client, draw: Draw) -> None:
    """Stays right and causal with scores far from 0 and far apart"""
    drawn, names = HEAD.weights(reference, draw), ("q_proj.weight", "k_proj.weight")
    trials = far(HEAD, drawn, *names)
    laws.hold(
        compare.agreement(submission, reference, draw, *trials),
        compare.agreement_in_single(submission, reference, draw, steep(HEAD, drawn, *names)),
    )


@single_head.check(points=1)
def test_head_gradients(submission: Client, reference: Client, draw: Draw) -> None:
    """Lets gradients reach the input and all three projections"""
    compare.gradients_agree(submission, reference, draw, HEAD)


@single_head.check(points=1)
def test_head_behaves(submission: Client, reference: Client, draw: Draw) -> None:
    """Behaves as a function: past, arguments, batches, device"""
    behaviour.of_function(submission, reference, draw, HEAD, causal=True)


# CausalAttention

LONG_ENOUGH = 33  # tokens, for code that drops nothing in long sequences


def full_batch(draw: Draw, arguments: tuple[int, ...]) -> Cases:
    """A batch of 2 sentences of context_length tokens."""
    C, _, T = arguments[:3]
    return {"Two sentences of full length": (draw.normal(2, T, C),)}


def full_and_short(draw: Draw, arguments: tuple[int, ...]) -> Cases:
    """A batch of 2 sentences of context_length tokens, one of a sentence, and one of a token."""
    one, token = draw.normal(1, 3, arguments[0]), draw.normal(1, 1, arguments[0])
    return {
        **full_batch(draw, arguments),
        "A batch of one sentence": (one,),
        "A batch of one sentence of one token": (token,),
    }


CAUSAL = Trial("CausalAttention", (7, 4, 6, 0.0), batches)
BIASED = CAUSAL.sized(3, 5, 9, 0.0, True, inputs=full_and_short)
LARGER = CAUSAL.sized(17, 11, 5, 0.0, True, inputs=full_batch)
NAMED = {"context_length": 17, "dropout": 0.0, "qkv_bias": True}  # by name, as in the notebook


def many_sentences(draw: Draw, arguments: tuple[int, ...]) -> Cases:
    """A batch of 5 sentences; the first argument is the number of their features."""
    shape = 5, 4, arguments[0]
    return {"A batch of many sentences": (draw.normal(*shape),)}


def stores_masks_of_full_length(submission: Client, trial: Trial) -> Law:
    """Law: a stored mask is large enough for context_length tokens.

    It looks at the mask's shape, since a call with so many tokens would cost as much as all other
    checks of the exercise.
    """
    length = trial.arguments[2]
    buffers = trial.build(submission, torch.float32).buffers()
    yield
    mask = buffers.value.get("mask")
    if mask and any(1 < n < length for n in mask.shape[-2:]):
        text = f"For a context_length of {length}, the mask has a shape of only {mask.shape[-2:]}."
        raise Wrong("wrong mask", text)


def stores_no_plain_mask(submission: Client) -> Law:
    """Law: the module stores no matrix as a plain attribute; a stored mask is the buffer `mask`."""
    module = BIASED.build(submission)  # used for these questions only
    matrices, buffers = module.matrices(), module.buffers()
    yield
    stored = [name for name, buffer in buffers.value.items() if len(buffer.shape) > 1]
    if stored and "mask" not in stored:
        text = f"The buffer of the mask should be called mask; yours is called {stored[0]}."
        raise Wrong("no buffer", text, symptom="other name of the mask")
    if matrices.value:
        text = (
            f"self.{matrices.value[0]} is a plain attribute, which is neither moved nor saved with "
            "the module: register it as a buffer."
        )
        raise Wrong("no buffer", text)


@causal_attention.check(points=1)
def test_causal_parameters(submission: Client, reference: Client) -> None:
    """Has three linear layers, and stores a mask only as a buffer"""
    parts.has_parameters(submission, reference, CAUSAL, BIASED)
    laws.hold(stores_no_plain_mask(submission))


@causal_attention.check(points=1, layout=True)
def test_causal_begins_alike(submission: Client, reference: Client, draw: Draw) -> None:
    """Has each weight under its name, as after manual_seed(123)"""
    compare.keeps_layout(submission, reference, draw, CAUSAL, EXCHANGED)
    both = given(The_sentence_of_the_statement=(torch.stack([SENTENCE, SENTENCE]),))
    laws.hold(
        compare.beginning(submission, reference, CAUSAL.sized(3, 2, 6, 0.0, inputs=both), 123),
        compare.beginning(submission, reference, LARGER, 123, second=False),
    )


@causal_attention.check(points=2)
def test_causal_agrees(submission: Client, reference: Client, draw: Draw) -> None:
    """Agrees with the reference, for full and for shorter sequences"""
    compare.agrees(submission, reference, draw, CAUSAL, CAUSAL.on(full_batch))


# BEGIN HIDDEN TESTS
@causal_attention.check(points=1, symptom="other inputs")
def test_causal_agrees_elsewhere(submission: Client, reference: Client, draw: Draw) -> None:
    """Agrees with the reference on other sizes and numbers"""
    sizes = draw.size(33, 41), draw.size(43, 67)
    square = CAUSAL.sized(6, 6, 6, 0.0, inputs=cube)
    wide = CAUSAL.sized(*sizes).on(with_padding(many_sentences), **NAMED)
    narrow = CAUSAL.sized(1, 3, 6, 0.0, inputs=one_batch)
    long = CAUSAL.sized(2, 2, draw.size(1025, 1060), 0.0, inputs=long_sentence).in_evaluation(
        CAUSAL
    )
    laws.hold(
        compare.agreement(submission, reference, draw, square, wide, narrow, strided=True),
        compare.agreement_in_single(submission, reference, draw, long),
        stores_masks_of_full_length(submission, long),
    )


# END HIDDEN TESTS
@causal_attention.check(points=1, symptom="extreme numbers")
def test_causal_far(submission: Client, reference: Client, draw: Draw) -> None:
    """Stays right and causal with scores far from 0 and far apart"""
    drawn, names = CAUSAL.weights(reference, draw), ("W_query.weight", "W_key.weight")
    trials = far(CAUSAL, drawn, *names)
    laws.hold(
        compare.agreement(submission, reference, draw, *trials),
        compare.agreement_in_single(submission, reference, draw, steep(CAUSAL, drawn, *names)),
    )


@causal_attention.check(points=1)
def test_causal_gradients(submission: Client, reference: Client, draw: Draw) -> None:
    """Lets gradients reach the input and every parameter"""
    compare.gradients_agree(submission, reference, draw, BIASED, CAUSAL)


@causal_attention.check(points=2)
def test_causal_drops_weights(submission: Client, reference: Client, draw: Draw) -> None:
    """Drops attention weights, in training only"""
    T, d, p = 3, 4, 0.7
    zeros = torch.zeros(d, d).double()  # all scores are 0
    to_keys, to_values = draw.normal(d, d), draw.normal(d, d)
    weights = {"W_query.weight": zeros, "W_key.weight": to_keys, "W_value.weight": to_values}
    module = submission.CausalAttention(d, d, T, p).load(weights)
    x = draw.normal(100, T, d)
    few = x[:8]
    training, again = module(x, gradient=True), module(x, reseed=False)
    evaluation, later = module.eval()(few), module(few)
    all_dropped = submission.CausalAttention(d, d, LONG_ENOUGH, 1.0).load(weights)
    nothing = [all_dropped(draw.normal(1, tokens, d)) for tokens in (LONG_ENOUGH, 1)]
    small = draw.size(1, 3) / 100
    units = torch.eye(d).double()[:T].expand(1000, T, d)
    dropping = submission.CausalAttention(d, d, T, small)
    seldom = dropping.load({**weights, "W_value.weight": torch.eye(d).double()})(units)

    def without() -> Reply[Called]:
        return submission.CausalAttention(d, d, T, 0.0).load(weights).eval()(few)

    def trained_without() -> Reply[Called]:
        return submission.CausalAttention(d, d, T, 0.0).load(weights)(x, gradient=True)

    def of_weight(factors: Tensor) -> Tensor:
        of_mixed = torch.arange(x.numel()).double().cos().reshape(x.shape)
        of_queries = gradient_of_queries(of_mixed, factors, uniform, x @ to_keys.mT, values)
        return of_queries.flatten(0, 1).mT @ x.flatten(0, 1)

    values = x @ to_values.mT
    uniform = torch.ones(T, T).double().tril()
    uniform = uniform / uniform.sum(dim=1, keepdim=True)
    mean = uniform @ values
    operation = CAUSAL.with_condition(scores(0.0)).operation([x], weights)
    assert_uses_all_weights(submission, evaluation, without, mean[:8], operation)
    with showing("other things dropped"):
        mixed = training.value.output
        assert_output(submission, "In training", mixed, mean, operation, values=False)
    factors = assert_drops_weights(mixed, values, uniform, p, operation)
    assert_calls_drop_differently(mixed, again.value.output, mean, operation)
    assert_stays_in_evaluation(submission, later, mean[:8], operation)
    assert_gradient_is_dropped(
        training.value, "W_query.weight", of_weight, factors, trained_without, operation
    )
    for tokens, reply in zip((LONG_ENOUGH, 1), nothing, strict=True):
        label = f"In training, with a dropout of 1.0 and {tokens} token{'s' * (tokens > 1)}"
        empty = torch.zeros(1, tokens, d).double()
        assert_output(submission, label, reply.value.output, empty, operation)
    label, shown = f"In training, with a dropout of {small}", uniform @ units
    assert_output(submission, label, seldom.value.output, shown, operation, values=False)
    assert_divides_for_small_p(seldom.value.output[..., :T], uniform, small, operation)


@causal_attention.check(points=1)
def test_causal_behaves(submission: Client, reference: Client, draw: Draw) -> None:
    """Behaves as a module: past, arguments, batches, state_dict, device"""
    dropping = CAUSAL.sized(7, 4, 6, 0.5)
    behaviour.of_module(submission, reference, draw, CAUSAL, causal=True, dropping=dropping)
