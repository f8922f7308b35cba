"""Find the smallest example: the first small question with a wrong answer."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

import torch
from torch import Tensor

from autograder.checking import remarks
from autograder.checking.agreement import Wrong, assert_agree
from autograder.checking.influence import Influence, changed_inputs, influence, rows
from autograder.checking.remarks import Look, WrongResult
from autograder.checking.results import is_showable, parts
from autograder.checking.small import SmallQuestion, questions
from autograder.checking.tolerance import allowed
from autograder.checking.trial import Trial
from autograder.client import Called, Client, Module, ReferenceFailed, Reply, StepFailed

START = 1  # of the random numbers, before each object is built
CLEAR = 1e-2  # a difference that is easy to see
VISIBLE = 2e-6  # a difference in the first six decimals
SENTENCES = 2  # about one example, at most
FEW = 10  # questions that are asked first


@dataclass(frozen=True, eq=False)
class Example:
    """A small question, and how a submission's answer differs from the expected one.

    results: the results that differ; empty if the call raises an error. in_evaluation: they come
    from the same call, repeated after eval(). said: sentences about them. names: the statement's
    names of the inputs. at_line: a title, and what the line of the mistake makes in the call. more:
    parameters that the statement does not have. own: all weights, by the code's own names; empty
    before that is known. rebuilds: whether the same call of a new object gives the same results.
    """

    small: SmallQuestion
    results: tuple[WrongResult, ...]
    in_evaluation: bool
    said: tuple[str, ...]
    names: tuple[str, ...] = ()
    at_line: tuple[str, Tensor] | None = None
    more: Mapping[str, Tensor] = field(default_factory=dict)
    own: Mapping[str, Tensor] = field(default_factory=dict)
    rebuilds: bool = True


@dataclass(frozen=True)
class ExpectedAnswers:
    """The reference's answers to a small question.

    calls: for the inputs as they are. changes: for other numbers in the last or the first row;
    empty if the weights are so simple that rows may be equal.
    """

    small: SmallQuestion
    calls: list[Called]
    changes: list[Called]

    @property
    def is_finite(self) -> bool:
        """Return whether all numbers of the answers are finite, so that they can be compared."""
        return all(t.isfinite().all() for called in self.calls for t in parts(called.output))


def expected_answers(trial: Trial, reference: Callable[[], Client]) -> list[ExpectedAnswers]:
    """Return the reference's answers to all small questions.

    Left out are those that it cannot answer, such as one about four features for three heads, and
    those whose answers are not finite. reference: begins a conversation with it.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # e.g. about the variance of one number
        asked = questions(trial, reference)
        try:
            known = _answers(asked, reference())
        except ReferenceFailed:  # then one after the other, which takes longer
            known = []
            for small in asked:
                with suppress(ReferenceFailed):
                    known += _answers([small], reference())
    return [one for one in known if one.is_finite]


def _answers(asked: Sequence[SmallQuestion], reference: Client) -> list[ExpectedAnswers]:
    """Return the reference's answers to questions of one conversation. Raises ReferenceFailed."""
    replies = []
    for small in asked:
        module = small.trial.build(reference).load(small.weights)
        calls = _call(module, small)
        replies.append((small, calls, [] if small.simple else _call_changed(module, small)))
    return [
        ExpectedAnswers(small, [r.value for r in calls], [r.value for r in changes])
        for small, calls, changes in replies
    ]


@dataclass(frozen=True, eq=False)
class _Asked:
    """A small question that a submission was asked. module: the object that answers."""

    expected: ExpectedAnswers
    module: Module
    calls: list[Reply[Called]]

    @property
    def small(self) -> SmallQuestion:
        return self.expected.small


Found = list[tuple[Example, _Asked]]


def smallest(submission: Client, known: Sequence[ExpectedAnswers]) -> Example | None:
    """Return the first small question with a wrong answer, or None if all answers agree.

    Prefers an equally small question whose answer shows a look into the future. An error is an
    example only if other questions get right answers.
    """
    shares = remarks.shares([parts(one.calls[0].output) for one in known])
    order = remarks.order(
        [[parts(c.output) for c in (one.calls[0], *one.changes)] for one in known]
    )
    asked: list[_Asked] = []
    found: Found = []
    try:
        for together in _in_turn(known, order):
            new = _ask(submission, together)
            asked += new
            found += _examples(submission, new, shares, presumes_rounding=True)
            if any(_is_within_two(example.small) and _gap(example) > CLEAR for example, _ in found):
                break
        else:
            if not any(example.results for example, _ in found):
                found = _examples(submission, asked, shares)
    except StepFailed:  # it was stopped
        return None
    if differing := [(example, one) for example, one in found if example.results]:
        return _best(differing, order)
    return found[0][0] if found and len(found) < len(asked) else None


def _examples(
    submission: Client,
    asked: Sequence[_Asked],
    shares: Sequence[bool],
    presumes_rounding: bool = False,
) -> Found:
    """Return the questions with wrong answers, see `_compared`. Raises StepFailed."""
    compared = ((_compared(submission, one, shares, presumes_rounding), one) for one in asked)
    return [(example, one) for example, one in compared if example]


def _in_turn(known: Sequence[ExpectedAnswers], order: str) -> Iterator[Sequence[ExpectedAnswers]]:
    """Yield the small questions that are asked together, until a difference is clear.

    Those within two first; of these only a few at first, unless one of them may show a look into
    the future.
    """
    within = [one for one in known if _is_within_two(one.small)]
    few = 0 if order == "past" else FEW
    yield from filter(None, (within[:few], within[few:], known[len(within) :]))


def _ask(submission: Client, together: Sequence[ExpectedAnswers]) -> list[_Asked]:
    """Ask small questions together, each of an object of its own, which no call has changed."""
    modules = [_new(submission, one.small.trial) for one in together]
    return [
        _Asked(one, module, _call(module.load(one.small.weights), one.small))
        for one, module in zip(together, modules, strict=True)
    ]


def _new(submission: Client, trial: Trial) -> Module:
    submission.seed(START)
    return trial.build(submission, keep=False)


def _call(module: Module, small: SmallQuestion) -> list[Reply[Called]]:
    """Call a module; a plain class, whose calls may change its state, again after eval()."""
    calls = [module(*small.inputs)]
    if small.trial.tensors:
        calls.append(module.eval()(*small.inputs))
        module.train()
    return calls


def _call_changed(module: Module, small: SmallQuestion) -> list[Reply[Called]]:
    """Call with other numbers in the last row, then in the first; no call without two rows."""
    if rows(small) < 2:
        return []
    return [module(*changed_inputs(small, (..., row))) for row in (-1, 0)]


def _compared(
    submission: Client, asked: _Asked, shares: Sequence[bool], presumes_rounding: bool
) -> Example | None:
    """Return an example if an answer differs in numbers or shape, else None.

    An error makes an example without results. presumes_rounding: a difference that float32 can
    explain counts as none, instead of a question whether it does. Raises StepFailed.
    """
    small = asked.small
    for in_evaluation, (reply, want) in enumerate(
        zip(asked.calls, asked.expected.calls, strict=True)
    ):
        try:
            got = reply.value
        except StepFailed as failed:
            if failed.problem.kind != "raised":
                raise
            text = f"It raises {failed.problem.type} here; other small examples give right results."
            return Example(small, (), False, (text,))
        if presumes_rounding:
            got = replace(got, rounds=lambda: True)
        try:
            assert_agree(submission, "", got, want, small.operation)
        except Wrong:
            results = tuple(_differing(small, got.output, want.output, shares))
            return Example(small, results, bool(in_evaluation), ()) if results else None
    return None


def _differing(
    small: SmallQuestion, got: Any, want: Any, shares: Sequence[bool]
) -> Iterator[WrongResult]:
    """Yield the results that differ, if all results are tensors; skip those too large to show."""
    ours, theirs = parts(got), parts(want)
    if len(ours) != len(theirs) or isinstance(got, list) is not isinstance(want, list):
        return
    for i, (one, other) in enumerate(zip(ours, theirs, strict=True)):
        name = f"result {i}" if len(theirs) > 1 else ""
        if not is_showable(one):
            continue
        one, apart = one.double(), None
        if one.shape == other.shape:
            dtype = torch.float32 if ours[i].dtype is torch.float32 else torch.float64
            apart = ~((one - other).abs() <= allowed(other, small.operation, dtype))
        if apart is None or apart.any():
            yield WrongResult(name, other, one, apart, shares[i])


def _best(differing: Found, order: str) -> Example:
    """Return the first example, or an equally small one that tells more, with its sentences."""
    future = _future(differing) if order == "past" else None
    if future is not None:
        return future
    small = [found for found in differing if _is_within_two(found[0].small)]
    chosen = small if any(_gap(found[0]) > VISIBLE for found in small) else differing
    clear = (found for found in chosen if _gap(found[0]) > CLEAR)
    example, asked = next(clear, max(chosen, key=lambda found: _gap(found[0])))
    influence = _influence(asked, order) if order and not example.in_evaluation else []
    sentences = [*influence, *remarks.describe(asked.small.inputs, example.results)]
    return replace(example, said=tuple(sentences[:SENTENCES]))


def _gap(example: Example) -> float:
    return max((result.gap for result in example.results), default=0.0)


def _is_within_two(small: SmallQuestion) -> bool:
    tensors = [x for x in small.inputs if isinstance(x, Tensor)]
    return all(size <= 2 for tensor in tensors for size in tensor.shape)


def _future(differing: Found) -> Example | None:
    """Return the first example within two that shows a look into the future, which it says.

    If none does, one whose row looks at a later position of another sequence. Sends one question
    about the first that may be one, and one about all others.
    """
    seeming = [
        (example, asked, look)
        for example, asked in differing
        if _is_within_two(example.small) and not example.in_evaluation
        for result in example.results
        if (look := remarks.future(asked.small.inputs, asked.small.simple, result))
    ]
    found: list[tuple[Example, Look, Influence]] = []
    for together in (seeming[:1], seeming[1:]):
        new = [(each, look, _ask_influence(asked, look.position)) for each, asked, look in together]
        for example, look, answer in new:
            if answer.own(look.row, look.sequence) is not None:
                return replace(example, said=(look.ahead,))
        found += new
    for example, look, answer in found:
        if look.sequence and (pair := answer.other(look.row, look.sequence)):
            return replace(example, said=(look.elsewhere(pair[1]),))
    return None


def _ask_influence(asked: _Asked, row: int) -> Influence:
    shapes = [part.shape for part in parts(asked.expected.calls[0].output)]
    return influence(asked.module, asked.small, shapes, row)


def _influence(asked: _Asked, order: str) -> list[str]:
    """Say that a row depends on one that it must not depend on, if so. Sends one question."""
    last = rows(asked.small) - 1
    if last < 1:
        return []
    answer = _ask_influence(asked, last)
    why = "which lies in its future" if order == "past" else "but must depend on itself only"
    if (sequence := answer.own(0)) is not None:
        whose = "that sequence" if len(answer.changed) > 1 else "the input"
        first = remarks.row_name(sequence, 0, answer.leading)
        return [f"{first} changes when row {last} of {whose} does, {why}."]
    if pair := answer.other(0):
        sequence, other = pair
        first = remarks.row_name(sequence, 0, answer.leading)
        which = remarks.row_name(other, last, answer.leading).replace("Row", "row")
        return [f"{first} changes when {which} does, {remarks.ELSEWHERE}."]
    return []
