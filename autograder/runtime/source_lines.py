"""Split source text into the lines that Python counts."""

from __future__ import annotations

import re

LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")


def source_lines(text: str) -> list[str]:
    """Return the lines with their ends, as `ast` and Python count them.

    str.splitlines also splits at a form feed, U+2028 and others, which do not end a line of Python.
    """
    return LINE.findall(text)
