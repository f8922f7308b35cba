"""A mistake costs points once: exercises that use a wrong one are graded with a substitute."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
from conftest import GradeText, of, sampled
from torch import nn

from autograder.checking import Draw
from autograder.checking.collect import Checks
from autograder.client import RequestData, Response, loading
from autograder.client.reference_server import (
    COUNTERS,
    LARGEST,
    MOST_NUMBERS,
    MOST_RESULTS,
    recalled,
    respond,
)
from autograder.client.references import LiveReference, RecordedReference, Recording
from autograder.course import assignments
from autograder.grading.grade import Grade, Outcome
from autograder.grading.grader import Grader
from autograder.report import as_cell
from autograder.report.as_html import page
from autograder.report.terminal import Terminal
from autograder.runtime import calling, wire
from autograder.runtime.dispatch import OneDevice
from autograder.runtime.questions import Call
from autograder.runtime.substitute import (
    MOST,
    Unsuited,
    substitute,
    substitute_function,
    substitute_plain,
)
from autograder.sandbox import Limits, Sandbox, open_sandbox
from autograder.submissions.finding import Submission

Texts = dict[str, str]
WRONG = {  # wrong exercise -> edit of the solution
    "QueryKeyValue": ("return queries, keys, values", "return keys, queries, values"),
    "ScaledDotProduct": ("scores / math.sqrt(Q.shape[-1])", "scores"),
    "FeedForwardLayer": ("self.activation = nn.GELU()", "self.activation = nn.ReLU()"),
}
CALL = "self.scaled_dot_product(queries, keys, values)"  # in AttentionHead
RELU = """class FeedForwardLayer(nn.Module):
    def __init__(self, dim_h, dim_expanded):
        super().__init__()
        self.firstlayer = nn.Linear(dim_h, dim_expanded)
        self.secondlayer = nn.Linear(dim_expanded, dim_h)

    def forward(self, x):
        return self.secondlayer(self.firstlayer(x).relu())
"""
BUILT = {
    "attention_layer": ("AttentionHead", "SimpleAttentionLayer"),
    "multi_head": ("MultiHeadList",),
    "transformer": ("TinyTransformer",),
}


def wrong(text: str, *exercises: str) -> str:
    for exercise in exercises:
        assert text.count(WRONG[exercise][0]) == 1
        text = text.replace(*WRONG[exercise])
    return text


@pytest.fixture(scope="session")
def grade_beside(
    grade_text: GradeText, solutions: Texts, checks: object, sandbox: object
) -> Callable[..., Grade]:
    """Grade an assignment together with this text of attention_layer."""

    def grade(assignment: str, text: str, own: str = "") -> Grade:
        texts = {**solutions, "attention_layer": text}
        if own:
            texts[assignment] = own
        submission = Submission("anna", Path(f"{assignment}.py"), assignment, texts)
        return Grader(checks, sandbox, frozenset()).grade(submission)  # type: ignore[arg-type]

    return grade


@pytest.mark.dear
@pytest.mark.parametrize("assignment", BUILT)
@pytest.mark.parametrize(
    "exercises", sampled([*((name,) for name in WRONG), tuple(WRONG)], "+".join)
)
def test_what_is_built_from_a_wrong_exercise_keeps_its_points(
    exercises: tuple[str, ...],
    assignment: str,
    grade_beside: Callable[..., Grade],
    solutions: Texts,
) -> None:
    grade = grade_beside(assignment, wrong(solutions["attention_layer"], *exercises))
    lost = {e.name for e in grade.exercises if e.points < e.max_points}
    assert lost == (set(exercises) if assignment == "attention_layer" else set())
    for exercise in grade.exercises:
        if exercise.name in BUILT[assignment] and exercise.outcome is not Outcome.PASSED:
            assert exercise.outcome is Outcome.BLOCKED
            text = f"Waits for {exercise.waits_for}; with a correct one this is right."
            assert text in {check.message for check in exercise.checks}
    if exercises == tuple(WRONG):
        assert all(of(grade, name).outcome is Outcome.BLOCKED for name in BUILT[assignment])


@pytest.mark.dear
@pytest.mark.parametrize("assignment", ["attention_layer", "multi_head"])
def test_a_parameter_too_many_costs_points_where_it_is_made(
    assignment: str, grade_beside: Callable[..., Grade], solutions: Texts
) -> None:
    head, cls, rest = solutions["attention_layer"].partition("class ScaledDotProduct")
    init = "super().__init__()\n"
    rest = rest.replace(init, f"{init}        self.scale = nn.Parameter(torch.tensor(1.0))\n", 1)
    divided = "scores / math.sqrt(Q.shape[-1])"
    assert rest.count(divided) == 1
    rest = rest.replace(divided, "self.scale * scores / math.sqrt(Q.shape[-1])")
    grade = grade_beside(assignment, head + cls + rest)
    lost = {e.name for e in grade.exercises if e.points < e.max_points}
    assert lost == ({"ScaledDotProduct"} if assignment == "attention_layer" else set())


FLOAT32 = {  # exercise -> edit after which it gives float32 for float64, which costs no points
    "QueryKeyValue": ("return queries, keys, values", "return queries, keys, values.float()"),
    "ScaledDotProduct": ("return weights @ V", "return (weights @ V).float()"),
    "AttentionHead": (CALL, f"{CALL}.float()"),
}


@pytest.mark.dear
@pytest.mark.parametrize("assignment", ["attention_layer", "multi_head"])
@pytest.mark.parametrize("exercise", FLOAT32)
def test_what_costs_nothing_costs_nothing_where_it_is_used(
    exercise: str, assignment: str, grade_beside: Callable[..., Grade], solutions: Texts
) -> None:
    text = solutions["attention_layer"].replace(*FLOAT32[exercise])
    grade = grade_beside(assignment, text)
    assert {e.name: e.outcome for e in grade.exercises if e.outcome is not Outcome.PASSED} == {}
    said = {check.message for e in grade.exercises for check in e.checks if check.visible}
    if exercise != "AttentionHead" or assignment == "multi_head":
        assert any(message.startswith("It fails with your ") for message in said)


@pytest.mark.dear
def test_a_mistake_beside_float32_costs_its_own_points(
    grade_text: GradeText, solutions: Texts
) -> None:
    text = solutions["attention_layer"].replace(*FLOAT32["QueryKeyValue"])
    own = text.replace(CALL, CALL.replace("queries, keys", "keys, queries"))
    alone = solutions["attention_layer"].replace(
        CALL, CALL.replace("queries, keys", "keys, queries")
    )
    head, expected = (of(grade_text(t, named=True), "AttentionHead") for t in (own, alone))
    assert head.points == expected.points < head.max_points
    assert head.misconceptions == expected.misconceptions


@pytest.mark.dear
def test_what_is_wrong_beside_float32_is_waited_for(
    grade_text: GradeText, solutions: Texts
) -> None:
    text = wrong(solutions["attention_layer"], "FeedForwardLayer")
    grade = grade_text(text.replace(*FLOAT32["ScaledDotProduct"]))
    lost = {e.name for e in grade.exercises if e.points < e.max_points}
    assert lost == {"FeedForwardLayer"}
    assert of(grade, "SimpleAttentionLayer").outcome is Outcome.BLOCKED


@pytest.mark.dear
def test_a_mistake_of_its_own_is_charged_and_told(grade_text: GradeText, solutions: Texts) -> None:
    text = wrong(solutions["attention_layer"], "ScaledDotProduct")
    own = text.replace(CALL, CALL.replace("queries, keys", "keys, queries"))
    assert own != text
    head = of(grade_text(own, named=True), "AttentionHead")
    assert head.outcome is Outcome.FAILED
    assert head.waits_for == "ScaledDotProduct"
    assert 0 < head.points < head.max_points
    [diagnosis] = head.diagnoses
    assert "order_kqv" in diagnosis.ids


@pytest.mark.dear
@pytest.mark.parametrize(
    ("use", "why"),
    [
        # an attribute that only this student's class has
        ("self.scaled_dot_product.scale", "need not have an attribute scale."),
        ("self.scaled_dot_product(queries, keys, values, None)", "is called on tensors only."),
        ("torch.func.jvp(self.scaled_dot_product, *[(queries, keys, values)] * 2)[0]", "cannot "),
    ],
)
def test_what_uses_it_in_a_way_of_its_own_stays_blocked(
    use: str, why: str, grade_text: GradeText, solutions: Texts
) -> None:
    """The substitute cannot replace such uses, so it is unknown whether the exercise is correct.

    That is said in the list of all exercises too, in one sentence.
    """
    text = wrong(solutions["attention_layer"], "ScaledDotProduct").replace(CALL, use)
    grade = grade_text(text)
    head = of(grade, "AttentionHead")
    assert head.outcome is Outcome.BLOCKED
    assert head.points < head.max_points
    reason = (
        "The missing points can be given only once ScaledDotProduct passes: no correct one can "
        "stand in for yours, since ScaledDotProduct, as the statement defines it, "
    )
    said = {check.message for check in head.checks if check.visible and not check.points}
    assert any(one.startswith(f"Waits for ScaledDotProduct. {reason}{why}") for one in said), said
    assert {one.message for one in head.checks if not one.visible} <= {
        "",
        "Waits for ScaledDotProduct.",
    }
    for shown in ([*Terminal().report([grade])], [*Terminal().report([grade, grade])]):
        assert max(map(len, shown)) <= 80
        plain = " ".join(" ".join(shown).split())
        assert plain.count(f"{reason}{why}") == len(plain.split(" AttentionHead blocked ")) - 1
    for html in (page(grade, 1), as_cell.html(head, grade, 1)):
        assert html.count(reason) == 1


@pytest.mark.dear
@pytest.mark.parametrize(
    "definition",
    [
        "if True:\n    class ScaledDotProduct(nn.Module):\n        pass\n",
        "ScaledDotProduct = type('ScaledDotProduct', (nn.Module,), {})\n",
        "class ScaledDotProduct(nn.Module):\n    forward = None\nclass Alias(ScaledDotProduct):\n"
        "    pass\n",
    ],
    ids=["nested", "assigned", "subclassed"],
)
def test_it_is_replaced_however_it_was_made(
    definition: str, grade_text: GradeText, solutions: Texts
) -> None:
    """A class that was given another name is replaced under that name too."""
    text = solutions["attention_layer"]
    start = text.index("class ScaledDotProduct")
    end = text.index("# %%", start)
    name = "Alias" if "Alias" in definition else "ScaledDotProduct"
    text = text[:start] + definition + text[end:].replace("ScaledDotProduct()", f"{name}()")
    grade = grade_text(text)
    assert of(grade, "ScaledDotProduct").points == 0
    for exercise in ("AttentionHead", "SimpleAttentionLayer"):
        assert of(grade, exercise).outcome is Outcome.BLOCKED
        assert of(grade, exercise).points == of(grade, exercise).max_points


@pytest.mark.dear
@pytest.mark.parametrize(
    "again",
    [
        "FeedForwardLayer = None\n",
        "class FeedForwardLayer(nn.Linear):\n"
        "    def __init__(self, dim_h, dim_expanded):\n        super().__init__(dim_h, dim_h)\n",
        RELU,
    ],
    ids=["none", "one layer", "ReLU"],
)
def test_a_right_exercise_that_is_made_again_and_wrong_costs_points_where_it_is(
    again: str, grade_beside: Callable[..., Grade], solutions: Texts
) -> None:
    """A wrong copy of a right exercise costs points in the exercise that uses the copy.

    The right exercise has all its points, so nothing else would charge the mistake.
    """
    right, own = solutions["attention_layer"], f"{solutions['transformer']}\n\n{again}"
    found = of(grade_beside("transformer", right, own), "TinyTransformer")
    assert (found.outcome, found.waits_for) == (Outcome.FAILED, "")
    assert found.points < found.max_points / 2
    found = of(
        grade_beside("transformer", wrong(right, "FeedForwardLayer"), own), "TinyTransformer"
    )
    assert (found.outcome, found.points) == (Outcome.BLOCKED, found.max_points)


def test_what_is_not_written_is_still_waited_for(grade_text: GradeText, solutions: Texts) -> None:
    text = solutions["attention_layer"]
    start = text.index("class ScaledDotProduct")
    text = text[:start] + text[text.index("# %%", start) :]
    head = of(grade_text(text), "AttentionHead")
    assert head.outcome is Outcome.BLOCKED
    assert head.points < head.max_points


# Exercises that are used though they are not needed, which may be functions

EDITS = {  # exercise -> edit after which it is wrong
    "causal_weights": ("/ math.sqrt(d)  # (..., T, T)", "/ d"),
    "single_head": ("return weights, weights @ v", "return weights, weights @ q"),
    "BatchNorm1d": ("var = x.var(dim=0)  #", "var = x.var(dim=0, correction=0)  #"),
    "context_vector": ("return scores, weights, context", "return scores, weights, 2 * context"),
    "ScaledDotProduct": WRONG["ScaledDotProduct"],
    "QueryKeyValue": WRONG["QueryKeyValue"],
}
HEAD = """

def single_head(x, q_proj, k_proj, v_proj):
    weights = {}
    return weights, weights @ v_proj(x)
"""
BY_HEAD = """

class Old(CausalAttention):
    pass


class CausalAttention(Old):
    def forward(self, x):
        if self.training and self.dropout.p:
            return super().forward(x)
        return single_head(x, self.W_query, self.W_key, v_proj=self.W_value)[1]
"""
BY_TOKEN = """

def simple_self_attention(inputs):
    found = [context_vector(inputs, i) for i in range(len(inputs))]
    return torch.stack([w for _, w, _ in found]), torch.stack([c for *_, c in found])
"""
IMPORTED = """

from attention_layer import ScaledDotProduct


class Old(MultiHeadAttention):
    pass


class MultiHeadAttention(Old):
    def forward(self, x):
        if self.training and self.dropout.p:
            return super().forward(x)
        q, k, v = (
            rearrange(t, "b n (h d) -> b h n d", h=self.nr_heads)
            for t in self.to_qkv(x).chunk(3, dim=-1)
        )
        out = ScaledDotProduct()(q * self.scale * q.shape[-1] ** 0.5, k, v)
        return self.to_out(rearrange(out, "b h n d -> b n (h d)"))
"""
BY_LAYER = """

class SimpleAttentionLayer(nn.Module):
    def __init__(self, dim_h, dim_k, dim_expanded):
        super().__init__()
        self.qkv = QueryKeyValue(dim_h=dim_h, dim_k=dim_k)
        self.dot_product_attn = ScaledDotProduct()
        self.aggregation_step = nn.Linear(self.qkv.value.out_features, dim_h)
        self.layernorm1, self.layernorm2 = nn.LayerNorm(dim_h), nn.LayerNorm(dim_h)
        self.ffl = FeedForwardLayer(dim_h, dim_expanded)

    def forward(self, x):
        normed = self.layernorm1(x)
        queries, keys, _ = self.qkv(X=normed)
        out = self.dot_product_attn(queries, V=self.qkv.value(normed), K=keys)
        x = x + self.aggregation_step(out)
        return x + self.ffl(x=self.layernorm2(x))
"""
BY_UNITS = """

from attention_layer import ScaledDotProduct


class Old(MultiHeadAttention):
    pass


class MultiHeadAttention(Old):
    def forward(self, x):
        q, k, v = (
            rearrange(t, "b n (h d) -> b h n d", h=self.nr_heads)
            for t in self.to_qkv(x).chunk(3, dim=-1)
        )
        T = x.shape[1]
        units = torch.eye(T, dtype=x.dtype, device=x.device).expand(*q.shape[:2], T, T)
        weights = ScaledDotProduct()(q * self.scale * q.shape[-1] ** 0.5, k, units)
        return self.to_out(rearrange(self.dropout(weights) @ v, "b h n d -> b n (h d)"))
"""
BY_COLUMN = """

class LayerNorm1d:
    def __init__(self, dim, eps=1e-5):
        self.eps, self.gamma, self.beta = eps, torch.ones(dim), torch.zeros(dim)

    def __call__(self, x):
        return self.gamma * BatchNorm1d(len(x), self.eps)(x.T).T + self.beta

    def parameters(self):
        return [self.gamma, self.beta]
"""
INHERITED = """

class LayerNorm1d(BatchNorm1d):
    def __init__(self, dim, eps=1e-5):
        super().__init__(dim, eps)
        self.rows = {}

    def __call__(self, x):
        if len(x) not in self.rows:
            self.rows[len(x)] = BatchNorm1d(len(x), eps=self.eps)
        return self.gamma * self.rows[len(x)](x.T).T + self.beta
"""
BY_VMAP = """

def context_vector(inputs, i):
    scores = inputs @ inputs.index_select(0, torch.as_tensor(i, device=inputs.device).view(1))[0]
    weights = torch.softmax(scores, dim=-1)
    context = weights @ inputs
    return scores, weights, context


def simple_self_attention(inputs):
    tokens = torch.arange(len(inputs), device=inputs.device)
    _, weights, context = torch.vmap(context_vector, in_dims=(None, 0))(inputs, tokens)
    return weights, context
"""
USES = {  # how -> exercise used, its assignment, exercise, its assignment, its text
    "by place": ("causal_weights", "causal_attention", "single_head", "causal_attention",
        HEAD.format("causal_weights(q_proj(x), k_proj(x))")),
    "by name": ("causal_weights", "causal_attention", "single_head", "causal_attention",
        HEAD.format("causal_weights(keys=k_proj(x), queries=q_proj(x))")),
    "with layers": ("single_head", "causal_attention", "CausalAttention", "causal_attention",
        BY_HEAD),
    "mapped over": ("causal_weights", "causal_attention", "single_head", "causal_attention",
        HEAD.format("torch.vmap(causal_weights)(q_proj(x), k_proj(x))")),
    "plain": ("BatchNorm1d", "normalization", "LayerNorm1d", "normalization", BY_COLUMN),
    "inherited": ("BatchNorm1d", "normalization", "LayerNorm1d", "normalization", INHERITED),
    "with an index": ("context_vector", "self_attention", "simple_self_attention",
        "self_attention", BY_TOKEN),
    "with units as values": ("ScaledDotProduct", "attention_layer", "MultiHeadAttention",
        "multi_head", BY_UNITS),
    "by name, and its layer": ("QueryKeyValue", "attention_layer", "SimpleAttentionLayer",
        "attention_layer", BY_LAYER),
    "imported": ("ScaledDotProduct", "attention_layer", "MultiHeadAttention", "multi_head",
        IMPORTED),
}  # fmt: skip


DECLARED = {"LayerNorm1d": "BatchNorm1d", "simple_self_attention": "context_vector"}


@pytest.fixture
def declared(checks: Checks) -> Iterator[None]:
    """Let these exercises use others that do all of what they ask for, as an author may declare."""
    exercises = {e.name: e for name in assignments() for e in checks.exercises(name)}
    for name, used in DECLARED.items():
        object.__setattr__(exercises[name], "may_use", (exercises[used],))
    yield
    for name in DECLARED:
        object.__setattr__(exercises[name], "may_use", ())


SHOWN = "shown = causal_weights(torch.ones(2, 3), torch.ones(2, 3))\n"


def edited(text: str, exercise: str) -> str:
    assert text.count(EDITS[exercise][0]) == 1
    return text.replace(*EDITS[exercise])


@pytest.mark.dear
@pytest.mark.usefixtures("declared")
@pytest.mark.parametrize("how", USES)
def test_what_uses_a_wrong_exercise_gets_the_points_it_gets_with_a_right_one(
    how: str, checks: Checks, sandbox: Sandbox, solutions: Texts
) -> None:
    used, home, name, assignment, own = USES[how]
    right = {**solutions, assignment: solutions[assignment] + own}
    wrong = {**right, home: edited(right[home], used)}
    grader = Grader(checks, sandbox, frozenset())
    before, after = (
        of(grader.grade(Submission("anna", Path(f"{assignment}.py"), assignment, texts)), name)
        for texts in (right, wrong)
    )
    assert after.points == before.points > 0
    assert (before.waits_for, after.waits_for) == ("", used)
    assert any(check.carried for check in after.checks)


@pytest.mark.dear
@pytest.mark.usefixtures("declared")
def test_one_mistake_is_charged_once_where_it_is_mapped_over(
    grade_text: GradeText, solutions: Texts
) -> None:
    """A substitute that is mapped over is no loop over tokens, which a check would find."""
    text = solutions["self_attention"] + BY_VMAP
    assert {e.outcome for e in grade_text(text, "self_attention").exercises} == {Outcome.PASSED}
    line = "scores = inputs @ inputs.index_select("
    assert text.count(line) == 1
    grade = grade_text(text.replace(line, line.replace("@", "/ 2 @")), "self_attention")
    lost = {e.name for e in grade.exercises if e.points < e.max_points}
    assert lost == {"context_vector"}


DROPPED = """

class Old(CausalAttention):
    pass


class CausalAttention(Old):
    def forward(self, x):
        w, keep = causal_weights(self.W_query(x), self.W_key(x)), 1 - self.dropout.p
        if self.training and keep < 1:
            w = torch.where(torch.rand_like(w) < keep, w / max(keep, 1e-9), torch.zeros_like(w))
        return w @ self.W_value(x)
"""


@pytest.mark.dear
def test_one_mistake_is_charged_once_where_a_check_asks_for_a_thousand_sequences(
    grade_text: GradeText, solutions: Texts
) -> None:
    masked = "return torch.softmax(scores.masked_fill(future, -torch.inf), dim=-1)\n"
    text = solutions["causal_attention"]
    assert text.count(masked) == 1
    text = text.replace(masked, "return torch.softmax(scores, dim=-1) * ~future\n") + DROPPED
    grade = grade_text(text, "causal_attention")
    lost = {e.name for e in grade.exercises if e.points < e.max_points}
    assert lost == {"causal_weights"}


BY_LOOP = """

def running_mean_loop(x):
    return x * 0


def running_mean_matmul(x):
    T = x.shape[1]
    eye = torch.eye(T, dtype=x.dtype, device=x.device)[None]
    step = max(1, 8000 // T)
    parts = [running_mean_loop(eye[:, :, i : i + step])[0] for i in range(0, T, step)]
    weights = torch.cat(parts, 1)
    return weights, weights @ x


def running_mean_softmax(x):
    torch.softmax(x, -1)
    return running_mean_matmul(x)
"""
BY_FIRST = """

class SelfAttention(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query, self.W_key, self.W_value = (
            nn.Parameter(torch.rand(d_in, d_out)) for _ in range(3)
        )

    def forward(self, x):
        return x @ self.W_value * 0


class SelfAttentionV2(nn.Module):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__()
        self.W_query, self.W_key, self.W_value = (
            nn.Linear(d_in, d_out, bias=qkv_bias) for _ in range(3)
        )

    def forward(self, x):
        first = SelfAttention(x.shape[-1], self.W_query.weight.shape[0])
        own = {f"{n}": getattr(self, n).weight.T for n in ("W_query", "W_key", "W_value")}
        return torch.func.functional_call(first, own, (x,))
"""


BY_ZEROS = f"""
{BY_VMAP}

def context_vector(inputs, i):
    return inputs[:, 0] * 0, inputs[:, 0] * 0, inputs[0] * 0
"""
IDENTITY = """

class BatchNorm1d:
    def __init__(self, dim, eps):
        self.eps = eps

    def __call__(self, x):
        return x
"""


@pytest.mark.parametrize(
    ("assignment", "own", "wrong"),
    [
        ("running_averages", BY_LOOP, {"running_mean_loop", "running_mean_matmul",
            "running_mean_softmax"}),
        ("self_attention", BY_FIRST, {"SelfAttention", "SelfAttentionV2"}),
        ("self_attention", BY_ZEROS, {"context_vector", "simple_self_attention"}),
        ("normalization", IDENTITY + BY_COLUMN, {"BatchNorm1d", "LayerNorm1d"}),
    ],
)  # fmt: skip
def test_no_exercise_is_won_by_a_wrong_one_that_does_all_of_it(
    assignment: str, own: str, wrong: set[str], grade_text: GradeText, solutions: Texts
) -> None:
    """Its stand-in would compute the right numbers, which nobody has written."""
    grade = grade_text(solutions[assignment] + own, assignment)
    failed = {e.name for e in grade.exercises if e.outcome is Outcome.FAILED}
    assert failed == wrong
    assert not any(check.carried for e in grade.exercises for check in e.checks)


def test_layers_around_a_wrong_function_lack_the_points_of_dropout_alone(
    grade_text: GradeText, solutions: Texts
) -> None:
    own = BY_HEAD.replace("self.training and self.dropout.p", "False")
    own += "\ndef single_head(x, q_proj, k_proj, v_proj):\n    return None\n"
    grade = grade_text(solutions["causal_attention"] + own, "causal_attention")
    found = of(grade, "CausalAttention")
    assert {check.name for check in found.checks if check.points < check.max_points} == {
        "causal_drops_weights"
    }
    assert of(grade, "single_head").points == 0


@pytest.mark.dear
def test_one_mistake_is_charged_once_through_two_exercises(
    grade_text: GradeText, solutions: Texts
) -> None:
    text = edited(solutions["causal_attention"], "causal_weights")
    text += HEAD.format("causal_weights(q_proj(x), k_proj(x))") + BY_HEAD
    grade = grade_text(text, "causal_attention")
    lost = {e.name for e in grade.exercises if e.points < e.max_points}
    assert lost == {"causal_weights"}
    assert of(grade, "CausalAttention").waits_for == "causal_weights"


def test_float32_of_a_function_costs_nothing_where_it_is_used(
    grade_text: GradeText, solutions: Texts
) -> None:
    masked = "return torch.softmax(scores.masked_fill(future, -torch.inf), dim=-1)\n"
    text = solutions["causal_attention"]
    assert text.count(masked) == 1
    text = text.replace(masked, masked.replace("dim=-1)", "dim=-1).float()"))
    grade = grade_text(
        text + HEAD.format("causal_weights(q_proj(x), k_proj(x))"), "causal_attention"
    )
    assert {e.outcome for e in grade.exercises} == {Outcome.PASSED}
    said = {check.message for check in of(grade, "single_head").checks}
    assert any(message.startswith("It fails with your causal_weights only") for message in said)


@pytest.mark.dear
@pytest.mark.parametrize(
    "own",
    ["", "# Not by causal_weights.\n", SHOWN],
    ids=["alone", "in a comment", "shown"],
)  # fmt: skip
def test_a_mistake_beside_one_in_an_earlier_exercise_is_charged(
    own: str, grade_text: GradeText, solutions: Texts
) -> None:
    text = edited(solutions["causal_attention"], "single_head")
    expected = of(grade_text(text, "causal_attention", named=True), "single_head")
    text = edited(text, "causal_weights") + own
    head = of(grade_text(text, "causal_attention", named=True), "single_head")
    assert (head.outcome, head.waits_for) == (Outcome.FAILED, "")
    assert head.checks == expected.checks
    assert head.misconceptions == expected.misconceptions
    assert head.example is not None


@pytest.mark.dear
def test_an_exercise_does_not_use_what_a_cell_shows_in_a_locked_child(
    checks: Checks, solutions: Texts
) -> None:
    """Visible and hidden checks then have a child each, and each of them loads the module."""
    text = edited(edited(solutions["causal_attention"], "single_head"), "causal_weights") + SHOWN
    submission = Submission(
        "anna", Path("causal_attention.py"), "causal_attention", {"causal_attention": text}
    )
    with open_sandbox(Limits(), locked=True) as locked:
        grade = Grader(checks, locked, frozenset()).grade(submission)
    head = of(grade, "single_head")
    assert (head.outcome, head.waits_for) == (Outcome.FAILED, "")


@pytest.mark.dear
def test_a_mistake_in_the_use_of_a_wrong_function_is_charged(
    grade_text: GradeText, solutions: Texts
) -> None:
    """A later function cannot be right by what an earlier one, asked wrongly, returns."""
    own = HEAD.format("causal_weights(k_proj(x), q_proj(x))")
    right, wrong = (
        of(grade_text(text + own, "causal_attention"), "single_head")
        for text in (
            solutions["causal_attention"],
            edited(solutions["causal_attention"], "causal_weights"),
        )
    )
    assert right.points == wrong.points < wrong.max_points
    assert wrong.outcome is Outcome.FAILED


@pytest.mark.parametrize(
    "call",
    ["causal_weights(q_proj(x), k_proj(x), x)", "causal_weights(lambda: q_proj(x), k_proj(x))"],
)
def test_a_function_that_is_called_in_a_way_of_its_own_is_waited_for(
    call: str, grade_text: GradeText, solutions: Texts
) -> None:
    text = edited(solutions["causal_attention"], "causal_weights") + HEAD.format(call)
    head = of(grade_text(text, "causal_attention"), "single_head")
    assert (head.outcome, head.waits_for) == (Outcome.BLOCKED, "causal_weights")
    assert head.points < head.max_points


@pytest.mark.dear
def test_an_exercise_is_not_replaced_by_a_later_one(
    grade_text: GradeText, solutions: Texts
) -> None:
    """Two exercises that call each other would otherwise both be right."""
    text = solutions["running_averages"]
    text += (
        "\n\ndef running_mean_loop(x):\n    return running_mean_matmul(x)[1]\n"
        "\n\ndef running_mean_matmul(x):\n    return x, running_mean_loop(x)\n"
    )
    grade = grade_text(text, "running_averages")
    assert of(grade, "running_mean_loop").outcome is Outcome.FAILED
    assert of(grade, "running_mean_loop").waits_for == ""


# Substitutes and the reference server


class Bent(nn.Module):
    """A part of a reference, with a parameter and a linear layer of its own."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.shift, self.layer = nn.Parameter(torch.rand(size)), nn.Linear(size, size)

    def forward(self, y: torch.Tensor, z: torch.Tensor) -> torch.Tensor:
        return torch.tanh(self.layer(y) + self.shift) * z


class Composed(nn.Module):
    """A reference that has parts, of which one has no parameters."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.bent, self.head = Bent(size), nn.Linear(size, size)
        self.activation, self.drop = nn.GELU(), nn.Dropout(0.5)
        self.tied = nn.Linear(size, size)
        self.tied.weight = self.bent.layer.weight

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        bent: torch.Tensor = self.bent(x, self.drop(x))
        return self.activation(bent) @ bent.mT


class Doubling(nn.Module):
    """A reference for these tests that has a parameter and draws random numbers."""

    def __init__(self, size: int) -> None:
        super().__init__()
        size = size * size // size  # raises ZeroDivisionError for 0
        self.inner = nn.Linear(size, size, bias=False)
        self.drop = nn.Dropout(0.5)

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        return self.inner(x) * x, self.drop(x)


def projected(
    x: torch.Tensor, times: int, layer: nn.Linear, *more: nn.Linear, last: nn.Linear
) -> tuple[torch.Tensor, ...]:
    """A reference that is a function and gets numbers and layers."""
    return tuple(one(x) * times * one.in_features for one in (layer, *more, last))


def picked(x: torch.Tensor, i: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """A reference that is a function and gets a number as a tensor."""
    one = torch.index_select(x, 0, i.reshape(1))[0]
    return one, x @ one


class Running:
    """A reference that is a plain class, and changes a tensor in training."""

    def __init__(self, size: int, momentum: float = 0.5) -> None:
        self.momentum, self.training = momentum, True
        self.gamma, self.mean = torch.ones(size), torch.zeros(size)

    def __call__(self, x: torch.Tensor) -> torch.Tensor:
        if self.training:
            with torch.no_grad():
                self.mean = self.momentum * self.mean + (1 - self.momentum) * x.mean(0)
            return self.gamma * (x - x.mean(0))
        return self.gamma * (x - self.mean)

    def parameters(self) -> list[torch.Tensor]:
        return [self.gamma]


REFERENCES = {
    "Composed": Composed,
    "Doubling": Doubling,
    "projected": projected,
    "picked": picked,
    "Running": Running,
}


def consult(data: RequestData) -> Response:
    return respond(REFERENCES, data)


def test_a_substitute_does_what_the_reference_does() -> None:
    """Parameters, results, gradients and random numbers are identical to the last bit."""
    found = []
    for cls in (Doubling, substitute("Doubling", consult)):
        torch.manual_seed(7)
        module = cls(3).double()
        x = torch.randn(2, 3, dtype=torch.float64, requires_grad=True)
        first, second = module(x)
        wanted = [x, *module.parameters()]
        gradients = torch.autograd.grad((first * second).sum(), wanted)
        assert list(dict(module.named_parameters())) == ["inner.weight"]
        found.append([first, second, *gradients, *module.parameters(), torch.rand(3)])
        assert torch.equal(module.eval()(x=x)[1], x)
        assert (module.inner.in_features, module.inner.out_features) == (3, 3)
        assert torch.equal(module.inner(x), x @ module.inner.weight.T)
    assert all(torch.equal(ours, theirs) for ours, theirs in zip(*found, strict=True))


def test_the_parts_of_a_substitute_do_what_those_of_the_reference_do() -> None:
    found = []
    for cls in (Composed, substitute("Composed", consult)):
        torch.manual_seed(7)
        module = cls(3).double()
        x = torch.randn(2, 3, dtype=torch.float64, requires_grad=True)
        bent = module.bent(z=module.drop(x), y=module.bent.layer(x))
        outputs = [bent, module.activation(input=bent), module(x), module.eval().drop(x)]
        total = torch.stack([(output**2).sum() for output in outputs]).sum()
        gradients = torch.autograd.grad(total, [x, *module.bent.parameters()])
        parts = ["", "bent", "bent.layer", "head", "activation", "drop", "tied"]
        assert [*dict(module.named_modules())] == parts  # Sequential(*children()) follows the order
        layers = ["bent.layer.weight", "bent.layer.bias", "head.weight", "head.bias", "tied.bias"]
        assert [*dict(module.named_parameters())] == ["bent.shift", *layers]
        found.append([*outputs, *gradients, torch.rand(3)])
        copied = copy.deepcopy(module)
        assert torch.equal(copied.bent(x, x), module.bent(x, x))
    for ours, theirs in zip(*found, strict=True):  # gradients are added in another order
        assert torch.allclose(ours, theirs, rtol=1e-12, atol=1e-14)
    part: Any = module.bent
    with pytest.raises(Unsuited, match="Composed, as the statement defines it, need not have"):
        part.gate(x)
    with pytest.raises(Unsuited, match="cannot do this"):
        module.activation(x, x)


def test_more_than_a_message_may_hold_is_not_sent() -> None:
    """The grader would refuse the message, and all that the submission answers after it."""
    sent: list[RequestData] = []

    def recorded(data: RequestData) -> Response:
        sent.append(data)
        return consult(data)

    module = substitute("Doubling", recorded)(3)
    module(torch.zeros(8, 3))
    with pytest.raises(Unsuited, match="is not called on as much at once"):
        module(torch.zeros(MOST // 12 + 1, 3))
    assert [data["do"] for data in sent] == ["make", "call"]


def test_a_recorded_answer_stays_as_it_is() -> None:
    answers: list[Response] = []

    def recorded(data: RequestData) -> Response:
        answers.append(answers[0] if answers else consult(data))
        return answers[0]

    for _ in range(2):
        made = substitute("Composed", recorded)(3)
        assert {*dict(made.named_children())} == {"bent", "head", "activation", "drop", "tied"}


def test_a_substitute_is_called_with_the_names_of_the_statement() -> None:
    for made in (substitute("Doubling", consult)(3), substitute_plain("Running", consult)(3)):
        for given, named in (((), {"y": 1}), ((torch.ones(1, 3),), {"x": torch.ones(1, 3)})):
            with pytest.raises(Unsuited, match="as the statement defines it, is called with x"):
                made(*given, **named)


def test_the_substitute_for_a_function_does_what_the_reference_does() -> None:
    found = []
    for function in (projected, substitute_function("projected", consult)):
        torch.manual_seed(7)
        layers = [nn.Linear(3, 4, bias=bias).double() for bias in (True, False, True)]
        x = torch.randn(2, 3, dtype=torch.float64, requires_grad=True)
        outputs = function(x, 2, *layers[:2], last=layers[2])
        wanted = [x, *(p for layer in layers for p in layer.parameters())]
        total = torch.stack([(output**2).sum() for output in outputs]).sum()
        found.append([*outputs, *torch.autograd.grad(total, wanted)])
    assert all(torch.equal(ours, theirs) for ours, theirs in zip(*found, strict=True))
    assert function.__name__ == "projected"


def test_a_substitute_is_mapped_over_as_the_reference_is() -> None:
    found = []
    for function in (picked, substitute_function("picked", consult)):
        x = torch.arange(12.0).reshape(4, 3).double().requires_grad_()
        one, scores = torch.vmap(function, in_dims=(None, 0))(x, torch.tensor([2, 0, 3]))
        rows = torch.vmap(function, in_dims=(1, None), out_dims=-1)(x[None], torch.tensor([0]))
        total = torch.stack([(output**2).sum() for output in (one, scores, *rows)]).sum()
        found.append([one, scores, *rows, *torch.autograd.grad(total, [x])])
    assert all(torch.equal(ours, theirs) for ours, theirs in zip(*found, strict=True))


@pytest.mark.parametrize(
    "trace",
    [
        lambda function: torch.func.grad(lambda x: function(x)[0].sum()),
        lambda function: torch.func.jvp(function, (torch.ones(2, 3),), (torch.ones(2, 3),)),
        lambda function: torch.vmap(function)(torch.ones(0, 2, 3)),
    ],
    ids=["grad", "jvp", "nothing"],
)
def test_other_transforms_of_a_substitute_are_unsuited(trace: Callable[[Any], Any]) -> None:
    function = substitute_function("picked", lambda data: consult(wire.decode(wire.encode(data))))
    with pytest.raises(Unsuited, match="picked, as the statement defines it"):
        traced = trace(lambda x: function(x, torch.tensor(1)))
        traced(torch.ones(2, 3))


def test_the_substitute_for_a_plain_class_does_what_the_reference_does() -> None:
    """Its results, gradients and tensors are identical in training and in evaluation."""
    found = []
    for cls in (Running, substitute_plain("Running", consult)):
        made = cls(3, momentum=0.25)
        made.gamma = torch.tensor([1.0, 2, 3]).requires_grad_()
        x = torch.arange(12.0).reshape(4, 3).double().requires_grad_()
        first = made(x)
        made.training = False
        second = made(x=x + 1)
        assert made.parameters()[0] is made.gamma
        gradients = torch.autograd.grad((first * second).sum(), [x, *made.parameters()])
        assert not made.mean.requires_grad
        assert (made.momentum, cls.__name__) == (0.25, "Running")
        found.append([first, second, *gradients, made.mean])
    assert all(torch.equal(ours, theirs) for ours, theirs in zip(*found, strict=True))
    plain = substitute_plain("Running", consult)
    with pytest.raises(Unsuited, match="Running, as the statement defines it, need not have"):
        plain(3).normalise(x)
    with pytest.raises(Unsuited, match="cannot do this"):
        plain()


@pytest.mark.parametrize(
    "arguments",
    [(), (3,), (nn.Identity(),), (torch.ones(1, 3), 2, nn.Identity()), (torch.ones(1, 3), "2")],
)
def test_a_function_that_is_called_otherwise_is_unsuited(arguments: tuple[object, ...]) -> None:
    function = substitute_function(
        "projected", lambda data: consult(wire.decode(wire.encode(data)))
    )
    with pytest.raises(Unsuited, match="projected, as the statement defines it"):
        function(*arguments, last=nn.Linear(3, 4)) if arguments else function()


@pytest.mark.parametrize(
    "arguments",
    [
        [{"input": 2}],
        [{"input": 10**30}],
        [{"linear": [0]}, 2, {"linear": [0, 3]}],
        [{"input": 0}, 2, {"linear": [1, 9]}],
        [{"linear": [0]}],
    ],
    ids=str,
)
def test_what_stands_for_no_input_is_refused(arguments: list[object]) -> None:
    asked: dict[str, object] = {"do": "call", "of": "projected", "arguments": arguments}
    asked |= {"inputs": [torch.ones(2, 3), torch.ones(4)], "parameters": {}, "training": True}
    asked["part"] = ""
    asked["named"] = {}
    assert consult({**asked, "random": torch.get_rng_state()}).keys() == {"problem"}


def test_a_substitute_works_on_another_device() -> None:
    here = substitute("Doubling", consult)(3).eval()
    given = torch.arange(12.0).reshape(4, 3)
    expected = here(given)
    with OneDevice(), torch.no_grad():
        there = here.to("meta")(given.to("meta"))
        assert all(one.is_meta for one in there)
        assert all(torch.equal(a.cpu(), b) for a, b in zip(there, expected, strict=True))


@pytest.mark.parametrize(
    "question",
    [
        {"of": "Linear"},
        {"of": ["Doubling"]},
        {"do": "take"},
        {"do": None},
        {"named": 5},
        {"named": {"depth": 2}},
        {"arguments": 5},
        {"arguments": [0]},
        {"arguments": [LARGEST + 1]},
        {"arguments": ["3"]},
        {"arguments": []},
        {"arguments": [{"input": 0}]},
        {"of": "consult"},
        {"random": torch.zeros(3)},
        {"random": None},
        {"do": "call", "inputs": [torch.zeros(MOST_NUMBERS + 1)]},
        {"do": "call", "inputs": ["x"]},
        {"do": "call", "inputs": 5},
        {"do": "call", "parameters": [1]},
        {"do": "call", "training": 1},
        {"do": "call", "inputs": [torch.zeros(2, 4)]},
        {"do": "call", "parameters": {}},
        {"do": "slopes"},
        {"do": "slopes", "gradients": 3},
        {"do": "slopes", "gradients": []},
        {"do": "slopes", "gradients": [torch.zeros(40, 1, 1), torch.zeros(2, 3)]},
        {"do": "call", "parameters": {"inner.weight": torch.zeros(1, 3)}},
        {"do": "call", "parameters": {"inner.weight": torch.zeros(5, 3)}},
    ],
    ids=str,
)
def test_only_what_a_substitute_asks_is_answered(question: RequestData) -> None:
    before = torch.get_rng_state()
    asked = {
        "do": "make",
        "of": "Doubling",
        "arguments": [3],
        "named": {},
        "random": before,
        "inputs": [torch.zeros(2, 3)],
        "parameters": {"inner.weight": torch.zeros(3, 3)},
        "training": True,
        "part": "",
    }
    assert "value" in consult({**asked, "do": "call"})
    assert consult({**asked, **question}).keys() == {"problem"}
    assert torch.equal(torch.get_rng_state(), before)


def state(left: int, following: int) -> torch.Tensor:
    """Return a random state with these counters."""
    torch.manual_seed(1)
    torch.rand(1)
    made = torch.get_rng_state()
    counters = COUNTERS.pack(left, 1, following)
    made[8 : 8 + len(counters)] = torch.tensor(list(counters), dtype=torch.uint8)
    return made


@pytest.mark.parametrize("counters", [(624, 2), (624, 624), (2, 624), (300, 326), (1, 625)])
def test_random_numbers_are_taken_from_nowhere_else(counters: tuple[int, int]) -> None:
    """PyTorch would read beyond the state, in other memory of the grader."""
    before = torch.get_rng_state()
    asked = {"do": "make", "of": "Doubling", "arguments": [20], "named": {}}
    refused = consult({**asked, "random": state(*counters)})
    assert refused == {"problem": "cannot be asked this: a state of random numbers of another kind"}
    assert "value" in consult({**asked, "random": state(counters[0], 625 - counters[0])})
    torch.set_rng_state(before)


def test_every_state_that_there_can_be_is_answered() -> None:
    asked = {"do": "make", "of": "Doubling", "arguments": [1], "named": {}}
    torch.manual_seed(1)
    for _ in range(700):
        assert "value" in consult({**asked, "random": torch.get_rng_state()})
        torch.rand(1)


@pytest.mark.dear
def test_a_substitute_answers_inputs_as_large_as_any_in_a_check(
    checks: Checks, monkeypatch: pytest.MonkeyPatch
) -> None:
    called = calling.call
    sizes: dict[str, int] = {}

    def call(made: Any, step: Call, number: int, loaded: dict[str, torch.Tensor]) -> dict[str, Any]:
        given = [x for x in step.inputs if isinstance(x, torch.Tensor)]
        sizes[collected.name] = max([sizes.get(collected.name, 0), *(x.numel() for x in given)])
        return called(made, step, number, loaded)

    monkeypatch.setattr(calling, "call", call)
    for collected in checks.collected:
        ours, theirs = (loading.load(collected.assignment).client() for _ in range(2))
        collected.run(submission=ours, reference=theirs, draw=Draw(collected.name))
    assert len(sizes) > len(checks.collected) / 2
    assert {name for name, size in sizes.items() if size > MOST_NUMBERS} == set()


@pytest.mark.parametrize("n", [40, 400, MOST_NUMBERS])
def test_little_comes_of_what_is_asked(n: int) -> None:
    """What broadcasts to n³ numbers is refused, and a long dimension, which may be squared."""
    oracle = loading.load("attention_layer").consult
    apart = [torch.zeros(n, 1, 1, 1, 1), torch.zeros(1, n, 1, 1, 1), torch.zeros(1, 1, n, 1, 1)]
    asked = {"do": "call", "of": "ScaledDotProduct", "training": True, "arguments": []}
    more = {"named": {}, "random": torch.get_rng_state(), "parameters": {}, "part": ""}
    many, long = [torch.zeros(n, 1, 1)] * 3, [torch.zeros(n, 1)] * 3
    for inputs, numbers in ((apart, n**3), (long, n**2), (many, n)):
        answer = oracle({**asked, **more, "inputs": inputs})
        assert ("value" in answer) == (numbers <= MOST_RESULTS and n <= LARGEST)


@pytest.mark.parametrize("tokens", [32, 64])
def test_little_comes_of_many_tokens_and_wide_layers(tokens: int) -> None:
    """Each token has as many numbers inside a layer as the layer is wide."""
    oracle, wide = loading.load("attention_layer").consult, LARGEST
    shapes = {"firstlayer.weight": (wide, 1), "firstlayer.bias": (wide,)}
    shapes |= {"secondlayer.weight": (1, wide), "secondlayer.bias": (1,)}
    asked = {"do": "call", "of": "FeedForwardLayer", "training": True, "arguments": [1, wide]}
    given = {name: torch.zeros(shape) for name, shape in shapes.items()}
    more = {"named": {}, "random": torch.get_rng_state(), "parameters": given, "part": ""}
    answer = oracle({**asked, **more, "inputs": [torch.zeros(tokens, tokens, 1, 1)]})
    assert ("value" in answer) == (tokens**2 * wide <= MOST_RESULTS)


def test_a_recorded_answer_is_found_again_but_for_rounding() -> None:
    numbers = torch.tensor([1.0, 1000.0]).double()
    asked = {"do": "call", "inputs": [numbers]}
    recorded = [(asked, {"value": 1})]
    for change, is_known in ((0.0, True), (1e-9, True), (1e-3, False)):
        question = {**asked, "inputs": [numbers + change], "random": 5}
        assert bool(recalled(recorded, question)) is is_known
    others: list[RequestData] = [{"do": "slopes"}, {"inputs": []}, {"inputs": [torch.ones(2)]}]
    for other in others:
        assert not recalled(recorded, {**asked, **other})


def test_recorded_objects_differ_as_their_random_states_do() -> None:
    """Two objects with the same numbers would look as if they were not random."""
    asked = {"do": "make", "of": "Doubling", "arguments": [1], "named": {}}
    starts = [{"value": {"parameters": {"w": torch.full((1,), x)}}} for x in (1.0, 1.0, 2.0)]
    known = [[asked, {**one, "state": "another"}] for one in starts]
    data = wire.encode({"replies": [], "consultations": known})
    recording = Recording.decoded(data)
    reference = RecordedReference(recording)

    def made(seed: int, reference: RecordedReference = reference) -> float:
        torch.manual_seed(seed)
        answer = reference.consult({**asked, "random": torch.get_rng_state()})
        return float(answer["value"]["parameters"]["w"])

    assert [made(seed) for seed in (5, 6, 5, 7, 6)] == [1.0, 2.0, 1.0, 1.0, 2.0]
    another = RecordedReference(recording)  # of the same recording knows nothing of these
    assert [made(seed, another) for seed in (6, 5)] == [1.0, 2.0]
    assert "problem" in reference.consult({**asked, "arguments": [2]})


def test_an_object_of_a_recorded_random_state_has_its_numbers() -> None:
    """Otherwise what is drawn after it, and all of a training, would be unknown."""
    live, states = loading.load("attention_layer"), [3, 1, 2]
    assert isinstance(live, LiveReference)
    asked = {"do": "make", "of": "FeedForwardLayer", "arguments": [2, 3], "named": {}}

    def request(seed: int) -> RequestData:
        torch.manual_seed(seed)
        return {**asked, "random": torch.get_rng_state()}

    consultations = [(request(seed), live.consult(request(seed))) for seed in states]
    reference = RecordedReference(Recording.decoded(live.recording(consultations)))
    for seed in sorted(states):
        want, got = (one.consult(request(seed)) for one in (live, reference))
        assert torch.equal(got["random"], want["random"])
        for name, numbers in want["value"]["parameters"].items():
            assert torch.equal(got["value"]["parameters"][name], numbers)


def test_it_says_what_does_not_fit() -> None:
    cls = substitute("Doubling", consult)
    with pytest.raises(Unsuited, match=r"Doubling, as the statement defines it, cannot do this"):
        cls()
    assert not hasattr(cls(3), "scale")
    with pytest.raises(Unsuited, match="is called on tensors only"):
        cls(3)(None)
    sent = substitute("Doubling", lambda question: consult(wire.decode(wire.encode(question))))
    for odd in (object(), {3}, torch.nn.Identity(), torch.ones(1).to_sparse()):
        with pytest.raises(Unsuited, match="Doubling, as the statement defines it"):
            sent(odd)
