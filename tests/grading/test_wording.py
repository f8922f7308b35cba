"""What is said of a problem, in words that depend on nothing but the problem."""

from __future__ import annotations

import pytest

from autograder.client import Frame, Problem
from autograder.grading.grade import Grade
from autograder.grading.wording import both, traceback


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        ([5, 9], [5, 9]),
        ([5, 9, 9, 9], [5, 9]),  # a comprehension within a comprehension, at line 9
        ([5, 9, 5, 9], [5, 9, 5, 9]),
        ([9, 9], []),
        ([9], []),
        ([], []),
    ],
)
def test_each_of_the_lines_that_led_to_an_error_is_told_once(
    lines: list[int], told: list[int]
) -> None:
    frames = tuple(Frame("a.py", line, f"step({line})") for line in lines)
    said = traceback(Problem("raised", "no", "ValueError", frames))
    assert said == [f"a.py, line {line}: step({line})" for line in told]


def test_only_an_error_that_was_raised_has_lines_that_led_to_it() -> None:
    frames = (Frame("a.py", 5, "step()"), Frame("a.py", 9, "while True: pass"))
    assert traceback(Problem("timeout", "", "", frames)) == []


def refused(ending: str, message: str) -> Grade:
    path = f"anna/linear{ending}"
    return Grade("anna", path, "linear", "unreadable", (), message.format(path), locked=True)


@pytest.mark.parametrize(
    ("module", "notebook", "said"),
    [
        ("{} is empty. Save it.", "{} is empty. Save it.", ": each is empty. Save it."),
        (
            "{} is empty. Save it.",
            "{} is a link.",
            ". anna/linear.py is empty. Save it. anna/linear.ipynb is a link.",
        ),
        ("It is torn.", "It is torn.", ". It is torn."),
    ],
)
def test_of_two_forms_that_cannot_be_read_neither_counts(
    module: str, notebook: str, said: str
) -> None:
    grades = refused(".py", module), refused(".ipynb", notebook)
    assert both(*grades) == f"Neither linear.py nor linear.ipynb can be graded{said}"
