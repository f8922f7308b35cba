"""Cut the outputs out of a notebook's bytes, so that pictures are never decoded or parsed."""

from __future__ import annotations

import re
from collections.abc import Iterator

from autograder.errors import SubmissionError

# A key outside of strings: inside a string its quotes would have backslashes.
HEAVY = re.compile(rb'(?<!\\)"(?:outputs|attachments|widgets)"\s*:\s*(?=[\[{])')
MARK = re.compile(rb'["\[\]{}]')
OPENING, CLOSING = b"[{", b"]}"
MOST = 50_000  # outputs, attachments and states of widgets
MOST_MARKS = 5_000_000  # brackets and strings that are skipped; about half a microsecond each


class OutputsTooLarge(SubmissionError):
    """There are more outputs, or brackets and strings in them, than in any real notebook."""


def without_outputs(data: bytes) -> bytes:
    """Replace all outputs, attachments and states of widgets with empty ones.

    Invalid JSON stays invalid. Time is proportional to the number of brackets and strings in the
    outputs, memory to the size of the result. Raises OutputsTooLarge.
    """
    return b"".join(_kept(data))


def _kept(data: bytes) -> Iterator[memoryview | bytes]:
    view = memoryview(data)
    at, count, budget = 0, 0, MOST_MARKS
    while found := HEAVY.search(data, at):
        begin = found.end()
        count += 1
        if count > MOST:
            raise OutputsTooLarge(f"it has more than {MOST} outputs")
        end, budget = _end(data, begin, budget)
        yield view[at:begin]
        if end < 0:  # the notebook is cut off, which the parser reports
            return
        yield b"[]" if data[begin : begin + 1] == b"[" else b"{}"
        at = end
    yield view[at:]


def _end(data: bytes, begin: int, budget: int) -> tuple[int, int]:
    """Return the index after the value that begins with a bracket, or -1; and the budget left."""
    depth, at = 0, begin
    while found := MARK.search(data, at):
        budget -= 1
        if budget < 0:
            raise OutputsTooLarge("there is too much in its outputs")
        mark = found.group()
        at = found.end()
        if mark in OPENING:
            depth += 1
        elif mark in CLOSING:
            depth -= 1
            if depth == 0:
                return at, budget
        else:
            at, budget = _after_string(data, at, budget)
            if at < 0:
                break
    return -1, budget


def _after_string(data: bytes, at: int, budget: int) -> tuple[int, int]:
    """Return the index after a string whose first quote was passed, or -1; and the budget left."""
    while (quote := data.find(b'"', at)) >= 0:
        backslashes = quote - len(data[at:quote].rstrip(b"\\")) - at
        at = quote + 1
        if backslashes % 2 == 0:
            return at, budget
        budget -= 1
        if budget < 0:
            raise OutputsTooLarge("there is too much in its outputs")
    return -1, budget
