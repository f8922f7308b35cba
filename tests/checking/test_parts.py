"""What is said of the parts of a module is true."""

from __future__ import annotations

import pytest
from conftest import GradeText, of

from autograder.grading.grade import Outcome

SECOND = "self.layernorm2 = nn.LayerNorm(dim_h)"
CASES = {  # what makes the second norm: the message, "" if that is right
    "self.layernorm2 = self.layernorm1": "layernorm2 and layernorm1 are one object: make two.",
    "self.second = nn.LayerNorm(dim_h)": "There is no parameter layernorm2.weight; yours are: ",
    "self.layernorm2 = nn.LayerNorm(dim_h)\n        self.second = self.layernorm2": "",
    "self.second = nn.LayerNorm(dim_h)\n        self.layernorm2 = self.second": "",
}


@pytest.mark.dear
@pytest.mark.parametrize("line", CASES)
def test_a_part_is_missing_shared_or_right(
    line: str, grade_text: GradeText, solutions: dict[str, str]
) -> None:
    text = solutions["attention_layer"]
    assert text.count(SECOND) == 1
    checks = of(grade_text(text.replace(SECOND, line), exercise="SimpleAttentionLayer"),
        "SimpleAttentionLayer").checks  # fmt: skip
    [check] = [check for check in checks if check.name == "layer_parameters"]
    assert (check.outcome is Outcome.PASSED) == (not CASES[line])
    assert check.message.startswith(CASES[line])


def test_a_part_that_does_nothing_may_not_be_there_under_another_name_only(
    grade_text: GradeText, solutions: dict[str, str]
) -> None:
    text = solutions["attention_layer"].replace("self.dot_product_attn", "self.attend")
    checks = of(grade_text(text, exercise="SimpleAttentionLayer"), "SimpleAttentionLayer").checks
    [check] = [check for check in checks if check.name == "layer_parameters"]
    assert check.message == "There is no part called dot_product_attn."
