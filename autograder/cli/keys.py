"""Read single keys from a terminal, without Enter."""

from __future__ import annotations

import contextlib
import os
import select
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


def pressed(seconds: float) -> str:
    """Return the key that is pressed, in lower case; "" if there is none within this time.

    Raises EOFError if the terminal is gone.
    """
    if sys.platform == "win32":
        import time

        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if msvcrt.kbhit():
                return msvcrt.getwch().lower()
            time.sleep(0.02)
        return ""
    ready, _, _ = select.select([0], [], [], seconds)
    if not ready:
        return ""
    try:
        key = os.read(0, 1)
    except OSError:  # hung up
        key = b""
    if not key:
        raise EOFError
    return key.decode(errors="replace").lower()
