"""Ask about float32: what the reference rounds there, and whether a mistake is made only there."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence

import torch
from torch import Tensor

from autograder.checking.laws import is_close, pairs
from autograder.checking.trial import Trial
from autograder.client import Called, Client, Input, ReferenceFailed


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
    submission: Client, trial: Trial, weights: Mapping[str, Tensor], inputs: Sequence[Input]
) -> bool:
    """Return whether the submission gives in float32, in training, what it gives in float64.

    It need not be right: so a mistake in float32 alone is told from any other one.
    """
    single, double = (
        trial.build(submission, dtype, keep=False).load(weights)(*inputs)
        for dtype in (torch.float32, torch.float64)
    )
    operation = trial.operation(inputs, weights)
    return all(is_close(old, new, operation) for old, new in pairs(double, single))
