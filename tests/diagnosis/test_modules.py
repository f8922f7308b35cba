"""Modules with mistakes are made and tested with little work, and give the same answers."""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache

import pytest
import torch
from conftest import sampled

from autograder.checking import Wrong
from autograder.checking.collect import Checks, Collected
from autograder.client import Layout, LocalImplementation, loading
from autograder.course import assignments
from autograder.course.exercise import Exercise
from autograder.course.misconceptions import misconceptions
from autograder.diagnosis.known_mistakes import Mistakes, Traces
from autograder.diagnosis.live import LiveMistakes, asking
from autograder.diagnosis.live.asking import LiveSearch
from autograder.diagnosis.live.copies import copied
from autograder.diagnosis.live.modules import FIRST, Modules
from autograder.diagnosis.live.solution import Solution
from autograder.diagnosis.live.watch import Watch
from autograder.diagnosis.naming import Namer
from autograder.diagnosis.trace import OTHER_LAYOUT, Trace, answered, trace
from autograder.grading.runner import CheckRunner
from autograder.runtime import calling
from autograder.runtime.interpreter import Interpreter
from autograder.runtime.questions import Build, Call, Descend, Load, Move, ObjectStep, Step, Values
from autograder.sandbox import Limits

EVERY = 11  # step through the misconceptions of an assignment
load = cache(loading.load)
Count = Callable[[], int]


@pytest.fixture
def transformer(checks: Checks) -> tuple[LiveMistakes, Exercise, Namer]:
    known_mistakes = LiveMistakes("transformer", checks, load)
    exercise = checks.exercises("transformer")[0]
    return known_mistakes, exercise, Namer(checks, lambda _: known_mistakes)


def single(known_mistakes: LiveMistakes, exercise: Exercise, identity: str) -> Mistakes:
    return (next(known for known in known_mistakes.known(exercise) if known.id == identity),)


def left_by(checks: Checks, exercise: Exercise, *identities: str) -> Traces:
    """Return the traces of mistakes, found with a cache of their own."""
    apart = LiveMistakes(checks.home(exercise), checks, load)
    mistakes = tuple(single(apart, exercise, identity)[0] for identity in identities)
    return {c: apart.trace(mistakes, exercise, c) for c in checks.of(exercise)}


def counted(monkeypatch: pytest.MonkeyPatch, kind: type[Step]) -> Count:
    """Count how often a step is carried out in this process."""
    done: list[None] = []
    carry_out = Interpreter._value

    def counting(self: Interpreter, step: Step, following: Sequence[Step]) -> object:
        done.extend([None] * isinstance(step, kind))
        return carry_out(self, step, following)

    monkeypatch.setattr(Interpreter, "_value", counting)
    return lambda: len(done)


@pytest.mark.dear
@pytest.mark.parametrize("assignment", sampled(assignments()))
def test_what_is_copied_answers_as_what_is_built(assignment: str, checks: Checks) -> None:
    modules, solution = Modules(assignment, checks, load), Solution(assignment)
    exercises = {exercise.name: exercise for exercise in checks.exercises(assignment)}
    for mistake in misconceptions(assignment)[::EVERY]:
        exercise = exercises[mistake.exercise]
        known = next(k for k in modules.known(exercise) if k.id == mistake.id)
        runner = CheckRunner(
            checks, load, LocalImplementation(solution.mistaken(mistake)), Limits()
        )
        for collected in checks.of(exercise):
            run = runner.run(exercise, collected)
            assert run.client is not None
            ours = modules.trace((known,), exercise, collected)
            assert trace(run, run.client).is_like(ours, frozenset()), (
                mistake.id,
                collected,
            )


def test_a_copy_has_its_own_numbers_and_none_of_the_random_ones() -> None:
    model = torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.BatchNorm1d(3))
    copy = copied(model, {torch.nn.Linear: torch.nn.Bilinear})
    assert [type(part) for part in copy.children()] == [torch.nn.Bilinear, torch.nn.BatchNorm1d]
    before = {name: tensor.clone() for name, tensor in model.state_dict().items()}
    assert before.keys() == copy.state_dict().keys()
    for name, tensor in copy.state_dict().items():
        assert torch.equal(tensor, before[name])
        tensor.add_(1)
    assert all(torch.equal(tensor, before[name]) for name, tensor in model.state_dict().items())


def test_only_other_constructors_are_built(checks: Checks) -> None:
    solution = Solution("transformer")
    by_id = {mistake.id: mistake for mistake in misconceptions("transformer")}
    for identity, copies in (("no_mask", True), ("no_skip1", True), ("qkv_bias", False)):
        edited = solution.mistaken(by_id[identity])
        assert edited.load(keep=False) is None
        assert bool(edited.classes()) == copies
        assert all(right is not own for right, own in edited.classes().items())


@pytest.mark.dear
def test_a_mistake_that_only_training_shows_is_named_with_few_trainings(
    transformer: tuple[LiveMistakes, Exercise, Namer],
    checks: Checks,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    _, exercise, namer = transformer
    observed = left_by(checks, exercise, "padding_idx")
    trained, called = counted(monkeypatch, Descend), counted(monkeypatch, Call)
    built = counted(monkeypatch, Build)
    assert [d.ids for d in namer.name(exercise, observed)] == [("padding_idx",)]
    assert trained() <= 6  # two of each that is asked
    assert called() <= 275  # 264 with what is known by now
    assert built() <= 275  # else more: for what passed, though what failed tells more


def test_the_first_step_of_a_training_tells_whether_it_is_random(
    checks: Checks, monkeypatch: pytest.MonkeyPatch
) -> None:
    modules, exercise = Modules("transformer", checks, load), checks.exercises("transformer")[0]
    trains = next(c for c in checks.of(exercise) if c.name == "model_trains")
    count = len(modules.steps(exercise, trains))
    steps: list[int] = []
    descend = calling.descend

    def seen(made: object, step: Descend) -> list[float]:
        steps.append(step.steps)
        return descend(made, step)

    monkeypatch.setattr(calling, "descend", seen)
    asked = modules.steps(
        exercise, trains
    )  # of one with given weights, and two from their own start
    own = {
        i
        for i, step in enumerate(asked)
        if isinstance(step, ObjectStep) and step.of in (1, 2) and not isinstance(step, Build)
    }
    assert modules.random(exercise, trains, count) == own
    assert steps == [1] * 4  # each of the two, twice
    modules._steps[trains.name] = [s for s in asked if not isinstance(s, Load)]
    both = {i for i, s in enumerate(modules._steps[trains.name]) if not isinstance(s, Build)}
    assert modules.random(exercise, trains, count - 1) == both


@pytest.mark.dear
def test_what_two_mistakes_do_in_training_is_not_asked(
    transformer: tuple[LiveMistakes, Exercise, Namer],
    checks: Checks,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    known_mistakes, exercise, _ = transformer
    observed = left_by(checks, exercise, "padding_idx")
    trained = counted(monkeypatch, Descend)
    assert known_mistakes.search(exercise, observed).pairs() == []
    assert trained() <= 5


@pytest.mark.dear
def test_where_few_can_be_meant_few_are_asked_much(
    transformer: tuple[LiveMistakes, Exercise, Namer],
    checks: Checks,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Testing the device takes many steps, so that few candidates may be tested for it."""
    known_mistakes, exercise, namer = transformer
    observed = left_by(checks, exercise, "cpu_pos")
    moved = counted(monkeypatch, Move)
    [diagnosis] = namer.name(exercise, observed)
    assert "cpu_pos" in diagnosis.ids
    assert moved() < len(known_mistakes.known(exercise)) / 4


@pytest.mark.dear
def test_other_layouts_are_tried_until_enough_is_known(
    transformer: tuple[LiveMistakes, Exercise, Namer],
    checks: Checks,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    known_mistakes, exercise, namer = transformer
    judge = next(collected for collected in checks.of(exercise) if collected.check.layout)
    observed = left_by(checks, exercise, "d_heads")
    assert len(observed[judge].answers) > 2 * FIRST
    assert observed[judge].category not in ("", OTHER_LAYOUT)
    loaded = counted(monkeypatch, Load)
    one = single(known_mistakes, exercise, "d_heads")
    assert known_mistakes.search(exercise, observed).leaves(one, judge, frozenset())
    assert loaded() <= FIRST / 2 + 5  # and some of the reference
    others = Trace(observed[judge].category, "", observed[judge].answers[:FIRST])
    longer = Trace(others.category, "", others.answers + others.answers)
    assert known_mistakes.search(exercise, {judge: longer}).leaves(one, judge, frozenset())
    before = loaded()
    assert [d.ids for d in namer.name(exercise, observed)] == [("d_heads",)]
    assert loaded() - before <= len(known_mistakes.known(exercise)) + 2 * FIRST
    whole = known_mistakes.trace(
        one, exercise, judge
    )  # all that is asked is remembered, and no less
    assert whole.is_like(observed[judge], frozenset())
    assert known_mistakes.search(exercise, {judge: longer}).leaves(one, judge, frozenset())


@pytest.mark.dear
def test_a_layout_that_is_found_late_is_found(checks: Checks) -> None:
    exercise = checks.exercises("multi_head")[1]
    observed = left_by(checks, exercise, "split_merge_dh")
    assert any(t.category == OTHER_LAYOUT and len(t.answers) > FIRST for t in observed.values())
    known_mistakes = LiveMistakes("multi_head", checks, load)
    [diagnosis] = Namer(checks, lambda _: known_mistakes).name(exercise, observed)
    assert "split_merge_dh" in diagnosis.ids
    last = checks.of(exercise)[-1]
    search = known_mistakes.search(exercise, observed)
    expensive = search._whole(last)
    right = {c: known_mistakes.trace((), exercise, c) for c in observed}
    assert list(known_mistakes.search(exercise, right)._openings(expensive))
    assert not list(search._openings(expensive))  # all passed in that layout


@pytest.mark.dear
@pytest.mark.parametrize("assignment", sampled(["attention_layer", "causal_attention"]))
def test_what_is_watched_is_like_what_is_remembered(assignment: str, checks: Checks) -> None:
    whole, compared = Modules(assignment, checks, load), [0, 0]
    for exercise in checks.exercises(assignment):
        asked = [(known,) for known in whole.known(exercise)[::EVERY]]
        for mistakes in asked:
            observed = {c: whole.trace(mistakes, exercise, c) for c in checks.of(exercise)}
            watched = Modules(assignment, checks, load)
            for other in asked:
                for collected in in_order(observed):
                    ignored = whole.random(exercise, collected, len(observed[collected].answers))
                    expected = whole.trace(other, exercise, collected)
                    found = watched.leaves(other, exercise, collected, observed[collected], ignored)
                    if expected.has_standard_layout == observed[collected].has_standard_layout:
                        is_like = expected.is_like(observed[collected], ignored)
                        assert found == is_like, (mistakes, other, collected.name)
                        compared[found] += 1
    assert min(compared) > 30


def in_order(observed: Traces) -> Iterator[Collected]:
    """Yield all checks with the layout check last, then with it first; the order matters."""
    yield from sorted(observed, key=lambda collected: collected.check.layout)
    yield from sorted(observed, key=lambda collected: not collected.check.layout)


def answer(number: float) -> dict[str, object]:
    return {"value": torch.tensor(number, dtype=torch.float64)}


def seen(watch: Watch, *numbers: float) -> bool | None:
    """Return what a watch knows after these answers in one conversation."""
    watch.begin(None)
    try:
        watch.see([Values(0)] * len(numbers), [answer(number) for number in numbers])
    except Wrong:
        assert watch.agrees is not None
    return watch.agrees


def test_a_watch_stops_when_it_knows() -> None:
    observed = Trace(
        "", "", tuple(answered(Values(0), answer(number)) for number in (1.0, 2.0, 3.0))
    )
    assert seen(Watch(observed, frozenset(), None), 1.0, 2.0, 3.0) is None
    assert seen(Watch(observed, frozenset(), None), 1.0, 2.5) is False
    assert seen(Watch(observed, frozenset([1]), None), 1.0, 2.5) is None
    assert seen(Watch(observed, frozenset(), 2), 1.0, 2.0, 4.0) is True
    assert seen(Watch(observed, frozenset(), None), 1.0, 2.0, 3.0, 4.0) is False


def test_a_watch_only_sees_a_conversation_that_is_like_the_submissions() -> None:
    observed = Trace("", "", (answered(Values(0), answer(1.0)),))
    other, again, refused = (Watch(observed, frozenset(), None) for _ in range(3))
    other.begin(Layout({"W_q": ("query", True)}))
    other.see([Values(0)], [answer(2.0)])
    assert seen(again, 1.0) is None
    assert seen(again, 2.0) is None  # the same, asked again in another layout
    refused.begin(None)
    names = {"kind": "names", "type": "", "text": ""}
    refused.see([Load(0, {})], [{"problem": names}])
    assert {watch.agrees for watch in (other, again, refused)} == {None}


def test_a_watch_of_what_failed_does_not_wait_for_other_names() -> None:
    names = {"problem": {"kind": "names", "type": "", "text": "W_q"}}
    others = {"problem": {"kind": "names", "type": "", "text": "W_a"}}
    for category, agrees in (("wrong values", False), ("", None), (OTHER_LAYOUT, None)):
        watch = Watch(Trace(category, "", (answered(Load(0, {}), names),)), frozenset(), None)
        watch.begin(None)
        with contextlib.suppress(Wrong):
            watch.see([Load(0, {})], [others])
        assert watch.agrees is agrees


def named(checks: Checks, name: str, *identities: str) -> tuple[LiveMistakes, Traces, Exercise]:
    exercise = next(c.check.exercise for c in checks.collected if c.check.exercise.name == name)
    known_mistakes = LiveMistakes(checks.home(exercise), checks, load)
    return known_mistakes, left_by(checks, exercise, *identities), exercise


@pytest.mark.dear
@pytest.mark.parametrize(
    ("name", "one", "other", "most"),
    [
        ("SelfAttention", "dims_swapped", "returns_weights_too", 12),  # 10.4 as it is
        ("SelfAttention", "qk_swapped", "linear", 30),  # 28.6
        ("CausalAttention", "batch_softmax", "plain_parameters", 7),  # 6.2
        ("TinyTransformer", "no_ln_f", "outer_skip", 5),  # 4.0
    ],
)
def test_where_the_stated_layout_does_not_fit_few_others_are_tried(
    name: str, one: str, other: str, most: int, checks: Checks, monkeypatch: pytest.MonkeyPatch
) -> None:
    """most: modules that are built for each misconception that is known, and its pairs."""
    known_mistakes, observed, exercise = named(checks, name, one, other)
    built = counted(monkeypatch, Build)
    Namer(checks, lambda _: known_mistakes).name(exercise, observed)
    assert built() / len(known_mistakes.known(exercise)) <= most


@pytest.mark.dear
def test_what_is_presumed_is_not_remembered(checks: Checks) -> None:
    """After a layout check that found none, modules with a layout are tested without it."""
    known_mistakes, observed, exercise = named(checks, "MultiHeadAttention", "split_merge_dh")
    judge = next(collected for collected in checks.of(exercise) if collected.check.layout)
    assert observed[judge].category == OTHER_LAYOUT
    one = single(known_mistakes, exercise, "split_merge_dh")
    for collected in checks.of(exercise)[checks.of(exercise).index(judge) + 1 :]:
        stated = known_mistakes.trace((), exercise, collected)
        assert stated.has_standard_layout and not observed[collected].has_standard_layout
        plain = known_mistakes.search(exercise, {collected: stated})
        plain.leaves(one, collected, frozenset())
        assert known_mistakes.search(exercise, observed).leaves(one, collected, frozenset())
        plain.leaves(one, collected, frozenset())
        assert known_mistakes.trace(one, exercise, collected).is_like(
            observed[collected], frozenset()
        )


@pytest.mark.dear
def test_nothing_is_said_when_the_work_is_too_much(
    checks: Checks, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Cached answers make no difference to the budget."""
    known_mistakes, observed, exercise = named(checks, "SelfAttention", "dims_swapped", "causal")
    namer = Namer(checks, lambda _: known_mistakes)
    built = counted(monkeypatch, Build)
    with monkeypatch.context() as less:
        less.setattr(asking, "MAX_WORK", asking.WORK)
        assert namer.name(exercise, observed) == ()
        assert built() <= 400
    searches: list[LiveSearch] = []

    def search(exercise: Exercise, observed: Traces) -> LiveSearch:
        searches.append(LiveMistakes.search(known_mistakes, exercise, observed))
        return searches[-1]

    monkeypatch.setattr(known_mistakes, "search", search)
    found = namer.name(exercise, observed)
    assert {d.ids for d in found} == {("dims_swapped",), ("causal",)}
    work = searches[-1].work
    assert asking.WORK < work < asking.MAX_WORK
    monkeypatch.setattr(asking, "MAX_WORK", work)
    assert namer.name(exercise, observed) == found
    monkeypatch.setattr(asking, "MAX_WORK", work - 1)
    assert namer.name(exercise, observed) == ()


@pytest.mark.dear
@pytest.mark.parametrize(
    ("name", "one", "other"),
    [
        ("AttentionHead", "residual", "other_names"),  # one of which answers in another layout
        ("MultiHeadList", "dim_k_divided", "aggregated_each"),  # both cannot be loaded
    ],
)
def test_two_are_named_though_their_beginnings_tell_little(
    name: str, one: str, other: str, checks: Checks
) -> None:
    known_mistakes, observed, exercise = named(checks, name, one, other)
    found = Namer(checks, lambda _: known_mistakes).name(exercise, observed)
    assert {one, other} <= {identity for diagnosis in found for identity in diagnosis.ids}


@pytest.mark.dear
def test_the_same_is_named_whatever_was_asked_before(checks: Checks) -> None:
    exercise = checks.exercises("causal_attention")[2]
    known_mistakes = LiveMistakes("causal_attention", checks, load)
    used = Namer(checks, lambda _: known_mistakes)
    for identities in (("no_mask", "dropout_twice"), ("no_scale", "dropout_twice")):
        observed = left_by(checks, exercise, *identities)
        fresh = LiveMistakes("causal_attention", checks, load)
        found = Namer(checks, lambda _, fresh=fresh: fresh).name(exercise, observed)  # type: ignore[misc]
        assert found
        assert used.name(exercise, observed) == used.name(exercise, observed) == found


def test_python_warns_nobody_of_code_that_two_mistakes_make() -> None:
    """Two edits in one line may give code such as `3[2]`, about which Python warns."""
    right = misconceptions("running_averages")[0]
    name = right.exercise
    line = f"def {name}("
    odd = replace(right, edits=((line, f"def _odd():\n    return 3[2]\n\n\n{line}"),))
    wrong = Solution("running_averages").mistaken(odd)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert wrong.load(keep=False) is None
