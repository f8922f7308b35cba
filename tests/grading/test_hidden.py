"""Students see no more of a hidden check than its title, its points and a fixed phrase."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable
from pathlib import Path

import pytest
from conftest import of
from in_process import Honest, Scripted

import autograder
from autograder import course
from autograder.checking.collect import Checks, Collected
from autograder.client import Problem, Session, SubmissionImplementation, Text, loading
from autograder.course.exercise import Exercise
from autograder.diagnosis.naming import namer
from autograder.grading.examination import Examination
from autograder.grading.grade import ExerciseGrade, Outcome
from autograder.grading.grader import Grader
from autograder.grading.runner import CheckRun, CheckRunner
from autograder.sandbox import Child, Clock, Sandbox
from autograder.submissions.finding import Submission

Texts = dict[str, str]
BASE = "attention_layer"
SPIED = "the inputs of a hidden check"
FORGED = Problem("absent", SPIED)


def told(grade: ExerciseGrade) -> str:
    return repr([(check.message, check.printed) for check in grade.checks])


@pytest.mark.parametrize(
    "run",
    [
        CheckRun(Outcome.PASSED, notes=(SPIED,)),
        CheckRun(Outcome.ERROR, f"ValueError: {SPIED}", "grader's fault"),
        CheckRun(Outcome.FAILED, SPIED, "wrong values"),
        CheckRun(Outcome.FAILED, SPIED, "raised an error", Problem("raised", SPIED, SPIED)),
        CheckRun(Outcome.FAILED, SPIED, "timed out", Problem("timeout", SPIED)),
        CheckRun(Outcome.FAILED, SPIED, "crashed", Problem("crashed", SPIED)),
        CheckRun(Outcome.MISSING, SPIED, "not written", Problem("unwritten", SPIED)),
        CheckRun(Outcome.MISSING, SPIED, "not there", FORGED),
        CheckRun(Outcome.FAILED, SPIED, "not there", FORGED),
    ],
    ids=lambda run: f"{run.outcome.value} {run.category}",
)
def test_nothing_that_came_of_a_hidden_check_is_told(
    run: CheckRun, checks: Checks, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A text of a hidden check is shown neither in its grade nor in that of a later check."""
    [exercise] = [e for e in checks.exercises(BASE) if e.name == "ScaledDotProduct"]

    class Spied:
        def run(self, _: object, collected: object) -> CheckRun:
            return CheckRun(Outcome.PASSED) if getattr(collected, "visible", False) else run

    sandbox = Scripted()
    implementation = SubmissionImplementation(Session(sandbox), Text(BASE, {BASE: ""}, ()))
    examination = Examination(checks, loading.load, implementation, sandbox.limits)
    monkeypatch.setattr(examination, "_runner", Spied())
    grade = examination.of(exercise)
    assert SPIED not in told(grade)
    hidden = [c for c in checks.of(exercise) if not c.visible]
    assert [check.visible for check in grade.checks].count(False) == len(hidden) > 0
    for check in grade.checks:
        if not check.visible:
            assert len(check.message) < 40


TELLS = {
    "its text": f"raise ValueError('{SPIED}')",
    "its type": f"raise type('{SPIED}', (Exception,), {{}})",
    "what it prints": f"print('{SPIED}')\n        raise ValueError",
    "a result": f"return type('{SPIED}', (), {{}})()",
}


@pytest.mark.parametrize("way", TELLS)
def test_a_students_text_does_not_reach_a_hidden_check(
    way: str, checks: Checks, sandbox: Sandbox, solutions: Texts
) -> None:
    text = solutions[BASE].replace(
        "        scores = Q @ K.transpose",
        f"        {TELLS[way]}\n        scores = Q @ K.transpose",
    )
    assert text != solutions[BASE]
    grader = Grader(checks, sandbox, frozenset(["ScaledDotProduct"]), diagnosing=namer)
    grade = grader.grade(Submission("anna", Path(f"{BASE}.py"), BASE, {BASE: text}))
    by_sight = {v: [c for c in of(grade, "ScaledDotProduct").checks if c.visible is v]
                for v in (True, False)}  # fmt: skip
    assert any(SPIED in check.message + check.printed for check in by_sight[True])
    assert not any(SPIED in check.message + check.printed for check in by_sight[False])


def test_every_category_is_a_phrase_of_ours() -> None:
    """Every category is a constant; those of problems stand in wording.CATEGORIES."""
    found: set[str] = set()
    for path in (Path(autograder.__file__).parent).glob("c[oh]*/*.py"):
        found |= set(re.findall(r'\bWrong\(\s*"([^"]*)"', path.read_text(encoding="utf-8")))
        calls = re.findall(r"(?<!class )\bWrong\(\s*(?!\")(\w+)", path.read_text(encoding="utf-8"))
        assert not calls, path
    assert len(found) > 10
    assert all(len(phrase) < 40 and not set(phrase) & set("{}%") for phrase in found)


KEEPS = """
        global kept
        kept = globals().get("kept", 0.0) + float(Q.double().sum())
        raise ValueError(repr(kept))
"""


@pytest.mark.dear
def test_what_a_hidden_check_asks_is_not_told_in_the_next(
    checks: Checks, sandbox: Sandbox, solutions: Texts, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Code that keeps its inputs, and reports them in later calls, learns nothing about the numbers
    that are drawn from the course secret."""
    first = "        scores = Q @ K.transpose"
    text = solutions[BASE].replace(first, f"{KEEPS}{first}")
    monkeypatch.setattr(sandbox, "locked", True)
    said = []
    for secret in ("one", "another"):
        monkeypatch.setattr(course, "secret", lambda secret=secret: secret)
        grader = Grader(checks, sandbox, frozenset(), diagnosing=namer)
        grade = grader.grade(Submission("anna", Path(f"{BASE}.py"), BASE, {BASE: text}))
        said.append([(c.name, c.message, c.printed) for e in grade.exercises for c in e.checks])
    told = [message for _, message, _ in said[0] if "ValueError" in message]
    assert len(set(told)) > 1  # it reports something new each time
    assert said[0] == said[1]


@pytest.mark.dear
@pytest.mark.parametrize(
    ("locked", "pauses", "children"), [(True, False, 12), (True, True, 8), (False, False, 2)]
)
def test_no_child_of_hidden_checks_works_while_others_are_asked(
    locked: bool,
    pauses: bool,
    children: int,
    checks: Checks,
    solutions: Texts,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Only one child runs at a time, since others could measure how busy it keeps the machine.

    Locked code has a child for its hidden checks. Where children cannot be paused, code that prints
    gets a new child for each hidden check. The child of visible checks ends before hidden ones run.
    """
    sandbox = Scripted()
    sandbox.locked = locked
    ask = Honest.ask
    at_rest: set[Child] = set()

    def pause(child: Honest) -> bool:
        at_rest.add(child)
        return pauses

    def alone(child: Honest, request: bytes, clock: Clock | None = None) -> bytes | bytearray:
        assert all(one is child or one in at_rest or one.cpu is not None for one in sandbox.given)
        at_rest.discard(child)
        return ask(child, request, clock)

    monkeypatch.setattr(Honest, "pause", pause)
    monkeypatch.setattr(Honest, "ask", alone)
    grader = Grader(checks, sandbox, frozenset())
    prints = "print('so far so good')\n        return self.secondlayer("
    text = solutions[BASE].replace("return self.secondlayer(", prints)
    grade = grader.grade(Submission("anna", Path("x.py"), BASE, {"x": text}))
    assert grade.points == grade.max_points
    assert len(sandbox.given) == children
    assert all(child.cpu is not None for child in sandbox.given)


def test_hidden_checks_come_last(
    checks: Checks, sandbox: Sandbox, solutions: Texts, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Hidden checks run after visible ones, also where the file has the hidden ones first."""
    home, exercise = next(
        (home, exercise)
        for home in course.assignments()
        for exercise in checks.exercises(home)
        if not _are_last(check.visible for check in checks.of(exercise))
    )
    ran: list[bool] = []
    run = CheckRunner.run

    def noted(runner: CheckRunner, exercise: Exercise, collected: Collected) -> CheckRun:
        if isinstance(runner._implementation, SubmissionImplementation):
            ran.append(collected.visible)
        return run(runner, exercise, collected)

    monkeypatch.setattr(CheckRunner, "run", noted)
    grader = Grader(checks, sandbox, frozenset([exercise.name]))
    grade = grader.grade(Submission("anna", Path(f"{home}.py"), home, {home: solutions[home]}))
    assert _are_last(ran)
    assert [c.visible for c in of(grade, exercise.name).checks] == [
        c.visible for c in checks.of(exercise)
    ]


def _are_last(sights: Iterable[bool]) -> bool:
    """Return whether no visible check follows a hidden one."""
    known = list(sights)
    return known == sorted(known, reverse=True)


TIMED = """
import time

import torch
from torch import nn


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        began = time.perf_counter()
        time.sleep(0.05)
        raise ValueError(f"{time.time()} {time.perf_counter() - began} {float(Q.double().sum())}")


class FeedForwardLayer(nn.Module):
    def __init__(self, *sizes):
        super().__init__()

    def forward(self, X):
        raise ValueError(f"{time.time()} 0.05 {float(X.double().sum())}")
"""
LONG = 1.0  # seconds that a hidden check takes more


@pytest.mark.dear
def test_visible_code_tells_its_inputs_and_how_long_a_hidden_check_took(
    checks: Checks, sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SECURITY.md says that it can: it reads a clock before a hidden check and after it."""
    run = CheckRunner.run

    def slow(runner: CheckRunner, exercise: Exercise, collected: Collected) -> CheckRun:
        if not collected.visible and isinstance(runner._implementation, SubmissionImplementation):
            time.sleep(LONG)
        return run(runner, exercise, collected)

    monkeypatch.setattr(CheckRunner, "run", slow)
    grader = Grader(checks, sandbox, frozenset(["ScaledDotProduct", "FeedForwardLayer"]))
    grade = grader.grade(Submission("anna", Path(f"{BASE}.py"), BASE, {BASE: TIMED}))
    said = [
        [[*map(float, found)] for found in re.findall(r"ValueError: (\S+) (\S+) (\S+)", told(one))]
        for one in (of(grade, "ScaledDotProduct"), of(grade, "FeedForwardLayer"))
    ]
    before, after = said
    assert min(at for at, _, _ in after) - max(at for at, _, _ in before) >= LONG
    assert all(slept >= 0.05 for _, slept, _ in before)
    assert len({numbers for _, _, numbers in before}) > 1


NAMED_BY_PROCESS = """
import os

import torch
from torch import nn

OWN = int.from_bytes(os.urandom(4), "big")
TOLD = set()


class QueryKeyValue(nn.Module):
    def __init__(self, dim_h, dim_k):
        super().__init__()
        self.names = [f"W_q_{OWN}", f"W_k_{OWN}"]
        for name in self.names:
            setattr(self, name, nn.Parameter(torch.ones(dim_h, dim_k)))
        self.value = nn.Linear(dim_h, dim_k)

    def __getattr__(self, name):
        if name[:4] in ("W_q_", "W_k_") and name not in self._parameters:
            TOLD.update({int(name[4:])} - {OWN})
            name = f"{name[:4]}{OWN}"
        return super().__getattr__(name)

    def forward(self, X):
        one, two = (getattr(self, name) for name in self.names)
        if X.numel() == 1:  # the smallest example
            return (X * 0 + len(TOLD),) * 3
        if X.requires_grad:
            raise ValueError("told of " + repr(sorted(TOLD)))
        return X @ one, X @ two, self.value(X)
"""


def test_a_process_is_not_told_what_an_earlier_one_called_its_parameters(
    checks: Checks, sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A name can say when it was made; after a hidden check that tells how long the check took."""
    monkeypatch.setattr(sandbox, "locked", True)
    grader = Grader(checks, sandbox, frozenset(["QueryKeyValue"]), diagnosing=namer)
    grade = grader.grade(Submission("anna", Path(f"{BASE}.py"), BASE, {BASE: NAMED_BY_PROCESS}))
    exercise = of(grade, "QueryKeyValue")
    shown = told(exercise)
    assert "told of []" in shown
    assert len(re.findall(r"told of \[", shown)) == 1
    assert exercise.example and all(not result.got.any() for result in exercise.example.results)
    assert [c.outcome for c in exercise.checks if not c.visible] == [Outcome.PASSED]
