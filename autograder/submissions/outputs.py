"""Cut the outputs out of a notebook's bytes, so that its pictures are never decoded or parsed."""

from __future__ import annotations

import re
from collections.abc import Iterator

# A key outside of any text: inside of one its quotes would have backslashes.
HEAVY = re.compile(rb'(?<!\\)"(?:outputs|attachments|widgets)"\s*:\s*(?=[\[{])')
MARK = re.compile(rb'["\[\]{}]')
OPENING, CLOSING = b"[{", b"]}"
MOST_MARKS = 5_000_000  # brackets and texts that are passed over; about half a microsecond each


class Endless(ValueError):
    """There are more brackets and texts in the outputs than any notebook has."""


def without_outputs(data: bytes) -> bytes:
    """Replace all outputs, attachments and states of widgets by empty ones.

    What is no JSON stays something that is none. Time grows with the number of brackets and texts
    in the outputs, and memory with what is left. Raises Endless.
    """
    return b"".join(_kept(data))


def _kept(data: bytes) -> Iterator[memoryview | bytes]:
    view = memoryview(data)
    at, budget = 0, MOST_MARKS
    while found := HEAVY.search(data, at):
        begin = found.end()
        end, budget = _end(data, begin, budget)
        yield view[at:begin]
        if end < 0:  # it is cut off, which whoever parses it says
            return
        yield b"[]" if data[begin : begin + 1] == b"[" else b"{}"
        at = end
    yield view[at:]


def _end(data: bytes, begin: int, budget: int) -> tuple[int, int]:
    """The place behind the value that begins with a bracket, or -1; and what is left to look at."""
    depth, at = 0, begin
    while found := MARK.search(data, at):
        budget -= 1
        if budget < 0:
            raise Endless("there is too much in its outputs")
        mark = found.group()
        at = found.end()
        if mark in OPENING:
            depth += 1
        elif mark in CLOSING:
            depth -= 1
            if depth == 0:
                return at, budget
        else:
            at, budget = _behind_text(data, at, budget)
            if at < 0:
                break
    return -1, budget


def _behind_text(data: bytes, at: int, budget: int) -> tuple[int, int]:
    """The place behind the text whose first quote was passed, or -1."""
    while (quote := data.find(b'"', at)) >= 0:
        backslashes = quote - len(data[at:quote].rstrip(b"\\")) - at
        at = quote + 1
        if backslashes % 2 == 0:
            return at, budget
        budget -= 1
        if budget < 0:
            raise Endless("there is too much in its outputs")
    return -1, budget
