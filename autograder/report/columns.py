"""Fit text into the columns of a terminal, where letters of some scripts and emoji take two."""

from __future__ import annotations

from wcwidth import clip, wrap
from wcwidth import width as taken

WIDTH, NARROWEST = 80, 40
DOTS = "…"
TIE = "\xa0"  # in place of a space at which no line may end


def width(text: str) -> int:
    """Return how many columns a text takes; colours take none."""
    is_plain = text.isascii() and "\x1b" not in text
    return len(text) if is_plain else taken(text, control_codes="ignore")


def cut(text: str, columns: int) -> str:
    """Return a text, or as much of it as fits with an ellipsis."""
    if width(text) <= columns:
        return text
    return clip(text, 0, columns - 1, fillchar="", control_codes="ignore") + DOTS


def padded(text: str, columns: int) -> str:
    """Return a text with spaces after it, or more of them than fit."""
    return text + " " * (columns - width(text))


def wrapped(
    text: str, indent: str = "", columns: int = WIDTH, hanging: str | None = None
) -> list[str]:
    """Return the lines of a text. Only words that are too long are broken.

    indent: before each line. hanging: before each but the first, if that differs.
    """
    return wrap(
        text,
        columns,
        control_codes="ignore",
        initial_indent=indent,
        subsequent_indent=indent if hanging is None else hanging,
        break_on_hyphens=False,
        propagate_sgr=False,
    )
