"""Read single keys from a terminal, without Enter."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import sys
from collections.abc import Iterable, Iterator

if sys.platform == "win32":
    import msvcrt
else:
    import termios
    import tty

ESC, CTRL_C = "\x1b", "\x03"
# What a terminal sends for an arrow, a function key, or a letter with Alt; the last may be cut off.
SEQUENCE = re.compile(r"\x1b(\[\[?[ -?]*[@-~]|O.|[^\[O\x1b])", re.DOTALL)
CUT_OFF = re.compile(r"\x1b(\[\[?[ -?]*|O)?\Z")
PREFIXES = "\0\xe0"  # on Windows the first part of such a key


@contextlib.contextmanager
def single_keys() -> Iterator[None]:
    """Let the terminal give each key at once in a block, and as before after it."""
    if sys.platform == "win32":
        yield
    else:
        before = termios.tcgetattr(0)

        def set_again(*_: object) -> None:
            with contextlib.suppress(termios.error):  # in the background, or the terminal is gone
                tty.setcbreak(0)

        at_return = signal.signal(signal.SIGCONT, set_again)  # the shell has set it otherwise
        try:
            tty.setcbreak(0)
            yield
        finally:
            signal.signal(signal.SIGCONT, at_return)
            with contextlib.suppress(termios.error):  # the terminal is gone
                termios.tcsetattr(0, termios.TCSADRAIN, before)


def keys() -> Iterator[str]:
    """Yield each letter that is pressed, in lower case, until the terminal is gone.

    Keys that send several characters, such as arrows, are left out. Ctrl-C interrupts the process.
    """
    if sys.platform == "win32":
        return in_parts(iter(msvcrt.getwch, None))
    return in_sequences(iter(_read, ""))


def in_sequences(pieces: Iterable[str]) -> Iterator[str]:
    """Yield the keys in the pieces of text that a terminal sends."""
    rest = ""
    for piece in pieces:
        # A lone Esc is a key. Nobody waits for what may follow it.
        text = piece if rest == ESC and piece[0] not in "[O" else rest + piece
        text = SEQUENCE.sub("", text)
        cut_off = CUT_OFF.search(text)
        rest = cut_off[0] if cut_off else ""
        yield from text.removesuffix(rest).replace(ESC, "").lower()


def in_parts(characters: Iterable[str]) -> Iterator[str]:
    """Yield the keys among the characters of a console of Windows, where Ctrl-C is one."""
    following = iter(characters)
    for character in following:
        if character == CTRL_C:
            signal.raise_signal(signal.SIGINT)
        elif character in PREFIXES:
            next(following, "")
        else:
            yield character.lower()


def _read() -> str:
    """Return what was typed, at least one character, or "" when the terminal is gone."""
    try:
        return os.read(0, 1000).decode("ascii", "replace")
    except OSError:  # hung up
        return ""
