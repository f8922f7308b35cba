"""Names of mistakes are true, and common mistakes have one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from operator import itemgetter

import pytest
from conftest import GradeText, of, sampled

Edits = Sequence[tuple[str, str]]
ROOTS = {  # each exercise with a scale: its assignment, the division, the number under the root
    "ScaledDotProduct": ("attention_layer", "/ math.sqrt(Q.shape[-1])", "Q.shape[-1]"),
    "SelfAttention": ("self_attention", "/ math.sqrt(keys.shape[-1])", "keys.shape[-1]"),
    "SelfAttentionV2": ("self_attention", "/ math.sqrt(keys.shape[-1])", "keys.shape[-1]"),
    "causal_weights": ("causal_attention", "/ math.sqrt(d)", "d"),
    "single_head": ("causal_attention", "/ math.sqrt(q.shape[-1])", "q.shape[-1]"),
    "CausalAttention": ("causal_attention", "/ math.sqrt(keys.shape[-1])", "keys.shape[-1]"),
    "TinyTransformer": ("transformer", "/ math.sqrt(q.shape[-1])", "q.shape[-1]"),
}
BY_ROUNDING = "triangle.sum(dim=1, keepdim=True)"
UNNAMED: list[tuple[str, str, Edits]] = [  # small errors, which rounding or float32 do not explain
    ("running_averages", "running_mean_matmul", [(BY_ROUNDING, f"({BY_ROUNDING} + {eps})")])
    for eps in ("1e-8", "1e-6", "1e-5", "1e-4")
]
UNNAMED += [
    (
        "self_attention",
        "simple_self_attention",
        [
            (
                "torch.softmax(scores, dim=-1)",
                "torch.softmax(scores, dim=-1) / (1 + 1e-5)",
            )
        ],
    ),
    (
        "causal_attention",
        "causal_weights",
        [("-torch.inf), dim=-1)", "-torch.inf), dim=-1) + 1e-6")],
    ),
    (
        "causal_attention",
        "causal_weights",
        [("-torch.inf), dim=-1)", "-torch.inf), dim=-1).round(decimals=3)")],
    ),
    ("running_averages", "running_mean_loop", [(".mean(dim=0)", ".mean(dim=0).round()")]),
    (
        "running_averages",
        "running_mean_loop",
        [(".mean(dim=0)", ".mean(dim=0).round(decimals=5)")],
    ),
]
NAMED: list[tuple[str, str, str, Edits]] = [
    (
        "attention_layer",
        "AttentionHead",
        "part_in_list",
        [
            ("self.qkv_mechanism = Query", "self.parts = {}\n        self.parts[0] = Query"),
            ("self.qkv_mechanism(X)", "self.parts[0](X)"),
        ],
    ),
    (
        "normalization",
        "LayerNorm1d",
        "mean_distance_divides",
        [
            ("x.var(dim=1, keepdim=True)", "(x - mean).abs().mean(1)[:, None]"),
            ("torch.sqrt(var + self.eps)", "(var + self.eps)"),
        ],
    ),
    (
        "running_averages",
        "running_mean_loop",
        "loop_of_one",
        [("for b in range(B):", "for b in [0]:")],
    ),
    (
        "running_averages",
        "running_mean_loop",
        "stops_at_eight",
        [
            (
                "        for t in range(T):",
                "        for t in range(T):\n            if t == 8: break",
            )
        ],
    ),
    (
        "attention_layer",
        "SimpleAttentionLayer",
        "no_skips",
        [("y = x + self.agg", "y = self.agg"), ("return y + self.ffl(h)", "return self.ffl(h)")],
    ),
    (
        "transformer",
        "TinyTransformer",
        "no_skips",
        [("y = x + self.attn", "y = self.attn"), ("return y + self.ffl", "return self.ffl")],
    ),
    (
        "transformer",
        "TinyTransformer",
        "scale_dim_h",  # though the mask is made of float32 numbers, which rounds nothing
        [
            ("math.sqrt(q.shape[-1])", "math.sqrt(x.shape[-1])"),
            (
                "torch.ones(T, T, dtype=torch.bool, device=x.device).triu(diagonal=1)",
                "torch.triu(torch.ones(T, T, device=x.device), 1) == 1",
            ),
        ],
    ),
    (
        "attention_layer",
        "QueryKeyValue",
        "only_wk",
        [
            (
                "self.W_q = nn.Parameter(torch.ones(dim_h, dim_k))",
                "self.W_q = torch.ones(dim_h, dim_k)",
            )
        ],
    ),
    ("attention_layer", "QueryKeyValue", "no_super", [("        super().__init__()\n", "")]),
    ("attention_layer", "FeedForwardLayer", "no_super", [("        super().__init__()\n", "")]),
    ("self_attention", "SelfAttentionV2", "no_super", [("        super().__init__()\n", "")]),
    (
        "causal_attention",
        "CausalAttention",
        "dropout_never",
        [
            ("        self.dropout = nn.Dropout(dropout)\n", ""),
            ("self.dropout(torch.softmax(masked, dim=-1))", "masked.softmax(-1)"),
        ],
    ),
    ("causal_attention", "CausalAttention", "bias_always", [("bias=qkv_bias", "bias=True")] * 3),
    ("self_attention", "SelfAttentionV2", "bias_always", [(", bias=qkv_bias", "")] * 3),
    (
        "attention_layer",
        "ScaledDotProduct",
        "scale_S",
        [("math.sqrt(Q.shape[-1])", "K.shape[-2] ** 0.5")],
    ),
    (
        "attention_layer",
        "ScaledDotProduct",
        "swapped_before_einsum",
        [
            ("scores = Q @ K.transpose", "scores = K @ Q.transpose"),
            ("return weights @ V", "return torch.einsum('...ls,...sd->...ld', weights, V)"),
        ],
    ),
    (
        "attention_layer",
        "ScaledDotProduct",
        "dropout_module",
        [
            ("super().__init__()", "super().__init__()\n        self.drop = nn.Dropout(p=0.1)"),
            ("return weights @ V", "return self.drop(weights) @ V"),
        ],
    ),
    (
        "attention_layer",
        "ScaledDotProduct",
        "keys_detached",
        [("K.transpose(-2, -1)", "K.data.mT")],
    ),
    (
        "causal_attention",
        "CausalAttention",
        "values_detached",
        [("self.W_value(x)", "self.W_value(x).detach()")],
    ),
    ("causal_attention", "CausalAttention", "mixes_keys", [("self.W_value(x)", "self.W_key(x)")]),
    (
        "self_attention",
        "SelfAttentionV2",
        "values_are_keys",
        [("self.W_value(x)", "self.W_key(x)")],
    ),
    (
        "causal_attention",
        "CausalAttention",
        "relu_on_values",
        [("self.W_value(x)", "self.W_value(x).clamp(min=0)")],
    ),
    ("normalization", "BatchNorm1d", "no_gamma", [("self.gamma * normalised +", "normalised +")]),
    ("normalization", "LayerNorm1d", "no_gamma", [("self.gamma * normalised +", "normalised +")]),
    (
        "normalization",
        "LayerNorm1d",
        "affine_before_division",
        [
            ("(x - mean) / torch.sqrt", "((x - mean) * self.gamma + self.beta) / torch.sqrt"),
            ("return self.gamma * normalised + self.beta", "return normalised"),
        ],
    ),
    (
        "self_attention",
        "SelfAttentionV2",
        "causal",
        [
            (
                "torch.softmax(scores /",
                "torch.softmax(torch.where(torch.ones_like(scores).tril() == 1, scores, "
                "-torch.inf) /",
            )
        ],
    ),
    (
        "self_attention",
        "SelfAttentionV2",
        "naive_exp_common_max",
        [
            (
                "weights = torch.softmax(scores / math.sqrt(keys.shape[-1]), dim=-1)",
                "scores = scores / math.sqrt(keys.shape[-1])\n"
                "        e = (scores - scores.max()).exp()\n"
                "        weights = e / e.sum(-1, keepdim=True)",
            )
        ],
    ),
    (
        "causal_attention",
        "CausalAttention",
        "not_trimmed",
        [("~self.mask[:T, :T]", "self.mask.logical_not()")],
    ),
    (
        "self_attention",
        "SelfAttention",
        "randn",
        [("nn.Parameter(torch.rand(d_in, d_out))", "nn.Parameter(torch.randn((d_in, d_out)))")] * 3,
    ),
    (
        "causal_attention",
        "CausalAttention",
        "returns_undropped",
        [
            ("self.dropout(torch.softmax(masked, dim=-1))", "masked.softmax(-1)"),
            ("return weights @ values", "return self.dropout(weights) @ values, weights"),
        ],
    ),
    (
        "multi_head",
        "MultiHeadList",
        "first_alone",
        [
            ("nr_heads * dim_k", "dim_k"),
            (
                "side_by_side = torch.cat([head(x) for head in self.heads], dim=-1)\n"
                "        return self.aggregation_step(side_by_side)",
                "for head in self.heads:\n            return self.aggregation_step(head(x))",
            ),
        ],
    ),
    (
        "multi_head",
        "MultiHeadList",
        "last_alone",
        [
            ("nr_heads * dim_k", "dim_k"),
            (
                "side_by_side = torch.cat([head(x) for head in self.heads], dim=-1)\n"
                "        return self.aggregation_step(side_by_side)",
                "for head in self.heads:\n            last = head(x)\n"
                "        return self.aggregation_step(last)",
            ),
        ],
    ),
    (
        "running_averages",
        "running_mean_matmul",
        "cpu_weight",
        [(BY_ROUNDING, "torch.arange(1, T + 1, dtype=x.dtype).reshape(T, 1)")],
    ),
]
for exercise, (assignment, find, size) in ROOTS.items():
    NAMED.append((assignment, exercise, "half_outside", [(find, f"* {size} ** -1 / 2")]))
    NAMED.append((assignment, exercise, "scale_in_int", [(find, f"/ int({size} ** 0.5)")]))


def changed(text: str, exercise: str, edits: Edits) -> str:
    """Apply edits to a text, one after the other, after the exercise's beginning if possible."""
    for old, new in edits:
        found = re.search(rf"^(class|def) {exercise}\b", text, re.MULTILINE)
        assert found
        begins = found.start()
        place = text.find(old, begins)
        place = place if place >= 0 else text.index(old)
        text = text[:place] + new + text[place + len(old) :]
    return text


def label(case: object) -> str:
    return str(case) if isinstance(case, str) else ""


@pytest.mark.dear
@pytest.mark.parametrize(("assignment", "exercise", "edits"), UNNAMED, ids=label)
def test_no_name_is_given_that_is_not_true(
    assignment: str,
    exercise: str,
    edits: Edits,
    grade_text: GradeText,
    solutions: dict[str, str],
) -> None:
    wrong = changed(solutions[assignment], exercise, edits)
    graded = of(grade_text(wrong, assignment, exercise, named=True), exercise)
    assert graded.points < graded.max_points
    assert graded.diagnoses == ()


@pytest.mark.parametrize("case", sampled(NAMED, lambda case: f"{case[1]}-{case[2]}", itemgetter(0)))
def test_what_is_common_is_named(
    case: tuple[str, str, str, Edits], grade_text: GradeText, solutions: dict[str, str]
) -> None:
    assignment, exercise, identity, edits = case
    wrong = changed(solutions[assignment], exercise, edits)
    graded = of(grade_text(wrong, assignment, exercise, named=True), exercise)
    assert graded.points < graded.max_points
    [diagnosis] = graded.diagnoses
    assert identity in diagnosis.ids
    assert len(diagnosis.hints) == 3


FITTING: list[tuple[str, str, str, Edits]] = [  # a passage of the hints that fits this code
    ("attention_layer", "FeedForwardLayer", "input of the linear layer", [("GELU()", "GELU")]),
    (
        "self_attention",
        "SelfAttention",
        "head of `__init__`",
        [("d_in: int, d_out: int", "d_out: int, d_in: int")],
    ),
    (
        "transformer",
        "TinyTransformer",
        "made in `__init__`",
        [
            ("self.head =", "self.positions = torch.arange(block_size)\n        self.head ="),
            ("torch.arange(idx.shape[1], device=idx.device)", "self.positions[: idx.shape[1]]"),
        ],
    ),
]


@pytest.mark.dear
@pytest.mark.parametrize(("assignment", "exercise", "passage", "edits"), FITTING, ids=label)
def test_hints_fit_every_form_of_a_mistake(
    assignment: str,
    exercise: str,
    passage: str,
    edits: Edits,
    grade_text: GradeText,
    solutions: dict[str, str],
) -> None:
    wrong = changed(solutions[assignment], exercise, edits)
    [diagnosis] = of(grade_text(wrong, assignment, exercise, named=True), exercise).diagnoses
    assert passage in " ".join(diagnosis.hints)
