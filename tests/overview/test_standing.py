"""Where a class stands is counted exactly, from results that are written here by hand."""

from __future__ import annotations

import csv
import html
import io
import json
import re
from pathlib import Path
from typing import Any

import pytest

from autograder.classroom.document import (
    Check,
    Diagnosis,
    Example,
    Exercise,
    Outcome,
    Submission,
)
from autograder.errors import UsageError
from autograder.overview import tables
from autograder.overview.folder import check_folder, write
from autograder.overview.page import page
from autograder.overview.standing import Standing, standings, without_names
from autograder.report.writing import NotOurs

SCALE = Diagnosis(("scale",), "divides by d_k", ("look", "think", "nearly"), False)


def check(name: str, status: Outcome, visible: bool = True, most: float = 1.0) -> Check:
    got = most if status == "passed" else 0.0
    return Check(name, name.title(), status, got, most, visible, f"says {status}")


def exercise(name: str, *checks: Check, **more: Any) -> Exercise:
    """Return an exercise, whose outcome is the most severe of its checks'."""
    found = {one.status for one in checks}
    order: tuple[Outcome, ...] = ("error", "failed", "blocked", "missing", "passed")
    status = next(one for one in order if one in found)
    named: tuple[Diagnosis, ...] = more.pop("diagnoses", ())
    return Exercise(
        name,
        status,
        sum(one.points for one in checks),
        sum(one.max_points for one in checks),
        tuple(key for one in named for key in one.misconceptions),
        checks,
        named,
        more.pop("alike", ""),
        **more,
    )


def submission(student: str, *exercises: Exercise, **more: Any) -> Submission:
    return Submission(
        student,
        f"class/{student}.py",
        more.get("assignment", "layer"),
        more.get("status", "graded"),
        more.get("message", ""),
        sum(one.score for one in exercises),
        sum(one.max_score for one in exercises) or 4.0,
        exercises,
    )


def student(number: int, first: Outcome, second: Outcome, **more: Any) -> Submission:
    """Return a submission of two exercises with two checks and one."""
    return submission(
        f"s{number}",
        exercise("Dot", check("values", first), check("hidden", first, False, 2.0), **more),
        exercise("Head", check("runs", second)),
    )


def only(*submissions: Submission) -> Standing:
    [standing] = standings(submissions)
    return standing


def test_outcomes_and_points_are_counted() -> None:
    found = only(
        student(1, "passed", "passed"),
        student(2, "failed", "blocked", alike="a"),
        student(3, "missing", "missing"),
        submission("s4", status="unreadable", message="It is empty."),
    )
    assert (found.graded, found.points, found.max_points) == (3, (4.0, 0.0, 0.0), 4.0)
    assert found.mean == pytest.approx(4 / 3)
    assert (found.median, found.failures) == (0.0, 1)
    dot, head = found.exercises
    assert dot.counts == {"passed": 1, "failed": 1, "missing": 1, "blocked": 0, "error": 0}
    assert head.counts == {"passed": 1, "failed": 0, "missing": 1, "blocked": 1, "error": 0}
    assert (dot.mean, dot.max_points) == (1.0, 3.0)
    [lost] = found.ungraded
    assert (lost.student, lost.status, lost.message) == ("s4", "unreadable", "It is empty.")


def test_failures_are_together_by_mistake_or_by_what_they_answer() -> None:
    found = only(
        student(1, "failed", "blocked", alike="aa"),
        student(2, "failed", "blocked", diagnoses=(SCALE,)),
        student(3, "failed", "blocked", alike="bb"),
        student(4, "failed", "blocked", alike="aa"),
        student(5, "failed", "blocked", diagnoses=(SCALE,)),
        student(6, "failed", "blocked", diagnoses=(SCALE,)),
        student(7, "failed", "failed", diagnoses=(SCALE,)),
    )
    shown = [(group.exercise, group.key, group.students) for group in found.groups]
    assert shown == [
        ("Dot", "scale", ("s2", "s5", "s6", "s7")),
        ("Dot", "aa", ("s1", "s4")),
        ("Dot", "bb", ("s3",)),
        ("Head", "", ("s7",)),
    ]
    mistakes = [group.mistake for group in found.groups[:2]]
    assert mistakes == ["divides by d_k", "Values: says failed"]


def test_a_hidden_check_speaks_for_a_group_only_if_no_visible_one_failed() -> None:
    [group] = only(
        submission("s", exercise("Dot", check("hidden", "failed", False), check("b", "failed")))
    ).groups
    assert group.mistake == "B: says failed"


def test_checks_are_hard_and_tell_strong_from_weak_work() -> None:
    # Ten students: the first check is solved by the five with the most other points.
    strong = [submission(f"a{i}", *_items(1, 1, i % 2, 1)) for i in range(5)]
    weak = [submission(f"b{i}", *_items(0, 0, i % 2, 1)) for i in range(5)]
    first, second, third, fourth = only(*strong, *weak).checks
    assert (first.passed, second.passed, third.passed, fourth.passed) == (0.5, 0.5, 0.4, 1.0)
    # The rest of the first check is second + third + 1: five times 2 + i % 2, five times 1 + i % 2.
    # Its variance is 0.25 + 0.24, the covariance with the check 0.25, the check's variance 0.25.
    assert first.discrimination == pytest.approx(0.25 / (0.25 * 0.49) ** 0.5)
    assert third.discrimination == pytest.approx(0.0, abs=1e-12)
    assert fourth.discrimination is None
    remarks = [one.remark for one in (first, third, fourth)]
    assert remarks == ["", "does not tell strong from weak work", "everybody passes"]


def test_nobody_passes_is_said_and_a_small_class_has_no_discrimination() -> None:
    found = only(*(submission(f"s{i}", *_items(0, i % 2, 1, 1)) for i in range(9)))
    assert found.checks[0].remark == "nobody passes"
    assert {one.discrimination for one in found.checks} == {None}


def _items(*solved: int) -> list[Exercise]:
    return [
        exercise(f"E{number}", check("check", "passed" if one else "failed"), alike=str(number))
        for number, one in enumerate(solved)
    ]


def test_students_who_come_no_further_are_named() -> None:
    found = only(
        student(1, "failed", "passed", alike="a"),  # something passes
        student(2, "failed", "blocked", diagnoses=(SCALE,)),
        student(3, "missing", "missing"),  # has not begun
        student(4, "passed", "failed"),
        student(5, "passed", "passed"),
        submission(
            "s6",
            exercise("Dot", check("values", "passed")),
            exercise("Head", check("runs", "failed"), alike="b"),
            exercise("A", check("runs", "blocked"), waits_for="Head"),
            exercise("B", check("runs", "blocked"), waits_for="Head"),
        ),
    )
    shown = [(one.student, one.exercise, one.why) for one in found.stuck]
    assert shown == [
        ("s2", "Dot", "divides by d_k; 1 waits for it"),
        ("s6", "Head", "2 wait for it"),
    ]
    assert found.unanswered == ("s3",)


def test_who_has_answered_nothing_is_named_or_counted() -> None:
    there = [student(number, "missing", "missing") for number in (1, 2)]
    named = only(*there, student(3, "passed", "passed"))
    assert (named.unanswered, named.stuck) == (("s1", "s2"), ())
    assert shown_names(page(named)) == ["s1", "s2"]
    assert json.loads(tables.as_json(named))["unanswered"] == ["s1", "s2"]
    unnamed = page(without_names(named))
    assert "<p>2 handed in without an answer to any exercise.</p>" in unnamed
    assert shown_names(unnamed) == []
    assert "without an answer" not in page(only(student(1, "failed", "passed", alike="a")))


def shown_names(written: str) -> list[str]:
    """Return the students in the lists of a page."""
    return re.findall(r"<li><bdi>(.*?)</bdi></li>", written)


def test_an_id_with_a_comma_is_one_student() -> None:
    names = ["a.b_c-d@e+f", "O'Brien, Sons (x)", "zoe"]
    dot = exercise("Dot", check("values", "failed"), diagnoses=(SCALE,))
    found = page(only(*(submission(name, dot) for name in names)))
    assert [html.unescape(name) for name in shown_names(found)] == names
    assert "</bdi>," not in found


def test_points_that_a_waiting_exercise_gets_count_as_passed() -> None:
    waiting = Check("runs", "Runs", "blocked", 1.0, 1.0, True, "Waits for Dot.")
    lost = Check("runs", "Runs", "blocked", 0.0, 1.0, True, "Waits for Dot.")
    found = only(
        *(submission(f"s{i}", exercise("A", one)) for i, one in enumerate((waiting, lost)))
    )
    assert found.checks[0].passed == 0.5
    assert "A check of an exercise that waits for another counts as passed where" in page(found)


def test_each_assignment_has_a_standing() -> None:
    others = submission("s2", assignment="other"), submission("s3", assignment=None)
    found = standings([student(1, "passed", "passed"), *others])
    assert [one.assignment for one in found] == ["layer", "other", ""]


def test_a_class_without_names_names_nobody() -> None:
    name = "Zoë <b>"
    example = Example("f(1):", "", (), (f"{name}.py raises.",))
    raised = f"It raises KeyError ({name}.py, line 1)."
    said = Check("v", "Values", "failed", 0.0, 1.0, True, raised)
    there = [
        submission(name, exercise("Dot", check("values", "failed"), diagnoses=(SCALE,))),
        submission(name, exercise("Dot", said, alike="a", example=example)),
        submission(name, status="unreadable", message=f"class/{name}.py is empty."),
    ]
    named = only(*there)
    unnamed = without_names(named)
    for text in (page(unnamed), tables.as_json(unnamed), tables.mistakes(unnamed)):
        assert "Zo" not in text
        assert "divides by d_k" in text
    assert "Zoë &lt;b&gt;" in page(named)
    assert [len(group.students) for group in unnamed.groups] == [1, 1]
    assert [group.mistake for group in unnamed.groups] == ["divides by d_k", "Values"]


def test_tables_have_what_the_page_has_and_compute_nothing() -> None:
    found = only(
        submission("=1+1", exercise("Dot", check("values", "failed"), diagnoses=(SCALE,))),
        student(2, "passed", "passed"),
    )
    rows = list(csv.DictReader(io.StringIO(tables.mistakes(found))))
    assert [(row["exercise"], row["count"], row["students"]) for row in rows] == [
        ("Dot", "1", "'=1+1")
    ]
    [dot, head] = csv.DictReader(io.StringIO(tables.exercises(found)))
    assert (dot["exercise"], dot["passed"], dot["failed"]) == ("Dot", "1", "1")
    assert (head["passed"], head["mean"]) == ("1", "1")
    checks = list(csv.DictReader(io.StringIO(tables.checks(found))))
    assert [row["check"] for row in checks] == ["values", "hidden", "runs"]
    read = json.loads(tables.as_json(found))
    assert [one["name"] for one in read["exercises"]] == ["Dot", "Head"]
    assert read["groups"][0]["students"] == ["=1+1"]


def test_pages_replace_only_what_this_program_has_written(tmp_path: Path) -> None:
    there = [student(1, "passed", "passed")]
    out = tmp_path / "out"
    assert [*write(there, out, True)] == [*write(there, out, True)]
    assert sorted(path.name for path in (out / "layer").iterdir()) == [
        "checks.csv",
        "class.html",
        "class.json",
        "exercises.csv",
        "mistakes.csv",
    ]
    (out / "own.txt").write_text("mine")
    with pytest.raises(NotOurs, match=r"holds own\.txt, which is not of this program"):
        check_folder(out)
    with pytest.raises(NotOurs, match="is no folder"):
        check_folder(out / "own.txt")
    assert (out / "own.txt").read_text() == "mine"


def test_who_has_no_assignment_is_on_no_page_and_nobody_gives_none(tmp_path: Path) -> None:
    unknown = submission("anna", assignment=None, status="unreadable")
    [told] = write([unknown], tmp_path / "out", True)
    assert told.startswith("Not on a page, since the assignment is not known: anna.")
    assert not (tmp_path / "out").exists()
    with pytest.raises(UsageError, match="There are no results to show"):
        [*write([], tmp_path / "out", True)]
