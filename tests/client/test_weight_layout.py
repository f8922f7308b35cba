"""Correct attention with another weight layout loses only the points of the layout check."""

from __future__ import annotations

import re
from functools import cache
from itertools import permutations
from pathlib import Path

import pytest
import test_attention_layer
import test_multi_head
import test_self_attention
import torch
from conftest import GradeText, of, sampled
from torch import Tensor

from autograder.checking.collect import Checks, Collected
from autograder.client import Layout, LocalImplementation, Module, Packing, Text, loading
from autograder.client.packing import Arguments
from autograder.course import assignments
from autograder.grading.grade import ExerciseGrade, Outcome
from autograder.grading.runner import CheckRunner
from autograder.sandbox import Limits

CORRECT = "Right, but with another weight layout: "
Edits = tuple[tuple[str, str], ...]
ONE_FOR_ALL = re.compile(r"q, k, v = \(\n.*?\n        \)\n", re.DOTALL)  # where to_qkv is unpacked


def edited(text: str, exercise: str, *edits: tuple[str, str]) -> str:
    """Return a solution with parts of one exercise's code replaced, each exactly once."""
    start = re.search(rf"^(class|def) {exercise}\b", text, re.MULTILINE)
    assert start
    before, code = text[: start.start()], text[start.start() :]
    for find, replace in edits:
        assert find in code
        code = code.replace(find, replace, 1)
    return before + code


def repacked(text: str, exercise: str, axes: str, kinds: str, merged: str = "h d") -> str:
    """Return a solution with another packing of to_qkv and another merging of heads."""
    start = text.index(f"class {exercise}")
    found = ONE_FOR_ALL.search(text, start)
    assert found
    split = (
        f"{', '.join(kinds)} = rearrange(\n            self.to_qkv(x), "
        f'"b n ({axes}) -> qkv b h n d", qkv=3, h=self.nr_heads\n        )\n'
    )
    text = text[: found.start()] + split + text[found.end() :]
    return edited(text, exercise, ("-> b n (h d)", f"-> b n ({merged})"))


NEARLY = """

class Exact({0}):
    pass


class {0}(Exact):
    def forward(self, x):
        return (super().forward(x) * (1 + 2e-4)).float()
"""


@pytest.mark.parametrize(
    ("assignment", "exercise"),
    [("multi_head", "MultiHeadAttention"), ("attention_layer", "SimpleAttentionLayer")],
)
def test_what_float32_does_not_round_off_is_no_other_layout(
    assignment: str, exercise: str, checks: Checks, grade_text: GradeText, solutions: dict[str, str]
) -> None:
    text = solutions[assignment] + NEARLY.format(exercise)
    graded = of(grade_text(text, assignment, exercise), exercise)
    [judge] = judges(checks, exercise)
    assert judge.name in lost(graded)


def lost(graded: ExerciseGrade) -> list[str]:
    return [check.name for check in graded.checks if check.outcome is not Outcome.PASSED]


def assert_only_the_layout(graded: ExerciseGrade, checks: Checks, *said: str) -> None:
    [judge] = judges(checks, graded.name)
    assert lost(graded) == [judge.name]
    assert graded.points == graded.max_points - 1
    [message] = [check.message for check in graded.checks if check.name == judge.name]
    assert message.startswith(CORRECT)
    assert all(part in message for part in said)


def judges(checks: Checks, exercise: str) -> list[Collected]:
    return [c for c in checks.collected if c.check.exercise.name == exercise and c.check.layout]


def test_one_check_of_an_exercise_judges_its_layout(checks: Checks) -> None:
    names = [c.check.exercise.name for c in checks.collected if c.check.layout]
    assert names
    for name in names:
        [judge] = judges(checks, name)
        assert judge.visible
        assert judge.check.points == 1


# Each layout


@pytest.mark.dear
@pytest.mark.parametrize("merged", ["h d", "d h"])
@pytest.mark.parametrize("axes", sampled(map(" ".join, permutations(("qkv", "h", "d")))))
def test_packings_of_to_qkv(
    axes: str, merged: str, grade_text: GradeText, checks: Checks, solutions: dict[str, str]
) -> None:
    for kinds in ("qkv", "kqv", "vkq"):
        text = repacked(solutions["multi_head"], "MultiHeadAttention", axes, kinds, merged)
        graded = of(grade_text(text, "multi_head", "MultiHeadAttention"), "MultiHeadAttention")
        if (axes, kinds, merged) == ("qkv h d", "qkv", "h d"):
            assert graded.points == graded.max_points
            continue
        packed = f"({axes})".replace("qkv", kinds)
        said = [f"to_qkv is unpacked as {packed}, not"] if packed != "(qkv h d)" else []
        said += ["the heads are merged as (d h), not"] if merged == "d h" else []
        assert_only_the_layout(graded, checks, *said)


@pytest.mark.dear
@pytest.mark.parametrize("kinds", sampled(["".join(kinds) for kinds in permutations("qkv")][1:]))
def test_orders_of_queries_keys_and_values(
    kinds: str, grade_text: GradeText, checks: Checks, solutions: dict[str, str]
) -> None:
    for assignment, exercise, within in (
        ("multi_head", "MultiHeadAttention", "MultiHeadAttention"),
        ("transformer", "TinyTransformer", "CausalMultiHeadAttention"),
    ):
        text = repacked(solutions[assignment], within, "qkv h d", kinds)
        graded = of(grade_text(text, assignment, exercise), exercise)
        assert_only_the_layout(graded, checks, f"to_qkv is unpacked as ({kinds} h d), not")


@pytest.mark.dear
@pytest.mark.parametrize("axes, merged", [("h qkv d", "h d"), ("d qkv h", "d h")])
def test_packings_of_the_transformer(
    axes: str, merged: str, grade_text: GradeText, checks: Checks, solutions: dict[str, str]
) -> None:
    within = "CausalMultiHeadAttention"
    text = repacked(solutions["transformer"], within, axes, "qkv", merged)
    graded = of(grade_text(text, "transformer", "TinyTransformer"), "TinyTransformer")
    assert_only_the_layout(graded, checks, f"({axes})")


def test_heads_merged_backwards(
    grade_text: GradeText, checks: Checks, solutions: dict[str, str]
) -> None:
    back = ('rearrange(out, "b h n d', 'rearrange(out.flip(1), "b h n d')
    text = edited(solutions["multi_head"], "MultiHeadAttention", back)
    graded = of(grade_text(text, "multi_head", "MultiHeadAttention"), "MultiHeadAttention")
    assert_only_the_layout(graded, checks, "the last one first")


HEAD_ORDERS: dict[str, Edits] = {
    "last head first": (("for head in self.heads]", "for head in reversed(self.heads)]"),),
    "alternating": (
        ("torch.cat([", "torch.stack(["),
        ("dim=-1)", "dim=-1).flatten(-2)"),
    ),
}


@pytest.mark.parametrize("said", HEAD_ORDERS)
def test_heads_side_by_side(
    said: str, grade_text: GradeText, checks: Checks, solutions: dict[str, str]
) -> None:
    text = edited(solutions["multi_head"], "MultiHeadList", *HEAD_ORDERS[said])
    graded = of(grade_text(text, "multi_head", "MultiHeadList"), "MultiHeadList")
    assert_only_the_layout(graded, checks, said)


HEADS_LINE = "self.heads = nn.ModuleList([AttentionHead(dim_h, dim_k) for _ in range(nr_heads)])"
OTHER_NAMES = {  # how -> what makes the heads, and what they are in a call
    "attributes": (
        "for i in range(nr_heads): setattr(self, f'head{i}', AttentionHead(dim_h, dim_k))",
        "[m for name, m in self.named_children() if name.startswith('head')]",
    ),
    "counted from one": (
        "for i in range(nr_heads): self.add_module(f'head_{i + 1}', AttentionHead(dim_h, dim_k))",
        "[m for name, m in self.named_children() if name.startswith('head')]",
    ),
    "a dictionary": (
        "self.heads = nn.ModuleDict({f'h{i}': AttentionHead(dim_h, dim_k) "
        "for i in range(nr_heads)})",
        "self.heads.values()",
    ),
    "a sequence": (
        "self.heads = nn.Sequential(*[AttentionHead(dim_h, dim_k) for _ in range(nr_heads)])",
        "self.heads",
    ),
}


@pytest.mark.parametrize("how", OTHER_NAMES)
def test_heads_that_are_kept_otherwise_cost_the_points_of_the_names_only(
    how: str, grade_text: GradeText, solutions: dict[str, str]
) -> None:
    """Other checks have more heads than the one that finds the names."""
    made, heads = OTHER_NAMES[how]
    edits = (HEADS_LINE, made), ("head(x) for head in self.heads", f"head(x) for head in {heads}")
    text = edited(solutions["multi_head"], "MultiHeadList", *edits)
    graded = of(grade_text(text, "multi_head", "MultiHeadList"), "MultiHeadList")
    assert lost(graded) == ["list_parameters"]


KINDS = {"query": "queries", "key": "keys", "value": "values"}
OF_THREE = {
    "SelfAttention": ("self_attention", "W_{}"),
    "SelfAttentionV2": ("self_attention", "W_{}"),
    "single_head": ("causal_attention", "{:.1}_proj"),
    "CausalAttention": ("causal_attention", "W_{}"),
}


@pytest.mark.parametrize("own", list(permutations(KINDS))[1:], ids="-".join)
@pytest.mark.parametrize("exercise", sampled(OF_THREE))
def test_weights_that_change_places(
    exercise: str,
    own: tuple[str, ...],
    grade_text: GradeText,
    checks: Checks,
    solutions: dict[str, str],
) -> None:
    assignment, name = OF_THREE[exercise]
    local = {kind: kind[0] for kind in KINDS} if exercise == "single_head" else KINDS
    made = ", ".join(local[kind] for kind in own)
    exchange = f"{', '.join(local.values())} = {made}; scores = "
    text = edited(solutions[assignment], exercise, ("scores = ", exchange))
    graded = of(grade_text(text, assignment, exercise), exercise)
    said = f"{name.format(own[0])} makes the queries, {name.format(own[1])} the keys"
    assert_only_the_layout(graded, checks, said)


EXCHANGES = {
    "AttentionHead": ("attention_layer", ("(queries, keys, values)", "(keys, queries, values)")),
    "SimpleAttentionLayer": (
        "attention_layer",
        ("queries, keys, values = ", "keys, queries, values = "),
    ),
}


@pytest.mark.parametrize("exercise", EXCHANGES)
def test_queries_and_keys_exchanged(
    exercise: str, grade_text: GradeText, checks: Checks, solutions: dict[str, str]
) -> None:
    assignment, edit = EXCHANGES[exercise]
    text = edited(solutions[assignment], exercise, edit)
    graded = of(grade_text(text, assignment, exercise), exercise)
    assert_only_the_layout(graded, checks, "W_q makes the keys")


# Other mistakes

KEYS_FIRST = ("q, k, v = (", "k, q, v = (")
WRONG: dict[str, tuple[str, str]] = {
    "no scale": (" * self.scale", ""),
    "softmax over queries": ("softmax(dim=-1)", "softmax(dim=-2)"),
    "input added": ("return self.to_out(", "return x + self.to_out("),
}


@pytest.mark.parametrize("mistake", WRONG)
def test_a_second_mistake_is_not_forgiven(
    mistake: str, grade_text: GradeText, checks: Checks, solutions: dict[str, str]
) -> None:
    edits = (KEYS_FIRST, WRONG[mistake])
    text = edited(solutions["multi_head"], "MultiHeadAttention", *edits)
    graded = of(grade_text(text, "multi_head", "MultiHeadAttention"), "MultiHeadAttention")
    assert {"attention_layout", "attention_agrees", "attention_gradients"} <= set(lost(graded))
    assert not any(check.message.startswith(CORRECT) for check in graded.checks)


def test_a_mistake_besides_the_layout_costs_its_own_points(
    grade_text: GradeText, solutions: dict[str, str]
) -> None:
    detached = ("return self.to_out(rearrange(out,", "return self.to_out(rearrange(out.detach(),")
    text = edited(solutions["multi_head"], "MultiHeadAttention", KEYS_FIRST, detached)
    graded = of(grade_text(text, "multi_head", "MultiHeadAttention"), "MultiHeadAttention")
    assert lost(graded) == ["attention_layout", "attention_gradients"]


@pytest.fixture
def tried(monkeypatch: pytest.MonkeyPatch) -> list[Packing]:
    """Return the list of layouts that the grader tries."""
    tried: list[Packing] = []
    load_as = Module.load_as

    def noted(module: Module, packing: Packing, weights: dict[str, Tensor]) -> Module:
        tried.append(packing)
        return load_as(module, packing, weights)

    monkeypatch.setattr(Module, "load_as", noted)
    return tried


@pytest.mark.parametrize("assignment", assignments())
def test_what_is_right_is_tried_in_no_other_layout(
    assignment: str, tried: list[Packing], grade_text: GradeText, solutions: dict[str, str]
) -> None:
    grade = grade_text(solutions[assignment], assignment)
    assert grade.points == grade.max_points
    assert tried == []


@pytest.mark.parametrize("mistake", WRONG)
def test_what_is_wrong_in_every_layout_is_tried_in_none(
    mistake: str, tried: list[Packing], grade_text: GradeText, solutions: dict[str, str]
) -> None:
    text = edited(solutions["multi_head"], "MultiHeadAttention", WRONG[mistake])
    graded = of(grade_text(text, "multi_head", "MultiHeadAttention"), "MultiHeadAttention")
    assert "attention_layout" in lost(graded)
    assert tried == []


# Names


def test_other_names_and_another_packing(
    grade_text: GradeText, checks: Checks, solutions: dict[str, str]
) -> None:
    text = edited(solutions["multi_head"], "MultiHeadAttention", KEYS_FIRST)
    text = text.replace("self.to_qkv", "self.qkv").replace("self.to_out", "self.proj")
    graded = of(grade_text(text, "multi_head", "MultiHeadAttention"), "MultiHeadAttention")
    assert lost(graded) == ["attention_parameters", "attention_layout"]
    assert any(check.message.startswith(CORRECT) for check in graded.checks)


@pytest.mark.parametrize("order", sampled(permutations(KINDS), "-".join, each=2))
def test_other_names_are_no_other_layout(
    order: tuple[str, ...], grade_text: GradeText, solutions: dict[str, str]
) -> None:
    """Renamed parameters are matched in every order of registration."""
    text = solutions["self_attention"].replace("self.W_", "self.my_")
    lines = {
        name: f"        self.my_{name} = nn.Parameter(torch.rand(d_in, d_out))\n" for name in order
    }
    right = "".join(lines[name] for name in KINDS)
    text = edited(text, "SelfAttention", (right, "".join(lines[name] for name in order)))
    graded = of(grade_text(text, "self_attention", "SelfAttention"), "SelfAttention")
    assert set(lost(graded)) <= {"attention_parameters", "attention_begins_alike"}
    assert not any(check.message.startswith(CORRECT) for check in graded.checks)


# The order of checks


def test_a_later_check_may_be_asked_first(checks: Checks, solutions: dict[str, str]) -> None:
    wrong = edited(solutions["multi_head"], "MultiHeadAttention", KEYS_FIRST)
    text = Text("multi_head", {**solutions, "multi_head": wrong}, assignments())
    exercise = next(e for e in checks.exercises("multi_head") if e.name == "MultiHeadAttention")
    runner = CheckRunner(checks, cache(loading.load), LocalImplementation(text.source()), Limits())
    found = {c.name: runner.run(exercise, c) for c in reversed(checks.of(exercise))}
    assert [name for name, f in found.items() if f.outcome is not Outcome.PASSED] == [
        "attention_layout"
    ]
    assert found["attention_layout"].packing is not None


# Outward and inward

SHAPES = {"to_qkv.weight": (18, 5), "to_out.weight": (5, 6), "to_out.bias": (5,)}


def test_inward_undoes_outward() -> None:
    drawn = {name: torch.randn(shape) for name, shape in SHAPES.items()}
    heads = {
        f"heads.{i}.qkv_mechanism.{name}": torch.randn(3, 4)
        for i in (0, 1)
        for name in ("W_q", "W_k")
    }
    heads |= {"aggregation_step.weight": torch.randn(4, 6)}
    three = {f"W_{name}": torch.randn(3, 4) for name in KINDS}
    cases: list[tuple[Packing, dict[str, Tensor], tuple[int, ...]]] = [
        *((packing, drawn, (5, 2, 3)) for packing in test_multi_head.PACKINGS),
        *((packing, heads, (4, 3, 2)) for packing in test_multi_head.head_orders()),
        *((packing, three, (3, 4)) for packing in test_self_attention.EXCHANGED),
        (test_attention_layer.EXCHANGED, heads, ()),
    ]
    for packing, weights, positional in cases:
        layout = Layout(packing=packing)
        arguments = Arguments(positional, {})
        outward = layout.outward(weights, arguments)
        assert outward.keys() == weights.keys()
        assert any(not torch.equal(outward[name], weights[name]) for name in weights)
        moved = {name for name in weights if packing.moves(name)}
        assert all(outward[name] is weights[name] for name in weights.keys() - moved)
        back = layout.inward(outward, arguments)
        assert all(torch.equal(back[name], weights[name]) for name in weights)


def test_all_packings_differ() -> None:
    drawn = {name: torch.randn(shape) for name, shape in SHAPES.items()}
    packed = [p.outward(drawn, Arguments((5, 2, 3), {})) for p in test_multi_head.PACKINGS]
    seen = {tuple(torch.cat([t.flatten() for t in one.values()]).tolist()) for one in packed}
    assert len(seen) == len(packed) == 6 * 6 * 3 - 1
    assert len({packing.differs for packing in test_multi_head.PACKINGS}) == len(packed)


def test_what_cannot_be_packed_stays_as_it_is() -> None:
    numbers = {"to_qkv.weight": torch.ones(7, 5), "to_out.weight": torch.ones(5)}
    for packing in test_multi_head.PACKINGS:
        found = packing.inward({**numbers, "to_qkv.bias": None}, Arguments((5, 2, 3), {}))
        assert found == {**numbers, "to_qkv.bias": None}
        assert packing.inward({"to_out.weight": None}) == {"to_out.weight": None}


# Parameters with other names, and parameters created in the first call


ELSEWHERE: dict[str, tuple[str, str, str, Edits]] = {
    "to_out in a Sequential": (
        "multi_head",
        "MultiHeadAttention",
        "MultiHeadAttention",
        (
            (
                "self.to_out = nn.Linear(nr_heads * dim_head, dim_input)",
                "self.to_out = nn.Sequential(nn.Linear(nr_heads * dim_head, dim_input))",
            ),
        ),
    ),
    "lazy layers": (
        "multi_head",
        "MultiHeadAttention",
        "MultiHeadAttention",
        (
            ("nn.Linear(dim_input, 3", "nn.LazyLinear(3"),
            ("nn.Linear(nr_heads * dim_head, dim_input)", "nn.LazyLinear(dim_input)"),
        ),
    ),
    "a layer made in the first call": (
        "multi_head",
        "MultiHeadAttention",
        "MultiHeadAttention",
        (
            ("self.to_out = nn.Linear(nr_heads * dim_head, dim_input)", "self.to_out = None"),
            (
                "        q, k, v = (\n",
                "        if self.to_out is None:\n"
                "            self.to_out = nn.Linear(self.to_qkv.out_features // 3, x.shape[-1])\n"
                "        q, k, v = (\n",
            ),
        ),
    ),
    "a ParameterDict": (
        "attention_layer",
        "QueryKeyValue",
        "QueryKeyValue",
        (
            (
                "self.W_q = nn.Parameter(torch.ones(dim_h, dim_k))\n",
                "self.W = nn.ParameterDict()\n",
            ),
            (
                "self.W_k = nn.Parameter(torch.ones(dim_h, dim_k))\n",
                "for name in 'kq':\n"
                "            self.W[name] = nn.Parameter(torch.ones(dim_h, dim_k))\n",
            ),
            ("X @ self.W_q", "X @ self.W['q']"),
            ("X @ self.W_k", "X @ self.W['k']"),
        ),
    ),
    "lazy layers with seeded numbers": (
        "causal_attention",
        "CausalAttention",
        "CausalAttention",
        tuple(
            (
                f"self.W_{name} = nn.Linear(d_in, d_out, bias=qkv_bias)",
                f"self.W_{name} = nn.LazyLinear(d_out, bias=qkv_bias)",
            )
            for name in ("query", "key", "value")
        ),
    ),
    "a ModuleDict": (
        "causal_attention",
        "CausalAttention",
        "CausalAttention",
        (
            (
                "self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)\n",
                "make = lambda: nn.Linear(d_in, d_out, bias=qkv_bias)\n"
                "        self.W = nn.ModuleDict({name: make() for name in ('q', 'k', 'v')})\n",
            ),
            ("        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)\n", ""),
            ("        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)\n", ""),
            (
                "self.W_query(x), self.W_key(x), self.W_value(x)",
                "(self.W[name](x) for name in ('q', 'k', 'v'))",
            ),
        ),
    ),
    "blocks with to_out in a Sequential": (
        "transformer",
        "TinyTransformer",
        "CausalMultiHeadAttention",
        (
            (
                "self.to_out = nn.Linear(dim_h, dim_h)",
                "self.to_out = nn.Sequential(nn.Linear(dim_h, dim_h))",
            ),
        ),
    ),
    "a lazy head": (
        "transformer",
        "TinyTransformer",
        "TinyTransformer",
        (("nn.Linear(dim_h, vocab_size)", "nn.LazyLinear(vocab_size)"),),
    ),
}


@pytest.mark.parametrize("name", ELSEWHERE)
def test_parameters_elsewhere_cost_the_check_of_their_names(
    name: str, grade_text: GradeText, solutions: dict[str, str]
) -> None:
    assignment, exercise, within, edits = ELSEWHERE[name]
    text = edited(solutions[assignment], within, *edits)
    graded = of(grade_text(text, assignment, exercise), exercise)
    [only] = lost(graded)
    assert only.endswith("_parameters")
    assert graded.points > 0


def test_names_that_a_hidden_check_finds_are_not_those_of_visible_ones(
    grade_text: GradeText, solutions: dict[str, str]
) -> None:
    """The submission uses other names for a number of features that only a hidden check uses."""
    text = (Path(__file__).parents[1] / "attacks" / "tell_layout.py").read_text(encoding="utf-8")
    code = text[text.index("class QueryKeyValue") :]
    graded = of(
        grade_text(
            solutions["attention_layer"] + "\n\n" + code, "attention_layer", "QueryKeyValue"
        ),
        "QueryKeyValue",
    )
    assert lost(graded) == []
