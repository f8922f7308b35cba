"""The browser for tests of pages, and a port for the server that it visits."""

from __future__ import annotations

import shutil
import socket

NAMES = ("chromium", "chromium-browser", "google-chrome")
CHROMIUM = next(filter(None, map(shutil.which, NAMES)), "")


def free_port() -> int:
    """Return a port of this machine that no server uses."""
    with socket.socket() as free:
        free.bind(("localhost", 0))
        port: int = free.getsockname()[1]
        return port
