"""Sizes that are seldom tried: long sentences and odd widths, drawn from the seed of a check."""

from __future__ import annotations

from autograder.checking.draw import Draw
from autograder.checking.trial import Cases, with_padding

LONG = (257, 270)  # tokens, more than in most tables, windows and chunks of a fixed size


def odd(draw: Draw, least: int, most: int) -> int:
    """An odd size, from least to most; both are odd."""
    return 2 * draw.size(least // 2, most // 2) + 1


def long_sentence(draw: Draw, arguments: tuple[int, ...]) -> Cases:
    """A batch of one long sentence; the first argument is the number of its features."""
    return {"A long sentence": (draw.normal(1, draw.size(*LONG), arguments[0]),)}


def two_sentences(draw: Draw, arguments: tuple[int, ...]) -> Cases:
    """A batch of two sentences of about ten tokens; the first argument as for long_sentence."""
    return with_padding(_of_about_ten)(draw, arguments)


def _of_about_ten(draw: Draw, arguments: tuple[int, ...]) -> Cases:
    return {"A batch of two sentences": (draw.normal(2, draw.size(9, 13), arguments[0]),)}
