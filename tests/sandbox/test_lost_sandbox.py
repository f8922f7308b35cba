"""A failing sandbox and a busy machine cost no points."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import of
from in_process import PATIENCE, Honest, Scripted

from autograder.checking.collect import Checks
from autograder.client import Scripts, Session, SubmissionImplementation, Text
from autograder.course import assignments
from autograder.grading.expected_questions import ExpectedQuestions
from autograder.grading.grade import Grade, Outcome
from autograder.grading.grader import Grader
from autograder.sandbox import Child, Limits, Lost, Sandbox, SandboxFailed
from autograder.sandbox.child import memory_kills
from autograder.submissions.finding import Submission

Texts = dict[str, str]
NAME = assignments()[0]
SAID = "Not finished after 2 s"
LATE = {"kind": "timeout", "type": "TimeUp", "text": SAID.lower(), "frames": [], "where": ""}


class Late(Honest):
    """A child that loads in time and then answers every question too late."""

    def reply(self, job: dict[str, Any]) -> Any:
        return [{"problem": LATE} for _ in job["steps"]] if "steps" in job else super().reply(job)


class LateAtLoading(Honest):
    def reply(self, job: dict[str, Any]) -> Any:
        if "stem" in job:
            return {"problem": LATE, "names": [], "written": []}
        return super().reply(job)


class Killed(Honest):
    """A child that has to be killed at every question."""

    def reply(self, job: dict[str, Any]) -> Any:
        if "steps" in job:
            raise Lost("killed", SAID.lower())
        return super().reply(job)


class Shot(Honest):
    """A child that something kills at every question."""

    def reply(self, job: dict[str, Any]) -> Any:
        if "steps" in job:
            raise self._exited(-signal.SIGKILL)
        return super().reply(job)


class ShotAtLoading(Honest):
    def reply(self, job: dict[str, Any]) -> Any:
        raise self._exited(-signal.SIGKILL)


def fails(limits: Limits) -> Child:
    raise SandboxFailed("the process for students' code does not work (it ended)")


@pytest.fixture(autouse=True)
def by_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ask no questions ahead, so that each failure belongs to one question."""
    monkeypatch.setattr(ExpectedQuestions, "of", lambda *_: Scripts())


@pytest.fixture
def graded(checks: Checks, solutions: Texts) -> Callable[..., Grade]:
    """Grade the solution of the first assignment in this sandbox."""

    def grade(sandbox: Sandbox) -> Grade:
        grader = Grader(checks, sandbox, frozenset())
        texts = {NAME: solutions[NAME]}
        return grader.grade(Submission("anna", Path(f"{NAME}.py"), NAME, texts))

    return grade


def has_all(grade: Grade) -> bool:
    return grade.status == "graded" and 0 < grade.points == grade.max_points


def test_a_sandbox_that_fails_once_costs_nothing(graded: Callable[..., Grade]) -> None:
    sandbox = Scripted(fails)
    assert has_all(graded(sandbox))
    assert len(sandbox.given) == 1


def test_one_that_fails_in_the_middle_costs_nothing(graded: Callable[..., Grade]) -> None:
    """Grading starts again if the first child is lost and no other can start."""
    assert has_all(graded(Scripted(Killed, fails)))


def test_one_that_fails_twice_is_for_a_person_and_no_zero(
    graded: Callable[..., Grade],
) -> None:
    sandbox = Scripted(fails, fails)
    grade = graded(sandbox)
    assert (grade.status, grade.exercises, sandbox.given) == ("needs_staff", (), [])
    assert grade.message == (
        "The sandbox failed twice: the process for students' code does not work (it ended). Your "
        "code is not at fault: grade it again."
    )
    assert has_all(graded(sandbox))  # the next submission is not affected


def test_a_failure_leaves_no_child_in_the_session(
    checks: Checks, solutions: Texts, monkeypatch: pytest.MonkeyPatch
) -> None:
    sandbox = Scripted()
    grader = Grader(checks, sandbox, frozenset())
    session = Session(sandbox)
    first = session.child()

    def broken(*_: object) -> Grade:
        raise SandboxFailed("it ended")

    submission = Submission("anna", Path(f"{NAME}.py"), NAME, {NAME: solutions[NAME]})
    with monkeypatch.context() as patched:
        patched.setattr(grader, "_examined", broken)
        assert grader.grade(submission, session).status == "needs_staff"
    assert session.child() is not first
    assert has_all(grader.grade(submission, session))


@pytest.mark.parametrize("kind", [Late, Killed, LateAtLoading, Shot, ShotAtLoading])
def test_a_question_that_is_lost_to_the_machine_once_costs_nothing(
    kind: type[Honest], graded: Callable[..., Grade]
) -> None:
    """A question that the machine has interrupted is asked once more, in a new child."""
    sandbox = Scripted(kind)
    assert has_all(graded(sandbox))
    assert len(sandbox.given) == 2


@pytest.mark.parametrize("kind", [Late, Killed, LateAtLoading])
def test_one_that_is_late_twice_is_late(kind: type[Honest], graded: Callable[..., Grade]) -> None:
    grade = graded(Scripted(kind, kind))
    assert grade.points < grade.max_points
    assert any(SAID in check.message for e in grade.exercises for check in e.checks)


def test_one_that_is_shot_twice_has_crashed(graded: Callable[..., Grade]) -> None:
    """Code whose process is killed twice may have done that itself, and gets no points for it."""
    sandbox = Scripted(Shot, Shot)
    grade = graded(sandbox)
    assert grade.status == "graded"
    assert len(sandbox.given) == 3
    [lost] = [e for e in grade.exercises if e.outcome is Outcome.FAILED]
    said, *others = [check.message for check in lost.checks if check.visible]
    assert lost.points == 0
    assert said == (
        "The process was killed (SIGKILL) twice: by the code itself, or because this machine has "
        "too little memory."
    )
    assert {*others} == {f"Not run: an earlier check of {lost.name} crashed."}


def test_who_shoots_each_child_gets_no_more_time_than_others(graded: Callable[..., Grade]) -> None:
    sandbox = Scripted(*[Shot] * 100)
    grade = graded(sandbox)
    assert grade.points == 0
    assert 2 * (len(grade.exercises) - 2) <= len(sandbox.given) <= 4 * len(grade.exercises)


@pytest.mark.parametrize("kills", [1, 2])
def test_what_the_kernel_kills_for_lack_of_memory_is_no_crash(
    kills: int, graded: Callable[..., Grade], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The work is graded once more as a whole, and then it is for a person."""
    counted = iter(range(100))
    monkeypatch.setattr("autograder.sandbox.child.memory_kills", lambda: next(counted))
    grade = graded(Scripted(*[Shot] * kills))
    if kills == 1:
        assert has_all(grade)
        return
    assert (grade.status, grade.exercises) == ("needs_staff", ())
    assert "too little memory" in grade.message


@pytest.mark.parametrize(
    ("text", "kills"),
    [
        ("pgfault 5\noom_kill 7\ndrop_pagecache 3\n", 7),
        ("pgfault 5\nmy_oom_kill 4\noom_kill_other 3\noom_kill 12", 12),
        ("pgfault 5\n", 0),
        ("pgfault 5\noom_kill \n", 0),
        ("pgfault 5\noom_kill many\n", 0),
    ],
)
def test_how_many_processes_the_kernel_has_killed(text: str, kills: int, tmp_path: Path) -> None:
    (tmp_path / "vmstat").write_text(text)
    assert memory_kills(str(tmp_path / "vmstat")) == kills


def test_a_system_that_counts_no_kills_has_none(tmp_path: Path) -> None:
    assert memory_kills(str(tmp_path / "vmstat")) == 0


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no /proc/vmstat")
def test_linux_counts_what_it_kills() -> None:
    assert "\noom_kill " in Path("/proc/vmstat").read_text()
    assert memory_kills() >= 0


def test_after_two_late_questions_each_has_a_fifth_of_the_time(
    graded: Callable[..., Grade],
) -> None:
    """One submission cannot delay the others; each late question is still asked twice."""
    given: list[float] = []

    class Counting(Late):
        def reply(self, job: dict[str, Any]) -> Any:
            given.extend([job["seconds"]] * ("steps" in job))
            return super().reply(job)

    grade = graded(Scripted(*[Counting] * 100))
    assert {e.outcome for e in grade.exercises} == {Outcome.FAILED}
    assert given[:4] == [PATIENCE] * 4
    assert {*given[4:]} == {PATIENCE / 5}
    count = len(grade.exercises)
    assert 2 * (count - 2) <= len(given[4:]) <= 4 * count  # again, with stand-ins for what they use


def test_one_that_is_late_while_it_loads_again_has_not_lost_its_names(
    checks: Checks, solutions: Texts
) -> None:
    """A timeout while loading in a new child does not make the exercises count as missing."""
    children = (Killed, Killed, LateAtLoading, LateAtLoading)
    grader = Grader(checks, Scripted(*children), frozenset())
    texts = {NAME: solutions[NAME]}
    grade = grader.grade(Submission("anna", Path(f"{NAME}.py"), NAME, texts))
    outcomes = [exercise.outcome for exercise in grade.exercises]
    assert outcomes[:2] == [Outcome.FAILED, Outcome.FAILED]
    assert Outcome.MISSING not in outcomes
    assert any("Not finished" in check.message for check in grade.exercises[1].checks)


@pytest.mark.dear
def test_the_sandbox_counts_the_seconds_of_a_child(sandbox: Sandbox) -> None:
    """The CPU seconds come from the kernel when the child has ended."""
    busy = "import time\nwhile time.process_time() < 0.5: pass\n"
    used: list[float | None] = []
    for text in ("import time; time.sleep(0.5)", busy):
        session = Session(sandbox)
        child = session.child()
        assert SubmissionImplementation(session, Text("m", {"m": text}, ())).load().problem is None
        assert child.cpu is None
        session.clear()
        used.append(child.cpu)
    assert used[0] is not None
    assert used[1] is not None
    assert 0 < used[0] < 0.4
    assert used[1] > 0.4


@pytest.mark.dear
def test_a_submission_that_sleeps_is_a_time_out(checks: Checks, sandbox: Sandbox) -> None:
    grader = Grader(checks, sandbox, frozenset())
    text = "import time\ntime.sleep(9)\n"
    grade = grader.grade(Submission("anna", Path(f"{NAME}.py"), NAME, {NAME: text}))
    assert (grade.status, grade.points) == ("unreadable", 0)
    assert grade.message.startswith("Not finished after 2 s ")
    assert of(grade, grade.exercises[0].name).outcome is Outcome.FAILED
