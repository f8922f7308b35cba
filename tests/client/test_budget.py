"""Each submission has a time budget, so no submission delays the others for longer."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from conftest import Command
from in_process import Scripted
from torch import Tensor

from autograder.checking.collect import Checks, Collected
from autograder.classroom.grading_jobs import grade_all
from autograder.classroom.jobs import Job
from autograder.classroom.results import Results
from autograder.client import (
    Layout,
    Module,
    Packing,
    Session,
    SubmissionImplementation,
    Text,
    layouts,
)
from autograder.client.layout import Shapes
from autograder.client.sessions import CHILD_SECONDS, Budget, cost
from autograder.diagnosis.naming import namer
from autograder.grading.grade import Grade
from autograder.grading.grader import Grader
from autograder.grading.in_turn import grade
from autograder.grading.runner import CheckRun, CheckRunner
from autograder.runtime import wire
from autograder.sandbox import Limits, Sandbox, open_sandbox
from autograder.submissions.finding import Submission, find

BUDGET = 3.0  # seconds
LIMITS = Limits(seconds=1.0, grace=0.5, budget=BUDGET)


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with open_sandbox(LIMITS) as opened:
        yield opened


def graded(checks: Checks, sandbox: Sandbox, stem: str, text: str) -> Grade:
    work = Submission("mallory", Path(f"{stem}.py"), stem, {stem: text})
    return Grader(checks, sandbox, frozenset(), diagnosing=namer).grade(work)


@pytest.fixture
def spent(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The seconds that questions have taken, those apart in which the machine did other things."""
    found: list[float] = []
    spend = Budget.spend

    def noted(budget: Budget, seconds: float) -> None:
        found.append(seconds)
        spend(budget, seconds)

    monkeypatch.setattr(Budget, "spend", noted)
    return found


@pytest.mark.dear
def test_what_sleeps_a_little_each_time_is_asked_no_more_than_there_is_time_for(
    checks: Checks, sandbox: Sandbox, solutions: dict[str, str], spent: list[float]
) -> None:
    """Checks that the budget does not reach say so and cost their points; earlier ones count."""
    slow = "def running_mean_loop(x):\n    import time; time.sleep(0.7)\n"
    text = solutions["running_averages"].replace("def running_mean_loop(", "def unused(")
    grade = graded(checks, sandbox, "running_averages", text + slow + "    return unused(x)\n")
    said = [check.message for one in grade.exercises for check in one.checks]
    assert any("Not run: the submission has used up its 3 s" in text for text in said)
    assert 0 < sum(spent) < 2 * BUDGET
    assert grade.points < grade.max_points


@pytest.mark.dear
def test_time_in_which_the_machine_does_other_things_is_not_spent(
    checks: Checks, sandbox: Sandbox, solutions: dict[str, str]
) -> None:
    implementation = sandbox.child()
    try:
        clock = implementation.clock()
        clock._waited = lambda: 1e9  # as if other processes had used all the time
        time.sleep(0.05)
        assert clock.spent < 0.05
    finally:
        implementation.end()


@pytest.mark.dear
@pytest.mark.parametrize(
    ("exchange", "least"), [((), 12.0), ((("to_qkv", "first"), ("to_out", "second")), 11.0)]
)
def test_a_right_one_is_asked_few_questions(
    exchange: tuple[tuple[str, str], ...],
    least: float,
    checks: Checks,
    sandbox: Sandbox,
    solutions: dict[str, str],
) -> None:
    """Parameters with other names cost the points of one check, without much grading time."""
    text = solutions["multi_head"]
    for old, new in exchange:
        text = text.replace(old, new)
    assert graded(checks, sandbox, "multi_head", text).points >= least


OTHER_NAMES = """

class SelfAttention(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.a = nn.Parameter(torch.rand(d_in, d_out))
        self.b = nn.Parameter(torch.rand(d_in, d_out))
        self.c = nn.Parameter(torch.rand(d_in, d_out))

    def forward(self, x):
        print("nothing is asked ahead")
        return torch.rand_like(x @ self.a)
"""


@pytest.mark.parametrize("share", [0.01, 0.02, 0.04])
def test_no_other_names_are_tried_after_half_the_time(
    share: float, checks: Checks, solutions: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """No other names are tried after half the budget, in the same check or in a later one.

    share: the part of the budget that each question takes.
    """
    limits = Limits()
    tried: list[float] = []  # the part that remained when a layout was looked for or tried
    remains: list[float] = []
    spend, run_in_layout = Budget.spend, CheckRunner._run_in_layout

    def spent_evenly(budget: Budget, seconds: float) -> None:
        spend(budget, share * limits.budget)
        remains.append(budget.remaining / limits.budget)

    def noted(runner: CheckRunner, collected: Collected, layout: Layout) -> CheckRun:
        if layout.places:
            tried.append(remains[-1])
        return run_in_layout(runner, collected, layout)

    def looked_for(want: Shapes, have: Shapes) -> Iterator[Layout]:
        tried.append(remains[-1])
        return layouts(want, have)

    monkeypatch.setattr(Budget, "spend", spent_evenly)
    monkeypatch.setattr(CheckRunner, "_run_in_layout", noted)
    monkeypatch.setattr("autograder.grading.runner.layouts", looked_for)
    home = "self_attention"
    with Scripted() as sandbox:
        assert sandbox.limits.budget == limits.budget
        grader = Grader(checks, sandbox, frozenset(["SelfAttention"]))
        text = solutions[home] + OTHER_NAMES
        grader.grade(Submission("mallory", Path(f"{home}.py"), home, {home: text}))
    assert tried
    assert min(tried) > 0.5
    assert min(remains) < 0.5


@pytest.mark.parametrize("is_late", [False, True])
def test_no_other_packing_is_tried_after_half_the_time(
    is_late: bool, checks: Checks, solutions: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    load_as, tried = Module.load_as, list[Packing]()

    def noted(module: Module, packing: Packing, weights: dict[str, Tensor]) -> Module:
        tried.append(packing)
        return load_as(module, packing, weights)

    monkeypatch.setattr(Module, "load_as", noted)
    home, merged = "multi_head", '"b h n d -> b n (h d)"'
    assert solutions[home].count(merged) == 1
    text = solutions[home].replace(merged, merged.replace("(h d)", "(d h)"))
    with Scripted() as sandbox:
        session = Session(sandbox)
        session.budget.spend(0.51 * sandbox.limits.budget * is_late)
        grader = Grader(checks, sandbox, frozenset(["MultiHeadAttention"]))
        work = Submission("mallory", Path(f"{home}.py"), home, {**solutions, home: text})
        [exercise] = grader.grade(work, session).exercises
    assert bool(tried) is not is_late
    passed = {check.name for check in exercise.checks if check.points}
    assert passed == {"attention_parameters"} if is_late else len(passed) > 1


# Configured by the instructor


@pytest.mark.parametrize(
    ("times", "sentence"),
    [
        (["--budget", "5"], "from 10 s, the time of one question, to 86400 s, not 5."),
        (["--budget", "-1"], "to 86400 s, not -1."),
        (["--budget", "nan"], "to 86400 s, not nan."),
        (["--budget", "1e9"], "to 86400 s, not 1e+09."),
        (["--budget", "2", "--seconds", "3"], "from 3 s, the time of one question"),
        (["--seconds", "0"], "A question may take between 0 and 3600 s, not 0."),
        (["--budget", "much"], "argument --budget: invalid float value: 'much'"),
    ],
)
def test_a_budget_that_makes_no_sense_is_refused(
    times: list[str], sentence: str, command: Command
) -> None:
    run = command("grade", "assignments/multi_head.py", *times)
    assert (run.returncode, run.stdout) == (4, "")
    assert sentence in run.stderr.splitlines()[-1]


SLEEPS = "def running_mean_{}(x):\n    import time\n    time.sleep(0.8)\n    return x\n"


@pytest.mark.dear
def test_a_budget_is_set_on_the_command_line(process: Command, tmp_path: Path) -> None:
    work = tmp_path / "running_averages.py"
    work.write_text("".join(map(SLEEPS.format, ("loop", "matmul", "softmax"))), encoding="utf-8")
    run = process("grade", work, "--unlocked", "--seconds", "1", "--budget", "2")
    assert "the submission has used up its 2 s" in " ".join(run.stdout.split())


@pytest.mark.dear
def test_a_budget_is_set_for_a_class(tmp_path: Path) -> None:
    text = "".join(map(SLEEPS.format, ("loop", "matmul", "softmax")))
    one = Job("anna", "running_averages", {"running_averages.py": text.encode()})
    results = Results(tmp_path)
    [found] = grade_all([one], results, processes=1, locked=False, seconds=1.0, budget=2.0).values()
    assert any("used up its 2 s" in one.text for one in found.feedback.values())
    assert results.get(one.digest) == found
    assert found.settings.budget == 2.0


def test_a_budget_is_set_in_nbgraders_configuration() -> None:
    exporter = pytest.importorskip("autograder.nbgrader.exporter")
    from traitlets.config import Config

    from autograder.nbgrader.trouble import CannotRun

    plugged = exporter.SubmissionExporter
    assert plugged().settings.budget == Limits().budget
    configured = Config({"SubmissionExporter": {"budget": 300.0}})
    assert plugged(config=configured).settings.budget == 300.0
    configured = Config({"SubmissionExporter": {"budget": 3.0}})
    with pytest.raises(CannotRun, match=r"not 3\. Change c\.SubmissionExporter in nbgrader_config"):
        _ = plugged(config=configured).settings


def test_no_more_is_asked_than_so_many_questions() -> None:
    budget = Budget(replace(LIMITS, questions=2))
    budget.spend(0.0)
    assert budget.remaining == BUDGET
    budget.spend(0.0)
    assert not budget.remaining


@pytest.mark.parametrize("reply", [{"value": torch.zeros(1000)}, {"value": [{}] * 100}])
def test_replies_take_no_more_memory_than_there_is_for_them(reply: object) -> None:
    """All of them are kept; at the limit of memory a library may end the grader."""
    message = wire.encode(reply)
    assert cost(message) > 4000
    budget = Budget(replace(LIMITS, received=2 * cost(message)))
    for _ in range(2):
        budget.receive(message)
        assert budget.remaining == BUDGET
    budget.receive(message)
    assert not budget.remaining


@pytest.mark.dear
def test_each_reply_is_counted(checks: Checks, solutions: dict[str, str]) -> None:
    """After too many of them, nothing more is asked."""
    prints = "def running_mean_loop(x):\n    print('nothing is asked ahead')\n    return x\n"
    text = solutions["running_averages"] + prints
    points = {}
    for received in (LIMITS.received, 20_000):
        with Scripted() as sandbox:
            sandbox.limits = replace(sandbox.limits, received=received)
            points[received] = graded(checks, sandbox, "running_averages", text).points
    assert points[20_000] < points[LIMITS.received]


def test_starting_a_child_is_spent() -> None:
    """A submission that loses one child after the other delays the others by no more."""
    with Scripted() as sandbox:
        session = Session(sandbox)
        before = session.budget.remaining
        for _ in range(3):
            session.child()
            session.drop()
        assert session.budget.remaining == pytest.approx(before - 3 * CHILD_SECONDS)


def test_one_person_has_one_budget_in_whatever_order_their_work_is_found(
    tmp_path: Path, solutions: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A class without --assignment is found assignment by assignment."""
    for student in ("anna", "bob"):
        for name in ("running_averages", "self_attention"):
            place = tmp_path / student / name
            place.mkdir(parents=True)
            (place / f"{name}.py").write_text(solutions[name], encoding="utf-8")
    sessions: list[Session] = []

    def begun(sandbox: Sandbox) -> Session:
        sessions.append(Session(sandbox))
        return sessions[-1]

    monkeypatch.setattr("autograder.grading.in_turn.Session", begun)
    monkeypatch.setattr(Grader, "grade", lambda self, submission, session: session)
    with Scripted() as sandbox:
        found: list[Any] = grade(find(tmp_path, None), sandbox)
    assert len(found) == 4
    assert found == [sessions[0], sessions[0], sessions[1], sessions[1]]


def test_nothing_more_is_tried_once_half_the_time_is_spent() -> None:
    with Scripted() as sandbox:
        session = Session(sandbox)
        implementation = SubmissionImplementation(session, Text("m", {"m": ""}, ()))
        session.budget.spend(sandbox.limits.budget / 2 - 0.1)
        assert implementation.has_time()
        session.budget.spend(0.2)
        assert not implementation.has_time()
