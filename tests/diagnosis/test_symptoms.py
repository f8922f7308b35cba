"""A symptom is named only if it was observed and nothing else was."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from conftest import GradeText, of, sampled

from autograder.checking.collect import Checks
from autograder.client import LocalImplementation, loading
from autograder.course import assignments, place
from autograder.course.hints import Hint, MalformedHints
from autograder.course.misconceptions import Misconception
from autograder.diagnosis.live.solution import Solution
from autograder.diagnosis.symptoms import by_symptom, known
from autograder.diagnosis.trace import OTHER_LAYOUT
from autograder.grading.examination import Examination
from autograder.sandbox import Limits

load = cache(loading.load)
NO_HINT = Hint("", "", "")
WEIGHTS = "self.dropout(scores.softmax(dim=-1))"
GREETS = 'print("Hello World")'


def by_coins(shape: str) -> str:
    """Return code for dropout that drops weights together which share a random number."""
    return f"scores.softmax(dim=-1) * self.dropout(torch.ones_like(scores[{shape}]))"


# By symptom: an exercise, then pairs of a passage of its solution and its replacement.
WRONG = {
    "long": ("running_mean_loop", "x[b, : t + 1]", "x[b, max(0, t - 99) : t + 1]"),
    "not contiguous": (
        "running_mean_loop",
        "x[b, : t + 1]",
        "torch.as_strided(x, x.shape, (x[0].numel(), x.shape[2], 1))[b, : t + 1]",
    ),
    "other inputs": ("ScaledDotProduct", "(Q.shape[-1])", "(min(Q.shape[-1], 64))"),
    "extreme numbers": ("context_vector", "softmax(scores, ", "softmax(scores.clamp(-60, 60), "),
    "float32": (
        "LayerNorm1d",
        "x.var(dim=1, keepdim=True)",
        "(x.square().mean(1, True) - mean.square()) * (x.shape[1] / (x.shape[1] - 1))",
    ),
    "float32 alone": (
        "SelfAttentionV2",
        "return weights @ values",
        "return weights @ (values if values.dtype is torch.float64 else 2 * values)",
    ),
    "evaluation": (
        "SelfAttentionV2",
        "return weights @ values",
        "return weights @ (values if self.training else 2 * values)",
    ),
    "random": (
        "running_mean_loop",
        "    return means",
        "    return means + torch.randn_like(means) / 100",
    ),
    "earlier call": (
        "LayerNorm1d",
        "        mean =",
        "        old, self.old = vars(self).get('old'), x.clone()\n        mean =",
        "return self.gamma *",
        "return (2 if old is not None and torch.equal(old, x) else 1) * self.gamma *",
    ),
    "options": ("MultiHeadAttention", "dim_head: int = 16", "dim_head: int = 32"),
    "start": (
        "SelfAttention",
        "self.W_value = nn.Parameter(torch.rand(d_in, d_out))",
        "self.W_value = nn.Parameter(torch.rand(d_in, d_out) / 3)",
    ),
    "same start": (
        "SelfAttention",
        "self.W_query =",
        "torch.manual_seed(123)\n        self.W_query =",
    ),
    "training": ("TinyTransformer", "in self.blocks:", "in self.blocks[x.shape[:2] == (4, 12) :]:"),
    OTHER_LAYOUT: ("MultiHeadAttention", '"b h n d -> b n (h d)"', '"b h n d -> b n (d h)"'),
    "wrong start values": (
        "QueryKeyValue",
        "self.W_q = nn.Parameter(torch.ones",
        "self.W_q = nn.Parameter(torch.eye",
    ),
    "no gradient": (
        "QueryKeyValue",
        "queries = X @ self.W_q",
        "queries = X @ self.W_q.detach()",
    ),
    "wrong gradient": (
        "SimpleAttentionLayer",
        "y + self.ffl(h)",
        "(y + y.detach()) / 2 + self.ffl(h)",
    ),
    "changed its argument": (
        "FeedForwardLayer",
        "x = self.firstlayer(x)",
        "old, x = x, self.firstlayer(x)",
        "x = self.activation(x)",
        "x = self.activation(x)\n        if not torch.is_grad_enabled():\n            old.zero_()",
    ),
    "changed a setting": (
        "running_mean_loop",
        "    return means",
        "    torch.manual_seed(0)\n    return means",
    ),
    "keeps a graph": ("BatchNorm1d", "with torch.no_grad():", "if x is not None:"),
    "learns in evaluation": (
        "BatchNorm1d",
        "var = self.running_var\n",
        "var = self.running_var\n            self.running_mean = mean + x.mean(0)\n",
    ),
    "stays behind when moved": ("causal_weights", ", device=queries.device", ""),
    "loops over tokens": (
        "simple_self_attention",
        "inputs @ inputs.T",
        "torch.stack([inputs @ one for one in inputs])",
    ),
    "not one product": (
        "running_mean_matmul",
        "weights @ x",
        "torch.stack([weights @ one for one in x])",
    ),
    "no softmax": (
        "running_mean_softmax",
        "torch.softmax(masked, dim=-1)",
        "(~later / (~later).sum(1, True)).to(x.dtype)",
    ),
    "no buffer": (
        "CausalAttention",
        'self.register_buffer("mask", may_look)',
        "self.mask = may_look",
    ),
    "other name of the mask": (
        "CausalAttention",
        'register_buffer("mask"',
        'register_buffer("tril"',
        "self.mask[",
        "self.tril[",
    ),
    "wrong mask": (
        "CausalAttention",
        "may_look = torch",
        "context_length = min(context_length, 1024)\n        may_look = torch",
    ),
    "parameters are not independent": (
        "QueryKeyValue",
        "self.W_k = nn.Parameter(torch.ones(dim_h, dim_k))",
        "self.W_k = nn.Parameter(self.W_q.data)",
    ),
    "not called through PyTorch": ("TestModule", "def forward", "def __call__"),
    "wrong parts": (
        "AttentionHead",
        "self.scaled_dot_product = ScaledDotProduct()",
        "self.product = ScaledDotProduct()",
        "return self.scaled_dot_product",
        "return self.product",
    ),
    "missing parameter": (
        "QueryKeyValue",
        "self.W_q = nn.Parameter(",
        "self.Q = nn.Parameter(",
        "X @ self.W_q",
        "X @ self.Q",
    ),
    "extra parameter": (
        "FeedForwardLayer",
        "nn.GELU()",
        "nn.GELU()\n        self.third = nn.Linear(1, 1)",
    ),
    "other shape": (
        "QueryKeyValue",
        "self.W_q = nn.Parameter(torch.ones(dim_h, dim_k))",
        "self.W_q = nn.Parameter(torch.ones(dim_k, dim_h))",
        "X @ self.W_q",
        "X @ self.W_q.T",
    ),
    "untrained parameter": (
        "QueryKeyValue",
        "self.value = nn.Linear(dim_h, dim_k)",
        "self.value = nn.Linear(dim_h, dim_k).requires_grad_(False)",
    ),
    "listed otherwise": ("LayerNorm1d", "[self.gamma, self.beta]", "[self.gamma, self.beta * 1]"),
    "nothing dropped": ("MultiHeadAttention", "nn.Dropout(dropout_p)", "nn.Identity()"),
    "other things dropped": ("MultiHeadAttention", "weights, v)", "weights, self.dropout(v))"),
    "dropped gradient": (
        "MultiHeadAttention",
        "scores.softmax(dim=-1)",
        "self.dropout(scores).softmax(dim=-1)",
    ),
    "sequences dropped alike": ("MultiHeadAttention", WEIGHTS, by_coins(":1")),
    "heads dropped alike": ("MultiHeadAttention", WEIGHTS, by_coins(":, :1")),
    "calls dropped alike": (
        "MultiHeadAttention",
        WEIGHTS,
        "scores.softmax(dim=-1) * ((torch.rand(scores.shape, generator=torch.Generator()) >"
        " self.dropout.p).to(scores) / max(1 - self.dropout.p, 1e-9) if self.training else 1)",
    ),
    "queries dropped": ("MultiHeadAttention", WEIGHTS, by_coins("..., :1")),
    "keys dropped": ("MultiHeadAttention", WEIGHTS, by_coins("..., :1, :")),
    "not independent": (
        "MultiHeadAttention",
        WEIGHTS,
        "scores.softmax(dim=-1) * self.dropout(torch.ones_like(scores[..., ::2]))"
        ".repeat_interleave(2, -1)[..., : scores.shape[-1]]",
    ),
    "dropout in evaluation": (
        "MultiHeadAttention",
        WEIGHTS,
        "torch.dropout(scores.softmax(dim=-1), self.dropout.p, True)",
    ),
    "other share dropped": (
        "MultiHeadAttention",
        WEIGHTS,
        "scores.softmax(dim=-1) * ((torch.rand_like(scores) > self.dropout.p / 2)"
        " / (1 - self.dropout.p) if self.training else 1)",
    ),
    "printed once": ("TestModule", GREETS, 'print("Hello World" if self.training else "")'),
    "returned too": ("TestModule", GREETS, f"return {GREETS} or self"),
    "printed nothing": ("TestModule", GREETS, "return self"),
    "printed something else": ("TestModule", GREETS, 'print("Hello World!")'),
    "in pieces": (
        "CachedAttention",
        "self.keys, self.values = keys, values",
        "self.keys, self.values = keys, 0.9 * values",
    ),
    "depends on the position": (
        "RotaryEmbedding",
        "angles = positions",
        "angles = (1 + (start_pos == 50) / 9) * positions",
    ),
    "too many numbers": (
        "online_softmax",
        "    d = queries.shape[-1]",
        "    queries.new_zeros(*queries.shape[:-1], keys.shape[-2])\n    d = queries.shape[-1]",
    ),
}


# Mistakes that are made in float32 alone: an exercise, a passage and its replacement.
IN_FLOAT32 = {
    "first sequence": (
        "ScaledDotProduct",
        "return weights @ V",
        "if V.dtype is torch.float32 and V.dim() == 3:\n"
        "            V = torch.cat([0 * V[:1], V[1:]])\n        return weights @ V",
    ),
    "one sentence": (
        "SelfAttentionV2",
        "return weights @ values",
        "return weights @ values * (1 if x.dim() == 3 or x.dtype is torch.float64 else 2)",
    ),
}


def shown(checks: Checks, exercise: str, *passages: str) -> list[str]:
    """Return the ids of the symptoms of a solution with some passages replaced."""
    home = checks.homes()[exercise]
    edits = tuple(zip(passages[::2], passages[1::2], strict=True))
    wrong = Solution(home).mistaken(Misconception("made_up", exercise, "", edits, NO_HINT))
    examination = Examination(checks, load, LocalImplementation(wrong), Limits())
    [asked] = [e for e in checks.exercises(home) if e.name == exercise]
    examination.of(asked)
    examination.mark_random(asked)
    return [i for found in by_symptom(examination.runs[exercise], known(home)) for i in found.ids]


SYMPTOMS = {key: symptom for name in assignments() for key, symptom in known(name).items()}


@pytest.mark.parametrize("symptom", sampled(SYMPTOMS, each=12))
def test_each_symptom_is_shown_by_a_wrong_solution(symptom: str, checks: Checks) -> None:
    assert shown(checks, *WRONG[symptom]) == [SYMPTOMS[symptom].id]


def test_what_a_check_declares_is_a_symptom(checks: Checks) -> None:
    declaring = [one for one in checks.collected if one.check.symptom]
    assert declaring
    assert [one for one in declaring if one.check.symptom not in known(one.assignment)] == []


def test_a_symptom_is_told_only_where_nothing_else_is_wrong(checks: Checks) -> None:
    long, scale = WRONG["long"], ("mean(dim=0)", "mean(dim=0) * 2")
    assert shown(checks, *long) == ["wrong_for_long_sequences"]
    assert shown(checks, *long, *scale) == []


def test_what_always_comes_with_a_symptom_is_no_second_one(checks: Checks) -> None:
    """A mask that is no buffer implies the symptom of tensors left on the CPU."""
    assert shown(checks, *WRONG["no buffer"]) == ["plain_mask"]
    scale = "math.sqrt(keys.shape[-1])", "torch.tensor([keys.shape[-1]]).sqrt()"
    assert shown(checks, *WRONG["no buffer"], *scale) == ["plain_mask"]
    assert shown(checks, "CausalAttention", *scale) == ["stays_on_the_cpu"]


@pytest.mark.parametrize(
    ("exercise", "weights"),
    [
        ("MultiHeadAttention", "scores.softmax(dim=-1)"),
        ("CausalAttention", "torch.softmax(masked, dim=-1)"),
    ],
)
def test_dropout_is_blamed_for_evaluation_only_if_it_is_right_without(
    exercise: str, weights: str, checks: Checks
) -> None:
    """Weights in half precision are wrong after eval() with any dropout."""
    assert shown(checks, exercise, weights, f"{weights}.half().to(x)") == []


AFTER_EVAL = {  # an exercise, a passage and its replacement, which changes an argument after eval()
    "result unchanged": (
        "FeedForwardLayer",
        "x = self.firstlayer(x)",
        "if not self.training:\n            x.data.mul_(2)\n            x = x / 2\n"
        "        x = self.firstlayer(x)",
    ),
    "gradient wrong": (
        "SelfAttentionV2",
        "return weights @ values",
        "if not self.training:\n            x.data.mul_(0.5)\n        return weights @ values",
    ),
    "plain class": (
        "BatchNorm1d",
        "var = self.running_var\n",
        "var = self.running_var\n            x.data -= mean\n            mean = 0\n",
    ),
}


@pytest.mark.parametrize("which", AFTER_EVAL)
def test_what_is_changed_after_eval_is_called_an_argument(which: str, checks: Checks) -> None:
    """Code that changes its argument after eval() is not blamed for another result after eval()."""
    assert shown(checks, *AFTER_EVAL[which]) == ["changes_its_argument"]


RANDOM = {  # an exercise, a passage and its replacement, which draws random numbers
    "dropout of a function": (
        "causal_weights",
        "return torch.softmax(scores",
        "return torch.nn.Dropout(0.1)(torch.ones_like(scores)) * torch.softmax(scores",
    ),
    "noise of a function": (
        "single_head",
        "return weights, weights @ v",
        "return weights, weights @ v + noise(v)",
    ),
    "dropout of a module": (
        "FeedForwardLayer",
        "return self.secondlayer(x)",
        "return nn.functional.dropout(self.secondlayer(x), 0.1)",
    ),
    "noise in a module": (
        "QueryKeyValue",
        "values = self.value(X)",
        "values = self.value(X) + noise(X)",
    ),
}


@pytest.mark.dear
@pytest.mark.parametrize("which", RANDOM)
def test_random_results_are_called_random(
    which: str, grade_text: GradeText, solutions: dict[str, str], checks: Checks
) -> None:
    exercise, old, new = RANDOM[which]
    home = checks.homes()[exercise]
    assert old in solutions[home]
    noise = "\ndef noise(x):\n    return torch.randn(*x.shape[:-1], 1, dtype=x.dtype) / 100\n"
    grade = grade_text(solutions[home].replace(old, new, 1) + noise, home, exercise, named=True)
    graded = of(grade, exercise)
    assert [d.ids for d in graded.diagnoses] == [("random_results",)]
    said = " ".join(check.message for check in graded.checks)
    assert "if a longer one came before it" not in said
    assert "in float32" not in said.lower()


def test_what_depends_on_earlier_calls_is_not_called_random(checks: Checks) -> None:
    old, new = "return weights @ values", "self.n = vars(self).get('n', 0) + 1\n        "
    ids = shown(checks, "SelfAttentionV2", old, f"{new}return weights @ values * self.n")
    assert "random_results" not in ids


@pytest.mark.parametrize("which", IN_FLOAT32)
def test_a_mistake_in_float32_is_blamed_on_nothing_else(which: str, checks: Checks) -> None:
    """Checks of large numbers and of the start call the code in float32 too, but are not blamed."""
    assert shown(checks, *IN_FLOAT32[which]) == ["wrong_in_float32_alone"]


def test_an_assignment_has_no_symptom_of_a_name_that_every_course_has(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "symptoms.toml"
    path.write_text('[long]\nid = "i"\nmistake = "m"\nlook = "a"\nthink = "b"\nnearly = "c"\n')
    monkeypatch.setattr(place, "symptoms_file", lambda assignment: path)
    with pytest.raises(MalformedHints, match=r"every course has the symptom long\. Rename"):
        known.__wrapped__("some_assignment")
