"""Cut the outputs out of a notebook's bytes, so that pictures are never decoded or parsed."""

from __future__ import annotations

import re
from collections.abc import Iterator

from autograder.errors import SubmissionError

# A key outside of strings: inside a string its quotes would have backslashes.
HEAVY = re.compile(rb'(?<!\\)"(?:outputs|attachments|widgets)"\s*:\s*(?=[\[{])')
OUTPUTS = re.compile(rb'(?<!\\)"(?:outputs|widgets)"\s*:\s*(?=[\[{])')
# Up to 100 characters with a backslash, or strings, at a time: more would take much memory.
IN_STRING = rb'[^"\\]*(?:\\.[^"\\]*){0,100}'
REST_OF_STRING = re.compile(IN_STRING, re.DOTALL)
UP_TO_BRACKET = re.compile(rb'[^"\[\]{}]*(?:"' + IN_STRING + rb'"[^"\[\]{}]*){0,100}', re.DOTALL)
DEPTH = {b"[": 1, b"{": 1, b"]": -1, b"}": -1}
MOST = 50_000  # outputs, attachments and states of widgets
MOST_STEPS = 1_000_000  # brackets that are skipped, about half a microsecond each
FOR_STRINGS = 8  # more steps for up to a hundred strings
SHORT = 100  # bytes between brackets that cost nothing


class OutputsTooLarge(SubmissionError):
    """There are more outputs, or brackets and strings in them, than in any real notebook."""


def without_outputs(data: bytes, most: int, heavy: re.Pattern[bytes] = HEAVY) -> bytes:
    """Replace all outputs, attachments and states of widgets with empty ones.

    heavy: what is replaced, HEAVY or OUTPUTS, which leaves attachments.

    Invalid JSON stays invalid. Time is proportional to the number of brackets and strings in the
    outputs, memory to the size of the result, which may have `most` bytes. Raises OutputsTooLarge.
    """
    return b"".join(_kept(data, most, heavy))


def _kept(data: bytes, most: int, heavy: re.Pattern[bytes]) -> Iterator[memoryview | bytes]:
    view = memoryview(data)
    last = data.rfind(b'"') + 1  # no string ends after it
    at, count, steps = 0, 0, MOST_STEPS
    while found := heavy.search(data, at, at + most):
        begin = found.end()
        count += 1
        if count > MOST:
            raise OutputsTooLarge(f"it has more than {MOST} cells or outputs")
        end, steps = _end(data, begin, last, steps)
        yield view[at:begin]
        if end < 0:  # the notebook is cut off, which the parser reports
            return
        yield b"[]" if data[begin : begin + 1] == b"[" else b"{}"
        most -= begin - at
        at = end
    if len(data) - at > most:
        raise OutputsTooLarge("it has too much text that is no output")
    yield view[at:]


def _end(data: bytes, begin: int, last: int, steps: int) -> tuple[int, int]:
    """Return the index after the value that begins with a bracket, or -1; and the steps left.

    last: the index after the last quote.
    """
    depth, at = 0, begin
    while at < len(data):
        steps -= 1
        if steps < 0:
            raise OutputsTooLarge("there is too much in its outputs")
        mark = data[at : at + 1]
        if mark == b'"':
            at, steps = _after_string(data, at + 1, last, steps)
            if at < 0:
                break
        elif mark in DEPTH:
            depth += DEPTH[mark]
            at += 1
            if depth == 0:
                return at, steps
        skipped = _match_end(UP_TO_BRACKET, data, at, last) - at
        steps -= FOR_STRINGS if skipped > SHORT else 0
        at += skipped
    return -1, steps


def _after_string(data: bytes, at: int, last: int, steps: int) -> tuple[int, int]:
    """Return the index after a string whose first quote was passed, or -1; and the steps left."""
    while at < last:
        steps -= FOR_STRINGS
        if steps < 0:
            raise OutputsTooLarge("there is too much in its outputs")
        at = _match_end(REST_OF_STRING, data, at, last)
        if data[at : at + 1] == b'"':
            return at + 1, steps
    return -1, steps


def _match_end(pattern: re.Pattern[bytes], data: bytes, at: int, last: int) -> int:
    """Return the index after a match, which ends with the last string if it can."""
    found = pattern.match(data, at, last if at < last else len(data))
    assert found is not None  # both patterns match an empty text
    return found.end()
