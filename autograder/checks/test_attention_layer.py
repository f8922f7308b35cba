"""Checks of one attention layer, from TestModule to SimpleAttentionLayer."""

from __future__ import annotations

import torch
from torch import Tensor

from autograder.channel import Course
from autograder.comparison import Draw, Trial, Wrong, laws
from autograder.comparison.trial import sentences
from autograder.exercise import Exercise

test_module = Exercise("TestModule")
query_key_value = Exercise("QueryKeyValue")
scaled_dot_product = Exercise("ScaledDotProduct")
attention_head = Exercise("AttentionHead", needs=(query_key_value, scaled_dot_product))
feed_forward = Exercise("FeedForwardLayer")
attention_layer = Exercise(
    "SimpleAttentionLayer", needs=(query_key_value, scaled_dot_product, feed_forward)
)


# TestModule


@test_module.check(points=1)
def test_module_prints(submission: Course) -> None:
    """Prints Hello World when it is called, and only then"""
    module = submission.TestModule()
    module.built.value  # noqa: B018
    if printed := submission.printed():
        raise Wrong("printed something else", f"Building it already prints {printed!r}.")
    returned = module().value.output
    printed = submission.printed()
    if printed.strip() != "Hello World":
        hint = " It was returned, not printed." if not printed and returned is not None else ""
        text = f"Calling it was to print 'Hello World'; it printed {printed!r}.{hint}"
        raise Wrong("printed something else", text)


# BEGIN HIDDEN TESTS
@test_module.check(points=1)
def test_module_is_a_module(submission: Course) -> None:
    """Is an nn.Module whose call goes through PyTorch"""
    if submission.TestModule().hooked().value != 1:
        raise Wrong("call is not PyTorch's", "A forward hook does not fire when it is called.")


# END HIDDEN TESTS
# QueryKeyValue


def qkv(draw: Draw, dim_h: int = 7, dim_k: int = 4) -> Trial:
    return Trial("QueryKeyValue", (dim_h, dim_k), sentences(draw, dim_h))


@query_key_value.check(points=1)
def test_qkv_parameters(submission: Course, reference: Course, draw: Draw) -> None:
    """Has the parameters W_q, W_k and value, the first two all ones"""
    laws.has_parameters(submission, reference, qkv(draw))
    values = submission.QueryKeyValue(7, 4).values().value
    for name in ("W_q", "W_k"):
        tensor = values[name]
        if tensor is None or not torch.equal(tensor, torch.ones(7, 4, dtype=torch.float64)):
            raise Wrong("wrong start values", f"{name} does not start as all ones.")


@query_key_value.check(points=1)
def test_qkv_by_hand(submission: Course, reference: Course) -> None:
    """Gives queries of 15 and 36 for the tokens of the statement"""
    tokens = torch.tensor([[1.0, 2, 3, 4, 5], [5, 6, 7, 8, 10]], dtype=torch.float64)
    ones = {"W_q": torch.ones(5, 3).double(), "W_k": torch.ones(5, 3).double()}
    trial = Trial("QueryKeyValue", (5, 3), {"The statement's tokens": (tokens,)})
    zeros = {"value.weight": torch.zeros(3, 5).double(), "value.bias": torch.ones(3).double()}
    laws.agrees_with(submission, reference, trial, ones | zeros)


@query_key_value.check(points=1)
def test_qkv_agrees(submission: Course, reference: Course, draw: Draw) -> None:
    """Gives the queries, keys and values of the reference"""
    laws.agrees(submission, reference, draw, qkv(draw))


# BEGIN HIDDEN TESTS
@query_key_value.check(points=1)
def test_qkv_agrees_elsewhere(submission: Course, reference: Course, draw: Draw) -> None:
    """Agrees with the reference on other sizes and numbers"""
    laws.agrees(submission, reference, draw, qkv(draw, 6, 2), qkv(draw, 5, 5), qkv(draw, 3, 8))


# END HIDDEN TESTS
@query_key_value.check(points=1)
def test_qkv_gradients(submission: Course, reference: Course, draw: Draw) -> None:
    """Lets gradients reach the input and every parameter"""
    laws.agrees(submission, reference, draw, qkv(draw), gradient=True)


@query_key_value.check(points=1)
def test_qkv_behaves(submission: Course, reference: Course, draw: Draw) -> None:
    """Behaves as a module: arguments, batches, state_dict, device"""
    laws.behaves(submission, reference, draw, qkv(draw))


# ScaledDotProduct


def dot_product(draw: Draw, L: int = 5, S: int = 6, d_k: int = 4, d_v: int = 2) -> Trial:  # noqa: N803
    def given(*batch: int) -> tuple[Tensor, Tensor, Tensor]:
        lengths = ((L, d_k), (S, d_k), (S, d_v))
        return tuple(draw.normal(*batch, *sizes) for sizes in lengths)  # type: ignore[return-value]

    cases = {
        "A batch of 3": given(3),
        "A batch of one": given(1),
        "As many sequences as tokens": given(L),
        "A batch of 2 with 3 heads": given(2, 3),
        "A single query": (draw.normal(3, 1, d_k), *given(3)[1:]),
        "No batch": given(),
    }
    return Trial("ScaledDotProduct", (), cases)


@scaled_dot_product.check(points=1)
def test_dot_product_by_hand(submission: Course, reference: Course) -> None:
    """Gives 7.3106 for the numbers of the statement"""
    query = torch.tensor([[2.0, 0, 0, 0]], dtype=torch.float64)
    keys = torch.tensor([[1.0, 0, 0, 0], [0, 1, 0, 0]], dtype=torch.float64)
    values = torch.tensor([[10.0], [0]], dtype=torch.float64)
    cases = {"The statement's numbers": (query, keys, values)}
    laws.agrees_with(submission, reference, Trial("ScaledDotProduct", (), cases), {})


@scaled_dot_product.check(points=2)
def test_dot_product_agrees(submission: Course, reference: Course, draw: Draw) -> None:
    """Agrees with the reference"""
    laws.agrees(submission, reference, draw, dot_product(draw))


# BEGIN HIDDEN TESTS
@scaled_dot_product.check(points=1)
def test_dot_product_agrees_elsewhere(submission: Course, reference: Course, draw: Draw) -> None:
    """Agrees with the reference on other sizes and numbers"""
    square = dot_product(draw, 4, 4, 4, 4)
    laws.agrees(submission, reference, draw, dot_product(draw, 3, 7, 5, 6), square)


# END HIDDEN TESTS
@scaled_dot_product.check(points=1)
def test_dot_product_gradients(submission: Course, reference: Course, draw: Draw) -> None:
    """Lets gradients reach queries, keys and values"""
    trial = dot_product(draw)
    laws.agrees(submission, reference, draw, trial, gradient=True)


@scaled_dot_product.check(points=1)
def test_dot_product_behaves(submission: Course, reference: Course, draw: Draw) -> None:
    """Keeps its arguments and batches apart; survives large scores"""
    trial = dot_product(draw)
    laws.behaves(submission, reference, draw, trial)
    laws.survives_large_scores(submission, reference, draw, trial)


# AttentionHead


def head(draw: Draw, dim_h: int = 7, dim_k: int = 4) -> Trial:
    return Trial("AttentionHead", (dim_h, dim_k), sentences(draw, dim_h))


@attention_head.check(points=1)
def test_head_parameters(submission: Course, reference: Course, draw: Draw) -> None:
    """Has the parameters of a qkv_mechanism"""
    laws.has_parameters(submission, reference, head(draw))


@attention_head.check(points=1)
def test_head_agrees(submission: Course, reference: Course, draw: Draw) -> None:
    """Agrees with the reference"""
    laws.agrees(submission, reference, draw, head(draw))


# BEGIN HIDDEN TESTS
@attention_head.check(points=1)
def test_head_agrees_elsewhere(submission: Course, reference: Course, draw: Draw) -> None:
    """Agrees with the reference on other sizes and numbers"""
    laws.agrees(submission, reference, draw, head(draw, 3, 6), head(draw, 5, 5))


# END HIDDEN TESTS
@attention_head.check(points=1)
def test_head_gradients(submission: Course, reference: Course, draw: Draw) -> None:
    """Lets gradients reach the input and every parameter"""
    laws.agrees(submission, reference, draw, head(draw), gradient=True)


@attention_head.check(points=1)
def test_head_behaves(submission: Course, reference: Course, draw: Draw) -> None:
    """Behaves as a module: arguments, batches, state_dict, device"""
    laws.behaves(submission, reference, draw, head(draw))
    laws.survives_large_scores(submission, reference, draw, head(draw))


# FeedForwardLayer


def ffl(draw: Draw, dim_h: int = 7, dim_expanded: int = 9) -> Trial:
    return Trial("FeedForwardLayer", (dim_h, dim_expanded), sentences(draw, dim_h))


@feed_forward.check(points=1)
def test_ffl_parameters(submission: Course, reference: Course, draw: Draw) -> None:
    """Has the parameters of firstlayer and secondlayer"""
    laws.has_parameters(submission, reference, ffl(draw))


@feed_forward.check(points=1)
def test_ffl_agrees(submission: Course, reference: Course, draw: Draw) -> None:
    """Agrees with the reference"""
    laws.agrees(submission, reference, draw, ffl(draw))


# BEGIN HIDDEN TESTS
@feed_forward.check(points=1)
def test_ffl_agrees_elsewhere(submission: Course, reference: Course, draw: Draw) -> None:
    """Agrees with the reference on other sizes and numbers"""
    laws.agrees(submission, reference, draw, ffl(draw, 4, 11), ffl(draw, 5, 5))


# END HIDDEN TESTS
@feed_forward.check(points=1)
def test_ffl_behaves(submission: Course, reference: Course, draw: Draw) -> None:
    """Behaves as a module: gradients, arguments, tokens, state_dict, device"""
    laws.agrees(submission, reference, draw, ffl(draw), gradient=True)
    laws.behaves(submission, reference, draw, ffl(draw))


# SimpleAttentionLayer


def layer(draw: Draw, dim_h: int = 7, dim_k: int = 4, dim_expanded: int = 9) -> Trial:
    return Trial("SimpleAttentionLayer", (dim_h, dim_k, dim_expanded), sentences(draw, dim_h))


@attention_layer.check(points=1)
def test_layer_parameters(submission: Course, reference: Course, draw: Draw) -> None:
    """Has the parameters of qkv, aggregation_step, the norms and ffl"""
    laws.has_parameters(submission, reference, layer(draw))


@attention_layer.check(points=1)
def test_layer_skips(submission: Course, reference: Course, draw: Draw) -> None:
    """Returns its input when both branches give 0"""
    trial = layer(draw)
    weights = trial.weights(reference, draw)
    closed = {
        name: torch.zeros_like(w) if name.startswith(("aggregation_step", "ffl.second")) else w
        for name, w in weights.items()
    }
    laws.agrees_with(submission, reference, trial, closed)


@attention_layer.check(points=2)
def test_layer_agrees(submission: Course, reference: Course, draw: Draw) -> None:
    """Agrees with the reference"""
    laws.agrees(submission, reference, draw, layer(draw))


# BEGIN HIDDEN TESTS
@attention_layer.check(points=1)
def test_layer_agrees_elsewhere(submission: Course, reference: Course, draw: Draw) -> None:
    """Agrees with the reference on other sizes and numbers"""
    laws.agrees(submission, reference, draw, layer(draw, 4, 6, 3), layer(draw, 5, 5, 5))


# END HIDDEN TESTS
@attention_layer.check(points=1)
def test_layer_gradients(submission: Course, reference: Course, draw: Draw) -> None:
    """Lets gradients reach the input and every parameter"""
    laws.agrees(submission, reference, draw, layer(draw), gradient=True)


@attention_layer.check(points=1)
def test_layer_behaves(submission: Course, reference: Course, draw: Draw) -> None:
    """Behaves as a module: arguments, batches, state_dict, device"""
    laws.behaves(submission, reference, draw, layer(draw))
    laws.survives_large_scores(submission, reference, draw, layer(draw))
