"""Misconceptions that are run to get their traces; a student's copy has recordings instead."""

from autograder.diagnosis.live.asking import LiveMistakes

__all__ = ["LiveMistakes"]
