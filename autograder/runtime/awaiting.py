"""Run code that awaits outside functions, as a notebook may, without asyncio's own event loop.

That one opens sockets, which the sandbox refuses.
"""

from __future__ import annotations

import inspect
import time
from collections.abc import Coroutine
from typing import Any

LONG = 60.0  # seconds to wait when nothing is due; the limit of time ends it before


def wait_for(running: Coroutine[Any, Any, Any]) -> None:
    """Run a coroutine until it ends. Raises what it raises."""
    loop = _event_loop()
    try:
        loop.run_until_complete(running)
    except BaseException as error:
        if inspect.getcoroutinestate(running) == inspect.CORO_SUSPENDED:
            running.throw(error)  # its time is over: so the line that waits is told
        raise
    finally:
        loop.close()


def _event_loop() -> Any:
    """Return an event loop that waits for time, and for no files."""
    import asyncio  # not above: each command would wait for it, and few notebooks await

    class Loop(asyncio.BaseEventLoop):
        def __init__(self) -> None:
            super().__init__()
            self._selector = self  # which BaseEventLoop asks

        def select(self, seconds: float | None) -> list[Any]:
            """Wait for what is due in some seconds; None if nothing is. No file has an event."""
            time.sleep(LONG if seconds is None else seconds)
            return []

        def _process_events(self, events: list[Any]) -> None:
            """There are none."""

        def _write_to_self(self) -> None:
            """Nobody waits who could be woken: there is one thread."""

    return Loop()
