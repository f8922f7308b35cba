"""Asking questions ahead saves messages and never changes a grade."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
from conftest import sampled
from in_process import Honest, Scripted

from autograder.checking.collect import Checks
from autograder.client import Script, Scripts
from autograder.client.child_connection import ChildConnection
from autograder.client.comparison import is_same
from autograder.client.scripts import ScriptProgress
from autograder.course import assignments
from autograder.course.misconceptions import Misconception, misconceptions
from autograder.diagnosis.naming import namer
from autograder.grading.expected_questions import ExpectedQuestions
from autograder.grading.grade import Grade
from autograder.grading.grader import Grader
from autograder.runtime.questions import Buffers, Listed, Question, Values
from autograder.sandbox import Clock, Limits, Lost, Sandbox, open_sandbox
from autograder.submissions.finding import Submission

QUIET = [name for name in assignments() if name != "attention_layer"]  # TestModule prints
MIXTURE = "        return weights @ values"  # the end of SelfAttention
ODD = {  # statements inserted before that line
    "prints": "print('mixing')",
    "loops": "while True: pass",
    "leaves": "__import__('os')._exit(3)",
    "raises": "raise KeyError('mixing')",
    "keeps the first length": "type(self).first = getattr(type(self), 'first', len(weights))\n"
    "        weights = weights[: type(self).first]",
}


def graded(checks: Checks, sandbox: Sandbox, assignment: str, texts: dict[str, str]) -> Grade:
    grader = Grader(checks, sandbox, frozenset(), diagnosing=namer)
    return grader.grade(Submission("anna", Path(f"{assignment}.py"), assignment, texts))


def as_read(grade: Grade) -> list[object]:
    """Return everything that a student reads in a grade, and all points."""
    return [
        (e.name, e.checks, e.waits_for, e.diagnoses, e.example and str(e.example))
        for e in grade.exercises
    ]


@pytest.fixture
def messages(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """Return the list of all messages to children."""
    sent: list[bytes] = []
    send = ChildConnection._send

    def note(connection: ChildConnection, message: bytes, clock: Clock) -> object:
        sent.append(message)
        return send(connection, message, clock)

    monkeypatch.setattr(ChildConnection, "_send", note)
    return sent


@pytest.fixture(scope="module")
def usual_sandbox() -> Iterator[Sandbox]:
    """Yield a sandbox with the limits that students' work has."""
    with open_sandbox(Limits()) as sandbox:
        yield sandbox


@pytest.mark.parametrize("assignment", QUIET)
def test_a_right_submission_is_asked_in_one_message(
    assignment: str,
    checks: Checks,
    usual_sandbox: Sandbox,
    solutions: dict[str, str],
    messages: list[bytes],
) -> None:
    grade = graded(checks, usual_sandbox, assignment, solutions)
    assert grade.points == grade.max_points
    children = 2 if usual_sandbox.locked else 1
    assert len(messages) == 2 * children  # one to load the module and one with all questions


@pytest.mark.dear
def test_what_prints_is_left_out_and_the_rest_is_asked_ahead(
    checks: Checks, sandbox: Sandbox, solutions: dict[str, str], messages: list[bytes]
) -> None:
    grade = graded(checks, sandbox, "attention_layer", solutions)
    assert grade.points == grade.max_points
    assert len(messages) < 14 < sum(len(exercise.checks) for exercise in grade.exercises)


def by_turns(
    monkeypatch: pytest.MonkeyPatch, checks: Checks, sandbox: Sandbox, texts: dict[str, str]
) -> Grade:
    """Return the grade without asking anything ahead."""
    with monkeypatch.context() as patch:
        patch.setattr(ExpectedQuestions, "of", lambda *_: Scripts())
        return graded(checks, sandbox, "self_attention", texts)


@pytest.mark.dear
@pytest.mark.parametrize("odd", sampled(ODD, each=4))
def test_odd_work_gets_the_same_grade_as_if_nothing_were_asked_ahead(
    odd: str, checks: Checks, solutions: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    text = solutions["self_attention"]
    assert MIXTURE in text
    changed = text.replace(MIXTURE, f"        {ODD[odd]}\n{MIXTURE}", 1)
    texts = {**solutions, "self_attention": changed}
    with open_sandbox(Limits(seconds=0.5, grace=0.5)) as sandbox:
        grade = graded(checks, sandbox, "self_attention", texts)
        assert as_read(grade) == as_read(by_turns(monkeypatch, checks, sandbox, texts))
    assert grade.points < grade.max_points or odd == "prints"


@pytest.mark.dear
@pytest.mark.parametrize("mistake", sampled(misconceptions("self_attention")[::6], lambda m: m.id))
def test_a_mistake_gets_the_same_grade_and_name_as_if_nothing_were_asked_ahead(
    mistake: Misconception,
    checks: Checks,
    sandbox: Sandbox,
    solutions: dict[str, str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    text = mistake.source(solutions["self_attention"])
    texts = {**solutions, "self_attention": text}
    grade = graded(checks, sandbox, "self_attention", texts)
    assert as_read(grade) == as_read(by_turns(monkeypatch, checks, sandbox, texts))


def lost(job: dict[str, Any], answers: list[Any]) -> Any:
    raise Lost("killed", "not finished after 2 s")


def late(job: dict[str, Any], answers: list[Any]) -> Any:
    problem = {"kind": "timeout", "type": "", "text": "", "frames": [], "where": ""}
    return [*answers[:-1], [{"problem": problem} for _ in job["jobs"][-1]["steps"]]]


@pytest.mark.parametrize(
    "reply",
    [
        lost,
        late,
        lambda job, answers: None,
        lambda job, answers: answers[:-1],
        lambda job, answers: [[], *answers[1:]],
        lambda job, answers: [*answers[1:], {}],
        lambda job, answers: print("more") or answers,
    ],
)
def test_a_message_that_is_not_answered_as_it_should_be_costs_nothing(
    reply: Callable[[dict[str, Any], list[Any]], Any], checks: Checks, solutions: dict[str, str]
) -> None:
    """Another child gets one question at a time after an invalid answer."""

    class Odd(Honest):
        def reply(self, job: dict[str, Any]) -> Any:
            answers = super().reply(job)
            return reply(job, answers) if "jobs" in job else answers

    sandbox = Scripted(Odd)
    grade = graded(checks, sandbox, "running_averages", solutions)
    assert grade.status == "graded"
    assert grade.points == grade.max_points
    assert len(sandbox.given) == 2


def test_a_question_that_goes_on_has_its_place_behind_the_one_before_only() -> None:
    first, second, other = Question([Values(0)]), Question([Listed(0)], False), [Buffers(0)]
    progress = ScriptProgress(Script([first, second, Question(other)]), {0: "A", 1: "B", 2: "C"})
    assert progress.place(second) is None  # no conversation has begun
    assert progress.answer(0) == "A"
    assert progress.place(Question(other, False)) is None
    assert progress.place(Question(other)) == 2
    assert progress.place(second) == 1
    assert progress.answer(1) == "B"
    assert progress.begun == [first, second]
    assert progress.place(first) is None  # it comes before the last question


def test_trees_are_the_same_if_all_in_them_is() -> None:
    x = torch.ones(2, 3)
    tree = {"a": [1, x, "text"], "b": None}
    assert is_same(tree, {"b": None, "a": [1, x.clone(), "text"]})
    for other in (
        {"a": [1, x, "text"]},
        {"a": [1, x.double(), "text"], "b": None},
        {"a": [1, x.T, "text"], "b": None},
        {"a": [1, 2 * x, "text"], "b": None},
        {"a": [1.0, x, "text"], "b": None},
        {"a": [True, x, "text"], "b": None},
        {"a": [1, x], "b": None},
    ):
        assert not is_same(tree, other)
