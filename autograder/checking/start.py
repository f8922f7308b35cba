"""Laws about start values: numbers of a usual size from which every part can be trained."""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor

from autograder.checking.agreement import Wrong
from autograder.checking.laws import Law
from autograder.checking.trial import Trial
from autograder.client import Client

Numbers = Mapping[str, Tensor | None]
# Common initialisations (Xavier, He, orthogonal, GPT-2's) give numbers at most 5 times as large as
# those of PyTorch's layers, for any width. Numbers of size 1 are 14 times as large at width 65.
LARGER = 8.0
SMALLER = 1 / 1000  # GPT-2's embeddings are a fiftieth of PyTorch's
LEAST = 0.1  # smaller reference numbers, such as biases of 0, count as this much
STEPS = 4  # of training; 3 move everything even if the head and both layers of a branch start as 0


def begins_well(
    submission: Client,
    reference: Client,
    trial: Trial,
    ones: tuple[str, ...] = (),
    zeros: tuple[str, ...] = (),
) -> Law:
    """Law: a newly built module's parameters satisfy assert_begins_well and assert_random."""
    start, second = (trial.build(submission, keep=False).values() for _ in range(2))
    usual = trial.build(reference, keep=False).values()
    yield
    assert_begins_well(start.value, usual.value, ones, zeros)
    assert_random(start.value, second.value, usual.value)


def assert_begins_well(
    start: Numbers, usual: Numbers, ones: tuple[str, ...] = (), zeros: tuple[str, ...] = ()
) -> None:
    """Assert that parameters start with numbers from which training can work. Raises Wrong.

    None is far larger than the reference's; no weight is far smaller, unless it is 0 where it may
    be; no other weight has a row of 0, or equal rows where the reference's rows differ. Weights are
    parameters of that name, and matrices. start, usual: numbers of the submission and of the
    reference. ones: name endings of parameters that have to start as all ones; zeros: of
    weights that may start as 0 (last layers).
    """
    for name, theirs in usual.items():
        ours = start.get(name)
        if ours is None or theirs is None or ours.shape != theirs.shape:
            raise Wrong("wrong parameters", f"There are no numbers of its shape in {name}.")
        if name.endswith(ones) and not bool((ours == 1).all()):
            raise Wrong("wrong start values", f"{name} does not start as all ones.")
        if not typical(ours) <= LARGER * max(typical(theirs), LEAST):  # nor NaN
            text = (
                f"{name} starts with numbers of about {typical(ours):.2g}; "
                f"PyTorch's layers start with about {typical(theirs):.2g}."
            )
            raise Wrong("wrong start values", text)
        is_weight = name.endswith("weight") or theirs.dim() > 1
        if is_weight and 0 < typical(ours) < SMALLER * typical(theirs):
            text = (
                f"{name} starts with numbers of about {typical(ours):.2g}, too small for training; "
                f"PyTorch's layers start with about {typical(theirs):.2g}."
            )
            raise Wrong("wrong start values", text)
        if is_weight and not name.endswith(zeros or "?"):
            rows = ours.reshape(len(ours), -1)
            if bool((rows == 0).all(dim=1).any()):
                text = (
                    f"{name}, or a row of it, starts as 0, which only biases and the last layer of "
                    "a branch or of a model may do."
                )
                raise Wrong("wrong start values", text)
            rows_differ = theirs.dim() > 1 and len(theirs.unique(dim=0)) == len(theirs) > 1
            if rows_differ and len(rows.unique(dim=0)) < len(rows):
                text = f"Rows of {name} start with the same numbers; they should be random."
                raise Wrong("wrong start values", text)


def assert_random(first: Numbers, second: Numbers, usual: Numbers) -> None:
    """Assert that modules built one after the other start with different numbers. Raises Wrong.

    Weights may start equal if they are 0, or if the reference's are all equal. usual: numbers of
    the reference.
    """
    for name, theirs in usual.items():
        one, other = first.get(name), second.get(name)
        if not name.endswith("weight") or theirs is None or bool((theirs == theirs.max()).all()):
            continue
        if one is not None and other is not None and bool(one.any()) and torch.equal(one, other):
            text = f"{name} starts with the same numbers in each module that is built."
            raise Wrong("wrong start values", text, symptom="same start")


def assert_moved(before: Numbers, after: Numbers) -> None:
    """Assert that training changes every row of every parameter. Raises Wrong."""
    for name, old in before.items():
        new = after.get(name)
        if old is None or new is None or old.shape != new.shape:
            raise Wrong("wrong parameters", f"There are no numbers of its shape in {name}.")
        moved = old != new
        if not bool((moved.flatten(1).any(dim=1) if old.dim() > 1 else moved.any()).all()):
            text = (
                f"Training from your start values leaves {name}, or a part of it, unchanged: "
                "no gradient reaches it. With which numbers do the parameters start?"
            )
            raise Wrong("wrong start values", text)


def typical(numbers: Tensor) -> float:
    """Return the root mean square."""
    return float(torch.sqrt(numbers.double().square().mean()))
