"""Read in which line of a cell an error was, from the traceback that IPython has shown."""

from __future__ import annotations

import re
from collections.abc import Sequence

from autograder.notebook.stopped import lines_above, unreadable_line

COLOUR = re.compile(r"\x1b\[[\d;]*m")
# The line of the outermost frame: an arrow, or without code, as in %xmode Plain.
IN_CELL = re.compile(
    r"^-+> (\d+) |(?:\b(?:Cell|Input) In ?\[\d+\]|<ipython-input-[\w-]+>)(?:, line |:)(\d+)",
    re.MULTILINE,
)
BELOW_MAGIC = re.compile(r"<timed exec>[^\d\n]*(\d+)")  # %%time has run the lines below it


def line_in(traceback: Sequence[str], text: str) -> int | None:
    """Return the line of a cell in which an error was, 0 if Python could not read it.

    None if the traceback does not tell.
    """
    if unreadable_line(text):
        return 0
    shown, above = COLOUR.sub("", "\n".join(traceback)), lines_above(text)
    if found := (BELOW_MAGIC if any(map(str.strip, above)) else IN_CELL).search(shown):
        return len(above) + int(found[found.lastindex or 1])
    return None
