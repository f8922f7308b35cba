"""Print progress on stderr, in one line that is rewritten at a terminal."""

from __future__ import annotations

import sys

WIDTH = 79  # columns: a longer line could not be rewritten
FEW = 10  # items, of which the end is seen without being told


class Progress:
    """Prints how many of all items are done. verb: what was done with them, such as 'graded'."""

    def __init__(self, verb: str) -> None:
        self.verb = verb
        self._rewrite = sys.stderr.isatty()

    def done(
        self, count: int, total: int, seconds_left: float | None = None, name: str = ""
    ) -> None:
        """Print that `count` of `total` items are done.

        seconds_left: an estimate for the others. name: that of the last item, which must be plain
        text without control characters.
        """
        from autograder.report.columns import cut  # most commands print no progress

        left = "" if seconds_left is None else _rate(total - count, seconds_left)
        start, end = ("\r\x1b[K", "" if count < total else "\n") if self._rewrite else ("", "\n")
        line = f"{self.verb} {count}/{total}{left}" + (f"  {name}" if name else "")
        print(start + cut(line, WIDTH), end=end, file=sys.stderr, flush=True)


def _rate(items: int, seconds: float) -> str:
    """Return how many are done in a second, and when the others will be; "" for a few others."""
    is_known = items >= FEW and seconds > 0
    return f", {items / seconds:.3g} a second, {_time(seconds)} left" if is_known else ""


def _time(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 100 else f"{seconds / 60:.0f} min"
