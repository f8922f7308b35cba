"""Unusual sizes for checks: long sentences and odd widths, drawn from the seed."""

from __future__ import annotations

from autograder.checking.draw import Draw
from autograder.checking.trial import Cases, with_padding

LONG = (513, 530)  # tokens; more than fixed-size tables, windows and chunks usually have


def odd(draw: Draw, least: int, most: int) -> int:
    """Return an odd size from least to most, which are both odd."""
    return 2 * draw.size(least // 2, most // 2) + 1


def long_sentence(draw: Draw, arguments: tuple[int, ...]) -> Cases:
    """Return a batch of one long sentence; the first argument is the number of features."""
    return {"A long sentence": (draw.normal(1, draw.size(*LONG), arguments[0]),)}


def two_sentences(draw: Draw, arguments: tuple[int, ...]) -> Cases:
    """Return a batch of two sentences of about ten tokens, token 1 all zeros.

    Their number is even, since that of `trial.sentences` is odd. The first argument is the number
    of features.
    """
    return with_padding(_of_about_ten)(draw, arguments)


def _of_about_ten(draw: Draw, arguments: tuple[int, ...]) -> Cases:
    return {"A batch of two sentences": (draw.normal(2, 2 * draw.size(5, 6), arguments[0]),)}


def cube(draw: Draw, arguments: tuple[int, ...]) -> Cases:
    """A batch of as many sentences and tokens as the first argument, the number of features."""
    C = arguments[0]
    return {f"{C} sentences of {C} tokens with {C} features": (draw.normal(C, C, C),)}
