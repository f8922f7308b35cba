"""Every misconception is a real mistake: its edits apply, and it loses points."""

from __future__ import annotations

import pytest
from conftest import GradeText, of, sampled

from autograder.course import assignments
from autograder.course.hints import Hint
from autograder.course.misconceptions import EditDoesNotApply, Misconception, misconceptions
from autograder.grading.grade import Outcome

NO_HINT = Hint("", "", "")
OTHER_LAYOUT = ": another layout of the weights"  # ends phrases of mistakes in the layout only
ALL = [(name, mistake) for name in assignments() for mistake in misconceptions(name)]
ASKED = [  # an audit grades all
    (name, mistake)
    for i, (name, mistake) in enumerate(ALL)
    if i % 12 == 0 or mistake.costs_no_points or mistake.mistake.endswith(OTHER_LAYOUT)
]


def label(case: tuple[str, Misconception]) -> str:
    assignment, mistake = case
    return f"{assignment}-{mistake.exercise}-{mistake.id}"


def kind(case: tuple[str, Misconception]) -> str:
    """What a mistake costs, or else its assignment."""
    assignment, mistake = case
    layout = "layout" if mistake.mistake.endswith(OTHER_LAYOUT) else assignment
    return "remark" if mistake.costs_no_points else layout


@pytest.mark.parametrize("case", sampled(ASKED, label, kind))
def test_mistake_loses_points(
    case: tuple[str, Misconception], grade_text: GradeText, solutions: dict[str, str]
) -> None:
    assignment, mistake = case
    text = mistake.source(solutions[assignment])
    grade = grade_text(text, assignment, mistake.exercise)
    exercise = of(grade, mistake.exercise)
    assert grade.status == "graded"
    if mistake.costs_no_points:
        assert exercise.points == exercise.max_points
        assert any("float32" in check.message for check in exercise.checks)
        return
    layout = mistake.mistake.endswith(OTHER_LAYOUT)
    assert exercise.outcome is Outcome.FAILED
    assert exercise.points < exercise.max_points
    assert exercise.points == exercise.max_points - 1 or not layout
    lost = [check for check in exercise.checks if check.outcome is Outcome.FAILED]
    assert any(check.message.startswith("Right, but with another") for check in lost) is layout
    assert all(check.message for check in lost)


def code_of(solution: str) -> set[str]:
    """Return the lines of code of the reference, without short ones."""
    lines = (line.strip() for line in solution.splitlines())
    return {line for line in lines if len(line) >= 12 and not line.startswith("#")}


@pytest.mark.parametrize("assignment", assignments())
def test_hints_are_short_and_give_no_code_away(assignment: str, solutions: dict[str, str]) -> None:
    code = code_of(solutions[assignment])
    for hint in {mistake.hint for mistake in misconceptions(assignment)}:
        steps = (hint.look, hint.think, hint.nearly)
        assert all(step.strip().endswith((".", "?")) for step in steps), hint
        assert len(set(steps)) == 3
        assert sum(len(step.split()) for step in steps) <= 160, hint
        assert not [line for line in code for step in steps if line in step]


def test_ids_are_unique_in_an_exercise() -> None:
    keys = [(mistake.exercise, mistake.id) for _, mistake in ALL]
    assert len(keys) == len(set(keys))


def test_every_exercise_has_mistakes(checks: object) -> None:
    named = {mistake.exercise for _, mistake in ALL}
    graded = {e.name for name in assignments() for e in checks.exercises(name)}  # type: ignore[attr-defined]
    assert named == graded


@pytest.mark.parametrize("find", ["nowhere to be found", "self"])
def test_edit_that_does_not_apply_once_is_refused(find: str, solutions: dict[str, str]) -> None:
    mistake = Misconception("bad", "TestModule", "an edit", ((find, ""),), NO_HINT)
    with pytest.raises(EditDoesNotApply, match="TestModule/bad"):
        mistake.source(solutions["attention_layer"])
