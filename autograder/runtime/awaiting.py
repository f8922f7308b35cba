"""Run code that awaits outside functions, as a notebook may, without asyncio's own event loop.

That one opens sockets, which the sandbox refuses.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Coroutine
from typing import Any

MOMENT = 0.05  # seconds between looks at what is due


class _Loop(asyncio.BaseEventLoop):
    """An event loop that waits for time, and for no files: there are no threads either."""

    def __init__(self) -> None:
        super().__init__()
        self._selector = self  # which BaseEventLoop asks

    def select(self, seconds: float | None) -> list[Any]:
        """Wait for what is due in some seconds, a moment at most; None if nothing is known."""
        time.sleep(MOMENT if seconds is None else min(seconds, MOMENT))
        return []

    def _process_events(self, events: list[Any]) -> None:
        """There are no files, so nothing has happened to them."""

    def _write_to_self(self) -> None:
        """Nobody need be woken: `select` waits a moment only."""


def wait_for(running: Coroutine[Any, Any, Any]) -> None:
    """Run a coroutine until it ends. Raises what it raises."""
    loop = _Loop()
    try:
        loop.run_until_complete(running)
    finally:
        loop.close()
