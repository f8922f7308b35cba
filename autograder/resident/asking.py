"""Let the resident grader run a command, and start it if there is none."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from multiprocessing import AuthenticationError
from multiprocessing.connection import Client, Connection
from typing import Any, TextIO

from autograder import interrupts
from autograder.course import place
from autograder.parsing import DamagedData
from autograder.report.streams import say, screen
from autograder.resident import wire
from autograder.resident.address import Address, address

START_SECONDS = 60.0  # to import torch from a slow disk
ANSWER_SECONDS = 5.0  # to accept a connection, even if another request is being answered
DETACHED: int = getattr(subprocess, "CREATE_NO_WINDOW", 0)  # on Windows
PAUSE = 0.02  # seconds between two attempts to connect
ENDING_SECONDS = 1.0  # to say how far a command came that was interrupted
LOOK = 0.1  # seconds between two looks at whether it was


def ask(
    arguments: Sequence[str],
    given: str = "",
    show: Callable[[str], object] = say,
    at_once: bool = False,
) -> int | None:
    """Run a command of the command line in the resident grader, with its output shown here.

    given: what the command reads from stdin. show: gets all that it prints to stdout, at its end,
    so that nothing is shown twice if the resident grader is lost; or at_once, piece by piece.

    Returns the exit code, or None if there is no resident grader and none can be started, or if it
    ended before the command did: then the caller runs the command itself. The first interrupt ends
    the command there, which then prints what it has; a second one raises KeyboardInterrupt, and so
    does one that comes before the command has begun, or while it cannot end, as when it imports
    torch.
    """
    for _ in range(2):  # the first one may have been started from an older kit
        connection = _connected()
        if connection is None:
            break
        with connection:
            code = _run(connection, _request(arguments, given), show, at_once)
            if code is not None:
                return code
    return None


def _run(
    connection: Connection,
    request: dict[str, object],
    show: Callable[[str], object],
    at_once: bool = False,
) -> int | None:
    """Run a command and show its output. Returns its exit code, None if it was refused.

    Raises KeyboardInterrupt.
    """
    printed: list[str] = []
    with interrupts.postponed() as interrupt:
        try:
            wire.send(connection, request)
            interrupt.act(lambda: wire.send(connection, wire.INTERRUPT))
            while "text" in (message := _next(connection, interrupt)):
                if message["stream"] != "stdout":
                    print(message["text"], end="", file=sys.stderr, flush=True)
                elif at_once:
                    show(message["text"])
                else:
                    printed.append(message["text"])
        except (OSError, EOFError, DamagedData):
            return None
        if "code" not in message:
            return None
        interrupt.is_noted = False  # the command has said so
        if not at_once:
            show("".join(printed))
    return int(message["code"])


def _next(connection: Connection, interrupt: interrupts.Postponed) -> dict[str, Any]:
    """Wait for a message. Raises KeyboardInterrupt if none comes soon after an interrupt."""
    waited = 0.0  # since the interrupt
    while not connection.poll(LOOK):
        if interrupt.is_noted:
            waited += LOOK
        if waited > ENDING_SECONDS:
            raise KeyboardInterrupt
    return wire.receive(connection)


def _request(arguments: Sequence[str], given: str) -> dict[str, object]:
    known = {**os.environ, "COLUMNS": str(screen().columns)}
    return {
        "arguments": list(arguments),
        "given": given,
        "folder": _current_folder(),
        "environment": {name: known[name] for name in wire.PASSED_ON if name in known},
        "terminal": {name: _is_terminal(getattr(sys, name)) for name in ("stdout", "stderr")},
    }


def _current_folder() -> str:
    try:
        return os.getcwd()
    except OSError:  # it is gone, as under a kernel whose notebook was moved
        return str(place.root())


def _is_terminal(stream: TextIO | None) -> bool:
    return bool(stream and stream.isatty())


def _connected() -> Connection | None:
    """Connect to the resident grader, started if need be. Returns None if that is impossible."""
    try:
        where = address()
        found = _connect(where)
        return found or _started(where)
    except OSError:
        return None


def _started(where: Address) -> Connection | None:
    """Start a resident grader that outlives this process, and connect to it. Raises OSError."""
    with where.log.open("ab") as log:  # another one may write to it
        process = subprocess.Popen(
            [sys.executable, "-m", "autograder", "resident"],
            cwd=place.root(),
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
            creationflags=DETACHED,
        )
    end = time.monotonic() + START_SECONDS
    while time.monotonic() < end:
        if found := _connect(where):
            return found
        if process.poll():
            return None
        if process.returncode == 0:  # there is another one, started at this moment or out of reach
            end = min(end, time.monotonic() + ANSWER_SECONDS)
        time.sleep(PAUSE)
    return None


def _connect(where: Address) -> Connection | None:
    """Connect to a running resident grader. Returns None if there is none.

    Raises TimeoutError if it accepts connections but says nothing, as when it is stopped.
    """
    made: list[Connection] = []

    def connect() -> None:
        with contextlib.suppress(OSError, EOFError, AuthenticationError):
            made.append(Client(where.socket, where.family, where.key.read_bytes()))

    thread = threading.Thread(target=connect, daemon=True)
    thread.start()
    thread.join(ANSWER_SECONDS)
    if thread.is_alive():
        raise TimeoutError
    return made[0] if made else None
