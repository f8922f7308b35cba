"""A law about the memory that a call takes."""

from __future__ import annotations

from autograder.checking.agreement import Wrong
from autograder.checking.draw import Draw
from autograder.checking.laws import Law
from autograder.checking.trial import Trial
from autograder.client import Client

ENOUGH = 0.5  # of the numbers that are too many; what is asked for needs far fewer


def makes_no_tensor_of(submission: Client, draw: Draw, trial: Trial, numbers: int) -> Law:
    """Law: no tensor that the first case's call makes on its way has so many numbers.

    Views have no numbers of their own. The inputs have to be much smaller, since a call may copy
    them.
    """
    label, inputs = trial.first_case(draw)
    largest = trial.build(submission).largest(*inputs)
    yield
    if largest.value >= ENOUGH * numbers:
        text = f"{label}: your code makes a tensor of {largest.value} numbers on its way."
        raise Wrong("too large a tensor", text)
