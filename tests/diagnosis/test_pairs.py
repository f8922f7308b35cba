"""Pairs of mistakes are named, both of them, and never wrongly."""

from __future__ import annotations

import math
import zlib
from collections.abc import Iterator
from functools import cache
from itertools import islice, permutations

import pytest
import torch

from autograder.checking.collect import Checks
from autograder.client import loading
from autograder.course import assignments
from autograder.course.exercise import Exercise
from autograder.course.misconceptions import EditDoesNotApply
from autograder.diagnosis.known_mistakes import KnownMistake, Mistakes, Traces
from autograder.diagnosis.live import LiveMistakes, asking
from autograder.diagnosis.live.asking import WORK, _likely
from autograder.diagnosis.live.modules import Modules
from autograder.diagnosis.live.probe import Probe
from autograder.diagnosis.naming import Namer
from autograder.diagnosis.trace import EXACT, Answer
from autograder.runtime.questions import Call

ASKED = 4  # pairs per assignment, at least one per exercise; an audit tries more
NAMED = 0.7  # least share of these few to name; the audit's is larger


def sample(known_mistakes: LiveMistakes, exercise: Exercise, checks: Checks) -> Iterator[Mistakes]:
    """Yield pairs, in a fixed random order, that lose points and differ from each mistake alone.

    A misconception that is added changes the order of no others.
    """
    asked = checks.of(exercise)
    pairs = list(permutations(known_mistakes.known(exercise), 2))
    pairs.sort(key=lambda pair: zlib.crc32(f"{exercise.name} {pair[0].id} {pair[1].id}".encode()))
    for pair in pairs:
        try:
            observed = traces(known_mistakes, pair, exercise, checks)
        except EditDoesNotApply:
            continue
        by_chance = {c: known_mistakes.random(exercise, c) for c in asked}
        alone = (
            all(
                known_mistakes.trace((one,), exercise, c).is_like(observed[c], by_chance[c])
                for c in asked
            )
            for one in pair
        )
        if any(trace.category for trace in observed.values()) and not any(alone):
            yield pair


def traces(
    known_mistakes: LiveMistakes, pair: Mistakes, exercise: Exercise, checks: Checks
) -> Traces:
    return {c: known_mistakes.trace(pair, exercise, c) for c in checks.of(exercise)}


@pytest.mark.dear
def test_pairs_are_named(checks: Checks) -> None:
    asked = silent = 0
    for assignment in assignments():
        known_mistakes = LiveMistakes(assignment, checks, cache(loading.load))
        namer = Namer(checks, lambda _, own=known_mistakes: own)  # type: ignore[misc]
        exercises = checks.exercises(assignment)
        count = math.ceil(ASKED / len(exercises))
        for exercise in exercises:
            for pair in islice(sample(known_mistakes, exercise, checks), count):
                found = namer.name(exercise, traces(known_mistakes, pair, exercise, checks))
                named = {name for diagnosis in found for name in diagnosis.ids}
                assert not found or {known.id for known in pair} <= named, pair
                asked += 1
                silent += not found
    assert asked >= ASKED * len(assignments())
    assert silent <= (1 - NAMED) * asked


def ids(made: list[Mistakes]) -> list[tuple[str, ...]]:
    return [tuple(known.id for known in mistakes) for mistakes in made]


def test_two_are_edited_in_in_each_order_that_makes_a_difference(checks: Checks) -> None:
    modules = Modules("normalization", checks, cache(loading.load))
    exercises = checks.exercises("normalization")
    known = {(k.exercise, k.id): k for exercise in exercises for k in modules.known(exercise)}

    def both(exercise: str, one: str, other: str) -> list[tuple[str, ...]]:
        return ids(modules.both(known[exercise, one], known[exercise, other]))

    assert both("LayerNorm1d", "no_eps", "no_beta") == [("no_eps", "no_beta")]
    for one, other in (
        ("dim0", "no_keepdim"),
        ("no_keepdim", "dim0"),
    ):  # which edits what dim0 does
        assert both("LayerNorm1d", one, other) == [("no_keepdim", "dim0")]
    one, other = "eps_squared", "eps_in_train_only"
    assert both("BatchNorm1d", one, other) == [(one, other), (other, one)]
    assert both("LayerNorm1d", "no_eps", "float32_out") == []  # which costs no points


def test_two_that_cancel_each_other_are_not_named() -> None:
    """A mask that hides the past and a number that reveals hidden tokens partly cancel."""

    def answers(*numbers: float) -> list[Answer]:
        return [Answer("", torch.tensor(numbers, dtype=torch.float64), EXACT)]

    def probe(*numbers: float) -> Probe:
        steps = [Call(0, (), torch.float64)]
        return Probe("", steps, answers(0, 1, math.nan), answers(*numbers), lambda _: frozenset())

    one, other = answers(5, 1, math.nan), answers(7, 2, 4)
    assert not probe(35, 2, 4).cancel(one, other)
    assert probe(0, 2, 4).cancel(one, other)
    assert not probe(35, 1, math.nan).cancel(one, other)  # which one of them leaves as it is
    error = [Answer("raised", torch.empty(0), EXACT)]
    assert probe(35, 2, 4).cancel(error, error)
    assert not probe(35, 2, 4).cancel(one, error)


@pytest.mark.dear
def test_a_pair_is_not_named_where_its_rivals_may_not_have_been_asked(
    checks: Checks, monkeypatch: pytest.MonkeyPatch
) -> None:
    known_mistakes = LiveMistakes("normalization", checks, cache(loading.load))
    exercise = checks.exercises("normalization")[1]
    asked: list[set[KnownMistake]] = []
    first_unlike = Modules.first_unlike

    def seen(self: Modules, mistakes: Mistakes, probe: Probe) -> int | None:
        asked.append(set(mistakes))
        return first_unlike(self, mistakes, probe)

    monkeypatch.setattr(Modules, "first_unlike", seen)

    def found_of(observed: Traces, work: int) -> list[set[KnownMistake]]:
        asked.clear()
        monkeypatch.setattr(asking, "WORK", work)
        return [set(mistakes) for mistakes in known_mistakes.search(exercise, observed).pairs()]

    for pair in sample(known_mistakes, exercise, checks):
        observed = traces(known_mistakes, pair, exercise, checks)
        if (
            set(pair) in found_of(observed, WORK)
            and not known_mistakes.search(exercise, observed).singles()
        ):
            both = [mistakes for mistakes in asked if len(mistakes) == 2]
            if 8 < both.index(set(pair)) < len(both) / 2:
                break
    budgets = range(0, WORK, 50)
    last = next(work for work in budgets if found_of(observed, work) or set(pair) in asked)
    assert set(pair) in asked
    assert found_of(observed, last) == []
    assert set(pair) in found_of(observed, WORK)


def test_those_that_agree_by_themselves_need_no_more_pairs_than_all() -> None:
    def known(identity: str) -> KnownMistake:
        return KnownMistake("TestModule", identity, "", ())

    one, other, third = map(known, ("one", "other", "third"))
    asked = [(one, other), (third, one), (other, third)]
    assert list(_likely(asked, (other, third), [])) == asked[:2]
    assert list(_likely(asked[:2], (other, third), [(one,)])) == asked[:2]
    assert list(_likely(asked[:2], (one, third), [(one,)])) == asked[:1]
