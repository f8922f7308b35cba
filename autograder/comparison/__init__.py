"""How a fair comparison is made: random numbers, tolerances, agreement, and laws."""

from autograder.comparison.agreement import OtherLayout, Wrong, assert_agree
from autograder.comparison.draw import Draw
from autograder.comparison.trial import Trial

__all__ = ["Draw", "OtherLayout", "Trial", "Wrong", "assert_agree"]
