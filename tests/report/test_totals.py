"""Totals of several assignments: optional ones are asked for in none."""

from __future__ import annotations

from pathlib import Path

import pytest

from autograder import course
from autograder.grading.grade import CheckGrade, ExerciseGrade, Grade, Outcome
from autograder.report import as_html
from autograder.report.terminal import Terminal
from autograder.report.totals import total


def grade(assignment: str, outcome: Outcome, points: float) -> Grade:
    check = CheckGrade("c", "T", outcome, points, True)
    return Grade("anna", f"{assignment}.py", assignment, "graded", (ExerciseGrade("E", (check,)),))


GRADES = grade("one", Outcome.PASSED, 7), grade("two", Outcome.FAILED, 2.5)


@pytest.mark.parametrize(
    ("optional", "said"),
    [
        ((), "7/9.5"),
        (("two",), "7/7, 0/2.5 optional"),
        (("one",), "0/2.5, 7/7 optional"),
        (("one", "two"), "7/9.5 optional"),
    ],
)
def test_totals(
    optional: tuple[str, ...], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AUTOGRADER_COURSE", "")  # so that it is as before after the test
    chosen = "".join(f"[assignments.{name}]\noptional = true\n" for name in optional)
    text = f'title = "T"\nid = "i"\n{chosen}'
    (tmp_path / "course.toml").write_text(text, encoding="utf-8")
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / f"{name}.py").touch()
    course.use(tmp_path)
    assert total(GRADES) == said
    lines = [*Terminal().report(GRADES)]
    assert f"Score: {said} (unlocked: with your own rights)" in lines
    assert ("two, optional  (two.py)" in lines) == ("two" in optional)
    page = as_html.progress([(one, "page.html") for one in GRADES])
    assert f"Score: {said}</p>" in page
    assert page.count("</a>, optional</th>") == len(optional)


def test_nothing_at_all_is_a_total_too() -> None:
    assert total([]) == "0/0"
