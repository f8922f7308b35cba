"""Ask about float32: what the reference rounds there, and whether a mistake is made only there.

Calls can be compared only if the same call gives the same result again, which is asked here too.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from enum import Enum

import torch
from torch import Tensor

from autograder.checking.agreement import Wrong
from autograder.checking.laws import is_close, pairs
from autograder.checking.tolerance import Operation
from autograder.checking.trial import Trial
from autograder.client import Called, Client, Input, Module, ReferenceFailed, Reply

RANDOM = "random"  # symptom of results that depend on random numbers


def in_single(
    reference: Client, trial: Trial, weights: Mapping[str, Tensor], inputs: Sequence[Input]
) -> Callable[[], Called | None]:
    """Return a function that asks for the reference's result of one call in float32.

    It gives None in a student's copy, where only what every correct submission makes a check ask
    was recorded.
    """

    def compute(client: Client) -> Called:
        module = trial.build(client, torch.float32).load(weights)
        if trial.usual:
            module.eval()
        return module(*inputs).value

    def ask() -> Called | None:
        try:
            return reference.once(f"in float32 {_digest(trial, weights, inputs)}", compute)
        except ReferenceFailed:
            return None

    return ask


def _digest(trial: Trial, weights: Mapping[str, Tensor], inputs: Sequence[Input]) -> str:
    of = trial.exercise, trial.arguments, trial.named, trial.projections, trial.biased
    digest = hashlib.blake2b(f"{of} {trial.usual is None} {list(weights)}".encode())
    for x in (*weights.values(), *inputs):
        if isinstance(x, Tensor):
            digest.update(f"{x.dtype} {tuple(x.shape)}".encode() + x.numpy().tobytes())
        else:
            digest.update(str(x).encode())
    return digest.hexdigest()


def is_alike_in_single(
    submission: Client,
    trial: Trial,
    weights: Mapping[str, Tensor],
    inputs: Sequence[Input],
    as_built: bool = False,
) -> bool:
    """Return whether the submission gives in float32, in training, what it gives in float64.

    It need not be right: so a mistake in float32 alone is told from any other one. as_built: in
    float32, its numbers have the types that its author gave them. Raises Wrong if the result
    differs because it is random.
    """
    made = trial.build(submission, torch.float32, keep=False, as_built=as_built)
    single = made.load(weights)(*inputs)
    double = trial.build(submission, keep=False).load(weights)(*inputs)
    operation = trial.operation(inputs, weights)
    if all(is_close(old, new, operation) for old, new in pairs(double, single)):
        return True
    module = trial.build(submission, keep=False).load(weights)
    assert_repeatable(module, operation)
    return False


def assert_repeatable(module: Module, operation: Operation) -> None:
    """Assert that a call gives the same result again, also with other random numbers.

    Raises Wrong.
    """
    what = repeats(module, operation)
    if what is not Repeats.ALIKE:
        text = "The same call gives another result the second time"
        is_random = what is Repeats.UNLESS_RANDOM
        reason = ": something random is in it, such as a dropout" if is_random else ""
        symptom = RANDOM if is_random else ""
        raise Wrong("another result", f"{text}{reason}.", symptom)


class Repeats(Enum):
    """How a call repeats: always alike, only with the same random numbers, or not at all."""

    ALIKE = "alike"
    UNLESS_RANDOM = "unless random"
    NEVER = "never"


def repeats(module: Module, operation: Operation) -> Repeats:
    """Return how a call repeats, from three calls. Raises Wrong, StepFailed."""
    inputs = operation.inputs
    first, again, other = (module(*inputs, reseed=reseed) for reseed in (True, True, False))

    def is_alike(reply: Reply[Called]) -> bool:
        return all(is_close(old, new, operation) for old, new in pairs(first, reply))

    if not is_alike(again):
        return Repeats.NEVER
    return Repeats.ALIKE if is_alike(other) else Repeats.UNLESS_RANDOM
