"""What holds for every module of the course, each law written once.

A law first asks what it needs to know of a module, then yields, then judges the replies and
raises Wrong (or Trouble, when the submission could not do what it was asked). So several laws
put to `hold` together cost one question.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import torch
from torch import Tensor

from autograder.channel import Called, Course, Module, Reply
from autograder.comparison.agreement import (
    Wrong,
    assert_agree,
    assert_same_numbers,
    described,
)
from autograder.comparison.draw import Draw
from autograder.comparison.trial import Trial

Law = Iterator[None]
ROOT_OF_LARGE = 100.0  # scores of 10,000 overflow exp in float64 as in float32


def hold(*laws: Law) -> None:
    """Let every law ask, then let every law judge."""
    for law in laws:
        next(law)
    for law in laws:
        next(law, None)


def behaves(submission: Course, reference: Course, draw: Draw, trial: Trial) -> None:
    """What is expected of every module that maps a batch of sequences to another.

    It is tried on the first case of the trial.
    """
    weights = trial.weights(reference, draw)
    module = trial.build(submission).load(weights)
    second = trial.build(submission, keep=False)
    inputs = next(iter(trial.cases(draw).values()))
    first = module(*inputs)
    hold(
        leaves_its_arguments_alone(first),
        keeps_sequences_apart(module, inputs, first, draw),
        is_the_same_again(module, inputs, first),
        hands_over_its_state(module, second, weights, inputs, first),
        moves_as_a_whole(second, inputs),
        survives_large_scores(submission, reference, trial, weights, draw),
    )


def has_parameters(submission: Course, reference: Course, trial: Trial) -> None:
    """Its parameters have the reference's names and shapes and are trained, and it has no more."""
    got = trial.build(submission).parameters().value
    expected = trial.build(reference).parameters().value
    for name, parameter in expected.items():
        if name not in got:
            have = ", ".join(got) or "none"
            raise Wrong("wrong parameters", f"There is no parameter {name}; yours are: {have}.")
        if got[name].shape != parameter.shape:
            shapes = f"expected shape {parameter.shape}, got {got[name].shape}"
            raise Wrong("wrong parameters", f"{name}: {shapes}.")
        if got[name].trained != parameter.trained:
            raise Wrong("wrong parameters", f"{name} is not trained (requires_grad is False).")
    for name in got:
        if name not in expected:
            raise Wrong("wrong parameters", f"There is a parameter {name} too many.")


def agrees(submission: Course, reference: Course, draw: Draw, *trials: Trial) -> None:
    """With the same random weights, every case gives the same output.

    Asked in float64; the first case also in float32.
    """
    asked: list[tuple[str, Reply[Called], Reply[Called], torch.dtype]] = []
    for trial in trials:
        weights = trial.weights(reference, draw)
        theirs, ours = (trial.build(side).load(weights) for side in (reference, submission))
        for label, inputs in trial.cases(draw).items():
            asked.append((label, ours(*inputs), theirs(*inputs), torch.float64))
            if len(asked) == 1:
                single = trial.build(submission, torch.float32).load(weights)
                asked.append((f"{label} (float32)", single(*inputs), asked[0][2], torch.float32))
    _judge(submission, asked)


def agrees_strided(submission: Course, reference: Course, draw: Draw, *trials: Trial) -> None:
    """As `agrees`, with inputs that are not contiguous in memory, and in float64 only."""
    asked = []
    for trial in trials:
        weights = trial.weights(reference, draw)
        theirs, ours = (trial.build(side).load(weights) for side in (reference, submission))
        for label, inputs in trial.cases(draw).items():
            asked.append((label, ours(*inputs, strided=True), theirs(*inputs), torch.float64))
    _judge(submission, asked)


def agrees_with(
    weights: Mapping[str, Tensor], submission: Course, reference: Course, trial: Trial
) -> None:
    """With given weights, every case gives the same output."""
    ours, theirs = (trial.build(side).load(weights) for side in (submission, reference))
    cases = trial.cases(Draw(trial.exercise))
    _judge(
        submission,
        [(label, ours(*x), theirs(*x), torch.float64) for label, x in cases.items()],
    )


def gradients_agree(submission: Course, reference: Course, draw: Draw, trial: Trial) -> None:
    """The first case gives the same output and gradients, in float64 and in float32."""
    weights = trial.weights(reference, draw)
    label, inputs = next(iter(trial.cases(draw).items()))
    expected = trial.build(reference).load(weights)(*inputs, gradient=True)
    ours = trial.build(submission).load(weights)(*inputs, gradient=True)
    single = trial.build(submission, torch.float32).load(weights)(*inputs, gradient=True)
    _judge(
        submission,
        [
            (label, ours, expected, torch.float64),
            (f"{label} (float32)", single, expected, torch.float32),
        ],
    )


def survives_large_scores(
    submission: Course, reference: Course, trial: Trial, weights: Mapping[str, Tensor], draw: Draw
) -> Law:
    """With scores of about 10,000 the result is finite and right.

    The weights are enlarged to that end, or the inputs where there are no weights. Asked in
    float64 only: in float32 a rounded score of 10,000 may rightly tip the balance of two keys.
    """
    weights = {name: weight * ROOT_OF_LARGE for name, weight in weights.items()}
    label, inputs = next(iter(trial.cases(draw).items()))
    if not weights:
        inputs = tuple(x * ROOT_OF_LARGE for x in inputs)
    want = trial.build(reference).load(weights)(*inputs)
    got = trial.build(submission).load(weights)(*inputs)
    yield
    label = f"{label}, scores of 10,000"
    assert_agree(submission, label, got.value, want.value, magnitude=ROOT_OF_LARGE**2)


def leaves_its_arguments_alone(called: Reply[Called]) -> Law:
    """The tensors that it was given are the same afterwards."""
    yield
    if called.value.changed:
        which = ", ".join(str(i) for i in called.value.changed)
        text = f"After the call, argument {which} is no longer what it was."
        raise Wrong("changed its argument", text)


def keeps_sequences_apart(
    module: Module, inputs: Sequence[Tensor], before: Reply[Called], draw: Draw
) -> Law:
    """Changing the sequences before and behind one leaves its result as it was.

    before: the reply to the inputs as they are, a batch of three or more.
    """
    middle = inputs[0].shape[0] // 2
    other = [draw.normal(*x.shape).clone() for x in inputs]
    for new, old in zip(other, inputs, strict=True):
        new[middle] = old[middle]
    after = module(*other)
    yield
    for old, new in _pairs(before, after):
        if old.shape != new.shape or old.shape[:1] != inputs[0].shape[:1]:
            raise Wrong("wrong shape", "The result of a batch has no place for its sequences.")
        if not _close(old[middle], new[middle]):
            text = f"The result of sequence {middle} of a batch changes when the others change."
            raise Wrong("sequences influence each other", text)


def is_the_same_again(module: Module, inputs: Sequence[Tensor], first: Reply[Called]) -> Law:
    """Asked again after eval(), it gives the same result as at first, in training."""
    again = module.eval()(*inputs)
    module.train()
    yield
    for old, new in _pairs(first, again):
        if old.shape != new.shape:
            raise Wrong("wrong shape", "The same input gives another shape after eval().")
        assert_same_numbers("The same input after eval()", new, old, torch.float64)


def hands_over_its_state(
    module: Module,
    second: Module,
    weights: Mapping[str, Tensor],
    inputs: Sequence[Tensor],
    before: Reply[Called],
) -> Law:
    """Each parameter keeps its own numbers, and a state_dict makes a second module equal.

    module has been loaded with the weights and gave `before` for the inputs.
    """
    kept = module.values()
    handed = module.hand_over(second)
    after = second(*inputs)
    yield
    for name, weight in weights.items():
        own = kept.value.get(name)
        if own is None:
            raise Wrong("wrong parameters", f"{name} is not among the registered parameters.")
        if own.shape != weight.shape or not torch.equal(own, weight):
            text = f"{name} does not keep the numbers put into it. Is it one tensor with another?"
            raise Wrong("parameters are not independent", text)
    handed.value  # noqa: B018  (raises what went wrong)
    for old, new in _pairs(before, after):
        if old.shape != new.shape or not _close(old, new):
            text = "A second one with the same state_dict gives another result."
            raise Wrong("state is not complete", text)


def moves_as_a_whole(module: Module, inputs: Sequence[Tensor]) -> Law:
    """Moved to another device, it leaves no tensor behind and makes none elsewhere."""
    moved = module.move(*inputs)
    yield
    if moved.value:
        text = (
            f"On another device (a GPU, say) `{moved.value[0]}` would meet a tensor that stayed on "
            "the CPU: one that is not registered, or was made without device=."
        )
        raise Wrong("stays behind when moved", text)


def _judge(
    submission: Course, asked: Sequence[tuple[str, Reply[Called], Reply[Called], torch.dtype]]
) -> None:
    for label, got, expected, dtype in asked:
        assert_agree(submission, label, got.value, expected.value, dtype)


def _pairs(one: Reply[Called], other: Reply[Called]) -> Iterator[tuple[Tensor, Tensor]]:
    ours, theirs = _tensors(one.value.output), _tensors(other.value.output)
    if len(ours) != len(theirs):
        raise Wrong("wrong kind of result", "Two calls give results of different kinds.")
    return zip(ours, theirs, strict=True)


def _tensors(output: object) -> list[Tensor]:
    """The tensors in an output. Raises Wrong where there is something else in it."""
    if isinstance(output, list):
        return [tensor for item in output for tensor in _tensors(item)]
    if isinstance(output, Tensor) and output.is_floating_point():
        return [output]
    text = f"Expected floating-point numbers, got {described(output)}."
    raise Wrong("wrong kind of result", text)


def _close(old: Tensor, new: Tensor) -> bool:
    try:
        assert_same_numbers("", new, old, old.dtype)
    except Wrong:
        return False
    return True
