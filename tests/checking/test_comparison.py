"""Comparisons are fair: each law detects exactly one kind of mistake."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch
from conftest import GradeText, of
from torch import Tensor

from autograder.checking import Draw, Wrong, assert_agree
from autograder.checking.agreement import assert_same_numbers, numbers_apart
from autograder.checking.dropout import (
    assert_calls_drop_differently,
    assert_divides_for_small_p,
    assert_drops_weights,
    gradient_of_queries,
)
from autograder.checking.tolerance import Operation, allowed
from autograder.client import Called, Client, Conversation
from autograder.grading.grade import Outcome

LINE = "        scores = Q @ K.transpose(-2, -1)  # (..., L, S)\n"
BREAKS = {
    "argument": (
        "        if not torch.is_grad_enabled():\n            K = K.clone(); V += 1; V = V - 1\n",
        "Your code modified argument 2 in place.",
    ),
    "batch": (
        "        if Q.dim() == 3 and Q[0].sum() < Q[-1].sum() - 100:\n            Q = Q * 2\n",
        "",
    ),
    "evaluation": (
        "        if not self.training:\n            Q = 2 * Q\n",
        "The same input after eval()",
    ),
    "device": (
        "        Q = Q + torch.zeros(Q.shape[-1], dtype=Q.dtype)\n",
        "On another device",
    ),
    "large scores": (
        "        K = K.clamp(-50, 50)\n",
        "scores of 10,000: 8 of 30 numbers differ",
    ),
}

TOGETHER = "In float32, after eval() and among other sequences, an input gives another result."
ALONE = "In float32, an input gives another result than in float64."
IN_FLOAT32 = {  # variable to double: assignment, exercise, line before which, check, message
    "queries": (
        "causal_attention",
        "causal_weights",
        "    T, d = queries.shape[-2:]\n",
        "weights_behave",
        ALONE,
    ),
    "q": (
        "causal_attention",
        "single_head",
        "    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])  # (B, T, T)\n",
        "head_behaves",
        ALONE,
    ),
    "Q": ("attention_layer", "ScaledDotProduct", LINE, "dot_product_behaves", ALONE),
    "normalised": (
        "normalization",
        "LayerNorm1d",
        "        return self.gamma * normalised + self.beta\n        ### END SOLUTION\n",
        "layer_gradients",
        "30 of 30 numbers differ",
    ),
}


@pytest.mark.parametrize("name", BREAKS)
def test_a_law_is_broken_by_one_thing_alone(
    name: str, grade_text: GradeText, solutions: dict[str, str]
) -> None:
    passage, sentence = BREAKS[name]
    text = solutions["attention_layer"].replace(LINE, passage + LINE)
    checks = of(grade_text(text, exercise="ScaledDotProduct"), "ScaledDotProduct").checks
    failed = {check.name: check.message for check in checks if check.outcome is Outcome.FAILED}
    if sentence:
        also = {"dot_product_gradients"} if name == "evaluation" else set()  # asked there too
        assert failed.keys() == {"dot_product_behaves", *also}
        assert sentence in failed["dot_product_behaves"]
    else:
        assert failed == {}  # the branch never runs with numbers of the usual size


WITHOUT_BATCH = {  # what ScaledDotProduct does where there is no batch: the checks that fail
    "detached": ("V = V.detach()", {"gradients"}),
    "argument": (
        "if not torch.is_grad_enabled():\n                V += 1; V = V - 1",
        {"behaves"},
    ),
    "wrong": ("V = 2 * V", {"by_hand", "agrees"}),
    "an error": ("V = None", {"by_hand", "agrees"}),
}


@pytest.mark.parametrize("name", WITHOUT_BATCH)
def test_a_case_that_is_not_the_first_is_judged_once(
    name: str, grade_text: GradeText, solutions: dict[str, str]
) -> None:
    """Gradients count only where the result is right."""
    passage, expected = WITHOUT_BATCH[name]
    text = solutions["attention_layer"].replace(
        LINE, f"        if Q.dim() == 2:\n            {passage}\n{LINE}"
    )
    checks = of(grade_text(text, exercise="ScaledDotProduct"), "ScaledDotProduct").checks
    failed = {c.name.removeprefix("dot_product_") for c in checks if c.outcome is Outcome.FAILED}
    assert failed == expected


@pytest.mark.parametrize(
    "passage",
    [
        "        if not hasattr(self, 'kept'):\n"
        "            self.kept = self.dropout(torch.ones(100, T, T).to(x))\n"
        "        if self.dropout.p and self.training and len(x) <= 100:\n"
        "            return (torch.softmax(masked, dim=-1) * self.kept[: len(x)]) @ values\n",
        "        if 0 < self.dropout.p < 1 and self.training:\n            masked = None\n",
    ],
    ids=["drawn in the first call", "an error"],
)
def test_a_wrong_dropout_costs_the_points_of_its_own_check_alone(
    passage: str, grade_text: GradeText, solutions: dict[str, str]
) -> None:
    line = "        weights = self.dropout(torch.softmax(masked, dim=-1))\n"
    text = solutions["causal_attention"].replace(line, passage + line)
    checks = of(grade_text(text, "causal_attention", "CausalAttention"), "CausalAttention").checks
    failed = [check.name for check in checks if check.outcome is Outcome.FAILED]
    assert failed == ["causal_drops_weights"]


def test_sequences_that_influence_each_other_are_found(
    grade_text: GradeText, solutions: dict[str, str]
) -> None:
    passage = "        Q = Q + (Q.roll(1, 0) - Q.roll(1, 0).detach()) if Q.dim() > 2 else Q\n"
    mixing = "        V = (V + V.roll(1, 0)) / 2 if V.dim() > 2 else V\n"
    for change, name in ((mixing, "behaves"), (passage, "gradients")):
        text = solutions["attention_layer"].replace(LINE, change + LINE)
        checks = of(grade_text(text, exercise="ScaledDotProduct"), "ScaledDotProduct").checks
        failed = {check.name: check.message for check in checks if check.outcome is Outcome.FAILED}
        assert f"dot_product_{name}" in failed
        if name == "behaves":
            assert "The result of sequence 1 of a batch changes" in failed["dot_product_behaves"]


def test_what_only_matters_together_is_found(
    grade_text: GradeText, solutions: dict[str, str]
) -> None:
    """A mistake that needs evaluation and other sequences at once is found."""
    passage = (
        "        ratio = float(Q.flatten()[0] / Q.flatten()[1])\n"
        "        if self.training:\n"
        "            type(self).ratio = ratio if Q.dtype is torch.float64 else type(self).ratio\n"
        "        elif abs(ratio - type(self).ratio) > 1e-6:\n            Q = 2 * Q\n"
    )
    text = solutions["attention_layer"].replace(LINE, passage + LINE)
    checks = of(grade_text(text, exercise="ScaledDotProduct"), "ScaledDotProduct").checks
    failed = {check.name: check.message for check in checks if check.outcome is Outcome.FAILED}
    assert failed["dot_product_behaves"] == TOGETHER
    also = {"dot_product_agrees_elsewhere", "dot_product_gradients"}
    assert failed.keys() <= {"dot_product_behaves", *also}


OF_FUNCTIONS = {  # what running_mean_loop does with its result: how, and the message
    "length": (
        "means / T",
        "The first 2 tokens alone give another result than as the beginning of a longer sequence",
    ),
    "a table that is kept": (
        "means + (KEPT.setdefault((x.shape, x.dtype), means) is not means)",
        "The same input in a second call: ",
    ),
    "the fourth call": (
        "means + (SEEN.append(1) or len(SEEN) == 4)",
        "The same input in a second call: ",
    ),
    "other numbers in float32": (
        "means + (SEEN.append(x[0, 0, 0].item()) or x.dtype.itemsize < 8)"
        " * (SEEN[-1] != SEEN[-2:][0])",
        "In float32 and among other sequences, an input gives another result.",
    ),
}


@pytest.mark.parametrize("how", OF_FUNCTIONS)
def test_a_message_about_a_function_says_nothing_of_eval(
    how: str, grade_text: GradeText, solutions: dict[str, str]
) -> None:
    """A function has none."""
    result, sentence = OF_FUNCTIONS[how]
    text, line = solutions["running_averages"], "    return means\n"
    start = text.index(line, text.index("def running_mean_loop"))
    text = f"SEEN, KEPT = [], {{}}\n{text[:start]}    return {result}\n{text[start + len(line) :]}"
    checks = of(grade_text(text, "running_averages"), "running_mean_loop").checks
    said = [check.message for check in checks if check.visible]
    assert any(sentence in message for message in said)
    assert not any("eval" in message for message in said)


@pytest.mark.dear
def test_a_message_about_a_model_says_nothing_of_the_other_device(
    grade_text: GradeText, solutions: dict[str, str]
) -> None:
    """The checks move a model to one whose tensors have no numbers."""
    line = "positions = torch.arange(idx.shape[1], device=idx.device)"
    text = solutions["transformer"]
    assert text.count(line) == 1
    text = text.replace(line, f"{line}.flip(0)")
    checks = of(grade_text(text, "transformer"), "TinyTransformer").checks
    [message] = [check.message for check in checks if check.name == "model_behaves"]
    assert message.startswith(OF_FUNCTIONS["length"][1])


@pytest.mark.parametrize("name", IN_FLOAT32)
def test_what_is_wrong_in_float32_alone_is_found(
    name: str, grade_text: GradeText, solutions: dict[str, str]
) -> None:
    assignment, exercise, line, check, sentence = IN_FLOAT32[name]
    indent = line[: len(line) - len(line.lstrip())]
    doubled = f"{indent}{name} = {name} * (2 if {name}.dtype is torch.float32 else 1)\n"
    assert line in solutions[assignment]
    text = solutions[assignment].replace(line, doubled + line)
    checks = of(grade_text(text, assignment, exercise), exercise).checks
    failed = {c.name: c.message for c in checks if c.outcome is Outcome.FAILED and c.visible}
    assert sentence in failed[check]


ELSEWHERE = "linear_agrees_elsewhere"
IN_ONE_MODE = {  # condition under which SelfAttentionV2 gives 0: the checks that fail
    "out.dtype is torch.float32 and out.requires_grad": {"linear_gradients"},
    "out.dtype is torch.float64 and not self.training": {ELSEWHERE},
}
IN_ONE_SEQUENCE = {  # condition under which the first sequence of a batch gets 0
    "out.dtype is torch.float32": {"linear_behaves", "linear_gradients"},
    "not self.training": {"linear_behaves", "linear_gradients"},
}


def failing(line: str, part: str, grade_text: GradeText, solutions: dict[str, str]) -> set[str]:
    """Return the checks that fail if SelfAttentionV2 gives 0 in a part of its result.

    line: the condition under which it does.
    """
    zeros = f"{line}\n            out = torch.cat([0 * {part}, out[len({part}) :]])"
    text = solutions["self_attention"]
    head, _, tail = text.rpartition("        return weights @ values\n")
    text = f"{head}        out = weights @ values\n        {zeros}\n        return out\n{tail}"
    checks = of(grade_text(text, "self_attention", "SelfAttentionV2"), "SelfAttentionV2").checks
    return {check.name for check in checks if check.outcome is Outcome.FAILED}


@pytest.mark.parametrize("condition", [*IN_ONE_MODE, *IN_ONE_SEQUENCE])
def test_every_sequence_counts_in_each_mode(
    condition: str, grade_text: GradeText, solutions: dict[str, str]
) -> None:
    part, batch = (
        ("out[:1]", "out.dim() == 3 and ") if condition in IN_ONE_SEQUENCE else ("out", "")
    )
    failed = failing(f"if {batch}{condition}:", part, grade_text, solutions)
    assert failed == (IN_ONE_MODE | IN_ONE_SEQUENCE)[condition]


def test_a_combination_that_no_check_asks_about_costs_nothing(
    grade_text: GradeText, solutions: dict[str, str]
) -> None:
    """SECURITY.md says so."""
    of_two = "if out.dim() == 3 and len(out) == 2"
    assert not failing(f"{of_two} and out.dtype is torch.float32:", "out", grade_text, solutions)
    assert failing(f"{of_two} or out.dtype is torch.float32:", "out", grade_text, solutions)


def test_a_look_into_the_future_is_found(grade_text: GradeText, solutions: dict[str, str]) -> None:
    """Other checks fail as well, but only this one names the cause."""
    text = solutions["causal_attention"].replace("scores.masked_fill(future, -torch.inf)", "scores")
    assert text != solutions["causal_attention"]
    checks = of(grade_text(text, "causal_attention", "causal_weights"), "causal_weights").checks
    [message] = [check.message for check in checks if check.name == "weights_behave"]
    assert message == "The results of tokens 0 and 1 change when token 2 and later ones do."


@pytest.mark.parametrize(
    ("assignment", "exercise", "old", "new", "said"),
    [
        ("running_averages", "running_mean_loop", "return means",
         "return [*means.unbind(1)]",
         "expected a tensor of shape (3, 4, 2), got a tuple or list of 4."),
        ("running_averages", "running_mean_loop", "return means",
         "return 3.5", "expected a tensor of shape (3, 4, 2), got something of type float."),
        ("running_averages", "running_mean_loop", "return means", "",
         "expected a tensor of shape (3, 4, 2), got None. Is a return missing?"),
        ("causal_attention", "causal_weights", "-torch.inf), dim=-1)\n    ### END",
         "-torch.inf), dim=-1)[..., -1, :]\n    ### END",
         "expected shape (3, 5, 5), got (3, 5)."),
        ("transformer", "TinyTransformer", "self.ln_f(x)", "self.ln_f(x[:, -1])",
         "expected shape (3, 5, 11), got (3, 11)."),
    ],
)  # fmt: skip
def test_nothing_is_said_of_rows_where_the_shape_is_wrong(
    assignment: str,
    exercise: str,
    old: str,
    new: str,
    said: str,
    grade_text: GradeText,
    solutions: dict[str, str],
) -> None:
    assert old in solutions[assignment]
    text = solutions[assignment].replace(old, new)
    checks = of(grade_text(text, assignment, exercise), exercise).checks
    [message] = [check.message for check in checks if check.name.endswith(("behaves", "behave"))]
    assert message.partition(": ")[2] == said


@pytest.mark.parametrize(
    ("assignment", "exercise", "old"),
    [
        ("running_averages", "running_mean_loop", "def running_mean_loop"),
        ("transformer", "TinyTransformer", "def forward(self, idx"),
    ],
)
def test_a_coroutine_is_named_and_nothing_is_printed(
    assignment: str, exercise: str, old: str, grade_text: GradeText, solutions: dict[str, str]
) -> None:
    assert old in solutions[assignment]
    text = solutions[assignment].replace(old, f"async {old}", 1)
    checks = of(grade_text(text, assignment, exercise), exercise).checks
    said = "got a coroutine, which a call of an `async def` gives: write `def`."
    assert sum(check.message.endswith(said) for check in checks) >= 2
    assert not any(check.printed for check in checks)


def test_numbers_that_are_always_nan_are_the_same_again(
    grade_text: GradeText, solutions: dict[str, str]
) -> None:
    text = solutions["normalization"]
    wrong = text.replace(
        "torch.sqrt(var + self.eps)\n        return", "torch.sqrt(-var)\n        return"
    )
    assert wrong != text
    checks = of(grade_text(wrong, "normalization", "LayerNorm1d"), "LayerNorm1d").checks
    [message] = [check.message for check in checks if check.name == "layer_parameters"]
    assert message == "This property holds, but counts only once the results are right."


def test_state_that_is_not_handed_over_is_found(
    grade_text: GradeText, solutions: dict[str, str]
) -> None:
    text = solutions["attention_layer"].replace(
        "        self.activation = nn.GELU()\n",
        "        self.activation = nn.GELU()\n"
        "        self._register_load_state_dict_pre_hook(lambda state, *_: state.update(\n"
        "            {k: v * 0 for k, v in state.items()}))\n",
    )
    exercise = of(grade_text(text, exercise="FeedForwardLayer"), "FeedForwardLayer")
    failed = [check for check in exercise.checks if check.outcome is Outcome.FAILED]
    assert [check.name for check in failed] == ["ffl_behaves"]
    assert "After load_state_dict, firstlayer.weight does not hold the numbers" in failed[0].message


def test_one_tensor_for_two_parameters_is_found(
    grade_text: GradeText, solutions: dict[str, str]
) -> None:
    """Other checks fail as well, but only this one names the cause."""
    last = "        self.value = nn.Linear(dim_h, dim_k)"
    assert last in solutions["attention_layer"]
    text = solutions["attention_layer"].replace(last, f"{last}\n        self.W_k = self.W_q")
    checks = of(grade_text(text, exercise="QueryKeyValue"), "QueryKeyValue").checks
    [message] = [check.message for check in checks if check.name == "qkv_behaves"]
    assert message == (
        "After load_state_dict, W_q does not hold the numbers put into it. "
        "Does it share its tensor with another parameter?"
    )


@pytest.mark.parametrize("factor", [1.001, 1.0001, 0.999999])
def test_a_scale_slightly_wrong_is_caught(
    factor: float, grade_text: GradeText, solutions: dict[str, str]
) -> None:
    text = solutions["attention_layer"].replace(
        "scores / math.sqrt(", f"scores / math.sqrt({factor} * "
    )
    exercise = of(grade_text(text, exercise="ScaledDotProduct"), "ScaledDotProduct")
    assert exercise.outcome is Outcome.FAILED


CALL = Operation([torch.zeros(3, 4).double()])


def client() -> Client:
    return Client(Conversation(lambda steps, fresh: ([], "")))


def test_rounding_is_allowed_and_no_more() -> None:
    expected = torch.tensor([0.5, -2.0], dtype=torch.float64)
    tolerance = allowed(expected, CALL, torch.float64)
    assert_same_numbers("x", expected + tolerance * 0.9, expected, CALL, torch.float64)
    with pytest.raises(Wrong, match=r"x: 2 of 2 numbers differ; first at \[0\]: expected 0\.5"):
        assert_same_numbers("x", expected + tolerance * 1.1, expected, CALL, torch.float64)
    assert 1e-14 < tolerance < 1e-12
    assert 1e-6 < allowed(expected, CALL, torch.float32) < 1e-3


@pytest.mark.parametrize("bad", [float("nan"), float("inf"), -float("inf")])
def test_what_is_not_finite_never_agrees(bad: float) -> None:
    expected = torch.zeros(3, dtype=torch.float64)
    got = expected.clone()
    got[0], got[1] = 1.0, bad  # the first differs too, but is no such number
    with pytest.raises(Wrong, match=r"1 of 3 numbers are NaN or infinite; first at \[1\]"):
        assert_same_numbers("x", got, expected, CALL, torch.float64)


@pytest.mark.parametrize(
    ("got", "sentence"),
    [
        (None, "got None. Is a return missing?"),
        ([torch.zeros(2).double()], "got a tuple or list of 1"),
        ("of type numpy.ndarray", "got something of type numpy.ndarray"),
        (torch.zeros(3).double(), "expected shape (2,), got (3,)"),
        (torch.zeros(()).double(), "expected shape (2,), got ()"),
        (torch.zeros(2, dtype=torch.int64), "got torch.int64"),
        (torch.zeros(2, dtype=torch.bool), "got torch.bool"),
    ],
)
def test_what_is_no_such_tensor_is_named(got: object, sentence: str) -> None:
    expected = Called(torch.zeros(2, dtype=torch.float64), [], None)
    with pytest.raises(Wrong) as wrong:
        assert_agree(client(), "Case", Called(got, [], None), expected, CALL)
    assert sentence in str(wrong.value)


def test_float32_for_float64_is_noted_and_costs_nothing() -> None:
    submission = client()
    expected = Called(torch.full((2,), 1 / 3, dtype=torch.float64), [], None)
    assert_agree(submission, "Case", Called(torch.full((2,), 1 / 3), [], None), expected, CALL)
    assert len(submission.notes) == 1
    assert "float32" in submission.notes[0]


def test_numbers_that_look_alike_get_more_digits() -> None:
    assert numbers_apart(0.25, -1.5) == ("0.2500", "-1.5000")
    assert numbers_apart(0.123456, 0.123457) == ("0.123456", "0.123457")
    assert numbers_apart(-0.70711, -0.7071) == ("-0.70711", "-0.70710")
    assert numbers_apart(1.0, 1.0 + 2**-52) == ("1.0000000000000000", "1.0000000000000002")
    assert numbers_apart(123456.00001, 123456.00002) == ("123456.00001", "123456.00002")


def dropped(p: float, mask: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Return uniform attention's output with masked weights, its values and its weights."""
    values = Draw("dropout").normal(300, 3, 4)
    weights = torch.full((3, 3), 1 / 3, dtype=torch.float64)
    return (weights * mask / (1 - p)) @ values, values, weights


def kept(p: float, *shape: int) -> Tensor:
    return (torch.rand(*shape, generator=torch.Generator().manual_seed(1)) >= p).double()


def even(p: float, *shape: int) -> Tensor:
    """Return masks of which each drops the same share."""
    drawn = torch.rand(*shape, generator=torch.Generator().manual_seed(1)).flatten(1)
    return (drawn.argsort(1).argsort(1) >= p * drawn.shape[1] - 0.5).double().reshape(shape)


@pytest.mark.parametrize("p", [0.3, 0.7])
def test_right_dropout_is_accepted_from_every_seed(p: float) -> None:
    for seed in range(100):
        drawn = torch.rand(100, 3, 3, generator=torch.Generator().manual_seed(seed))
        values, weights = Draw("dropout").normal(100, 3, 4), torch.full((3, 3), 1 / 3).double()
        factors = (drawn >= p).double() / (1 - p)
        found = assert_drops_weights(weights * factors @ values, values, weights, p, CALL)
        assert torch.equal(found, factors)


def test_gradients_of_queries_are_those_of_autograd() -> None:
    N, L, S, d = 5, 2, 3, 4
    draw = Draw("gradients")
    queries = torch.zeros(N, L, d).double().requires_grad_()
    keys, values, of_mixed = draw.normal(N, S, d), draw.normal(N, S, d), draw.normal(N, L, d)
    factors = (draw.normal(N, L, S) > 0).double() * 2
    weights = torch.softmax(queries @ keys.mT / d**0.5, dim=-1)
    mixed = weights * factors @ values
    [expected] = torch.autograd.grad((mixed * of_mixed).sum(), queries)
    uniform = torch.full((L, S), 1 / S, dtype=torch.float64)
    got = gradient_of_queries(of_mixed, factors, uniform, keys, values)
    assert got.shape == expected.shape
    assert torch.allclose(got, expected, rtol=1e-7, atol=1e-7)


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32])
def test_right_dropout_is_accepted(dtype: torch.dtype) -> None:
    mixed, values, weights = dropped(0.3, kept(0.3, 300, 3, 3))
    assert_drops_weights(mixed.to(dtype), values, weights, 0.3, CALL)


@pytest.mark.parametrize(
    ("mask", "sentence"),
    [
        (torch.full((300, 3, 3), 0.7, dtype=torch.float64), "no weight is dropped"),
        (kept(0.7, 300, 3, 3), "a share of 0.70"),
        (kept(0.3, 300, 1, 3).expand(300, 3, 3), "All queries lose the same keys"),
        (kept(0.3, 300, 3, 3) * 0.9, "neither 0 nor divided by 1 - p"),
        (torch.full((300, 3, 3), float("nan")).double(), "NaN or infinite"),
        (kept(0.3, 300, 3, 3).index_select(2, torch.tensor([0, 1, 1])), "always dropped together"),
        (kept(0.3, 300, 3, 3).tril() + kept(0.3, 300, 3, 3).tril(-1).mT, "always dropped together"),
        (kept(0.3, 150, 3, 3).repeat_interleave(2, dim=0), "pairs of sequences"),
        (kept(0.3, 150, 3, 3).repeat(2, 1, 1), "pairs of sequences"),
        (even(0.3, 300, 3, 3), "about the same number"),
    ],
)
def test_wrong_dropout_is_named(mask: Tensor, sentence: str) -> None:
    with pytest.raises(Wrong, match=sentence):
        assert_drops_weights(*dropped(0.3, mask), 0.3, CALL)


def test_a_second_result_of_another_type_is_not_judged() -> None:
    """What the type has to be is asked of the first result."""
    mixed, values, weights = dropped(0.3, kept(0.3, 300, 3, 3))
    assert_calls_drop_differently(mixed, torch.ones(mixed.shape).bool(), weights @ values, CALL)


def test_what_is_nan_twice_is_not_called_another_number(grade_text: GradeText) -> None:
    text = "def running_mean_loop(x):\n    return x * float('nan')\n"
    graded = of(grade_text(text, "running_averages", "running_mean_loop"), "running_mean_loop")
    [*_, behaves] = graded.checks
    assert behaves.message == "24 of 24 numbers of the result are NaN or infinite."


# A small dropout

SEEN = torch.ones(3, 3).double().tril()
CAUSAL_WEIGHTS = SEEN / SEEN.sum(dim=1, keepdim=True)


def rarely_dropped(p: float, seed: int = 1) -> Tensor:
    """Return which weights of 1,000 sequences are kept, 1 or 0."""
    generator = torch.Generator().manual_seed(seed)
    return (torch.rand(1000, 3, 3, generator=generator) >= p).double()


@pytest.mark.parametrize("p", [0.01, 0.02, 0.03])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_a_small_dropout_is_accepted_from_every_seed(p: float, dtype: torch.dtype) -> None:
    for seed in range(200):
        found = CAUSAL_WEIGHTS.to(dtype) * rarely_dropped(p, seed).to(dtype) / (1 - p)
        assert_divides_for_small_p(found, CAUSAL_WEIGHTS, p, CALL)


@pytest.mark.parametrize("p", [0.01, 0.02, 0.03])
@pytest.mark.parametrize(
    ("dropped", "sentence"),
    [
        (lambda p: CAUSAL_WEIGHTS * rarely_dropped(p), "neither 0 nor divided by 0.9"),
        (lambda p: CAUSAL_WEIGHTS * rarely_dropped(p) * (1 + p), "neither 0 nor divided by 0.9"),
        (lambda p: CAUSAL_WEIGHTS * rarely_dropped(p) / p, "neither 0 nor divided by 0.9"),
        (lambda p: CAUSAL_WEIGHTS.expand(1000, 3, 3), "neither 0 nor divided by 0.9"),
        (lambda p: CAUSAL_WEIGHTS.expand(1000, 3, 3) / (1 - p), "a share of 0.000"),
        (lambda p: CAUSAL_WEIGHTS * rarely_dropped(2.5 * p) / (1 - p), "a share of 0.0"),
        (lambda p: CAUSAL_WEIGHTS * rarely_dropped(p) * torch.nan, "neither 0 nor divided by 0.9"),
    ],
)
def test_a_small_dropout_that_is_wrong_is_named(
    p: float, dropped: Callable[[float], Tensor], sentence: str
) -> None:
    with pytest.raises(Wrong, match=sentence):
        assert_divides_for_small_p(dropped(p), CAUSAL_WEIGHTS, p, CALL)


@pytest.mark.parametrize(
    ("line", "said"),
    [('return "Hello"', " A text was returned, not printed."), ("return self", "")],
)
def test_only_a_text_is_said_to_be_returned_and_not_printed(
    line: str, said: str, grade_text: GradeText, solutions: dict[str, str]
) -> None:
    text = solutions["attention_layer"].replace('print("Hello World")', line)
    check, *_ = of(grade_text(text, exercise="TestModule"), "TestModule").checks
    assert check.message == f"Calling it should print 'Hello World'; it printed ''.{said}"
