"""Laws about start values: numbers of a usual size, from which every part can be trained."""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor

from autograder.checking.agreement import Wrong
from autograder.checking.laws import Law
from autograder.checking.trial import Trial
from autograder.client import Client

Numbers = Mapping[str, Tensor | None]
# Usual ways to begin (Xavier, He, orthogonal, GPT-2's) give at most five times as large numbers as
# PyTorch's layers do, whatever the width; numbers of size 1, at a width of 65, fourteen times.
LARGER = 8.0
LEAST = 0.1  # what biases that begin with less, or with 0, count as
STEPS = 4  # of training: where head, last and first layer of a branch begin as 0, three move all


def begins_well(
    submission: Client,
    reference: Client,
    trial: Trial,
    ones: tuple[str, ...] = (),
    zeros: tuple[str, ...] = (),
) -> Law:
    """Built anew, its parameters begin as assert_begins_well says."""
    start = trial.build(submission, keep=False).values()
    usual = trial.build(reference, keep=False).values()
    yield
    assert_begins_well(start.value, usual.value, ones, zeros)


def assert_begins_well(
    start: Numbers, usual: Numbers, ones: tuple[str, ...] = (), zeros: tuple[str, ...] = ()
) -> None:
    """No parameter begins with far larger numbers than the reference's, no weight with a row of 0,
    and none with rows that are all alike.

    Raises Wrong. start, usual: the numbers of both. ones: the ends of the names of those that are
    to begin as all ones; zeros: of those that may begin as 0, the last layers of branches.
    """
    for name, theirs in usual.items():
        ours = start.get(name)
        if ours is None or theirs is None:
            raise Wrong("wrong parameters", f"There are no numbers in {name}.")
        if name.endswith(ones) and not bool((ours == 1).all()):
            raise Wrong("wrong start values", f"{name} does not start as all ones.")
        if not typical(ours) <= LARGER * max(typical(theirs), LEAST):  # nor NaN
            text = (
                f"{name} starts with numbers of about {typical(ours):.2g}; "
                f"PyTorch's layers start with about {typical(theirs):.2g}."
            )
            raise Wrong("wrong start values", text)
        if name.endswith("weight") and not name.endswith(zeros or "?"):
            rows = ours.reshape(len(ours), -1)
            several = len(rows) > 1 < ours.dim() and not name.endswith(ones or "?")
            if several and bool((rows == rows[:1]).all()):
                text = f"All rows of {name} start with the same numbers, and would stay alike."
                raise Wrong("wrong start values", text)
            if bool((rows == 0).all(dim=1).any()):
                text = f"{name}, or a row of it, starts as 0: nothing would pass it in training."
                raise Wrong("wrong start values", text)


def assert_moved(before: Numbers, after: Numbers) -> None:
    """Every row of every parameter is another after training than before. Raises Wrong."""
    for name, old in before.items():
        new = after.get(name)
        if old is None or new is None:
            raise Wrong("wrong parameters", f"There are no numbers in {name}.")
        if not bool((old != new).reshape(len(old), -1).any(dim=-1 if old.dim() > 1 else 0).all()):
            text = (
                f"Trained from its own start, {name} or a part of it stays as it is: "
                "no gradient reaches it. With which numbers do the parameters start?"
            )
            raise Wrong("wrong start values", text)


def typical(numbers: Tensor) -> float:
    """The root of the mean square."""
    return float(torch.sqrt(numbers.double().square().mean()))
