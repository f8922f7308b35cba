"""Every named mistake is a real one: its edit applies, and it loses points."""

from __future__ import annotations

import pytest
from conftest import GradeText, of

from autograder.course import assignments
from autograder.grading.grade import Outcome
from autograder.misconceptions import EditDoesNotApply, Misconception, misconceptions

SINGLE_PRECISION = "(float32 only)"  # costs no points, and is remarked on
ALL = [(name, mistake) for name in assignments() for mistake in misconceptions(name)]


def label(case: object) -> str:
    return f"{case.exercise}-{case.id}" if isinstance(case, Misconception) else str(case)


@pytest.mark.parametrize(("assignment", "mistake"), ALL, ids=label)
def test_mistake_loses_points(
    assignment: str, mistake: Misconception, grade_text: GradeText, solutions: dict[str, str]
) -> None:
    text = mistake.source(solutions[assignment])
    grade = grade_text(text, assignment, mistake.exercise)
    exercise = of(grade, mistake.exercise)
    assert grade.status == "graded"
    if mistake.mistake.endswith(SINGLE_PRECISION):
        assert exercise.points == exercise.max_points
        assert any("float32" in check.message for check in exercise.checks)
        return
    assert exercise.outcome is Outcome.FAILED
    assert exercise.points < exercise.max_points
    lost = [check for check in exercise.checks if check.outcome is Outcome.FAILED]
    assert all(check.message for check in lost)


def test_ids_are_unique_in_an_exercise() -> None:
    keys = [(mistake.exercise, mistake.id) for _, mistake in ALL]
    assert len(keys) == len(set(keys))


def test_every_exercise_has_mistakes(checks: object) -> None:
    named = {mistake.exercise for _, mistake in ALL}
    graded = {e.name for name in assignments() for e in checks.exercises(name)}  # type: ignore[attr-defined]
    assert named == graded


@pytest.mark.parametrize("find", ["nowhere to be found", "self"])
def test_edit_that_does_not_apply_once_is_refused(find: str, solutions: dict[str, str]) -> None:
    mistake = Misconception("bad", "TestModule", "an edit", ((find, ""),))
    with pytest.raises(EditDoesNotApply, match="TestModule/bad"):
        mistake.source(solutions["attention_layer"])
