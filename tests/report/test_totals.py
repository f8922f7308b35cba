"""Totals of several assignments: optional ones are asked for in none."""

from __future__ import annotations

from pathlib import Path

import pytest

from autograder import course
from autograder.grading.grade import CheckGrade, ExerciseGrade, Grade, Outcome
from autograder.report import as_html
from autograder.report.terminal import Terminal, next_step
from autograder.report.totals import total


def grade(assignment: str, outcome: Outcome, points: float, folder: str = "") -> Grade:
    check, path = CheckGrade("c", "T", outcome, points, True), f"{folder}{assignment}.py"
    return Grade("anna", path, assignment, "graded", (ExerciseGrade("E", (check,)),))


DONE = "Everything passes. Pack what you hand in: make submit"
GRADES = grade("one", Outcome.PASSED, 7), grade("two", Outcome.FAILED, 2.5)


def use_course(folder: Path, optional: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    """Use a course of the assignments one and two, some of which are optional."""
    monkeypatch.setenv("AUTOGRADER_COURSE", "")  # so that it is as before after the test
    chosen = "".join(f"[assignments.{name}]\noptional = true\n" for name in optional)
    text = f'title = "T"\nid = "i"\n{chosen}'
    (folder / "course.toml").write_text(text, encoding="utf-8")
    for name in ("one", "two"):
        (folder / name).mkdir()
        (folder / name / f"{name}.py").write_text("# ---\n# order: 1\n# ---\n")
    course.use(folder)


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
    use_course(tmp_path, optional, monkeypatch)
    assert total(GRADES) == said
    lines = [*Terminal().report(GRADES)]
    assert f"Score: {said} (unlocked: with your own rights)" in lines
    assert ("two, optional  (two.py)" in lines) == ("two" in optional)
    page = as_html.progress([(one, "page.html") for one in GRADES])
    assert f"Score: {said}</p>" in page
    assert page.count("</a>, optional</th>") == len(optional)


def test_nothing_at_all_is_a_total_too() -> None:
    assert total([]) == "0/0"


@pytest.mark.parametrize(
    ("optional", "one", "two", "said"),
    [
        ((), Outcome.PASSED, Outcome.FAILED, ["Next: fix E in assignments/two.py"]),
        (("one",), Outcome.MISSING, Outcome.FAILED, ["Next: fix E in assignments/two.py"]),
        (("two",), Outcome.PASSED, Outcome.PASSED, [DONE]),
        (
            ("two",),
            Outcome.PASSED,
            Outcome.MISSING,
            [DONE, "Optional: write E in assignments/two.py"],
        ),
        (("one", "two"), Outcome.PASSED, Outcome.FAILED, ["Next: fix E in assignments/two.py"]),
    ],
)
def test_what_is_optional_comes_last(
    optional: tuple[str, ...],
    one: Outcome,
    two: Outcome,
    said: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    use_course(tmp_path, optional, monkeypatch)
    grades = [grade(name, was, 1, "assignments/") for name, was in (("one", one), ("two", two))]
    assert [*next_step(grades)] == said


def test_an_optional_assignment_alone_does_not_end_the_course(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    use_course(tmp_path, ("two",), monkeypatch)
    two = grade("two", Outcome.PASSED, 1, "assignments/")
    [said] = next_step([two])
    assert said.startswith("Next: ") and said.endswith(" watch --once")
