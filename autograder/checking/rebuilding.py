"""Find what must be known to rebuild an example: the code's own weights, and if it repeats."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import torch
from torch import Tensor

from autograder.checking.example import START, Example
from autograder.checking.results import parts
from autograder.checking.small import SmallQuestion
from autograder.client import Client, StepFailed

OTHER = START + 1  # another random state for the object that is built again
RELATIVE, ABSOLUTE = 1e-4, 1e-6  # differences of numbers that still are the same to a reader
VARIES = (
    "Run again, your code gives other numbers here: does it draw random ones, or keep some from "
    "call to call?"
)


def rebuilt(submission: Client, example: Example, is_random: bool) -> Example:
    """Return an example with all weights that the code has, and whether they rebuild its numbers.

    Asks up to two questions. is_random: whether calls are known to give other numbers each time,
    which few numbers may not show.
    """
    small = example.small
    try:
        more = _more(submission, small)
        weights = {**small.weights, **more}
        submission.seed(OTHER)
        module = small.trial.build(submission, keep=False)
        example = replace(example, more=more, own=module.own(weights))
        calls = [module.load(weights)(*small.inputs, reseed=False)]
        if example.in_evaluation:
            calls.append(module.eval()(*small.inputs, reseed=False))
        if not example.results:
            return example
        again = parts(calls[-1].value.output)
    except StepFailed:
        return replace(example, rebuilds=False)
    if not is_random and all(any(_alike(r.got, part) for part in again) for r in example.results):
        return example
    return replace(example, rebuilds=False, said=(*example.said, VARIES))


def _more(submission: Client, small: SmallQuestion) -> Mapping[str, Tensor]:
    """Return the parameters of a module beyond those of the statement, as they are in examples."""
    if not small.trial.is_of_module:
        return {}
    submission.seed(START)
    values = small.trial.build(submission, keep=False).load(small.weights).values().value
    return {
        name: value
        for name, value in values.items()
        if value is not None and name not in small.weights
    }


def _alike(one: Tensor, other: Tensor) -> bool:
    if one.shape != other.shape:
        return False
    return torch.allclose(one.double(), other.double(), RELATIVE, ABSOLUTE, equal_nan=True)
