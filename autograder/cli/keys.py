"""Read single keys from a terminal, without Enter."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator

if sys.platform == "win32":
    import msvcrt
else:
    import termios
    import tty


@contextlib.contextmanager
def single_keys() -> Iterator[None]:
    """Let the terminal give each key at once in a block, and as before after it."""
    if sys.platform == "win32":
        yield
        return
    before = termios.tcgetattr(0)
    try:
        tty.setcbreak(0)
        yield
    finally:
        with contextlib.suppress(termios.error):  # the terminal is gone
            termios.tcsetattr(0, termios.TCSADRAIN, before)


def keys() -> Iterator[str]:
    """Yield each key that is pressed, in lower case, until the terminal is gone."""
    while True:
        if sys.platform == "win32":
            yield msvcrt.getwch().lower()
            continue
        try:
            key = os.read(0, 1)
        except OSError:  # hung up
            return
        if not key:
            return
        yield key.decode(errors="replace").lower()
