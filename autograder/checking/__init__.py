"""How a fair comparison is made: random numbers, tolerances, agreement, and laws."""

from autograder.checking.agreement import OtherLayout, Wrong, assert_agree
from autograder.checking.draw import Draw
from autograder.checking.trial import Trial

__all__ = ["Draw", "OtherLayout", "Trial", "Wrong", "assert_agree"]
