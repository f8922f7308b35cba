"""Checks of one attention layer, from TestModule to SimpleAttentionLayer."""

from __future__ import annotations

import torch

from autograder.client import Client, Packing
from autograder.checking import Draw, Trial, Wrong, behaviour, compare, parts, start
from autograder.checking.agreement import described
from autograder.checking.laws import hold
from autograder.checking.sizes import cube, long_sentence, odd, two_sentences
from autograder.checking.tolerance import of_sums
from autograder.checking.trial import (
    Cases,
    Inputs,
    down_to_a_token,
    enlarged,
    given,
    one_batch,
    sentences,
    with_padding,
)
from autograder.course.exercise import Exercise

test_module = Exercise("TestModule")
query_key_value = Exercise("QueryKeyValue")
scaled_dot_product = Exercise("ScaledDotProduct")
attention_head = Exercise("AttentionHead", needs=(query_key_value, scaled_dot_product))
feed_forward = Exercise("FeedForwardLayer")
attention_layer = Exercise(
    "SimpleAttentionLayer",
    needs=(query_key_value, scaled_dot_product, feed_forward),
    may_use=(attention_head,),
)


# TestModule


@test_module.check(points=1)
def test_module_prints(submission: Client) -> None:
    """Prints Hello World each time it is called, and only then"""
    module = submission.TestModule()
    module.built.value  # noqa: B018  (raises StepFailed if it cannot be built)
    if printed := submission.printed():
        raise Wrong("printed something else", f"Building it already prints {printed!r}.")
    for call in ("Calling it", "A second call", "A call after eval()"):
        asked = module.eval() if "eval" in call else module
        returned = asked().value.output
        printed = submission.printed()
        if printed != "Hello World\n":
            is_text = described(returned) == "something of type str"
            hint = " A text was returned, not printed." * (is_text and not printed)
            hint = hint or " Does the line end there?" * (printed == "Hello World")
            text = f"{call} should print 'Hello World'; it printed {printed!r}.{hint}"
            symptom = "printed nothing" * (not printed) if call == "Calling it" else "printed once"
            raise Wrong("printed something else", text, symptom=symptom)
        if returned is not None:
            text = f"{call} should print and return nothing; it returned {described(returned)}."
            raise Wrong("wrong kind of result", text, symptom="returned too")


@test_module.check(points=1)
def test_module_is_a_module(submission: Client) -> None:
    """Is an nn.Module whose call goes through PyTorch"""
    if submission.TestModule().hooked().value != 1:
        raise Wrong(
            "not called through PyTorch",
            "Calling it does not run a forward hook once. Write forward, not __call__.",
        )


# QueryKeyValue

ONES = ("W_q", "W_k")
WIDE = 65, 66, 67  # enough features for PyTorch's layers to start with small numbers
QKV = Trial("QueryKeyValue", (7, 4), down_to_a_token, condition=of_sums)


@query_key_value.check(points=1)
def test_qkv_parameters(submission: Client, reference: Client) -> None:
    """Has the parameters W_q, W_k and value, the first two all ones"""
    begins = start.begins_well(submission, reference, QKV.sized(*WIDE[:2]), ones=ONES)
    hold(
        parts.parameters(submission, reference, QKV),
        begins,
    )
    hold(parts.uses_parameters(submission, reference, QKV))


@query_key_value.check(points=1)
def test_qkv_by_hand(submission: Client, reference: Client, draw: Draw) -> None:
    """Gives queries of 15 and 36 for the tokens of the statement"""
    tokens = torch.tensor([[1.0, 2, 3, 4, 5], [5, 6, 7, 8, 10]], dtype=torch.float64)
    weights = {
        "W_q": torch.ones(5, 3).double(),
        "W_k": torch.ones(5, 3).double(),
        "value.weight": torch.zeros(3, 5).double(),
        "value.bias": torch.ones(3).double(),
    }
    trial = QKV.sized(5, 3, inputs=given(The_tokens_of_the_statement=(tokens,)))
    compare.agrees(submission, reference, draw, trial.with_weights(weights))


@query_key_value.check(points=1)
def test_qkv_agrees(submission: Client, reference: Client, draw: Draw) -> None:
    """Gives the queries, keys and values of the reference"""
    compare.agrees(submission, reference, draw, QKV)


# BEGIN HIDDEN TESTS
@query_key_value.check(points=1, symptom="other inputs")
def test_qkv_agrees_elsewhere(submission: Client, reference: Client, draw: Draw) -> None:
    """Agrees with the reference on other sizes and numbers"""
    long = QKV.sized(2, 2, inputs=long_sentence).in_evaluation(QKV)
    wide = QKV.sized(odd(draw, 33, 49), odd(draw, 51, 67), inputs=two_sentences)
    compare.agrees_strided(submission, reference, draw, long, wide)


# END HIDDEN TESTS
@query_key_value.check(points=1)
def test_qkv_gradients(submission: Client, reference: Client, draw: Draw) -> None:
    """Lets gradients reach the input and every parameter"""
    compare.gradients_agree(submission, reference, draw, QKV)


@query_key_value.check(points=1)
def test_qkv_behaves(submission: Client, reference: Client, draw: Draw) -> None:
    """Behaves as a module: arguments, batches, state_dict, device"""
    behaviour.of_module(submission, reference, draw, QKV)


# ScaledDotProduct


def attention_inputs(L: int, S: int, d_k: int, d_v: int, *leading: tuple[int, ...]) -> Inputs:
    """Queries (..., L, d_k), keys (..., S, d_k) and values (..., S, d_v) for each batch shape."""

    def draw_cases(draw: Draw, arguments: tuple[int, ...]) -> Cases:
        return {
            f"A batch of shape {shape}" if shape else "No batch": (
                draw.normal(*shape, L, d_k),
                draw.normal(*shape, S, d_k),
                draw.normal(*shape, S, d_v),
            )
            for shape in leading
        }

    return draw_cases


# d_k differs from the statement's. S is the largest size, so that the smallest example has two keys
# before it has two features.
DOT_PRODUCT = Trial("ScaledDotProduct", (), attention_inputs(5, 8, 7, 2, (3,), (2, 3), ()))


@scaled_dot_product.check(points=1)
def test_dot_product_by_hand(submission: Client, reference: Client, draw: Draw) -> None:
    """Gives 7.3106 for the numbers of the statement"""
    query = torch.tensor([[2.0, 0, 0, 0]], dtype=torch.float64)
    keys = torch.tensor([[1.0, 0, 0, 0], [0, 1, 0, 0]], dtype=torch.float64)
    values = torch.tensor([[10.0], [0]], dtype=torch.float64)
    trial = DOT_PRODUCT.on(given(The_numbers_of_the_statement=(query, keys, values)))
    compare.agrees(submission, reference, draw, trial)


@scaled_dot_product.check(points=2)
def test_dot_product_agrees(submission: Client, reference: Client, draw: Draw) -> None:
    """Agrees with the reference"""
    one_query = DOT_PRODUCT.on(attention_inputs(1, 5, 7, 2, (3,)))
    compare.agrees(submission, reference, draw, DOT_PRODUCT, one_query)


# BEGIN HIDDEN TESTS
@scaled_dot_product.check(points=1, symptom="other inputs")
def test_dot_product_agrees_elsewhere(submission: Client, reference: Client, draw: Draw) -> None:
    """Agrees with the reference on other sizes and numbers"""
    few, many = draw.size(17, 24), draw.size(1025, 1072)
    many_keys = DOT_PRODUCT.on(attention_inputs(few, many, 5, 3, (2,)))
    many_queries = DOT_PRODUCT.on(attention_inputs(many, few, 3, 2, (1,)))
    square = DOT_PRODUCT.on(attention_inputs(4, 4, 4, 4, (4,))).in_evaluation(DOT_PRODUCT)
    d_k, d_v = odd(draw, 129, 145), odd(draw, 51, 67)
    wide = DOT_PRODUCT.on(with_padding(attention_inputs(draw.size(9, 12), 4, d_k, d_v, (2,))))
    heads = DOT_PRODUCT.on(attention_inputs(6, 5, 4, 3, (2, 3)))  # no view merges the first two
    trials = many_keys, square, many_queries, wide, heads
    compare.agrees_strided(submission, reference, draw, *trials)


# END HIDDEN TESTS
@scaled_dot_product.check(points=1)
def test_dot_product_gradients(submission: Client, reference: Client, draw: Draw) -> None:
    """Lets gradients reach queries, keys and values"""
    compare.gradients_agree(submission, reference, draw, DOT_PRODUCT)


@scaled_dot_product.check(points=1)
def test_dot_product_behaves(submission: Client, reference: Client, draw: Draw) -> None:
    """Behaves as a module: parameters, batches, device, large scores"""
    large = DOT_PRODUCT.on(enlarged(DOT_PRODUCT.inputs))
    last = compare.agreement_in_single(
        submission, reference, draw, large, symptom="extreme numbers"
    )
    none = parts.parameters(submission, reference, DOT_PRODUCT)
    behaviour.of_module(submission, reference, draw, DOT_PRODUCT, also=(none,), last=(last,))


# AttentionHead

EXCHANGED = Packing(
    "W_q makes the keys, W_k the queries. Swap them to match their names.",
    names={"W_q": "W_k", "W_k": "W_q"},
)
HEAD = Trial("AttentionHead", (7, 4), sentences)
HEAD_PARTS = {"scaled_dot_product": "ScaledDotProduct", "qkv_mechanism": "QueryKeyValue"}


@attention_head.check(points=1)
def test_head_parameters(submission: Client, reference: Client) -> None:
    """Has the parts scaled_dot_product and qkv_mechanism"""
    hold(
        parts.parameters(submission, reference, HEAD),
        parts.has(submission, HEAD, HEAD_PARTS),
        start.begins_well(submission, reference, HEAD.sized(*WIDE[:2]), ones=ONES),
    )
    hold(parts.uses_parameters(submission, reference, HEAD))


@attention_head.check(points=1, layout=True)
def test_head_agrees(submission: Client, reference: Client, draw: Draw) -> None:
    """Agrees with the reference, each weight under its name"""
    compare.keeps_layout(submission, reference, draw, HEAD, (EXCHANGED,))
    compare.agrees(submission, reference, draw, HEAD)


# BEGIN HIDDEN TESTS
@attention_head.check(points=1, symptom="other inputs")
def test_head_agrees_elsewhere(submission: Client, reference: Client, draw: Draw) -> None:
    """Agrees with the reference on other sizes and numbers"""
    long = HEAD.sized(2, 2, inputs=long_sentence).in_evaluation(HEAD)
    wide = HEAD.sized(odd(draw, 33, 49), odd(draw, 51, 67), inputs=two_sentences)
    compare.agrees_strided(submission, reference, draw, long, wide)


# END HIDDEN TESTS
@attention_head.check(points=1)
def test_head_gradients(submission: Client, reference: Client, draw: Draw) -> None:
    """Lets gradients reach the input and every parameter"""
    compare.gradients_agree(submission, reference, draw, HEAD)


@attention_head.check(points=1)
def test_head_behaves(submission: Client, reference: Client, draw: Draw) -> None:
    """Behaves as a module: arguments, batches, state_dict, device"""
    behaviour.of_module(submission, reference, draw, HEAD)


# FeedForwardLayer

FFL = Trial("FeedForwardLayer", (7, 9), down_to_a_token, condition=of_sums)
LAST = ("aggregation_step.weight", "secondlayer.weight")  # last layers of branches: may start as 0


@feed_forward.check(points=1)
def test_ffl_parameters(submission: Client, reference: Client) -> None:
    """Has firstlayer and secondlayer"""
    hold(
        parts.parameters(submission, reference, FFL),
        start.begins_well(submission, reference, FFL.sized(*WIDE[:2]), zeros=LAST),
    )
    hold(parts.uses_parameters(submission, reference, FFL))


@feed_forward.check(points=1)
def test_ffl_agrees(submission: Client, reference: Client, draw: Draw) -> None:
    """Agrees with the reference"""
    compare.agrees(submission, reference, draw, FFL)


# BEGIN HIDDEN TESTS
@feed_forward.check(points=1, symptom="other inputs")
def test_ffl_agrees_elsewhere(submission: Client, reference: Client, draw: Draw) -> None:
    """Agrees with the reference on other sizes and numbers"""
    long = FFL.sized(2, 2, inputs=long_sentence).in_evaluation(FFL)
    narrowing = FFL.sized(odd(draw, 51, 67), odd(draw, 33, 49), inputs=two_sentences)
    compare.agrees_strided(submission, reference, draw, long, narrowing)


# END HIDDEN TESTS
@feed_forward.check(points=1)
def test_ffl_behaves(submission: Client, reference: Client, draw: Draw) -> None:
    """Behaves as a module: gradients, arguments, state_dict, device"""
    compare.gradients_agree(submission, reference, draw, FFL)
    behaviour.of_module(submission, reference, draw, FFL)


# SimpleAttentionLayer

LAYER = Trial("SimpleAttentionLayer", (7, 4, 9), sentences)
LAYER_PARTS = {
    "qkv": "QueryKeyValue",
    "dot_product_attn": "ScaledDotProduct",
    "aggregation_step": "",
    "layernorm1": "",
    "layernorm2": "",
    "ffl": "FeedForwardLayer",
}


@attention_layer.check(points=1)
def test_layer_parameters(submission: Client, reference: Client) -> None:
    """Has the six parts of the statement, with usual start values"""
    hold(
        parts.parameters(submission, reference, LAYER),
        parts.has(submission, LAYER, LAYER_PARTS),
        start.begins_well(submission, reference, LAYER.sized(*WIDE), ones=ONES, zeros=LAST),
    )
    hold(parts.uses_parameters(submission, reference, LAYER))


@attention_layer.check(points=1, layout=True)
def test_layer_layout(submission: Client, reference: Client, draw: Draw) -> None:
    """Makes queries with W_q and keys with W_k"""
    compare.keeps_layout(submission, reference, draw, LAYER, (EXCHANGED,))


@attention_layer.check(points=1)
def test_layer_skips(submission: Client, reference: Client, draw: Draw) -> None:
    """Returns its input when both branches give 0"""
    weights = LAYER.weights(reference, draw)
    for name in weights:
        if name.startswith(("aggregation_step", "ffl.secondlayer")):
            weights[name] = torch.zeros_like(weights[name])
    compare.agrees(submission, reference, draw, LAYER.on(one_batch).with_weights(weights))
    hold(parts.uses_parameters(submission, reference, LAYER))


@attention_layer.check(points=1)
def test_layer_agrees(submission: Client, reference: Client, draw: Draw) -> None:
    """Agrees with the reference"""
    compare.agrees(submission, reference, draw, LAYER)


# BEGIN HIDDEN TESTS
@attention_layer.check(points=1, symptom="other inputs")
def test_layer_agrees_elsewhere(submission: Client, reference: Client, draw: Draw) -> None:
    """Agrees with the reference on other sizes and numbers"""
    long = LAYER.sized(3, 3, 3, inputs=long_sentence).in_evaluation(LAYER)
    sizes = odd(draw, 51, 59), odd(draw, 61, 67), odd(draw, 33, 49)
    wide = LAYER.sized(*sizes, inputs=two_sentences)
    square = LAYER.sized(4, 4, 4, inputs=cube)
    compare.agrees_strided(submission, reference, draw, long, wide, square)


# END HIDDEN TESTS
@attention_layer.check(points=1)
def test_layer_gradients(submission: Client, reference: Client, draw: Draw) -> None:
    """Lets gradients reach the input and every parameter"""
    compare.gradients_agree(submission, reference, draw, LAYER)


@attention_layer.check(points=1)
def test_layer_behaves(submission: Client, reference: Client, draw: Draw) -> None:
    """Behaves as a module: arguments, batches, state_dict, device"""
    behaviour.of_module(submission, reference, draw, LAYER)
