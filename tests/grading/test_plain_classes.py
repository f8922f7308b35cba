"""What is said of plain classes is true: they are no modules, and need not be."""

from __future__ import annotations

import pytest
from conftest import GradeText, of

from autograder.grading.grade import ExerciseGrade

GAMMA, BETA = "self.gamma = torch.ones(dim)", "self.beta = torch.zeros(dim)"
CALL = "def __call__(self, x: Tensor)"
SUPER = "        self.eps = eps\n"


def edited(text: str, exercise: str, *edits: tuple[str, str]) -> str:
    """Return a module whose class has been edited; `{}` in an edit is its name."""
    before, name, after = text.partition(f"class {exercise}")
    for old, new in edits:
        old, new = old.format(exercise), new.format(exercise)
        after = (name + after).replace(old, new, 1)
        assert new in after
        name = ""
    return before + name + after


def messages(graded: ExerciseGrade) -> list[str]:
    return [check.message for check in graded.checks if check.visible and check.message]


@pytest.mark.parametrize("exercise", ["BatchNorm1d", "LayerNorm1d"])
@pytest.mark.parametrize(
    ("edits", "message", "last"),
    [
        ([(GAMMA, "self.gamma = torch.ones(1)")], "gamma: expected shape (3,), got (1,).", ""),
        ([(BETA, "self.beta = torch.zeros(1)")], "beta: expected shape (3,), got (1,).", ""),
        (
            [(GAMMA, "self.gamma = torch.ones(1, dim)")],
            "gamma: expected shape (3,), got (1, 3).",
            "",
        ),
        (
            [(GAMMA, "self.gamma = torch.ones(dim, 1)")],
            "gamma: expected shape (3,), got (3, 1).",
            "",
        ),
        (
            [(GAMMA, "self.gamma = 1.0")],
            "There is no tensor gamma; yours to train: beta.",
            "It has no tensor gamma.",
        ),
        (
            [(CALL, "def forward(self, x: Tensor)")],
            "{} has no __call__. A call runs this method: rename forward to __call__.",
            "{} has no __call__. A call runs this method: rename forward to __call__.",
        ),
        (
            [
                ("class {}:", "class {}(torch.nn.Module):"),
                (SUPER, f"        super().__init__()\n{SUPER}"),
                (GAMMA, "self.gamma = torch.ones(1)"),
            ],
            "gamma: expected shape (3,), got (1,).",
            "",
        ),
    ],
)  # fmt: skip
def test_a_plain_class_is_told_what_it_has(
    exercise: str,
    edits: list[tuple[str, str]],
    message: str,
    last: str,
    grade_text: GradeText,
    solutions: dict[str, str],
) -> None:
    text = edited(solutions["normalization"], exercise, *edits)
    said = messages(of(grade_text(text, "normalization", exercise), exercise))
    assert said[0] == message.format(exercise)
    assert not last or said[-1] == last.format(exercise)
    assert not any("nn.Module" in one for one in said)


@pytest.mark.parametrize("exercise", ["BatchNorm1d", "LayerNorm1d"])
def test_other_names_of_a_plain_class_cost_the_points_of_one_check(
    exercise: str, grade_text: GradeText, solutions: dict[str, str]
) -> None:
    before, name, after = solutions["normalization"].partition(f"class {exercise}")
    here, other, rest = after.partition("\nclass ")
    renamed = here.replace("self.gamma", "self.weight").replace("self.beta", "self.bias")
    text = before + name + renamed + other + rest
    graded = of(grade_text(text, "normalization", exercise), exercise)
    assert messages(graded) == ["It has no tensor gamma."]


@pytest.mark.parametrize("method", ["forward", "__call__"])
def test_a_module_that_lists_its_own_tensors_is_as_right_as_a_plain_class(
    method: str, grade_text: GradeText, solutions: dict[str, str]
) -> None:
    edits = [
        (CALL, f"def {method}(self, x: Tensor)"),
        ("class {}:", "class {}(torch.nn.Module):"),
        (SUPER, f"        super().__init__()\n{SUPER}"),
    ]
    for exercise in ("BatchNorm1d", "LayerNorm1d"):
        text = edited(solutions["normalization"], exercise, *edits)
        assert messages(of(grade_text(text, "normalization", exercise), exercise)) == []


def test_what_is_listed_beside_gamma_and_beta_has_no_invented_name(
    grade_text: GradeText, solutions: dict[str, str]
) -> None:
    edit = ("[self.gamma, self.beta]", "[self.gamma, self.beta.clone()]")
    text = edited(solutions["normalization"], "LayerNorm1d", edit)
    said = messages(of(grade_text(text, "normalization", "LayerNorm1d"), "LayerNorm1d"))
    assert said[-1] == "parameters() should list gamma and beta; it lists gamma, something else."


def test_where_a_module_is_asked_for_a_plain_class_is_told_so(
    grade_text: GradeText, solutions: dict[str, str]
) -> None:
    text = edited(solutions["attention_layer"], "FeedForwardLayer", ("(nn.Module)", ""))
    text = edited(text, "FeedForwardLayer", ("        super().__init__()\n", ""))
    said = messages(of(grade_text(text, exercise="FeedForwardLayer"), "FeedForwardLayer"))
    advice = "Begin the class with: class Name(nn.Module)."
    assert said[0] == f"FeedForwardLayer has no __call__. {advice}"


@pytest.mark.parametrize("exercise", ["BatchNorm1d", "LayerNorm1d"])
@pytest.mark.parametrize(
    "listed", ["[]", "[self.gamma]", "[self.gamma.clone(), self.beta.clone()]"]
)
def test_a_list_that_lacks_gamma_or_beta_hides_no_gradient(
    listed: str, exercise: str, grade_text: GradeText, solutions: dict[str, str]
) -> None:
    """Gradients reach both; what is listed costs the points of the check that asks for the list."""
    right, wrong = "return [self.gamma, self.beta]", f"return {listed}"
    text = edited(solutions["normalization"], exercise, (right, wrong))
    [message] = messages(of(grade_text(text, "normalization", exercise), exercise))
    assert message.startswith("parameters() should list gamma and beta; it lists ")
    detached = edited(text, exercise, ("return self.gamma * ", "return self.gamma.detach() * "))
    about = messages(of(grade_text(detached, "normalization", exercise), exercise))
    assert any(one.endswith("no gradient reaches gamma.") for one in about)
