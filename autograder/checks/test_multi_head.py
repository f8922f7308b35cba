"""Checks of many heads: as a list of heads, and all in one tensor."""

from __future__ import annotations

import torch
from torch import Tensor

from autograder.channel import Called, Course
from autograder.checks.test_attention_layer import attention_head
from autograder.comparison import Draw, Trial, Wrong, assert_agree, laws
from autograder.comparison.dropout import assert_drops_weights
from autograder.comparison.trial import sentences
from autograder.exercise import Exercise

multi_head_list = Exercise("MultiHeadList", needs=(attention_head,))
multi_head_attention = Exercise("MultiHeadAttention")


def heads(draw: Draw, dim_h: int = 7, dim_k: int = 4, nr_heads: int = 3) -> Trial:
    return Trial("MultiHeadList", (dim_h, dim_k, nr_heads), sentences(draw, dim_h))


@multi_head_list.check(points=1)
def test_list_parameters(submission: Course, reference: Course, draw: Draw) -> None:
    """Has the parameters of its heads and of aggregation_step"""
    laws.has_parameters(submission, reference, heads(draw))


@multi_head_list.check(points=2)
def test_list_agrees(submission: Course, reference: Course, draw: Draw) -> None:
    """Agrees with the reference"""
    laws.agrees(submission, reference, draw, heads(draw))


# BEGIN HIDDEN TESTS
@multi_head_list.check(points=2)
def test_list_agrees_elsewhere(submission: Course, reference: Course, draw: Draw) -> None:
    """Agrees with the reference on other sizes and numbers"""
    trials = heads(draw, 4, 3, 2), heads(draw, 5, 5, 5), heads(draw, 3, 6, 1)
    laws.agrees(submission, reference, draw, *trials)


# END HIDDEN TESTS
@multi_head_list.check(points=1)
def test_list_gradients(submission: Course, reference: Course, draw: Draw) -> None:
    """Lets gradients reach the input and every head"""
    laws.agrees(submission, reference, draw, heads(draw), gradient=True)


@multi_head_list.check(points=2)
def test_list_behaves(submission: Course, reference: Course, draw: Draw) -> None:
    """Behaves as a module: arguments, batches, state_dict, device"""
    laws.behaves(submission, reference, draw, heads(draw))


def attention(draw: Draw, dim_input: int = 7, nr_heads: int = 3, dim_head: int = 4) -> Trial:
    cases = sentences(draw, dim_input, ranks=(3,))
    return Trial("MultiHeadAttention", (dim_input, nr_heads, dim_head), cases)


@multi_head_attention.check(points=1)
def test_attention_parameters(submission: Course, reference: Course, draw: Draw) -> None:
    """Has to_qkv without bias and to_out with bias"""
    laws.has_parameters(submission, reference, attention(draw))


@multi_head_attention.check(points=3)
def test_attention_agrees(submission: Course, reference: Course, draw: Draw) -> None:
    """Agrees with the reference"""
    laws.agrees(submission, reference, draw, attention(draw))


@multi_head_attention.check(points=1)
def test_attention_options(submission: Course, reference: Course, draw: Draw) -> None:
    """Has the statement's defaults, and scales by dim_head ** -scale_factor"""
    cases = sentences(draw, 7, ranks=(3,))
    defaults = Trial("MultiHeadAttention", (7,), cases)
    unscaled = Trial("MultiHeadAttention", (7, 3, 4), cases, {"scale_factor": 0.0})
    by_size = Trial("MultiHeadAttention", (7, 3, 4), cases, {"scale_factor": 1.0})
    trials = defaults, unscaled, by_size
    laws.agrees(submission, reference, draw, *trials)


# BEGIN HIDDEN TESTS
@multi_head_attention.check(points=2)
def test_attention_agrees_elsewhere(submission: Course, reference: Course, draw: Draw) -> None:
    """Agrees with the reference on other sizes and numbers"""
    trials = attention(draw, 6, 2, 5), attention(draw, 5, 5, 5), attention(draw, 8, 1, 3)
    laws.agrees(submission, reference, draw, *trials)


# END HIDDEN TESTS
@multi_head_attention.check(points=1)
def test_attention_gradients(submission: Course, reference: Course, draw: Draw) -> None:
    """Lets gradients reach the input and every parameter"""
    trial = attention(draw)
    laws.agrees(submission, reference, draw, trial, gradient=True)


@multi_head_attention.check(points=2)
def test_attention_drops_weights(submission: Course, reference: Course, draw: Draw) -> None:
    """Drops attention weights, in training only"""
    H, d, T, p = 3, 4, 3, 0.3  # noqa: N806
    values = draw.normal(H * d, H * d)
    weights = {
        "to_qkv.weight": torch.cat([torch.zeros(2 * H * d, H * d).double(), values]),
        "to_out.weight": torch.eye(H * d).double(),
        "to_out.bias": torch.zeros(H * d).double(),
    }  # all scores are 0, all weights 1/T, and the heads come out side by side
    module = submission.MultiHeadAttention(H * d, H, d, dropout_p=p).load(weights)
    x = draw.normal(200, T, H * d)
    training, evaluation = module(x), module.eval()(x)

    def by_head(features: Tensor) -> Tensor:  # (B, T, H·d) -> (B·H, T, d)
        return features.unflatten(-1, (H, d)).transpose(1, 2).flatten(0, 1)

    v = by_head(x @ values.mT)
    uniform = torch.full((T, T), 1 / T, dtype=torch.float64)
    expected = Called((x @ values.mT).mean(dim=1, keepdim=True).expand_as(x), [], None)
    assert_agree(submission, "In evaluation", evaluation.value, expected)
    mixed = training.value.output
    if not isinstance(mixed, Tensor) or mixed.shape != x.shape:
        raise Wrong("wrong shape", "In training the result has another shape.")
    assert_drops_weights(by_head(mixed), v, uniform, p)


@multi_head_attention.check(points=2)
def test_attention_behaves(submission: Course, reference: Course, draw: Draw) -> None:
    """Behaves as a module: arguments, batches, state_dict, device"""
    laws.behaves(submission, reference, draw, attention(draw))
