"""What code sets or leaves behind costs the right exercises nothing, and is told truly."""

from __future__ import annotations

import pytest
import torch
from conftest import GradeText, of

from autograder.grading.grade import Grade, Outcome
from autograder.runtime.settings import kept

MATMUL = "def running_mean_matmul"
LEFT = {
    "no gradients": "torch.set_grad_enabled(False)",
    "another device": "torch.set_default_device('meta')",
    "less exact products": "torch.set_float32_matmul_precision('medium')",
    "autocast": "torch.autocast('cpu', torch.bfloat16).__enter__()",
}


def test_all_settings_are_restored() -> None:
    def now() -> tuple[object, ...]:
        precision = torch.get_float32_matmul_precision()
        autocast = torch.is_autocast_enabled("cpu"), torch.is_grad_enabled()
        return torch.get_default_dtype(), torch.get_default_device(), precision, autocast

    before = now()
    with kept():
        torch.set_default_dtype(torch.float64)
        for line in LEFT.values():
            exec(line, {"torch": torch})
        assert not {*before} & {*now()}
    assert now() == before


def is_full(grade: Grade) -> bool:
    return grade.status == "graded" and 0 < grade.points == grade.max_points


@pytest.mark.parametrize("left", LEFT)
def test_what_a_demonstration_leaves_set_costs_nothing(
    left: str, grade_text: GradeText, solutions: dict[str, str]
) -> None:
    text = f"{solutions['transformer']}\n{LEFT[left]}\n"
    assert is_full(grade_text(text, "transformer", "TinyTransformer"))


@pytest.mark.parametrize("left", LEFT)
def test_what_one_exercise_leaves_set_costs_no_other(
    left: str, grade_text: GradeText, solutions: dict[str, str]
) -> None:
    text = solutions["running_averages"].replace(
        ") -> Tensor:\n", f") -> Tensor:\n    {LEFT[left]}\n", 1
    )
    _, *others = grade_text(text, "running_averages").exercises
    assert [one.name for one in others if one.points < one.max_points] == []


@pytest.mark.dear
@pytest.mark.parametrize("name", ["running_mean_matmul", "running_mean_softmax"])
def test_inference_mode_changes_no_count_of_operations(
    name: str, grade_text: GradeText, solutions: dict[str, str]
) -> None:
    text = solutions["running_averages"]
    assert f"def {name}" in text
    text = text.replace(f"def {name}", f"@torch.inference_mode()\ndef {name}")
    assert is_full(grade_text(text, "running_averages", name))


def test_what_is_printed_to_nowhere_costs_nothing(
    grade_text: GradeText, solutions: dict[str, str]
) -> None:
    silent = (
        "    import contextlib, os\n    with contextlib.redirect_stdout(open(os.devnull, 'w')):"
    )
    text = solutions["running_averages"].replace(
        ") -> Tensor:\n", f") -> Tensor:\n{silent}\n        print(1)\n", 1
    )
    assert "os.devnull" in text
    assert is_full(grade_text(text, "running_averages", "running_mean_loop"))


@pytest.mark.parametrize("wanted", ["AttentionHed", "my_mask"])
def test_what_another_module_does_not_define_is_told(
    wanted: str, grade_text: GradeText, solutions: dict[str, str]
) -> None:
    """A name that another module does not define is not called an exercise to be written."""
    used = f"        {wanted}(2)\n"
    head, _, rest = solutions["multi_head"].partition("class MultiHeadList")
    begin, _, end = rest.partition("super().__init__()\n")
    text = f"from attention_layer import {wanted}\n{head}class MultiHeadList{begin}"
    graded = of(grade_text(f"{text}super().__init__()\n{used}{end}", "multi_head"), "MultiHeadList")
    said = [check.message for check in graded.checks if check.visible]
    assert graded.outcome is Outcome.FAILED
    assert f"{wanted} is missing: attention_layer.py does not define it" in said[0]


def test_a_class_where_a_function_is_asked_for(grade_text: GradeText) -> None:
    graded = grade_text("class running_mean_loop:\n    pass\n", "running_averages")
    said = of(graded, "running_mean_loop").checks[0].message
    assert said == "running_mean_loop is not a function but a class."
