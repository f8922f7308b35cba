"""A student's feedback depends on their own submission only, not on classmates or their order."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import sampled

from autograder.checking.collect import Checks
from autograder.client import Session
from autograder.course import assignments
from autograder.course.misconceptions import misconceptions
from autograder.diagnosis.live.asking import LiveSearch
from autograder.diagnosis.naming import namer
from autograder.grading.grade import Grade
from autograder.grading.grader import Grader
from autograder.sandbox import Limits, Sandbox, open_sandbox
from autograder.submissions.finding import Submission

LITTLE = 20_000  # operations; the most expensive of these searches needs more
ORDERS = 3
OLD_STATISTICS = (  # normalises a batch with the running statistics, in training too
    ("            mean = x.mean(dim=0)\n", "            mean = 2 * self.running_mean\n"),
    (
        "            var = x.var(dim=0)  # divides by N - 1\n",
        "            var = self.running_var\n",
    ),
    ("new * mean\n", "new * x.mean(dim=0)\n"),
    ("new * var\n", "new * x.var(dim=0)\n"),
)
CLASSES = {
    "normalization": [
        ["LayerNorm1d/no_beta"],  # with OLD_STATISTICS, which use up the budget of a search
        ["LayerNorm1d/var_not_sqrt", "BatchNorm1d/momentum_reversed"],
        ["BatchNorm1d/no_eps"],
        ["LayerNorm1d/biased"],
        ["BatchNorm1d/update_in_eval", "LayerNorm1d/no_eps"],
        ["BatchNorm1d/params_copied"],
        ["LayerNorm1d/detached", "BatchNorm1d/stores_std"],
        [],
    ],
    "causal_attention": [
        ["CausalAttention/no_mask", "CausalAttention/other_names"],
        ["CausalAttention/other_names"],
        ["CausalAttention/swap"],
        ["CausalAttention/swap", "CausalAttention/other_names"],
        ["CausalAttention/dropout_twice"],
        ["CausalAttention/T_from_batch", "single_head/swap"],
        ["CausalAttention/plain_parameters"],
        ["CausalAttention/scale_d_in", "causal_weights/in_float32"],
    ],
}


def submissions(assignment: str, solutions: dict[str, str]) -> list[Submission]:
    known = {f"{m.exercise}/{m.id}": m for m in misconceptions(assignment)}
    found = []
    for i, mistakes in enumerate(CLASSES[assignment]):
        text = solutions[assignment]
        for name in mistakes:
            text = known[name].source(text)
        for old, new in OLD_STATISTICS if assignment == "normalization" and i == 0 else ():
            assert text.count(old) == 1
            text = text.replace(old, new)
        texts = {**solutions, assignment: text}
        found.append(Submission(f"student {i}", Path(f"{i}/{assignment}.py"), assignment, texts))
    return found


def graded(grader: Grader, submission: Submission) -> Grade:
    session = Session(grader.sandbox)
    try:
        return grader.grade(submission, session)
    finally:
        session.clear()


def told(grade: Grade) -> object:
    """Return all that a student reads, and all points."""
    return [
        (e.name, e.outcome, e.points, e.diagnoses, e.example and (e.example.said, example(e)))
        for e in grade.exercises
    ], [(c.name, c.points, c.message, c.printed) for e in grade.exercises for c in e.checks]


def example(exercise: object) -> object:
    small = exercise.example.small  # type: ignore[attr-defined]
    results = exercise.example.results  # type: ignore[attr-defined]
    return str(small.trial.arguments), str(small.inputs), [str(r.got) for r in results]


@pytest.fixture
def patient() -> Iterator[Sandbox]:
    """Yield a sandbox with so much time for each question that a busy machine needs less."""
    with open_sandbox(Limits(seconds=60.0)) as sandbox:
        yield sandbox


@pytest.mark.parametrize("assignment", sampled(CLASSES))
@pytest.mark.dear
def test_a_class_is_told_the_same_in_every_order(
    assignment: str, checks: Checks, patient: Sandbox, solutions: dict[str, str]
) -> None:
    assert assignment in assignments()
    people = submissions(assignment, solutions)
    alone = {
        person.name: told(graded(Grader(checks, patient, frozenset(), diagnosing=namer), person))
        for person in people
    }
    assert len({str(said) for said in alone.values()}) == len(people)
    for i in range(ORDERS):
        grader = Grader(checks, patient, frozenset(), diagnosing=namer)
        order = people if i == 0 else random.Random(i).sample(people, len(people))
        for person in order:
            assert told(graded(grader, person)) == alone[person.name], (i, person.name)


@pytest.mark.dear
def test_one_search_that_is_given_up_does_not_silence_the_next(
    checks: Checks, sandbox: Sandbox, solutions: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    spent: list[int] = []
    spend = LiveSearch._spend

    def recorded(self: LiveSearch, work: int) -> None:
        spent.append(self.work + work)
        spend(self, work)

    monkeypatch.setattr(LiveSearch, "_spend", recorded)
    monkeypatch.setattr("autograder.diagnosis.live.asking.MAX_WORK", LITTLE)
    expensive, *others = submissions("normalization", solutions)
    grader = Grader(checks, sandbox, frozenset(), diagnosing=namer)
    graded(grader, expensive)
    assert max(spent) > LITTLE
    named = []
    for person in others:
        named += [
            identity
            for exercise in graded(grader, person).exercises
            for diagnosis in exercise.diagnoses
            for identity in diagnosis.ids
        ]
    assert {"var_not_sqrt", "momentum_reversed", "no_eps", "biased", "stores_std"} <= set(named)
