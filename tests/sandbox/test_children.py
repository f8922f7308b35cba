"""A submission has at most two children at a time, and one budget, however it is graded."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from autograder.checking.collect import Checks
from autograder.client.sessions import CHILD_SECONDS, CHILDREN, Session
from autograder.grading.grader import Grader
from autograder.sandbox import Child, Limits, Sandbox, open_sandbox
from autograder.submissions.finding import Submission

LIMITS = Limits(seconds=1.0, grace=0.5, budget=3.0)
WRONG = {  # exercises that others depend on
    "return queries, keys, values": "return keys, queries, values",
    "scores / math.sqrt(Q.shape[-1])": "scores",
    "self.activation = nn.GELU()": "self.activation = nn.ReLU()",
}


class Counted(Sandbox):
    """A sandbox that counts the children that exist at a time."""

    def __init__(self, inner: Sandbox) -> None:
        super().__init__(inner.limits, locked=True)  # so hidden checks have a child of their own
        self._inner = inner
        self.living: set[Child] = set()
        self.most = self.started = 0

    def child(self) -> Child:
        child = self._inner.child()
        end = child.end

        def ended() -> None:
            self.living.discard(child)
            end()

        child.end = ended  # type: ignore[method-assign]
        self.living.add(child)
        self.started += 1
        self.most = max(self.most, len(self.living))
        return child

    def close(self) -> None:
        self._inner.close()


@pytest.fixture
def counted(request: pytest.FixtureRequest) -> Iterator[Counted]:
    limits: Limits = getattr(request, "param", LIMITS)
    sandbox = Counted(open_sandbox(limits, fork=sys.platform == "linux"))
    with sandbox:
        yield sandbox


def wrong(text: str) -> str:
    for right, mistaken in WRONG.items():
        assert text.count(right) == 1
        text = text.replace(right, mistaken)
    return text


@pytest.mark.dear
@pytest.mark.parametrize("counted", [replace(LIMITS, budget=120.0)], indirect=True, ids=["long"])
def test_a_work_has_two_children_at_most(
    counted: Counted, checks: Checks, solutions: dict[str, str]
) -> None:
    """Exercises that depend on a wrong one are graded with a substitute, in another child."""
    name = "attention_layer"
    texts = {**solutions, name: wrong(solutions[name])}
    module = Submission("mallory", Path(f"{name}.py"), name, texts)
    book = Submission("mallory", Path(f"{name}.ipynb"), name, texts)
    session = Session(counted)
    for stem, one in ((name, replace(module, other=book)), ("multi_head", module)):
        work = replace(one, path=Path(f"{stem}.py"), assignment=stem)
        grade = Grader(checks, counted, frozenset()).grade(work, session)
        assert any(check.carried for part in grade.exercises for check in part.checks)
    session.clear()
    assert counted.started > CHILDREN
    assert counted.most == CHILDREN == 2
    assert not counted.living


@pytest.mark.dear
def test_module_and_notebook_have_one_budget(
    counted: Counted, checks: Checks, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = "running_averages"
    functions = ("running_mean_loop", "running_mean_matmul", "running_mean_softmax")
    sleeps = "def {}(x):\n    import time\n    time.sleep(0.6)\n    return x\n"
    text = "".join(map(sleeps.format, functions))
    module = Submission("mallory", Path(f"{name}.py"), name, {name: text})
    book = replace(module, path=Path(f"{name}.ipynb"), texts={name: [["cell 1", text]]})
    spent: list[float] = []
    keep = "autograder.client.sessions.Budget.spend"
    from autograder.client.sessions import Budget

    before = Budget.spend

    def spend(self: Budget, seconds: float) -> None:
        spent.append(seconds)
        before(self, seconds)

    monkeypatch.setattr(keep, spend)
    Grader(checks, counted, frozenset()).grade(replace(module, other=book))
    starts = counted.started * CHILD_SECONDS
    assert LIMITS.budget <= sum(spent) + starts
    assert sum(spent) < LIMITS.budget + LIMITS.seconds + 2 * LIMITS.grace
