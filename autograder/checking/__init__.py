"""Check a submission fairly: random inputs, tolerances, comparison with the reference, laws."""

from autograder.checking.agreement import OtherLayout, Wrong, assert_agree
from autograder.checking.draw import Draw
from autograder.checking.trial import Trial

__all__ = ["Draw", "OtherLayout", "Trial", "Wrong", "assert_agree"]
