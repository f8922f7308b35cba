"""Ask a submission and the reference the same questions, and compare their answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache

import torch
from torch import Tensor

from autograder.checking.agreement import OtherLayout, Wrong, assert_agree, showing
from autograder.checking.draw import Draw
from autograder.checking.laws import (
    Law,
    hold,
    is_close,
    is_the_same_in_evaluation,
    keeps_single_precision,
    leaves_its_arguments_alone,
    leaves_settings_alone,
    pairs,
)
from autograder.checking.tolerance import Operation
from autograder.checking.trial import Trial
from autograder.client import Called, Client, Input, Module, Packing, Registered, Reply, StepFailed

LONG = 250  # tokens; every other size in a check is smaller
SHORT, FEWER = 5, 3  # tokens that remain of a long input, and of any other one
NO_OPTION = ("names", "signature")  # kinds of problems: an option is missing
# A label, the submission's reply, the reference's reply, the call, the precision to compare in.
Comparison = tuple[str, Reply[Called], Reply[Called], Operation, torch.dtype]
Modules = tuple[Module, Module]  # of the submission and of the reference


def has_parameters(submission: Client, reference: Client, *trials: Trial) -> None:
    """Check the law `parameters` for each trial, and the law `uses_parameters` for the first."""
    hold(*(parameters(submission, reference, trial) for trial in trials))
    hold(uses_parameters(submission, reference, trials[0]))


def parameters(submission: Client, reference: Client, trial: Trial) -> Law:
    """Law: the trained parameters have the reference's names and shapes; there are no others."""
    got, expected = trial.build(submission).parameters(), trial.build(reference).parameters()
    yield
    _assert_same_parameters(got.value, expected.value)


def uses_parameters(submission: Client, reference: Client, trial: Trial) -> Law:
    """Law: with other parameters, every part of the first case's result is different.

    Listing the right parameters proves nothing unless the call uses them. The law passes if the
    call is not written yet.
    """
    inputs = next(iter(trial.cases(Draw(trial.exercise)).values()))
    first, other = (trial.weights(reference, Draw(f"{trial.exercise}, {i}")) for i in range(2))
    ours, theirs = (trial.build(implementation) for implementation in (submission, reference))
    got, want = (module.load(first)(*inputs) for module in (ours, theirs))
    yield
    try:
        if _is_same(want, got, trial.operation(inputs, first)):
            return  # a right result can only come from these parameters
        again = ours.load(other)(*inputs)
        found = list(pairs(got, again))
    except StepFailed as failed:
        if failed.problem.kind == "unwritten":
            return
        raise
    if any(torch.equal(one.nan_to_num(), two.nan_to_num()) for one, two in found):
        text = (
            "The parameters are right, but do not count because the result does not depend on "
            "them: with other numbers in them, it stays the same."
        )
        raise Wrong("unused parameters", text)


def _is_same(one: Reply[Called], other: Reply[Called], operation: Operation) -> bool:
    """Return whether two results are the same within rounding."""
    try:
        found = list(pairs(one, other))
    except Wrong:
        return False
    return all(old.shape == new.shape and is_close(old, new, operation) for old, new in found)


def _assert_same_parameters(
    got: Mapping[str, Registered], expected: Mapping[str, Registered]
) -> None:
    for name, parameter in expected.items():
        if name not in got:
            have = ", ".join(got) or "none"
            text = f"There is no parameter {name}; yours are: {have}."
            raise Wrong("wrong parameters", text, symptom="missing parameter")
        if got[name].shape != parameter.shape:
            shapes = f"expected shape {parameter.shape}, got {got[name].shape}"
            raise Wrong("wrong parameters", f"{name}: {shapes}.", symptom="other shape")
        if got[name].trained != parameter.trained:
            text = f"{name} is not trained (requires_grad is False)."
            raise Wrong("wrong parameters", text, symptom="untrained parameter")
    for name in got:
        if name not in expected:
            text = f"There is a parameter that the statement does not have: {name}."
            raise Wrong("wrong parameters", text, symptom="extra parameter")


def agrees(submission: Client, reference: Client, draw: Draw, *trials: Trial) -> None:
    """Check that every case gives the reference's output, with the same weights, in float64."""
    hold(agreement(submission, reference, draw, *trials))


def agrees_strided(submission: Client, reference: Client, draw: Draw, *trials: Trial) -> None:
    """Check that every case gives the reference's output for inputs not contiguous in memory."""
    hold(agreement(submission, reference, draw, *trials, strided=True))


def agreement(
    submission: Client, reference: Client, draw: Draw, *trials: Trial, strided: bool = False
) -> Law:
    """Law: every case gives the reference's output, with the same weights, in float64.

    The weights are random, or the trial's own. strided: the inputs are not contiguous in memory.
    """
    asked = []
    for trial in trials:
        weights = trial.weights(reference, draw)
        theirs, ours = (
            trial.build(implementation).load(weights) for implementation in (reference, submission)
        )
        if trial.usual:
            ours.eval()
        for label, inputs in trial.cases(draw).items():
            got, expected = ours(*inputs, strided=strided), theirs(*inputs)
            operation = trial.operation(inputs, weights)
            answers = label, got, expected, operation, torch.float64
            asked.append((answers, (ours, theirs), trial.usual))
        if trial.usual:
            ours.train()  # it is kept for other checks
    yield
    _judge_sizes(submission, reference, asked)


def agreement_in_single(
    submission: Client, reference: Client, draw: Draw, *trials: Trial, symptom: str = ""
) -> Law:
    """Law: built and called in float32, every case gives the reference's output, in float32.

    Inputs and weights are exact in float32. The tolerance follows from the condition of each trial.
    symptom: of wrong results.
    """
    asked = []
    for trial in trials:
        weights = trial.weights(reference, draw)
        theirs = trial.build(reference).load(weights)
        ours = trial.build(submission, torch.float32).load(weights)
        if trial.usual:
            ours.eval()
        for label, inputs in trial.cases(draw).items():
            got, expected = ours(*inputs), theirs(*inputs)
            operation = trial.operation(inputs, weights)
            answers = f"{label}, in float32", got, expected, operation, torch.float32
            asked.append((answers, (ours, theirs), trial.usual))
        if trial.usual:
            ours.train()
    yield
    with showing(symptom):
        _judge_sizes(submission, reference, asked)
    hold(*(keeps_single_precision(got) for (_, got, *_), *_ in asked))


def begins_alike(submission: Client, reference: Client, trial: Trial, seed: int) -> None:
    """Check that an object built from a seed starts with the reference's random numbers."""
    hold(beginning(submission, reference, trial, seed))


def beginning(
    submission: Client, reference: Client, trial: Trial, seed: int, second: bool = True
) -> Law:
    """Law: built after torch.manual_seed(seed), in float32, the first case gives the same output.

    second: also build another one, which has to start with other numbers.
    """
    label, inputs = next(iter(trial.cases(Draw(trial.exercise)).items()))
    shapes = trial.weights(reference, Draw(trial.exercise))
    asked = []
    for implementation in (submission, reference):
        implementation.seed(seed)
        asked.append(trial.build(implementation, torch.float32, keep=False)(*inputs))
    others = [trial.build(submission, torch.float32, keep=False)(*inputs)] if second else []
    yield
    ours, theirs = asked
    operation = trial.operation(inputs, shapes)
    label = f"{label}, after manual_seed({seed})"
    with showing("start"):
        _judge(submission, [(label, ours, theirs, operation, torch.float32)])
    if any(torch.equal(one, two) for other in others for one, two in pairs(ours, other)):
        text = "Two modules, built one after the other, start with the same random numbers."
        raise Wrong("wrong start values", text, symptom="same start")


def keeps_layout(
    submission: Client,
    reference: Client,
    draw: Draw,
    trial: Trial,
    others: tuple[Packing, ...],
) -> None:
    """Check that the first case gives the reference's output with random weights, in float64.

    others: layouts to try if it does not. Raises OtherLayout if the output is right in one of them.
    They are tried only if the output is right with weights for which the layout does not matter,
    so that a different mistake costs no more than one call.
    """
    weights = trial.weights(reference, draw)
    label, inputs = next(iter(trial.cases(draw).items()))
    ours, theirs = (trial.build(implementation) for implementation in (submission, reference))
    operation = trial.operation(inputs, weights)
    same = {
        name: _level(weight.shape) if _is_moved(name, others) else weight
        for name, weight in weights.items()
    }  # in a matrix of equal numbers, their order does not matter
    expected, alike = (theirs.load(numbers)(*inputs) for numbers in (weights, same))
    got = ours.load(weights)(*inputs)
    if _agrees(submission, label, got.value, expected.value, operation):
        return
    got_alike = ours.load(same)(*inputs)
    if _agrees(submission, label, got_alike.value, alike.value, operation):
        for packing in others:
            if not submission.has_time():
                break
            again = ours.load_as(packing, weights)(*inputs)
            if _agrees(submission, label, again.value, expected.value, operation):
                raise OtherLayout(packing)
    assert_agree(submission, label, got.value, expected.value, operation)


def gradients_agree(
    submission: Client, reference: Client, draw: Draw, trial: Trial, fallback: Trial | None = None
) -> None:
    """Check that gradients of inputs and parameters are those of the reference.

    fallback: the trial to use if the submission lacks an option of the first one, which is for
    other checks to say.
    """
    try:
        hold(gradients(submission, reference, draw, trial))
    except StepFailed as failed:
        if fallback is None or failed.problem.kind not in NO_OPTION:
            raise
        hold(gradients(submission, reference, draw, fallback))


def gradients(
    submission: Client, reference: Client, draw: Draw, trial: Trial, evaluated: bool = False
) -> Law:
    """Law: the first case gives the same output and gradients, within float32's tolerance.

    evaluated: also after eval(). The tolerance is wide because wrong gradients are far off, and
    `agrees` compares outputs exactly. Plain classes run in float32 here, since they are built for
    each question; for modules and functions, the checks of behaviour cover float32.
    """
    weights = trial.weights(reference, draw)
    label, inputs = next(iter(trial.cases(draw).items()))
    dtype = torch.float32 if trial.tensors else torch.float64
    theirs = trial.build(reference).load(weights)
    ours = trial.build(submission, dtype).load(weights)
    asked = [(label, ours(*inputs, gradient=True), theirs(*inputs, gradient=True))]
    if evaluated:
        ours, theirs = ours.eval(), theirs.eval()
        label = f"{label}, in evaluation"
        asked.append((label, ours(*inputs, gradient=True), theirs(*inputs, gradient=True)))
        ours.train()  # it is kept for other checks
    yield
    operation = trial.operation(inputs, weights)
    for label, got, expected in asked:
        hold(leaves_settings_alone(got))
        _judge(submission, [(label, got, expected, operation, torch.float32)])


@cache
def _is_moved(name: str, others: tuple[Packing, ...]) -> bool:
    return any(packing.moves(name) for packing in others)


@cache
def _level(shape: torch.Size) -> Tensor:
    """Return a tensor of equal numbers; cached because every submission gets the same one."""
    return torch.full(shape, 0.5, dtype=torch.float64)


def _agrees(
    submission: Client, label: str, got: Called, expected: Called, operation: Operation
) -> bool:
    try:
        assert_agree(submission, label, got, expected, operation)
    except Wrong:
        return False
    return True


def _judge(submission: Client, asked: Sequence[Comparison]) -> None:
    for label, got, expected, operation, dtype in asked:
        assert_agree(submission, label, got.value, expected.value, operation, dtype)


def _judge_sizes(
    submission: Client, reference: Client, asked: Sequence[tuple[Comparison, Modules, Trial | None]]
) -> None:
    """Compare answers, and set the symptom if only long inputs or only evaluation go wrong.

    With a usual trial, also assert that no argument is changed. Mistakes that the usual trial shows
    too are left to the check of that trial.
    """
    for comparison, modules, usual in asked:
        try:
            _judge(submission, [comparison])
            got = comparison[1]
            if usual and got.value.changed:
                _, _, first = _first_case(submission, reference, usual)
                if not first.value.changed:
                    hold(leaves_its_arguments_alone(got))
        except Wrong as wrong:
            operation = comparison[3]
            if usual and _is_right_in_training(submission, modules[0], comparison):
                if not _is_right_in_evaluation(submission, reference, usual):
                    continue
                wrong.symptom = "evaluation"
            if not wrong.symptom and _is_right_when_shorter(submission, modules, operation):
                wrong.symptom = "long"
            raise


def _is_right_in_training(submission: Client, ours: Module, comparison: Comparison) -> bool:
    label, _, expected, operation, dtype = comparison
    again = ours(*operation.inputs)
    try:
        _judge(submission, [(label, again, expected, operation, dtype)])
    except (Wrong, StepFailed):
        return False
    return True


def _is_right_in_evaluation(submission: Client, reference: Client, usual: Trial) -> bool:
    """Return whether the first case of a trial gives the same after eval()."""
    try:
        hold(is_the_same_in_evaluation(*_first_case(submission, reference, usual)))
    except (Wrong, StepFailed):
        return False
    return True


def _first_case(
    submission: Client, reference: Client, trial: Trial
) -> tuple[Module, Operation, Reply[Called]]:
    """Call the submission on the first case of a trial; return the module, the call, its reply."""
    inputs = next(iter(trial.cases(Draw(trial.exercise)).values()))
    weights = trial.weights(reference, Draw(trial.exercise))
    module = trial.build(submission).load(weights)
    return module, trial.operation(inputs, weights), module(*inputs)


def _is_right_when_shorter(submission: Client, modules: Modules, operation: Operation) -> bool:
    """Return whether an input is long, and its first tokens alone give the right output."""
    sizes = [n for x in operation.inputs if isinstance(x, Tensor) for n in x.shape]
    if max(sizes, default=0) < LONG:
        return False
    inputs = [_shortened(x) for x in operation.inputs]
    got, expected = (module(*inputs) for module in modules)
    try:
        shorter = replace(operation, inputs=inputs)
        assert_agree(submission, "", got.value, expected.value, shorter, torch.float32)
    except (Wrong, StepFailed):
        return False
    return True


def _shortened(x: Input) -> Input:
    """Return the first tokens of an input: SHORT of a long one, FEWER of any other.

    An int is a token's index, which becomes smaller if necessary.
    """
    if isinstance(x, int):
        return min(x, SHORT - 1)
    tokens = x.dim() - (2 if x.is_floating_point() else 1)
    return x.narrow(tokens, 0, min(x.shape[tokens], SHORT if max(x.shape) >= LONG else FEWER))
