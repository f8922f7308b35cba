"""Naming stays within its budget: it names nothing rather than exceed it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import pytest

from autograder.checking.collect import Checks, Collected
from autograder.client import LocalImplementation, loading
from autograder.course.exercise import Exercise
from autograder.diagnosis.known_mistakes import KnownMistake, Mistakes, Traces
from autograder.diagnosis.live import LiveMistakes
from autograder.diagnosis.live.asking import WORK
from autograder.diagnosis.live.modules import Modules
from autograder.diagnosis.live.probe import Probe
from autograder.diagnosis.naming import EXPENSIVE_CHECK, Namer
from autograder.diagnosis.trace import Answer, Trace
from autograder.runtime.questions import Call, Step

TOO_EXPENSIVE = 28_000  # work for one check, in units of 10 µs
Places = frozenset[int]


@pytest.fixture
def known_mistakes(checks: Checks) -> LiveMistakes:
    return LiveMistakes("attention_layer", checks, cache(loading.load))


def of(checks: Checks, name: str) -> Exercise:
    return next(c.check.exercise for c in checks.collected if c.check.exercise.name == name)


def left_by(
    known_mistakes: LiveMistakes, checks: Checks, exercise: Exercise, *identities: str
) -> tuple[Mistakes, Traces]:
    by_id = {known.id: known for known in known_mistakes.known(exercise)}
    mistakes = tuple(by_id[identity] for identity in identities)
    return mistakes, {c: known_mistakes.trace(mistakes, exercise, c) for c in checks.of(exercise)}


@pytest.mark.dear
def test_nothing_is_named_where_checks_are_too_expensive(
    known_mistakes: LiveMistakes, checks: Checks
) -> None:
    """The budget allows two checks of 0.28 s, but not three."""
    exercise, namer = of(checks, "ScaledDotProduct"), Namer(checks, lambda _: known_mistakes)
    (one,), observed = left_by(known_mistakes, checks, exercise, "no_scale")
    assert len(observed) > 2

    def named(expensive: int) -> list[str]:
        traces = list(observed.items())
        costlier = {c: replace(t, work=TOO_EXPENSIVE) for c, t in traces[:expensive]}
        return [i for d in namer.name(exercise, {**observed, **costlier}) for i in d.ids]

    assert one.id in named(1)
    assert one.id in named(2)
    assert named(3) == []


class Agreeing:
    """KnownMistakes that agree in every check; it records which check each was tested with."""

    def __init__(self, *known: KnownMistake) -> None:
        self.known = known
        self.asked: list[tuple[str, Collected]] = []

    def search(self, exercise: Exercise, observed: Traces) -> Agreeing:
        return self

    def right(self, exercise: Exercise, collected: Collected) -> Sequence[Answer]:
        return ()

    def singles(self) -> list[Mistakes]:
        return [(one,) for one in self.known]

    def pairs(self) -> list[Mistakes]:
        return []

    def leaves(self, mistakes: Mistakes, collected: Collected, ignored: Places) -> bool:
        self.asked.append((mistakes[0].id, collected))
        return True

    def random(self, collected: Collected) -> Places:
        return frozenset()


def test_expensive_checks_are_run_for_one_of_those_with_the_same_hints(checks: Checks) -> None:
    """An expensive check is run for one mistake per set of hints; others decide nothing more."""
    exercise = of(checks, "ScaledDotProduct")
    first, second, third = (
        KnownMistake(exercise.name, one, "", (hint,))
        for one, hint in (("first", "look"), ("second", "look"), ("third", "think"))
    )
    cheap, expensive = checks.of(exercise)[:2]
    observed = {
        cheap: Trace("", "", (), EXPENSIVE_CHECK),
        expensive: Trace("wrong values", "", (), EXPENSIVE_CHECK + 1),
    }
    known_mistakes = Agreeing(first, second)
    [diagnosis] = Namer(checks, lambda _: known_mistakes).name(exercise, observed)
    assert diagnosis.ids == ("first", "second")
    assert set(known_mistakes.asked) == {("first", cheap), ("first", expensive), ("second", cheap)}
    known_mistakes = Agreeing(first, third)
    assert Namer(checks, lambda _: known_mistakes).name(exercise, observed) == ()
    assert ("third", expensive) in known_mistakes.asked
    known_mistakes = Agreeing(first, second)
    assert Namer(checks, lambda _: known_mistakes).name(exercise, {expensive: observed[expensive]})
    assert ("second", expensive) in known_mistakes.asked  # there is nothing else to ask


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[Mistakes]:
    """Record which modules are tested with a probe."""
    found: list[Mistakes] = []
    first_unlike = Modules.first_unlike

    def seen(self: Modules, mistakes: Mistakes, probe: Probe) -> int | None:
        found.append(mistakes)
        return first_unlike(self, mistakes, probe)

    monkeypatch.setattr(Modules, "first_unlike", seen)
    return found


@pytest.mark.dear
@pytest.mark.parametrize(("each", "are_asked"), [(2, False), (4, True)])
def test_pairs_are_asked_only_if_many_can_be_for_each_that_agrees(
    each: int,
    are_asked: bool,
    known_mistakes: LiveMistakes,
    checks: Checks,
    asked: list[Mistakes],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    exercise = of(checks, "ScaledDotProduct")
    _, observed = left_by(known_mistakes, checks, exercise, "no_scale")
    search = known_mistakes.search(exercise, observed)
    candidates = search._candidates
    # Not all, since choosing a probe that tells them apart would take all of the budget.
    alike: list[Mistakes] = [(known,) for known in candidates.known[:40]]
    work = WORK - each * len(alike) * candidates.probe.work
    monkeypatch.setattr(search, "_candidates", replace(candidates, alike=alike, work=work))
    asked.clear()
    search.pairs()
    assert bool(asked) == are_asked


def test_a_module_is_asked_no_further_than_to_the_first_other_answer(
    known_mistakes: LiveMistakes, checks: Checks, monkeypatch: pytest.MonkeyPatch
) -> None:
    exercise = of(checks, "ScaledDotProduct")
    mistakes, observed = left_by(known_mistakes, checks, exercise, "no_scale")
    search = known_mistakes.search(exercise, observed)
    wholes = [search._whole(c) for c in observed]
    whole = next(probe for probe in wholes if calls(probe.steps) > 1)
    whole = replace(whole, chance=lambda count: frozenset())
    right = replace(whole, observed=whole.right)
    called: list[type[Step]] = []
    ask = LocalImplementation._ask

    def seen(self: LocalImplementation, steps: Sequence[Step], fresh: bool) -> object:
        called.extend(type(step) for step in steps)
        return ask(self, steps, fresh)

    monkeypatch.setattr(LocalImplementation, "_ask", seen)
    modules = known_mistakes._modules
    place = modules.first_unlike(mistakes, right)
    assert place is not None
    assert called.count(Call) < calls(whole.steps)
    assert called.count(Call) == calls(whole.steps[: place + 1])
    assert modules.first_unlike(mistakes, right) == place  # as is remembered
    assert called.count(Call) == calls(whole.steps[: place + 1])
    assert modules.first_unlike(mistakes, whole) is None  # what was not asked then is now
    assert len(modules.answers(mistakes, whole)) == len(whole.steps)


def calls(steps: Sequence[Step]) -> int:
    return sum(isinstance(step, Call) for step in steps)
