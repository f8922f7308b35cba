"""Start values are random, and of a size from which training works."""

from __future__ import annotations

import pytest
import torch
from conftest import GradeText, of
from torch import Tensor

from autograder.checking import Wrong
from autograder.checking.start import assert_begins_well, assert_random


def drawn(seed: int, scale: float = 1.0) -> dict[str, Tensor | None]:
    """Return the numbers of one layer."""
    generator = torch.Generator().manual_seed(seed)
    return {"layer.weight": scale * torch.randn(4, 5, generator=generator)}


USUAL = drawn(0)


@pytest.mark.parametrize("scale", [0.02, 0.1, 5.0])
def test_usual_sizes_are_accepted(scale: float) -> None:
    assert_begins_well(drawn(1, scale), USUAL)


@pytest.mark.parametrize("scale", [1e-8, 1e-4, 50.0])
def test_other_sizes_are_refused(scale: float) -> None:
    with pytest.raises(Wrong, match="PyTorch's layers start with about 1"):
        assert_begins_well(drawn(1, scale), USUAL)


def test_a_last_layer_may_start_as_0_but_not_near_it() -> None:
    assert_begins_well(drawn(1, 0.0), USUAL, zeros=("weight",))
    with pytest.raises(Wrong, match="too small for training"):
        assert_begins_well(drawn(1, 1e-8), USUAL, zeros=("weight",))


def test_two_equal_rows_are_refused() -> None:
    start = drawn(1)
    weight = start["layer.weight"]
    assert weight is not None
    weight[3] = weight[1]
    with pytest.raises(Wrong, match=r"Rows of layer\.weight start with the same numbers"):
        assert_begins_well(start, USUAL)


@pytest.mark.parametrize("rows", [slice(None), 2])
def test_other_layers_and_rows_of_0_are_refused(rows: slice | int) -> None:
    start = drawn(1)
    weight = start["layer.weight"]
    assert weight is not None
    weight[rows] = 0.0
    with pytest.raises(Wrong, match=r"layer\.weight, or a row of it, starts as 0, which only"):
        assert_begins_well(start, USUAL)


START = [  # an exercise, a line of its solution, and a weight that starts as 0 after it
    ("MultiHeadList", "self.aggregation_step = nn", "self.heads[0].qkv_mechanism.value.weight"),
    ("MultiHeadList", "self.aggregation_step = nn", "self.heads[0].qkv_mechanism.W_q"),
    ("TinyTransformer", "self.head = nn", "self.position_embedding.weight"),
]


@pytest.mark.parametrize(("exercise", "line", "weight"), START)
def test_no_exercise_lets_another_weight_start_as_0(
    exercise: str, line: str, weight: str, grade_text: GradeText, solutions: dict[str, str]
) -> None:
    home = {"MultiHeadList": "multi_head", "TinyTransformer": "transformer"}[exercise]
    assert solutions[home].count(line) == 1
    text = solutions[home].replace(line, f"nn.init.zeros_({weight})\n        {line}")
    graded = of(grade_text(text, home, exercise), exercise)
    [failed] = [check for check in graded.checks if not check.points]
    assert failed.message.startswith(f"{weight.removeprefix('self.').replace('[0]', '.0')}, or a")


def test_two_modules_start_with_different_numbers() -> None:
    assert_random(drawn(1), drawn(2), USUAL)
    with pytest.raises(Wrong, match="the same numbers in each module") as wrong:
        assert_random(drawn(1), drawn(1), USUAL)
    assert wrong.value.symptom == "same start"


def test_what_starts_as_ones_or_zeros_may_be_equal() -> None:
    ones: dict[str, Tensor | None] = {"layer.weight": torch.ones(4, 5)}
    assert_random(ones, ones, ones)
    assert_random(drawn(1, 0.0), drawn(1, 0.0), USUAL)
