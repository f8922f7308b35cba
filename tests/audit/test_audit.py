"""Tests of the audit: its cases, their results."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
import torch
from conftest import Command, copied_course, corpus

from autograder.audit.auditing import audit, compared
from autograder.audit.corpus import Case, Kind, cases, check_names, pairs
from autograder.audit.examining import PAIRS, Auditor, affected_assignments, repeat
from autograder.audit.figures import Repeated
from autograder.audit.mutating import mutation
from autograder.checking.collect import Checks
from autograder.course import assignments
from autograder.course.exercise import Exercise
from autograder.course.misconceptions import misconceptions
from autograder.errors import CourseError
from autograder.grading.grader import Grader
from autograder.sandbox import Limits, Sandbox, open_sandbox
from autograder.submissions.finding import Submission

# Cases


def exercise_of(checks: Checks, name: str) -> tuple[str, Exercise]:
    return next(
        (home, e) for home in assignments() for e in checks.exercises(home) if e.name == name
    )


def test_every_file_and_every_misconception_is_graded_once(checks: Checks) -> None:
    found = [
        c for home in assignments() for e in checks.exercises(home) for c in cases(home, e.name)
    ]
    names = {c.name for c in found}
    assert len(names) == len(found)
    assert {path.stem for kind in ("right", "wrong") for path in corpus(kind)} <= names
    known = [m for home in assignments() for m in misconceptions(home)]
    count = Counter(case.kind for case in found)
    assert count[Kind.MISCONCEPTION] == sum(not m.costs_no_points for m in known)
    assert count[Kind.REMARKED] == sum(m.costs_no_points for m in known) > 0
    assert count[Kind.REFERENCE] == count[Kind.SKELETON] == len(checks.homes()) > 0


@pytest.mark.parametrize(
    ("file", "said"),
    [
        ("right/Sofmax__how.py", "is for no exercise. Call it Exercise__how.py. The exercises of"),
        ("right/Softmax.py", "is for no exercise. Call it Exercise__how.py."),
        ("wrong/Softmax__how.py", "is for no exercise. Call it Exercise__mistake__how.py."),
        ("misconceptions.toml", "Sofmax.axis is a mistake in no exercise. The exercises of made"),
        (
            "wrong/Softmax__axis__how.py",
            "axis is no known mistake. Put in its place the id of a misconception of Softmax "
            "(none yet) or a kind (sizes, optional, float32, start, again, promise, notebook); or "
            "record it: python -m autograder --course ",
        ),
        ("wrong/Softmax__again__how.py", 'line 1 does not say what is wrong. Begin it with """.'),
    ],
)
def test_what_belongs_to_no_exercise_is_refused(
    file: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Or else a slip in a name would leave it out of the audit without a word."""
    monkeypatch.setenv("AUTOGRADER_COURSE", str(tmp_path))
    for name in ("right/Softmax__how.py", "wrong/Softmax__sizes__how.py", "made.py", file):
        (tmp_path / "made" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "made" / name).write_text('"""Wrong for more than eight."""')
    (tmp_path / "made" / file).write_text(MISTYPED if file.endswith(".toml") else "")
    if "axis" in file:
        (tmp_path / "made" / file).write_text('"""Over the wrong axis."""')
    with pytest.raises(CourseError) as refused:
        check_names("made", ["Softmax", "Mean"])
    assert str(refused.value).startswith(str(tmp_path / "made" / file))
    assert said in str(refused.value)
    (tmp_path / "made" / file).unlink()
    check_names("made", ["Softmax", "Mean"])


MISTYPED = """
[hint]
look = "a"
think = "b"
nearly = "c"
[hint.Sofmax.axis]
mistake = "m"
edits = [{ find = "a", replace = "b" }]
"""


@pytest.mark.dear
def test_pairs_hold_two_mistakes(solutions: dict[str, str]) -> None:
    found = list(pairs("running_averages", "running_mean_loop"))
    assert [case.name for case in found] == [
        case.name for case in pairs("running_averages", "running_mean_loop")
    ]
    known = {
        m.id: m for m in misconceptions("running_averages") if m.exercise == "running_mean_loop"
    }
    for case in found:
        one, other = (known[name.removeprefix("running_mean_loop/")] for name in case.mistakes)
        assert one is not other
        assert not one.costs_no_points and not other.costs_no_points
        assert case.text == other.source(one.source(solutions["running_averages"]))


# Results


@cache
def auditor(checks: Checks, name: str, sandbox: Sandbox) -> Auditor:
    return Auditor(checks, exercise_of(checks, name)[1], sandbox)


@pytest.mark.dear
def test_a_case_is_graded_with_all_that_it_may_affect(
    checks: Checks, sandbox: Sandbox, solutions: dict[str, str]
) -> None:
    text = solutions["attention_layer"].replace("Hello World", "Hello")
    wrong = text.replace("nn.GELU()", "nn.ReLU()")
    grader = auditor(checks, "FeedForwardLayer", sandbox)
    name = "FeedForwardLayer/relu"
    result = grader.result(Case(Kind.MISCONCEPTION, "FeedForwardLayer", name, wrong, (name,)))
    assert result.is_rejected
    assert result.is_named
    assert "TestModule" in result.elsewhere
    assert "FeedForwardLayer" not in result.elsewhere
    assert "FeedForwardLayer/ffl_agrees" in result.lost
    assert "FeedForwardLayer/ffl_parameters" not in result.lost
    right = grader.result(Case(Kind.MISCONCEPTION, "FeedForwardLayer", name, text, (name,)))
    assert not right.is_rejected


def test_a_pair_is_wrong_in_a_way_of_its_own(checks: Checks, sandbox: Sandbox) -> None:
    """No single misconception and no right solution counts as a distinct pair of mistakes."""
    grader = auditor(checks, "TestModule", sandbox)
    alone = {c.name: c for c in cases("attention_layer", "TestModule")}
    pair = next(filter(grader.is_distinct, pairs("attention_layer", "TestModule")))
    assert len(alone) > 10
    for case in alone.values():
        if case.kind in (Kind.REFERENCE, Kind.MISCONCEPTION):
            assert not grader.is_distinct(replace(pair, text=case.text)), case.name


@pytest.mark.dear
def test_the_sandbox_uses_the_requested_threads(checks: Checks, solutions: dict[str, str]) -> None:
    threads = "print(__import__('torch').get_num_threads())"
    text = solutions["attention_layer"].replace('print("Hello World")', threads)
    assert threads in text
    texts = {**solutions, "attention_layer": text}
    try:
        with open_sandbox(Limits(threads=3)) as sandbox:
            grader = Grader(checks, sandbox, frozenset(["TestModule"]))
            grade = grader.grade(
                Submission("anna", Path("attention_layer.py"), "attention_layer", texts)
            )
            assert torch.get_num_threads() == 3
    finally:
        torch.set_num_threads(1)
    assert "it printed '3\\n'" in grade.exercises[0].checks[0].message


def test_assignments_that_build_on_an_exercise_are_graded_with_it(checks: Checks) -> None:
    by_name = {c.check.exercise.name: c.check.exercise for c in checks.collected}
    built = {name: affected_assignments(checks, exercise) for name, exercise in by_name.items()}
    assert built["QueryKeyValue"] == ["attention_layer", "multi_head"]
    assert built["FeedForwardLayer"] == ["attention_layer", "transformer"]
    assert built["SimpleAttentionLayer"] == ["attention_layer"]
    assert built["TinyTransformer"] == ["transformer"]


def test_repetitions_are_in_other_orders(
    sandbox: Sandbox, solutions: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The module prints its greeting three times only, so the order decides which check fails."""
    first = (
        'print("Hello World" if len(globals().setdefault("asked", [])) < 3 else "Again"); '
        "asked.append(1)"
    )
    text = solutions["attention_layer"].replace('print("Hello World")', first)
    assert first in text
    chosen = {
        "once": ("attention_layer", text),
        "right": ("attention_layer", solutions["attention_layer"]),
    }
    monkeypatch.setattr("autograder.audit.examining.sample", lambda checks, wanted: chosen)
    found = repeat(6, frozenset(["TestModule"]), sandbox)
    assert Counter(name for name, _ in found) == {"once": 2, "right": 1}
    assert compared([found], 6).unlike == ("once",)


def test_submissions_that_are_not_graded_alike_are_found() -> None:
    part = {("one", "full marks"), ("other", "full marks")}
    assert compared([part, part], 25) == Repeated(50, 2)
    assert compared([part, {("one", "none"), ("other", "full marks")}], 1).unlike == ("one",)


# The verb


def test_an_unknown_exercise_gives_an_error_message(command: Command) -> None:
    run = command("audit", "--exercise", "Head")
    assert run.returncode == 4
    assert run.stderr.startswith("There is no exercise Head. The exercises are: running_mean_loop")


@pytest.mark.dear
def test_a_mistake_is_pictured_if_its_example_shows_a_result(
    checks: Checks, sandbox: Sandbox
) -> None:
    grader = auditor(checks, "running_mean_loop", sandbox)
    found = {c.name.rpartition("/")[2]: c for c in cases("running_averages", "running_mean_loop")}

    def shown(name: str) -> tuple[bool, bool]:
        graded = grader.result(found[name])
        return graded.has_wrong_results, graded.is_pictured

    assert shown("sum") == (True, True)
    assert shown("one_sequence") == (True, True)  # of another shape
    assert shown("in_place_backwards") == (False, False)  # changes its argument, nothing else
    assert shown("stops_at_eight") == (False, False)  # only a hidden check sees it
    assert shown("reference") == (False, False)


@pytest.mark.dear
def test_audit_of_one_exercise() -> None:
    calls = []
    found = audit(
        ["TestModule"], lambda name, count, total: calls.append((name, count, total)), repetitions=8
    )
    assert found.checks.keys() == {r.exercise for r in found.results} == {"TestModule"}
    assert found.repeated == Repeated(8, 5)
    assert {r.kind for r in found.results} == {*Kind} - {Kind.REMARKED}
    assert all(r.is_rejected for r in found.of(Kind.MISCONCEPTION, Kind.MISTAKE))
    assert all(r.is_accepted for r in found.of(Kind.REFERENCE, Kind.EQUIVALENT))
    assert len(found.of(Kind.PAIR)) == PAIRS
    assert not any(r.is_accepted for r in found.of(Kind.PAIR))
    assert sorted(name for name, _, _ in calls) == [
        "1 threads",
        "2 threads",
        "3 threads",
        "4 threads",
        "TestModule",
    ]
    assert [count for _, count, total in calls] == list(range(1, 6))


@pytest.mark.dear
def test_another_layout_of_weights_is_graded_alike_in_every_order(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    [reversed_heads] = [
        case.text
        for case in cases("multi_head", "MultiHeadList")
        if case.name.endswith("/reversed")
    ]
    chosen = {"reversed": ("multi_head", reversed_heads)}
    monkeypatch.setattr("autograder.audit.examining.sample", lambda checks, wanted: chosen)
    names = [name for name, _ in repeat(6, frozenset(["MultiHeadList"]), sandbox)]
    assert names == ["reversed"]


@pytest.mark.dear
def test_a_course_that_leaves_an_exercise_out_is_audited(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: Command
) -> None:
    """The files of the assignment are still for both exercises."""
    tiny = copied_course(tmp_path, monkeypatch)
    chosen = 'language = "de"\n[exercises.Polynomial]\nleave_out = true\n'
    declaration = tiny / "course.toml"
    declaration.write_text(declaration.read_text() + chosen)
    monkeypatch.setattr("autograder.audit.auditing.THREADS", (1,))
    run = command("--course", tiny, "audit", "--exercise", "geometric_mean")
    assert (run.returncode, run.stderr.count("audited")) == (0, 2)
    assert run.stdout.startswith("powers.de.md has no text for: ")
    assert "holds  Every misconception is rejected: 2/2" in run.stdout
    entry = '[same]\nreason = "It is."\n[same.Polynomial]\noperators = ["detached"]\n'
    (tiny / "powers" / "equivalents.toml").write_text(entry)
    [mutants] = mutation(["geometric_mean"], lambda *_: None)
    assert mutants.made > 0
