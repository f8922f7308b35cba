"""Postpone what interrupts a command while it does what must not stop half-way."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

# Ctrl-C, `kill`, and a terminal that was closed.
SIGNALS = [
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
]


class Postponed:
    """A signal handler that notes the first signal; the second raises KeyboardInterrupt at once.

    firmly: no signal raises it.
    """

    def __init__(self, firmly: bool = False) -> None:
        self.is_noted = False
        self._firmly = firmly
        self._act: Callable[[], object] | None = None

    def act(self, act: Callable[[], object]) -> None:
        """Call a function at the first signal, or now if that has arrived already."""
        self._act = act
        if self.is_noted:
            act()

    def __call__(self, number: int, frame: FrameType | None) -> None:
        if self.is_noted and not self._firmly:
            raise KeyboardInterrupt
        is_first, self.is_noted = not self.is_noted, True
        if self._act and is_first:
            self._act()


def start() -> None:
    """Let all these signals interrupt this process, but not before `allow` is called.

    Signals that are ignored, as in the background of a script or under nohup, stay ignored.
    """
    for number in SIGNALS:
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, signal.default_int_handler)
    hold()


def hold() -> None:
    """Postpone interrupts until `allow` is called."""
    held = Postponed()
    for number in SIGNALS:
        if callable(signal.getsignal(number)):
            signal.signal(number, held)


def allow() -> None:
    """End what `hold` began. Raises KeyboardInterrupt if a signal has arrived since."""
    noted = False
    for number in SIGNALS:
        handler = signal.getsignal(number)
        if isinstance(handler, Postponed):
            signal.signal(number, signal.default_int_handler)
            noted = noted or handler.is_noted
    if noted:
        raise KeyboardInterrupt


@contextmanager
def postponed(firmly: bool = False) -> Iterator[Postponed]:
    """Postpone interrupts to the end of a block, which then raises KeyboardInterrupt.

    A second one is not postponed, unless firmly: for imports, which can be neither stopped half-way
    nor repeated.
    """
    found = {number: signal.getsignal(number) for number in SIGNALS}
    interrupting = {number: handler for number, handler in found.items() if callable(handler)}
    postponing = Postponed(firmly)
    if threading.current_thread() is not threading.main_thread():
        interrupting = {}  # other threads receive no signals
    try:
        for number in interrupting:
            signal.signal(number, postponing)
        yield postponing
    finally:
        for number, handler in interrupting.items():
            signal.signal(number, handler)
    if postponing.is_noted:
        raise KeyboardInterrupt
