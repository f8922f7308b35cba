"""Judge answers, and narrow wrong ones down: only in evaluation, or only for some inputs."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from autograder.checking.agreement import Wrong, assert_agree
from autograder.checking.draw import Draw
from autograder.checking.laws import hold, leaves_its_arguments_alone
from autograder.checking.repeating import is_the_same_in_evaluation
from autograder.checking.tolerance import Operation
from autograder.checking.trial import Trial
from autograder.client import Called, Client, Input, Module, Reply, StepFailed

LONG = 250  # tokens; every other size in a check is smaller
SHORT, FEWER = 5, 3  # tokens that remain of a long input, and of any other one


@dataclass(frozen=True)
class Comparison:
    """The replies of a submission and of the reference to one call.

    label: describes the case. dtype: the precision to compare in. ours, theirs: what was called.
    usual: of a call in evaluation mode, the trial with the same call in training mode.
    in_single: as in assert_agree. strided: the submission's inputs are not contiguous in memory.
    """

    label: str
    got: Reply[Called]
    expected: Reply[Called]
    operation: Operation
    dtype: torch.dtype
    ours: Module
    theirs: Module
    usual: Trial | None = None
    in_single: Callable[[], Called | None] = lambda: None
    strided: bool = False

    def judge(self, submission: Client) -> None:
        """Compare the replies. Raises Wrong, StepFailed."""
        got, expected = self.got.value, self.expected.value
        assert_agree(
            submission, self.label, got, expected, self.operation, self.dtype, self.in_single
        )


def judge(submission: Client, reference: Client, asked: Iterable[Comparison]) -> None:
    """Compare replies, and set the symptom if only evaluation or only some inputs go wrong.

    Those are inputs that are long, or not contiguous in memory. In evaluation mode, also assert
    that no argument is changed. Mistakes that are made in training mode too are left to the check
    of the usual trial. Raises Wrong, StepFailed.
    """
    for comparison in asked:
        usual = comparison.usual
        try:
            comparison.judge(submission)
        except Wrong as wrong:
            if usual and _is_right_in_training(submission, comparison):
                if not _is_right_in_evaluation(submission, reference, usual):
                    continue
                wrong.symptom = "evaluation"
            elif comparison.strided and _is_right_when_contiguous(submission, comparison):
                wrong.symptom = "not contiguous"
            if not wrong.symptom and _is_right_when_shorter(submission, comparison):
                wrong.symptom = "long"
            raise
        if usual and comparison.got.value.changed:
            _, _, first = _first_case(submission, reference, usual)
            if not first.value.changed:
                hold(leaves_its_arguments_alone(comparison.got))


def _is_right_in_training(submission: Client, comparison: Comparison) -> bool:
    again = comparison.ours(*comparison.operation.inputs, strided=comparison.strided)
    return _is_right(submission, replace(comparison, got=again))


def _is_right_when_contiguous(submission: Client, comparison: Comparison) -> bool:
    again = comparison.ours(*comparison.operation.inputs)
    return _is_right(submission, replace(comparison, got=again))


def _is_right_in_evaluation(submission: Client, reference: Client, usual: Trial) -> bool:
    """Return whether the first case of a trial gives the same after eval(), in float32.

    The check of behaviour asks in float32; what it does not find must not be left to it.
    """
    try:
        first = _first_case(submission, reference, usual, torch.float32)
        hold(is_the_same_in_evaluation(*first))
    except (Wrong, StepFailed):
        return False
    return True


def _is_right_when_shorter(submission: Client, comparison: Comparison) -> bool:
    """Return whether an input is long, and its first tokens alone give the right output."""
    inputs = comparison.operation.inputs
    if max((n for x in inputs if isinstance(x, Tensor) for n in x.shape), default=0) < LONG:
        return False
    inputs = [_shortened(x) for x in inputs]
    got, expected = (module(*inputs) for module in (comparison.ours, comparison.theirs))
    operation = replace(comparison.operation, inputs=inputs)
    shorter = replace(
        comparison,
        got=got,
        expected=expected,
        operation=operation,
        dtype=torch.float32,
        in_single=lambda: None,
    )
    return _is_right(submission, shorter)


def _is_right(submission: Client, comparison: Comparison) -> bool:
    try:
        comparison.judge(submission)
    except (Wrong, StepFailed):
        return False
    return True


def _first_case(
    submission: Client, reference: Client, trial: Trial, dtype: torch.dtype = torch.float64
) -> tuple[Module, Operation, Reply[Called]]:
    """Call the submission on the first case of a trial; return the module, the call, its reply."""
    _, inputs = trial.first_case(Draw(trial.exercise))
    weights = trial.weights(reference, Draw(trial.exercise))
    module = trial.build(submission, dtype, keep=dtype is torch.float64).load(weights)
    return module, trial.operation(inputs, weights), module(*inputs)


def _shortened(x: Input) -> Input:
    """Return the first tokens of an input: SHORT of a long one, FEWER of any other.

    An int is a token's index, which becomes smaller if necessary.
    """
    if isinstance(x, int):
        return min(x, SHORT - 1)
    tokens = x.dim() - (2 if x.is_floating_point() else 1)
    return x.narrow(tokens, 0, min(x.shape[tokens], SHORT if max(x.shape) >= LONG else FEWER))
