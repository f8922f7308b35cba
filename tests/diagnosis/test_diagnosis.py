"""Misconceptions are named in the reference's code and in other people's, never wrongly."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import pytest
import torch
from conftest import GradeText, corpus, of, sampled

from autograder.checking.collect import Checks, Collected
from autograder.client import loading
from autograder.course import assignments
from autograder.course.exercise import Exercise
from autograder.course.misconceptions import misconceptions
from autograder.diagnosis.known_mistakes import KnownMistake, Mistakes, Traces
from autograder.diagnosis.live import LiveMistakes
from autograder.diagnosis.live.recording import record
from autograder.diagnosis.naming import Namer
from autograder.diagnosis.recorded import RecordedMistakes
from autograder.diagnosis.trace import SINGLE, Answer, Trace, answered
from autograder.grading.grade import Diagnosis
from autograder.grading.grader import Grader
from autograder.runtime.questions import Call
from autograder.sandbox import Sandbox
from autograder.submissions.finding import find

KNOWN = {(m.exercise, m.id) for name in assignments() for m in misconceptions(name)}
OTHERS = [path for path in corpus("wrong") if tuple(path.stem.split("__")[:2]) in KNOWN]
SILENT = {
    "AttentionHead__batch_loop__comprehension",  # raises another error
    "CausalAttention__mask_parameter__additive_baddbmm",  # its mask holds other numbers
    "CausalAttention__dropout_one_mask__rand_by_hand",  # only random answers are wrong
}
NAMED = 0.95  # least share of single mistakes to name
EVERY = 24  # step through misconceptions; through others' code it is 3. An audit tries all.
ASKED = [path for i, path in enumerate(OTHERS) if i % 3 == 0 or path.stem in SILENT]


@pytest.mark.parametrize("assignment", sampled(assignments()))
def test_single_mistakes_are_named(assignment: str, checks: Checks, sandbox: Sandbox) -> None:
    """Misconceptions are named as edits of the reference and in other people's code."""
    known_mistakes = LiveMistakes(assignment, checks, cache(loading.load))
    namer = Namer(checks, lambda _: known_mistakes)
    asked = silent = 0
    for exercise in checks.exercises(assignment):
        for known in known_mistakes.known(exercise)[::EVERY]:
            observed = {c: known_mistakes.trace((known,), exercise, c) for c in checks.of(exercise)}
            if any(trace.category for trace in observed.values()):
                asked += 1
                found = namer.name(exercise, observed)
                silent += not found
                assert all(known.id in d.ids and d.hints == known.hints for d in found)
    assert asked > 0
    assert silent <= max(1, (1 - NAMED) * asked)
    names = {exercise.name for exercise in checks.exercises(assignment)}
    for path in (path for path in ASKED if path.stem.split("__")[0] in names):
        name, identity, _ = path.stem.split("__")
        grader = Grader(checks, sandbox, frozenset([name]))
        grader.namer = namer
        graded = of(grader.grade(find(path, None)[0]), name)
        assert graded.points < graded.max_points, path
        if path.stem in SILENT:
            assert all(d.seen and identity not in d.ids for d in graded.diagnoses), path
        else:
            [diagnosis] = graded.diagnoses
            assert identity in diagnosis.ids, path


def test_few_of_other_peoples_mistakes_go_unnamed() -> None:
    """No more may be entered in SILENT; that all others are named is tried above."""
    assert {path.stem for path in OTHERS} >= SILENT
    assert len(SILENT) <= (1 - NAMED) * len(OTHERS)


def test_what_is_told_has_hints_of_growing_clearness(
    grade_text: GradeText, solutions: dict[str, str]
) -> None:
    wrong = solutions["attention_layer"].replace("scores / math.sqrt(Q.shape[-1])", "scores")
    found = of(grade_text(wrong, exercise="ScaledDotProduct", named=True), "ScaledDotProduct")
    [diagnosis] = found.diagnoses
    assert "no_scale" in diagnosis.ids
    assert len(diagnosis.hints) == 3


@pytest.mark.parametrize(
    "change",
    [
        ("scores / math.sqrt(Q.shape[-1])", "scores / 1.7"),  # a mistake of its own
        ("torch.softmax(", "nothing_of_that_name("),
    ],
)
def test_what_is_not_known_is_not_named(
    change: tuple[str, str], grade_text: GradeText, solutions: dict[str, str]
) -> None:
    wrong = solutions["attention_layer"].replace(*change)
    graded = of(grade_text(wrong, exercise="ScaledDotProduct", named=True), "ScaledDotProduct")
    assert graded.points < graded.max_points
    assert graded.diagnoses == ()


# The rules


class Stored:
    """KnownMistakes with one stored trace for each mistake or pair, the same in all checks."""

    def __init__(
        self,
        singles: dict[KnownMistake, Trace],
        random: frozenset[int] = frozenset(),
        pairs: dict[tuple[KnownMistake, KnownMistake], Trace] | None = None,
    ) -> None:
        self.two = pairs or {}
        self.traces: dict[Mistakes, Trace] = {(k,): t for k, t in singles.items()}
        self.traces |= self.two.items()
        self.chance = random
        self.observed: Traces = {}
        self.expected: Sequence[Answer] = ()

    def search(self, exercise: Exercise, observed: Traces) -> Stored:
        self.observed = observed
        return self

    def right(self, exercise: Exercise, collected: Collected) -> Sequence[Answer]:
        return self.expected

    def singles(self) -> list[Mistakes]:
        return [mistakes for mistakes in self.traces if len(mistakes) == 1]

    def pairs(self) -> list[Mistakes]:
        return list(self.two)

    def leaves(self, mistakes: Mistakes, collected: Collected, ignored: frozenset[int]) -> bool:
        return self.traces[mistakes].is_like(self.observed[collected], ignored)

    def random(self, collected: Collected) -> frozenset[int]:
        return self.chance


def known(identity: str, hint: str = "look") -> KnownMistake:
    return KnownMistake("TestModule", identity, f"does {identity}", (hint, "think", "nearly"))


def observed(*numbers: float, category: str = "wrong values", said: str = "") -> Trace:
    answers = (Answer("form", torch.tensor([number]).double(), 1e-7) for number in numbers)
    return Trace(category, said, tuple(answers))


def diagnoses(checks: Checks, known_mistakes: Stored, trace: Trace) -> tuple[Diagnosis, ...]:
    exercise = checks.exercises("attention_layer")[0]
    return Namer(checks, lambda _: known_mistakes).name(exercise, {checks.of(exercise)[0]: trace})


def name(checks: Checks, known_mistakes: Stored, trace: Trace) -> tuple[str, ...]:
    return tuple(name for found in diagnoses(checks, known_mistakes, trace) for name in found.ids)


def test_the_same_trace_names(checks: Checks) -> None:
    known_mistakes = Stored({known("one"): observed(1, 2), known("two"): observed(1, 3)})
    assert name(checks, known_mistakes, observed(1, 3 + 1e-9)) == ("two",)
    assert name(checks, known_mistakes, observed(1, 3 + 1e-3)) == ()
    assert name(checks, known_mistakes, observed(1)) == ()
    assert name(checks, known_mistakes, observed(1, 3, category="wrong shape")) == ()
    assert name(checks, known_mistakes, observed(1, 3, said="another")) == ()


def test_a_name_explains_what_differs_from_the_reference(checks: Checks) -> None:
    """A tolerance that includes both the right and the wrong answer is no evidence."""

    def of(*numbers: float) -> Trace:
        given = torch.tensor([*numbers, sum(numbers)]).double()
        return Trace("wrong values", "", (Answer("form", given, SINGLE),))

    known_mistakes = Stored({known("one"): of(1, 2.0009)})
    known_mistakes.expected = of(1, 2).answers
    assert name(checks, known_mistakes, of(1, 2.0004)) == ()  # nearer to the right one
    assert name(checks, known_mistakes, of(1, 2.00088)) == ("one",)
    assert name(checks, known_mistakes, of(1, 2.0000001)) == ()  # is the right one
    known_mistakes.expected = ()
    assert name(checks, known_mistakes, of(1, 2.0004)) == ("one",)


def test_finite_numbers_beside_nan_are_compared() -> None:
    """Even if all numbers in the sample are NaN."""
    numbers = torch.full((100,), torch.nan, dtype=torch.float64)
    some = numbers.clone()
    some[1] = 2
    call = Call(0, (), torch.float64)
    all_nan, one_finite = (answered(call, {"value": x}) for x in (numbers, some))
    assert one_finite.numbers[:-1].isnan().all()
    assert one_finite.is_like(one_finite)
    assert not one_finite.is_like(all_nan)


def test_several_are_named_if_their_hints_are_the_same(checks: Checks) -> None:
    same = {known("one"): observed(1), known("two"): observed(1)}
    assert name(checks, Stored(same), observed(1)) == ("one", "two")
    assert name(checks, Stored({**same, known("three", "hm"): observed(1)}), observed(1)) == ()


def test_random_answers_count_only_where_they_decide(checks: Checks) -> None:
    known_mistakes = {known("one"): observed(1, 2), known("two", "hm"): observed(1, 3)}
    assert name(checks, Stored(known_mistakes, frozenset([1])), observed(1, 3)) == ("two",)
    assert name(checks, Stored(known_mistakes, frozenset([1])), observed(1, 4)) == ()
    alone = Stored({known("one"): observed(1, 2)}, frozenset([1]))
    assert name(checks, alone, observed(1, 4)) == ("one",)


def test_what_differs_where_nothing_is_random_is_asked_once(checks: Checks) -> None:
    asked: list[Mistakes] = []

    class Counting(Stored):
        def leaves(self, mistakes: Mistakes, collected: Collected, ignored: frozenset[int]) -> bool:
            asked.append(mistakes)
            return super().leaves(mistakes, collected, ignored)

    known_mistakes = {known("one"): observed(1, 2), known("two"): observed(1, 3)}
    assert name(checks, Counting(known_mistakes), observed(1, 4)) == ()
    assert len(asked) == 2
    assert name(checks, Counting(known_mistakes, frozenset([0])), observed(1, 4)) == ()
    assert len(asked) == 6


ONE, TWO, THREE = known("one"), known("two", "hm"), known("three", "so")
ALONE = {ONE: observed(1), TWO: observed(2), THREE: observed(3)}


def test_two_are_named_where_no_single_one_fits(checks: Checks) -> None:
    known_mistakes = Stored(ALONE, pairs={(ONE, TWO): observed(4), (ONE, THREE): observed(2)})
    found = diagnoses(checks, known_mistakes, observed(4))
    assert [(d.ids, d.mistake) for d in found] == [(("one",), "does one"), (("two",), "does two")]
    assert [d.hints for d in found] == [ONE.hints, TWO.hints]
    assert name(checks, known_mistakes, observed(2)) == ("two",)
    assert name(checks, known_mistakes, observed(5)) == ()


def test_nothing_is_said_of_two_pairs_with_other_hints(checks: Checks) -> None:
    pairs = {(ONE, TWO): observed(4), (TWO, THREE): observed(4)}
    assert name(checks, Stored(ALONE, pairs=pairs), observed(4)) == ()
    same = known("of the same hints", "so")
    pairs = {(TWO, same): observed(4), (TWO, THREE): observed(4)}
    found = diagnoses(checks, Stored({**ALONE, same: observed(6)}, pairs=pairs), observed(4))
    assert [d.ids for d in found] == [("two",), ("of the same hints", "three")]


def test_two_mistakes_with_the_same_hints_are_told_once(checks: Checks) -> None:
    same = known("another", "hm")
    known_mistakes = Stored({**ALONE, same: observed(6)}, pairs={(TWO, same): observed(4)})
    found = diagnoses(checks, known_mistakes, observed(4))
    assert [(d.ids, d.mistake) for d in found] == [(("two", "another"), "")]


@pytest.mark.dear
def test_a_recording_says_the_same(checks: Checks) -> None:
    live = LiveMistakes("normalization", checks, cache(loading.load))
    again = RecordedMistakes(record(live, checks, "normalization"))
    compared = 0
    for exercise in checks.exercises("normalization"):
        assert list(again.search(exercise, {}).singles()) == [(o,) for o in live.known(exercise)]
        for collected in checks.of(exercise):
            if collected.visible:
                right, recorded = (x.right(exercise, collected) for x in (live, again))
                assert all(a.is_like(b) for a, b in zip(right, recorded, strict=True))
                assert again.random(collected) == live.random(exercise, collected)
                for one in live.known(exercise):
                    ours = live.trace((one,), exercise, collected)
                    search = again.search(exercise, {collected: ours})
                    assert search.leaves((one,), collected, frozenset())
                    compared += len(ours.answers)
    assert compared > 1000
    exercise, *_ = checks.exercises("normalization")
    (reversed_,) = (o for o in live.known(exercise) if o.id == "momentum_reversed")
    visible = [c for c in checks.of(exercise) if c.visible]
    observed = {c: live.trace((reversed_,), exercise, c) for c in visible}
    [diagnosis] = Namer(checks, lambda _: again).name(
        exercise, observed
    )  # from visible checks alone
    assert reversed_.id in diagnosis.ids
