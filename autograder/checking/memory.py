"""A law about the memory that a call takes."""

from __future__ import annotations

from autograder.checking.agreement import Wrong
from autograder.checking.draw import Draw
from autograder.checking.laws import Law
from autograder.checking.trial import Trial
from autograder.client import Client

ENOUGH = 0.5  # of the numbers that are too many; what is asked for needs far fewer


def never_holds(submission: Client, draw: Draw, trial: Trial, numbers: int) -> Law:
    """Law: at no time do all tensors that the first case's call makes hold so many numbers.

    Views have no numbers of their own. The inputs have to be much smaller, since a call may copy
    them.
    """
    label, inputs = trial.first_case(draw)
    held = trial.build(submission).held(*inputs)
    yield
    if held.value >= ENOUGH * numbers:
        text = f"{label}: the tensors that your code makes hold {held.value} numbers at one time."
        raise Wrong("too many numbers", text)
