"""Misconceptions that can be run; a student's copy has recordings of them in place of this."""

from autograder.diagnosis.live.asking import LiveMistakes

__all__ = ["LiveMistakes"]
