"""Laws about what a module consists of: its submodules and its parameters."""

from __future__ import annotations

from collections.abc import Mapping

import torch

from autograder.checking.agreement import Wrong
from autograder.checking.draw import Draw
from autograder.checking.laws import Law, hold, is_close, pairs
from autograder.checking.tolerance import Operation
from autograder.checking.trial import Trial
from autograder.client import Called, Client, Registered, Reply, StepFailed


def has(submission: Client, trial: Trial, wanted: Mapping[str, str]) -> Law:
    """Law: the module has submodules of these names and classes, each an object of its own.

    wanted: by name, the class or a base class of the submodule; "" for any.
    """
    lacking = trial.build(submission).lacking(wanted)
    yield
    for name, cls in lacking.value.items():
        if not cls:
            raise Wrong("wrong parts", f"There is no part called {name}.")
        if cls in wanted:
            raise Wrong("wrong parts", f"{name} and {cls} are one object: make two.")
        raise Wrong("wrong parts", f"Expected {name} to be a {wanted.get(name)}, got a {cls}.")


def has_parameters(submission: Client, reference: Client, *trials: Trial) -> None:
    """Check the law `parameters` for each trial, and the law `uses_parameters` for the first."""
    hold(*(parameters(submission, reference, trial) for trial in trials))
    hold(uses_parameters(submission, reference, trials[0]))


def parameters(submission: Client, reference: Client, trial: Trial) -> Law:
    """Law: the trained parameters have the reference's names and shapes; there are no others.

    A parameter may have further names: those of nn.Sequential(self.firstlayer, self.secondlayer).
    """
    got, expected = trial.build(submission).parameters(), trial.build(reference).parameters()
    yield
    _assert_same_parameters(got.value, expected.value)


def uses_parameters(submission: Client, reference: Client, trial: Trial) -> Law:
    """Law: with other parameters, every part of the first case's result is different.

    Listing the right parameters proves nothing unless the call uses them. The law passes if the
    call is not written yet.
    """
    _, inputs = trial.first_case(Draw(trial.exercise))
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
            "This is right, but does not count because the result does not depend on the "
            "parameters: with other numbers in them, it stays the same."
        )
        raise Wrong("unused parameters", text)


def _is_same(one: Reply[Called], other: Reply[Called], operation: Operation) -> bool:
    """Return whether two results are the same within rounding."""
    try:
        found = list(pairs(one, other))
    except Wrong:
        return False
    return all(is_close(old, new, operation) for old, new in found)


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
    stated = {got[name].first for name in expected}
    for name, parameter in got.items():
        if parameter.first not in stated:
            text = f"There is a parameter that the statement does not have: {name}."
            raise Wrong("wrong parameters", text, symptom="extra parameter")
