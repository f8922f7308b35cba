"""What holds for every module of the course, each law written once.

A law first asks what it needs to know of a module, then yields, then judges the replies and
raises Wrong (or Trouble, when the submission could not do what it was asked). So several laws
put to `hold` together cost one question.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import torch
from torch import Tensor

from autograder.channel import Called, Course, Module, Reply
from autograder.comparison.agreement import Wrong, assert_agree, assert_same_numbers
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
    inputs = next(iter(trial.cases.values()))
    hold(
        leaves_its_arguments_alone(module, inputs),
        keeps_sequences_apart(module, inputs, draw),
        is_the_same_twice(module, inputs),
        hands_over_its_state(module, trial.build(submission), weights, inputs),
        moves_as_a_whole(trial.build(submission), inputs),
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


def agrees(
    submission: Course, reference: Course, draw: Draw, *trials: Trial, gradient: bool = False
) -> None:
    """With the same random weights, every case gives the same output (and gradients).

    Asked in float64; the first case of each trial also in float32, and the last one also with
    inputs that are not contiguous in memory.
    """
    asked: list[tuple[str, Reply[Called], Reply[Called], torch.dtype]] = []
    for trial in trials:
        weights = trial.weights(reference, draw)
        theirs = trial.build(reference).load(weights)
        ours = trial.build(submission).load(weights)
        single = trial.build(submission, torch.float32).load(weights)
        cases = list(trial.cases.items())
        for label, inputs in cases:
            want = theirs(*inputs, gradient=gradient)
            asked.append((label, ours(*inputs, gradient=gradient), want, torch.float64))
            if label == cases[0][0]:
                reply = single(*inputs, gradient=gradient)
                asked.append((f"{label} (float32)", reply, want, torch.float32))
            if label == cases[-1][0]:
                reply = ours(*inputs, gradient=gradient, strided=True)
                asked.append((f"{label} (not contiguous)", reply, want, torch.float64))
    for label, got, want, dtype in asked:
        assert_agree(submission, label, got.value, want.value, dtype)


def agrees_with(
    submission: Course, reference: Course, trial: Trial, weights: dict[str, Tensor]
) -> None:
    """With given weights, every case gives the same output."""
    ours, theirs = (trial.build(course).load(weights) for course in (submission, reference))
    asked = [(label, ours(*x), theirs(*x)) for label, x in trial.cases.items()]
    for label, got, want in asked:
        assert_agree(submission, label, got.value, want.value)


def survives_large_scores(
    submission: Course, reference: Course, draw: Draw, trial: Trial
) -> None:
    """With scores of about 10,000 the result is right in float64, and finite in float32.

    Weights are enlarged to that end, or inputs where there are no weights. (float32 numbers
    are not compared: a rounded score of 10,000 may rightly tip the balance of two keys.) It is
    tried on the first case of the trial.
    """
    weights = {name: w * ROOT_OF_LARGE for name, w in trial.weights(reference, draw).items()}
    label, inputs = next(iter(trial.cases.items()))
    if not weights:
        inputs = tuple(x * ROOT_OF_LARGE for x in inputs)
    want = trial.build(reference).load(weights)(*inputs)
    got = trial.build(submission).load(weights)(*inputs)
    single = trial.build(submission, torch.float32).load(weights)(*inputs)
    label = f"{label}, scores of 10,000"
    assert_agree(submission, label, got.value, want.value, magnitude=ROOT_OF_LARGE**2)
    for tensor in _tensors(single.value.output):
        if not tensor.isfinite().all():
            raise Wrong("not finite", f"{label} (float32): NaN or infinite numbers.")


def leaves_its_arguments_alone(module: Module, inputs: Iterable[Tensor]) -> Law:
    """The tensors that it is given are the same afterwards."""
    reply = module(*inputs)
    yield
    if reply.value.changed:
        which = ", ".join(str(i) for i in reply.value.changed)
        text = f"After the call, argument {which} is no longer what it was."
        raise Wrong("changed its argument", text)


def keeps_sequences_apart(module: Module, inputs: Iterable[Tensor], draw: Draw) -> Law:
    """Changing one sequence of a batch changes no other one, before it or behind it."""
    given = list(inputs)
    first, last = 0, given[0].shape[0] - 1
    before, asked = module(*given), []
    for changed in (first, last):
        other = [x.clone() for x in given]
        for x in other:
            x[changed] = draw.normal(*x.shape[1:])
        asked.append((changed, module(*other)))
    yield
    for changed, after in asked:
        for old, new in _pairs(before, after):
            if old.shape != new.shape or old.dim() == 0 or old.shape[0] != last + 1:
                raise Wrong("wrong shape", "The result of a batch has no place for its sequences.")
            for sequence in range(first, last + 1):
                if sequence != changed and not _close(old[sequence], new[sequence]):
                    text = f"Changing sequence {changed} changed the result of {sequence}."
                    raise Wrong("sequences influence each other", text)


def is_the_same_twice(module: Module, inputs: Iterable[Tensor]) -> Law:
    """Asked twice, and in training as in evaluation, it gives the same result."""
    first, second = module(*inputs), module(*inputs)
    third = module.eval()(*inputs)
    module.train()
    yield
    for again, when in ((second, "in a second call"), (third, "after eval()")):
        for old, new in _pairs(first, again):
            if old.shape != new.shape:
                raise Wrong("wrong shape", f"The same input has another shape {when}.")
            assert_same_numbers(f"The same input {when}", new, old, torch.float64)


def hands_over_its_state(
    module: Module, second: Module, weights: dict[str, Tensor], inputs: Iterable[Tensor]
) -> Law:
    """Each parameter keeps its own numbers, and a state_dict makes a second one equal.

    module has been loaded with the weights; second is another one.
    """
    kept = module.values()
    handed = module.hand_over(second)
    before, after = module(*inputs), second(*inputs)
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


def moves_as_a_whole(module: Module, inputs: Iterable[Tensor]) -> Law:
    """Moved to another device, it leaves no tensor behind and makes none elsewhere."""
    moved = module.move(*inputs)
    yield
    if moved.value:
        text = (
            f"On another device (a GPU, say) `{moved.value[0]}` would meet a tensor that stayed on "
            "the CPU: one that is not registered, or was made without device=."
        )
        raise Wrong("stays behind when moved", text)


def _pairs(one: Reply[Called], other: Reply[Called]) -> Iterator[tuple[Tensor, Tensor]]:
    ours, theirs = _tensors(one.value.output), _tensors(other.value.output)
    if len(ours) != len(theirs):
        raise Wrong("wrong kind of result", "Two calls give results of different kinds.")
    return zip(ours, theirs, strict=True)


def _tensors(output: object) -> list[Tensor]:
    if isinstance(output, Tensor):
        return [output]
    return [t for item in output for t in _tensors(item)] if isinstance(output, list) else []


def _close(old: Tensor, new: Tensor) -> bool:
    try:
        assert_same_numbers("", new, old, old.dtype)
    except Wrong:
        return False
    return True
