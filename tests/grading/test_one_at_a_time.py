"""While a hidden check is run, no process that takes part in visible ones exists, whatever else of
the same person's work is graded before it; and only one process works at a time."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from autograder.checking.collect import Collected
from autograder.client import Client, SubmissionImplementation
from autograder.diagnosis.naming import namer
from autograder.grading.grade import Grade
from autograder.grading.in_turn import grade
from autograder.grading.runner import CheckRun, CheckRunner
from autograder.sandbox import Child, Clock, Limits, Sandbox, open_sandbox
from autograder.submissions.finding import Submission

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only on Linux can code be locked")
MOMENT = 5.0  # seconds in which a process that was stopped stands still


class Watched(Sandbox):
    """A sandbox that looks at all its children whenever one is asked, or a hidden check begins."""

    def __init__(self, inner: Sandbox) -> None:
        super().__init__(inner.limits, locked=True)  # so hidden checks have a child of their own
        self._inner = inner
        self._living: list[Child] = []
        self._of_visible: set[Child] = set()  # those that were asked by visible checks
        self.in_hidden_check = False
        self.hidden_checks = 0
        self.found: set[str] = set()  # what must not be

    def child(self) -> Child:
        child = self._inner.child()
        end, ask = child.end, child.ask

        def ended() -> None:
            if child in self._living:
                self._living.remove(child)
            end()

        def asked(request: bytes, clock: Clock | None = None) -> bytes | bytearray:
            if not self.in_hidden_check:
                self._of_visible.add(child)
            self.look(child)
            return ask(request, clock)

        child.end, child.ask = ended, asked  # type: ignore[method-assign]
        self._living.append(child)
        return child

    def look(self, asked: Child | None = None) -> None:
        """Look at the children beside the one that is asked, or at all before a hidden check."""
        others = [one for one in self._living if one is not asked]
        if self.in_hidden_check and self._of_visible.intersection(self._living):
            self.found.add("a process of visible checks exists during a hidden one")
        if asked and not all(map(_stands_still, others)):
            self.found.add("two processes work at a time")

    def close(self) -> None:
        self._inner.close()


def _stands_still(child: Child) -> bool:
    until = time.monotonic() + MOMENT
    while (state := _state(child)) not in "TZ" and time.monotonic() < until:
        time.sleep(0.01)
    return state in "TZ"


def _state(child: Child) -> str:
    """Return the state of a child's process as in proc(5)."""
    return Path(f"/proc/{child.process}/stat").read_text().rpartition(")")[2].split()[0]


@pytest.fixture
def watched(monkeypatch: pytest.MonkeyPatch) -> Iterator[Watched]:
    run_once = CheckRunner._run_once

    def once(runner: CheckRunner, collected: Collected, client: Client, seed: str) -> CheckRun:
        if isinstance(runner._implementation, SubmissionImplementation) and not collected.visible:
            sandbox.in_hidden_check = True
            sandbox.hidden_checks += 1
            sandbox.look()
        try:
            return run_once(runner, collected, client, seed)
        finally:
            sandbox.in_hidden_check = False

    monkeypatch.setattr(CheckRunner, "_run_once", once)
    sandbox = Watched(open_sandbox(Limits(seconds=1.0, grace=0.5)))
    with sandbox:
        yield sandbox


def graded(watched: Watched, *submissions: Submission) -> list[Grade]:
    found = grade(submissions, watched, diagnosing=namer)
    assert watched.hidden_checks
    assert all(one.status == "graded" for one in found)
    return found


ENDLESS = """
import torch
from torch import nn

import attention_layer


class MultiHeadAttention(nn.Module):
    def __init__(self, *sizes):
        super().__init__()

    def forward(self, x):
        print(x.sum())
        return x


while True:
    pass
"""


@pytest.mark.dear
def test_none_exists_while_a_prerequisite_is_examined(
    watched: Watched, solutions: dict[str, str]
) -> None:
    """A module that was stopped keeps its process, and AttentionHead is examined beside it."""
    texts = {**solutions, "multi_head": ENDLESS}
    graded(watched, Submission("anna", Path("multi_head.py"), "multi_head", texts))
    assert watched.found == set()


@pytest.mark.dear
def test_none_exists_while_an_exercise_is_examined_with_references(
    watched: Watched, solutions: dict[str, str]
) -> None:
    home = "attention_layer"
    text = solutions[home].replace("scores / math.sqrt(Q.shape[-1])", "scores")
    prints = "print('so far so good')\n        return self.secondlayer("
    text = text.replace("return self.secondlayer(", prints)
    [found] = graded(watched, Submission("anna", Path(f"{home}.py"), home, {home: text}))
    assert any(check.carried for one in found.exercises for check in one.checks)
    assert watched.found == set()


def test_none_exists_while_another_submission_of_the_same_person_is_graded(
    watched: Watched, solutions: dict[str, str]
) -> None:
    """The first one fails last, so its example is asked after its hidden checks."""
    wrong = solutions["self_attention"].replace("return weights @ values", "return 2 * values")
    assert wrong != solutions["self_attention"]
    texts = {
        "self_attention": {"self_attention": wrong},
        "running_averages": {  # with a module of their own
            "running_averages": solutions["running_averages"],
            "helper.py": "SIZE = 2\n",
        },
        "causal_attention": {"causal_attention": solutions["causal_attention"]},
    }
    found = graded(
        watched,
        *(
            Submission("anna", Path(f"{home}.py"), home, of, origin=Path("anna"))
            for home, of in texts.items()
        ),
    )
    assert any(one.example for one in found[0].exercises)
    assert watched.found == set()
