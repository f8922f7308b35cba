"""Grade a class on all cores, and keep each result as soon as it is there."""

from __future__ import annotations

MOST_PROCESSES = 1000


def processes(text: str) -> int:
    """Return how many processes a user wants. Raises ValueError."""
    if not text.isascii() or not text.isdigit() or not 1 <= int(text) <= MOST_PROCESSES:
        raise ValueError(f"{text!r} is no number from 1 to {MOST_PROCESSES}")
    return int(text)
