"""Messages between the resident grader and those who ask it: JSON, never pickles."""

from __future__ import annotations

import json
from multiprocessing.connection import Connection
from typing import Any

from autograder import parsing

# Environment variables that change what a command prints, or what a path means
PASSED_ON = ("NO_COLOR", "TERM", "COLUMNS", "AUTOGRADER_FROM")
INTERRUPT: dict[str, Any] = {"interrupt": True}  # what a client sends at Ctrl-C


def send(connection: Connection, message: dict[str, Any]) -> None:
    """Send a message. Raises OSError if the other side is gone."""
    connection.send_bytes(json.dumps(message).encode())


def receive(connection: Connection) -> dict[str, Any]:
    """Wait for a message. Raises OSError or EOFError if the other side is gone, DamagedData."""
    return parsing.parsed(connection.recv_bytes(), parsing.json_object)
