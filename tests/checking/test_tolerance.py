"""Rounding stays far within the tolerance; a scale off by a thousandth exceeds it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import torch
from conftest import corpus, home, sampled
from test_transformer import MODEL, STEPS
from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode

from autograder.checking import Draw, agreement
from autograder.checking.collect import collect
from autograder.checking.tolerance import (
    Operation,
    allowed,
    of_scores,
    of_spread,
    of_sums,
    scores,
)
from autograder.client import LocalImplementation, Text, loading
from autograder.course import assignments, solution
from autograder.course.exercise import Exercise
from autograder.course.hints import Hint
from autograder.course.misconceptions import Misconception
from autograder.grading.examination import Examination
from autograder.grading.grade import ExerciseGrade, Outcome
from autograder.runtime.questions import Rounds, Step
from autograder.sandbox import Limits

aten = torch.ops.aten
CHECKED = collect()
EXERCISES = [e for name in assignments() for e in CHECKED.exercises(name)]
EQUIVALENTS = corpus("right")
reference = cache(loading.load)
MARGIN = 10  # ratio of the tolerance to actual rounding errors, at least
HEADS = "CausalMultiHeadAttention"
SCALES = {  # the expression that divides the scores, and the class it is in
    "ScaledDotProduct": ("math.sqrt(Q.shape[-1])", ""),
    "SelfAttention": ("math.sqrt(keys.shape[-1])", ""),
    "SelfAttentionV2": ("math.sqrt(keys.shape[-1])", ""),
    "causal_weights": ("math.sqrt(d)", ""),
    "single_head": ("math.sqrt(q.shape[-1])", ""),
    "CausalAttention": ("math.sqrt(keys.shape[-1])", ""),
    "MultiHeadAttention": ("dim_head**-scale_factor", ""),
    "TinyTransformer": ("math.sqrt(q.shape[-1])", HEADS),
}
OTHER_EPS = (
    [
        (name, ("eps: float = 1e-5", f"eps: float = {eps}"), "")
        for name in ("BatchNorm1d", "LayerNorm1d")
        for eps in ("1e-6", "2e-5")
    ]
    + [
        (
            "SimpleAttentionLayer",
            ("layernorm1 = nn.LayerNorm(dim_h", f"layernorm1 = nn.LayerNorm(dim_h, eps={eps}"),
            "",
        )
        for eps in ("1e-6", "2e-5")
    ]
    + [
        (
            "TinyTransformer",
            ("ln_f = nn.LayerNorm(dim_h", f"ln_f = nn.LayerNorm(dim_h, eps={eps}"),
            "",
        )
        for eps in ("1e-6", "2e-5")
    ]
)


class OtherOrder(TorchDispatchMode):
    """Sums in reverse order, and matrix products in pieces of two terms."""

    def __torch_dispatch__(
        self, func: Any, types: Any, args: Any = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        match func:
            case aten.mm.default | aten.bmm.default:
                return product(*args)
            case aten.mv.default:
                return product(args[0], args[1][:, None])[:, 0]
            case aten.addmm.default if not kwargs:
                return args[0] + product(*args[1:])
            case aten.sum.dim_IntList | aten.mean.dim | aten.var.correction:
                return func(args[0].flip(args[1]), *args[1:], **(kwargs or {}))
            case aten._softmax.default:
                return func(args[0].flip(args[1]), *args[1:]).flip(args[1])
        return func(*args, **(kwargs or {}))


def product(a: Tensor, b: Tensor) -> Tensor:
    """a @ b, the last terms of each sum first."""
    pieces = zip(a.split(2, dim=-1), b.split(2, dim=-2), strict=True)
    return torch.stack([one @ other for one, other in pieces]).flip(0).sum(dim=0)


def single(step: Any) -> Any:
    """Return a step with the dtype float32, if it has one."""
    return replace(step, dtype=torch.float32) if hasattr(step, "dtype") else step


class Rounding(LocalImplementation):
    """An implementation that sums in another order, or computes in float32 throughout."""

    def __init__(self, text: Text, dtype: str, other_order: bool) -> None:
        super().__init__(text.source())
        self._dtype, self._other_order = dtype, other_order

    def _ask(self, steps: Sequence[Step], fresh: bool) -> tuple[Any, str]:
        if isinstance(steps[0], Rounds) and self._dtype == "float32":
            return [{"value": True}], ""
        typed: Sequence[Any] = steps
        if self._dtype == "float32":
            typed = [single(step) for step in steps]
        if not self._other_order:
            return super()._ask(typed, fresh)
        with OtherOrder():  # type: ignore[no-untyped-call]
            return super()._ask(typed, fresh)


def graded(
    exercise: Exercise, text: str, dtype: str = "float64", other_order: bool = False
) -> ExerciseGrade:
    """Grade an exercise of a module given as text."""
    assignment = CHECKED.home(exercise)
    texts = {name: solution(name) for name in assignments()}
    implementation = Rounding(
        Text(assignment, {**texts, assignment: text}, assignments()), dtype, other_order
    )
    return Examination(CHECKED, reference, implementation, Limits()).of(exercise)


def reference_of(exercise: Exercise) -> str:
    return solution(CHECKED.home(exercise))


def failed(graded: ExerciseGrade) -> dict[str, str]:
    return {c.name: c.message for c in graded.checks if c.outcome is not Outcome.PASSED}


@pytest.fixture
def narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Divide all tolerances by MARGIN."""
    monkeypatch.setattr(agreement, "allowed", lambda *given: allowed(*given) / MARGIN)


@pytest.fixture(params=[1, 2])
def threads(request: pytest.FixtureRequest) -> Iterator[int]:
    before = torch.get_num_threads()
    torch.set_num_threads(request.param)
    yield request.param
    torch.set_num_threads(before)


@pytest.mark.usefixtures("narrow")
@pytest.mark.parametrize("other_order", [False, True], ids=["as_it_is", "other_order"])
@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("exercise", sampled(EXERCISES, lambda exercise: exercise.name, each=3))
def test_rounding_stays_far_within(exercise: Exercise, dtype: str, other_order: bool) -> None:
    """If a new exercise fails here, its trial needs a condition that says what rounding grows by,
    as `scores` does."""
    assert failed(graded(exercise, reference_of(exercise), dtype, other_order)) == {}


@pytest.mark.usefixtures("narrow")
@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("path", sampled(EQUIVALENTS, lambda path: path.stem, home))
def test_rounding_of_others_stays_far_within(path: Path, dtype: str) -> None:
    [exercise] = [e for e in EXERCISES if e.name == path.stem.split("__")[0]]
    assert failed(graded(exercise, path.read_text(encoding="utf-8"), dtype)) == {}


@pytest.mark.usefixtures("narrow", "threads")
@pytest.mark.parametrize("dtype", [torch.float64, torch.float32])
@pytest.mark.parametrize("pieces", [1, 2, 7, 1000])
def test_a_long_sum_in_pieces_stays_far_within(pieces: int, dtype: torch.dtype) -> None:
    """The product is large enough for several threads."""
    a, b = Draw("a").normal(100, 1000), Draw("b").normal(1000, 100)
    split = zip(a.to(dtype).chunk(pieces, 1), b.to(dtype).chunk(pieces, 0), strict=True)
    got = sum(one @ other for one, other in split)
    operation = Operation([a], [b.shape], of_sums)
    agreement.assert_same_numbers("Product", torch.as_tensor(got), a @ b, operation, dtype)


def test_the_tolerance_grows_with_what_makes_more_of_rounding() -> None:
    expected, x = torch.ones(2).double(), Draw("x").normal(4, 5)
    level = x.clone()
    level[0] = 2.0

    def tolerance(operation: Operation) -> float:
        return allowed(expected, operation, torch.float64)

    eps = torch.finfo(torch.float64).eps
    plain = Operation([x], (), of_sums)
    assert (
        tolerance(plain) == eps * min(27, 5 * 27**0.5) * 2
    )  # three sums, of 5 terms and 4 roundings
    assert tolerance(plain) < tolerance(plain.gradients())
    assert tolerance(plain) < tolerance(replace(plain, parameters=[torch.Size([5, 5])]))
    assert tolerance(plain) < tolerance(Operation([Draw("x").normal(4, 50)], (), of_sums))
    few, many = (replace(plain, condition=scores(s)) for s in (1.0, 1000.0))
    assert tolerance(few) == 3 * tolerance(plain)
    assert tolerance(many) == 2001 * tolerance(plain)
    longest = float(x.norm(dim=-1).max())
    assert of_scores([x]) == pytest.approx(2 * longest**2)
    assert of_scores([x, 1]) == of_scores([x])
    assert of_scores([100 * x, x, 1000 * x]) == pytest.approx(2 * 1000 * 100 * longest**2)
    assert of_spread([level]) == pytest.approx(float(level.abs().max()) / 1e-5**0.5)
    assert of_spread([x]) < 50
    assert of_spread([x[:1]]) < of_spread([level])


def test_float32_excuses_no_more_than_a_share_of_the_largest_number() -> None:
    """Without a bound on what float32 excuses, wrong code would pass where scores are large."""
    x, far = Draw("x").normal(4, 5), Operation([Draw("x").normal(4, 5)], (), scores(1e6))
    single = torch.float32
    assert allowed(x, far, single) < 0.021 * float(x.abs().max())
    assert allowed(0 * x, far, single) == allowed(0 * x, replace(far, condition=of_sums), single)
    assert allowed(x, far, torch.float64) == (1 + 2e6) * allowed(
        x, replace(far, condition=of_sums), torch.float64
    )


@pytest.mark.parametrize("exercise", ["causal_weights", "CausalAttention", "TinyTransformer"])
def test_a_mask_that_is_not_low_enough_fails_in_float32_too(exercise: str) -> None:
    [one] = [e for e in EXERCISES if e.name == exercise]
    low, changed = re.subn("-(torch|math).inf", "-1e4", reference_of(one))
    assert changed
    for dtype in ("float64", "float32"):
        assert [name.rpartition("_")[2] for name in failed(graded(one, low, dtype))] == ["far"]


def test_descent_brings_two_runs_no_further_apart() -> None:
    implementation, draw = reference("transformer"), Draw("descent")
    idx, weights = draw.integers(11, 8, 6), MODEL.weights(implementation.client(), draw)
    change = 1e-7
    losses = []
    for factor in (1.0, 1 + change):
        moved = {name: weight * factor for name, weight in weights.items()}
        module = MODEL.build(implementation.client(), keep=False).load(moved)
        found = module.descend(idx, targets=idx.roll(-1, dims=1), steps=STEPS).value
        losses.append(torch.tensor(found, dtype=torch.float64))
    before, after = losses
    assert 0 < float((after - before).abs().max()) < change * (1 + float(before.max()))


@pytest.mark.parametrize("name", sampled(SCALES, each=2))
@pytest.mark.parametrize(
    ("factor", "dtype"), [(1.001, "float64"), (1 + 1e-6, "float64"), (1.001, "float32")]
)
def test_a_scale_slightly_wrong_is_rejected(name: str, factor: float, dtype: str) -> None:
    scale, within = SCALES[name]
    if (name, dtype) == ("TinyTransformer", "float32"):
        factor = 1.1  # its scores are so small that a thousandth of them is lost in the rounding
    assert_rejected(name, (scale, f"{scale} / {factor} "), dtype, within)


@pytest.mark.parametrize(("name", "edit", "within"), OTHER_EPS)
def test_another_eps_is_rejected(name: str, edit: tuple[str, str], within: str) -> None:
    assert_rejected(name, edit, "float64", within)


BUFFER = 'register_buffer("unused", torch.ones(4))'
SMALL_MISTAKES = {  # which float32's tolerance for the worst case would excuse
    "SimpleAttentionLayer": ("nn.LayerNorm(dim_h)", "nn.LayerNorm(dim_h, eps=1e-4)"),
    "MultiHeadAttention": ("dim_head**-scale_factor", "dim_head**-scale_factor * 1.0001"),
}


@pytest.mark.parametrize("name", SMALL_MISTAKES)
def test_a_buffer_in_float32_excuses_no_mistake(name: str) -> None:
    """A buffer in float32 looks like rounding, but the module's results are in float64."""
    [exercise] = [e for e in EXERCISES if e.name == name]
    passage, mistake = SMALL_MISTAKES[name]
    text = reference_of(exercise)
    head, name_of_class, tail = text.partition(f"class {name}(nn.Module)")
    buffered = tail.replace("super().__init__()", f"super().__init__()\n        self.{BUFFER}", 1)
    assert failed(graded(exercise, head + name_of_class + buffered)) == {}
    assert passage in buffered
    found = failed(graded(exercise, head + name_of_class + buffered.replace(passage, mistake)))
    assert any(check.endswith("agrees") for check in found)


def test_measured_errors_bound_ordinary_numbers_only() -> None:
    x, single = Draw("x").normal(4, 5), torch.float32
    usual, measured = Operation([x]), Operation([x], measured=(2e-7, 1e-6))
    largest = 1 + float(x.abs().max())
    assert allowed(x, measured, single) == pytest.approx(64 * 2e-7 * largest)
    assert allowed(x, measured, single) < allowed(x, usual, single)
    assert allowed(x, measured.gradients(), single) == pytest.approx(
        min(64e-6 * largest, allowed(x, usual.gradients(), single))
    )
    far = replace(measured, condition=scores(1e4))
    assert allowed(x, far, single) == allowed(x, replace(usual, condition=scores(1e4)), single)
    assert allowed(x, measured, torch.float64) == allowed(x, usual, torch.float64)


def assert_rejected(name: str, edit: tuple[str, str], dtype: str, within: str) -> None:
    [exercise] = [e for e in EXERCISES if e.name == name]
    mistake = Misconception("", name, "", (edit,), Hint("", "", ""), within)
    assert graded(exercise, mistake.source(reference_of(exercise)), dtype).outcome is Outcome.FAILED
