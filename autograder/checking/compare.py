"""Ask a submission and the reference the same questions, and compare their answers."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cache, partial

import torch
from torch import Tensor

from autograder.checking.agreement import (
    FLOAT32_ALONE,
    OtherLayout,
    Wrong,
    assert_agree,
    precision,
    showing,
)
from autograder.checking.draw import Draw
from autograder.checking.laws import (
    Law,
    hold,
    keeps_single_precision,
    leaves_its_arguments_alone,
    leaves_settings_alone,
    pairs,
)
from autograder.checking.narrowing import Comparison, judge
from autograder.checking.single import in_single, is_alike_in_single
from autograder.checking.tolerance import Operation
from autograder.checking.trial import Trial
from autograder.client import Called, Client, Module, Packing, Reply, StepFailed

NO_OPTION = ("names", "signature")  # kinds of problems: an option is missing
OF_GRADIENTS = ("no gradient", "wrong gradient")  # categories of Wrong


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
    asked = _asked(submission, reference, draw, trials, torch.float64, strided)
    yield
    judge(submission, reference, asked)


def agreement_in_single(
    submission: Client, reference: Client, draw: Draw, *trials: Trial, symptom: str = ""
) -> Law:
    """Law: built and called in float32, every case gives the reference's output, in float32.

    The tensors of a plain class stay in the types that its author gave them; for modules, this is a
    matter of behaviour. Inputs and weights are exact in float32. The tolerance follows from the
    condition of each trial. symptom: of wrong results.
    """
    asked = _asked(submission, reference, draw, trials, torch.float32)
    yield
    with showing(symptom):
        judge(submission, reference, asked)
    hold(*(keeps_single_precision(comparison.got) for comparison in asked))


def _asked(
    submission: Client,
    reference: Client,
    draw: Draw,
    trials: Iterable[Trial],
    dtype: torch.dtype,
    strided: bool = False,
) -> list[Comparison]:
    """Call submission, in `dtype`, and reference, in float64, on every case of the trials."""
    asked, single = [], dtype is torch.float32
    for trial in trials:
        weights = trial.weights(reference, draw)
        theirs = trial.build(reference).load(weights)
        ours = trial.build(submission, dtype, as_built=single and bool(trial.tensors)).load(weights)
        if trial.usual:
            ours.eval()
        for label, inputs in trial.cases(draw).items():
            got, expected = ours(*inputs, strided=strided), theirs(*inputs)
            ask = in_single(reference, trial, weights, inputs)
            if single:
                label = f"{label}, in float32"
                ask = _value(trial.build(reference, dtype).load(weights)(*inputs))
            operation = trial.operation(inputs, weights)
            asked.append(
                Comparison(
                    label,
                    got,
                    expected,
                    operation,
                    dtype,
                    ours,
                    theirs,
                    usual=trial.usual,
                    in_single=ask,
                    strided=strided,
                )
            )
        if trial.usual:
            ours.train()  # it is kept for other checks
    return asked


def _value(reply: Reply[Called]) -> Callable[[], Called]:
    return lambda: reply.value


def beginning(
    submission: Client, reference: Client, trial: Trial, seed: int, second: bool = True
) -> Law:
    """Law: built after torch.manual_seed(seed), in float32, the first case gives the same output.

    second: also build another one, which has to start with other numbers.
    """
    label, inputs = trial.first_case(Draw(trial.exercise))
    weights = trial.weights(reference, Draw(trial.exercise))
    asked = []
    for implementation in (submission, reference):
        implementation.seed(seed)
        asked.append(trial.build(implementation, torch.float32, keep=False)(*inputs))
    others = [trial.build(submission, torch.float32, keep=False)(*inputs)] if second else []
    yield
    ours, theirs = asked
    operation = trial.operation(inputs, weights)
    label = f"{label}, after manual_seed({seed})"
    try:
        assert_agree(submission, label, ours.value, theirs.value, operation, torch.float32)
    except Wrong as wrong:
        is_alike = is_alike_in_single(submission, trial, weights, inputs)
        wrong.symptom = "start" if is_alike else FLOAT32_ALONE
        raise
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
    label, inputs = trial.first_case(draw)
    ours, theirs = (trial.build(implementation) for implementation in (submission, reference))
    operation = trial.operation(inputs, weights)
    same = {
        name: _constant(weight.shape) if _is_moved(name, others) else weight
        for name, weight in weights.items()
    }  # in a matrix of equal numbers, their order does not matter
    expected, alike = (theirs.load(numbers)(*inputs) for numbers in (weights, same))
    single, single_alike = (
        in_single(reference, trial, numbers, inputs) for numbers in (weights, same)
    )

    def agrees(got: Reply[Called]) -> bool:
        return _agrees(submission, label, got.value, expected.value, operation, single)

    got = ours.load(weights)(*inputs)
    if agrees(got):
        return
    got_alike = ours.load(same)(*inputs)
    if _agrees(submission, label, got_alike.value, alike.value, operation, single_alike):
        for packing in others:
            if not submission.has_time():
                break
            if agrees(ours.load_as(packing, weights)(*inputs)):
                raise OtherLayout(packing)
    assert_agree(submission, label, got.value, expected.value, operation, in_single=single)


def gradients_agree(
    submission: Client,
    reference: Client,
    draw: Draw,
    trial: Trial,
    fallback: Trial | None = None,
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
    """Law: in float32, as in a training, the first case gives the same output and gradients.

    Other cases give the same gradients where they give the same output, which is for other checks
    to say. A module is asked after eval() too. evaluated: so is a plain class. `agrees` compares
    outputs in float64. Plain classes are built for each question, modules are kept for other
    checks. The label says float32 only if float64 is right. A plain class that gives float32 in
    training must do so in evaluation too, with tensors in the types that its author gave them.
    """
    weights = trial.weights(reference, draw)
    (label, inputs), *others = trial.cases(draw).items()
    theirs, single = (
        trial.build(reference, t).load(weights) for t in (torch.float64, torch.float32)
    )
    ours = trial.build(submission, torch.float32, as_built=bool(trial.tensors)).load(weights)
    ask = _value(single(*inputs, gradient=True))
    asked = [(label, ours(*inputs, gradient=True), theirs(*inputs, gradient=True))]
    elsewhere = [
        same_gradients(submission, case, (ours, theirs, single), trial.operation(given, weights))
        for case, given in others
    ]
    for law in elsewhere:
        next(law)
    if evaluated or trial.is_of_module:
        ours, theirs = ours.eval(), theirs.eval()
        label = f"{label}, in evaluation"
        asked.append((label, ours(*inputs, gradient=True), theirs(*inputs, gradient=True)))
        ours.train()  # it is kept for other checks
    yield
    operation = trial.operation(inputs, weights)
    for label, got, expected in asked:
        hold(leaves_settings_alone(got))
        try:
            assert_agree(
                submission, label, got.value, expected.value, operation, torch.float32, ask
            )
        except Wrong as wrong:
            if wrong.category == "wrong gradient":
                hold(leaves_its_arguments_alone(got))  # a likely cause
            of_result = wrong.category == "wrong values"
            if of_result and not is_alike_in_single(submission, trial, weights, inputs):
                text = str(wrong).replace(label, f"{label}, in float32", 1)
                raise Wrong("wrong values", text, FLOAT32_ALONE) from None
            if of_result and trial.is_of_module and got is not asked[0][1]:
                wrong.symptom = "evaluation"
            raise
    for law in elsewhere:
        next(law, None)
    trained, *after = [got for _, got, _ in asked]
    if trial.tensors and precision(trained.value.output, torch.float64) is torch.float32:
        hold(*map(keeps_single_precision, after))


def same_gradients(
    submission: Client,
    label: str,
    modules: tuple[Module, Module, Module],
    operation: Operation,
    of_inputs: bool = False,
) -> Law:
    """Law: in float32, a case gives the same gradients, where it is answered with the same output.

    modules: the submission's, the reference's, and the reference's in float32. Each is called as
    often as the others, since a call may change what it keeps. of_inputs: only the gradients of the
    inputs are compared.
    """
    plain, *_ = (one(*operation.inputs) for one in modules)
    got, expected, single = (one(*operation.inputs, gradient=True) for one in modules)
    yield
    try:
        _ = plain.value
    except StepFailed:
        return
    theirs, ask = expected.value, _value(single)
    if of_inputs:
        theirs, ask = _of_inputs(expected), partial(_of_inputs, single)
    try:
        assert_agree(submission, label, got.value, theirs, operation, torch.float32, ask)
    except Wrong as wrong:
        if wrong.category in OF_GRADIENTS:
            raise


def _of_inputs(reply: Reply[Called]) -> Called:
    """Return a call with the gradients of its inputs, and without those of parameters."""
    found = reply.value.gradients
    return replace(reply.value, gradients=found and replace(found, parameters={}))


@cache
def _is_moved(name: str, others: tuple[Packing, ...]) -> bool:
    return any(packing.moves(name) for packing in others)


@cache
def _constant(shape: torch.Size) -> Tensor:
    """Return a tensor of equal numbers; cached because every submission gets the same one."""
    return torch.full(shape, 0.5, dtype=torch.float64)


def _agrees(
    submission: Client,
    label: str,
    got: Called,
    expected: Called,
    operation: Operation,
    single: Callable[[], Called | None],
) -> bool:
    try:
        assert_agree(submission, label, got, expected, operation, in_single=single)
    except Wrong:
        return False
    return True
