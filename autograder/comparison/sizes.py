"""Sizes that are seldom tried: long sentences and odd widths, drawn from the seed of a check."""

from __future__ import annotations

from autograder.comparison.draw import Draw
from autograder.comparison.trial import Cases, special

LONG = (257, 270)  # tokens, more than in most tables, windows and chunks of a fixed size


def odd(draw: Draw, least: int, most: int) -> int:
    """An odd size, from least to most; both are odd."""
    return 2 * draw.size(least // 2, most // 2) + 1


def special_and_long(draw: Draw, arguments: tuple[int, ...]) -> Cases:
    """As many sentences as tokens as features, then one sentence of more than 256 tokens.

    The first argument is the number of their features.
    """
    long = {"A long sentence": (draw.normal(1, draw.size(*LONG), arguments[0]),)}
    return {**special(draw, arguments), **long}


def two_sentences(draw: Draw, arguments: tuple[int, ...]) -> Cases:
    """A batch of two sentences of about ten tokens; the first argument as for special_and_long."""
    return {"A batch of two sentences": (draw.normal(2, draw.size(9, 13), arguments[0]),)}
