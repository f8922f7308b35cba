"""Checks are declared, collected, seeded and hidden correctly."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from conftest import GradeText, copied_course, of, points

from autograder import course
from autograder.checking import Draw, Trial
from autograder.checking.collect import BEGIN, END, Checks, collect
from autograder.checking.trial import sentences
from autograder.client import Scripts
from autograder.course.exercise import Exercise, ExerciseBroken
from autograder.errors import CourseError
from autograder.grading.expected_questions import ExpectedQuestions
from autograder.grading.grade import Outcome

HEAD = "from autograder.course.exercise import Exercise\ne = Exercise('E')\n"
LINE = HEAD.count("\n") + 1  # the first below
CHECK = "@e.check(points=1)\ndef test_a():\n    'A'\n"


def written(tmp_path: Path, text: str) -> list[Path]:
    path = tmp_path / f"test_{tmp_path.name}.py"
    path.write_text(text, encoding="utf-8")
    return [path]


def test_every_check_has_a_title_points_and_an_exercise(checks: Checks) -> None:
    assert len(checks.collected) > 30
    for collected in checks.collected:
        assert collected.check.points > 0
        assert collected.check.title == collected.check.title.strip() != ""
        assert collected.check.exercise.name.isidentifier()


def test_every_exercise_with_random_numbers_has_a_hidden_check(checks: Checks) -> None:
    drawn = {c.check.exercise.name for c in checks.collected if "draw" in c.fixtures}
    assert drawn <= {c.check.exercise.name for c in checks.collected if not c.visible}
    assert len(drawn) > 15


def test_an_exercise_is_shown_on_its_first_trial() -> None:
    first = Trial("E", (7, 4), sentences)
    asked = Checks([], [first, first.sized(3, 5), Trial("F", (), sentences)])
    assert asked.trial(Exercise("E")) is first
    assert asked.trial(Exercise("G")) is None


def test_every_assignment_has_checks_and_whole_points(checks: Checks) -> None:
    """How many, README.md and assignments/README.md show, which commands write."""
    assert checks.assignments == list(course.assignments())
    assert all(points(name) == int(points(name)) > 0 for name in course.assignments())


@pytest.mark.parametrize("above", ["", "# \x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029\n"])
def test_markers_hide_what_stands_between_them(above: str, tmp_path: Path) -> None:
    """Characters that end no line of Python shift nothing."""
    text = (above + HEAD) + (
        "@e.check(points=1)\ndef test_a(submission):\n    'A'\n"
        "# BEGIN HIDDEN TESTS\n@e.check(points=2)\ndef test_b(submission):\n    'B'\n"
        "# END HIDDEN TESTS\n@e.check(points=3)\ndef test_c(submission):\n    'C'\n"
    )
    found = collect(written(tmp_path, text)).collected
    assert [(c.name, c.visible, c.check.points) for c in found] == [
        ("a", True, 1),
        ("b", False, 2),
        ("c", True, 3),
    ]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("def test_a():\n    pass\n", "line 1: test_a is not declared as a check"),
        (
            "\nimport nothing_of_that_name\n",
            r"\.py, line 2: ModuleNotFoundError: No module named 'nothing_of_that_name'\. Correct ",
        ),
        (
            "from autograder.checking import Trail\n",
            r"line 1: ImportError: cannot import name 'Trail' from 'autograder.checking'\. Correct",
        ),
        ("\ndef test_a(:\n", "line 2: SyntaxError: invalid syntax"),
        (
            HEAD + "@e.check()\ndef test_a():\n    'A'\n",
            rf"line {LINE}: test_a has no points: write @….check\(points=1\)",
        ),
        (
            HEAD + "@e.check\ndef test_a():\n    'A'\n",
            rf"line {LINE}: test_a has no points: write @….check\(points=1\)",
        ),
        (
            HEAD + CHECK * 2,
            f"line {LINE + 4}: test_a is defined in line {LINE + 1} too, and that check is lost. R",
        ),
        (HEAD + "@e.check(points=1)\ndef test_a():\n    pass\n", "no docstring"),
        (
            HEAD + f"@e.check(points=1)\ndef test_a():\n    '{'A' * 67}'\n",
            "has 67 characters: write",
        ),
        (HEAD + "@e.check(points=1)\ndef test_a(tmp):\n    'A'\n", "asks for tmp"),
        (f"{HEAD}{BEGIN}\n{CHECK}", f"line {LINE}: {BEGIN} is never ended. Write {END} below it."),
        (f"{HEAD}{BEGIN}\n{BEGIN}\n{CHECK}", f"line {LINE + 1}: there is {BEGIN} where hidden "),
        (f"{HEAD}{END}\n{CHECK}", f"line {LINE}: there is {END} where no hidden checks have begun"),
        (HEAD + "@e.check(points=-1)\ndef test_a():\n    'A'\n", "gives -1 points: give a number"),
        (HEAD + "@e.check(points=float('nan'))\ndef test_a():\n    'A'\n", "gives nan points"),
        (
            HEAD + "@e.check(points='2')\ndef test_a():\n    'A'\n",
            r"\.py, line 3: test_a gives '2' points: give a number, 0 or more",
        ),
        (
            HEAD + "@e.check(points=1)\ndef test_a():\n    'A'\n\n\n"
            "@Exercise('E').check(points=1)\ndef test_b():\n    'B'\n",
            "E is the name of two exercises, in the checks of",
        ),
        ("", "no checks"),
        (
            f"{HEAD}f = Exercise('F')\n{CHECK}",
            r"\.py: F is declared as an exercise, but has no check\. Write one, or delete its decl",
        ),
    ],
)
def test_a_broken_file_of_checks_is_refused(tmp_path: Path, text: str, sentence: str) -> None:
    with pytest.raises(ExerciseBroken, match=sentence):
        collect(written(tmp_path, text))


def test_an_assignment_without_checks_is_refused(tmp_path: Path) -> None:
    """Everybody would have 0 of 0 points for it."""
    (tmp_path / "other").mkdir()
    checks = written(tmp_path, HEAD + "@e.check(points=1)\ndef test_a():\n    'A'\n")
    empty = written(tmp_path / "other", "")
    assert len(collect(checks).collected) == 1
    with pytest.raises(ExerciseBroken, match=r"test_other\.py: there are no checks"):
        collect([*checks, *empty])


def test_a_course_without_assignments_is_refused() -> None:
    with pytest.raises(CourseError, match=r"has no assignment\. Begin one with make exercise, or "):
        collect([])


def test_an_assignment_whose_checks_are_gone_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = copied_course(tmp_path, monkeypatch)
    for file in folder.glob("*/test_*.py"):
        file.unlink()
    with pytest.raises(CourseError, match=r"powers has no test_powers\.py: declare its exercises"):
        collect()


def test_a_check_that_breaks_is_the_graders_fault(
    monkeypatch: pytest.MonkeyPatch, grade_text: GradeText, solutions: dict[str, str]
) -> None:
    from autograder.checking import parts

    def broken(*_: object) -> None:
        raise KeyError("a bug in a check")

    monkeypatch.setattr(parts, "parameters", broken)
    grade = grade_text(solutions["attention_layer"])
    assert grade.status == "needs_staff"
    first = of(grade, "QueryKeyValue").checks[0]
    assert first.outcome is Outcome.ERROR
    assert "KeyError" in first.message


@pytest.mark.dear
def test_a_bare_assertion_that_fails_loses_the_points(
    monkeypatch: pytest.MonkeyPatch, grade_text: GradeText, solutions: dict[str, str]
) -> None:
    """A bare assertion in a check fails it; one in the grader's code is the grader's fault."""
    from autograder.checking import parts

    text = solutions["attention_layer"]
    own = "def bare(*_):\n    assert 1 == 2"
    names: dict[str, Callable[..., None]] = {}
    [file] = [f for f in course.check_files() if f.stem == "test_attention_layer"]
    for place, outcome in ((str(file), Outcome.FAILED), ("elsewhere.py", Outcome.ERROR)):
        exec(compile(own, place, "exec"), names)
        monkeypatch.setattr(parts, "parameters", names["bare"])
        first = of(grade_text(text), "QueryKeyValue").checks[0]
        assert (first.outcome, first.points) == (outcome, 0)


def test_titles_are_the_docstrings_first_lines() -> None:
    def test_it() -> None:
        """Does it

        And more of it.
        """

    declared = Exercise("E").check(points=1)(test_it)
    assert declared.__check__.title == "Does it"  # type: ignore[attr-defined]


def test_draw_is_the_same_for_a_seed_and_another_for_another() -> None:
    one, same, other = Draw("a"), Draw("a"), Draw("b")
    first = one.normal(3, 4)
    assert torch.equal(first, same.normal(3, 4))
    assert not torch.equal(first, one.normal(3, 4))
    assert not torch.equal(first, other.normal(3, 4))
    assert first.dtype is torch.float64
    assert torch.equal(first, first.float().double())


def test_a_size_lies_between_its_bounds_and_depends_on_the_seed() -> None:
    drawn = [Draw(str(seed)).size(3, 5) for seed in range(50)]
    assert set(drawn) == {3, 4, 5}
    assert drawn == [Draw(str(seed)).size(3, 5) for seed in range(50)]
    assert Draw("a").size(7, 7) == 7


def test_weights_of_one_shape_differ() -> None:
    weights = Draw("a").weights({"W_q": (7, 4), "W_k": (7, 4)})
    assert not torch.equal(weights["W_q"], weights["W_k"])


def test_hidden_numbers_come_from_the_course_secret(
    monkeypatch: pytest.MonkeyPatch, grade_text: GradeText, solutions: dict[str, str]
) -> None:
    """A different secret changes the numbers of hidden checks only."""
    seeds: dict[str, list[str]] = {}

    class Listening(Draw):
        def __init__(self, seed: str) -> None:
            super().__init__(seed)
            seeds[course.secret()].append(seed)

    monkeypatch.setattr("autograder.grading.runner.Draw", Listening)
    monkeypatch.setattr(
        ExpectedQuestions, "of", lambda *_: Scripts()
    )  # else the solution draws numbers too
    for own in ("one course", "another"):
        seeds[own] = []
        monkeypatch.setattr(course, "secret", lambda own=own: own)
        grade = grade_text(solutions["attention_layer"], exercise="QueryKeyValue")
        assert grade.points == grade.max_points
    one, another = seeds["one course"], seeds["another"]
    differing = [i for i, (a, b) in enumerate(zip(one, another, strict=True)) if a != b]
    sights = sorted((c.visible for c in of(grade, "QueryKeyValue").checks), reverse=True)
    hidden = [i for i, visible in enumerate(sights) if not visible]  # they come last
    assert differing == hidden != []


@pytest.mark.dear
def test_pytest_finds_and_passes_the_same_checks(
    checks: Checks, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The grader and pytest collect exactly the same checks, by name."""

    class Listener:
        passed: list[str] = []  # noqa: RUF012

        def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
            if report.when == "call" and report.passed:
                self.passed.append(report.nodeid.split("::")[1].removeprefix("test_"))

    listener = Listener()
    monkeypatch.delenv("PYTEST_ADDOPTS", raising=False)
    code = pytest.main([str(course.folder()), "-pno:terminal"], plugins=[listener])
    assert code == pytest.ExitCode.OK
    assert sorted(listener.passed) == sorted(c.name for c in checks.collected)
