"""The resident grader: run commands for whoever asks, one after the other."""

from __future__ import annotations

import contextlib
import gc
import io
import os
import queue
import secrets
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from multiprocessing import AuthenticationError
from multiprocessing.connection import Connection, Listener
from typing import Any

from autograder import course, interrupts, whole_file
from autograder.parsing import DamagedData
from autograder.resident import wire
from autograder.resident.address import address

IDLE = 20 * 60.0  # seconds without a request, after which it ends
SENDING = 1.0  # seconds in which whoever asked reads what is sent, unless they are suspended
INTERRUPTED: dict[str, Any] = {"refused": "it was interrupted"}
Run = Callable[[Sequence[str]], int]


def serve(run: Run, prepare: Callable[[], None], idle: float = IDLE) -> None:
    """Answer requests until there are none for `idle` seconds, or until its kit changes.

    run: runs a command of the command line and returns its exit code. prepare: prepares for the
    next one while nobody waits. Returns at once if this kit has a resident grader already. Raises
    OSError.
    """
    where = address()
    lock = where.take()
    if lock is None:
        return
    os.chdir(where.lock.parent)  # a folder in which a process works cannot always be moved
    signal.signal(signal.SIGINT, signal.default_int_handler)  # may be ignored in the background
    for number in set(interrupts.SIGNALS) - {signal.SIGINT}:  # these end it
        signal.signal(number, signal.SIG_DFL)
    with contextlib.suppress(OSError):  # not a file
        os.truncate(where.log, 0)  # of the one before
    print(f"process {os.getpid()}", flush=True)  # into its log
    key = secrets.token_bytes(32)
    whole_file.write(where.key, key)
    # A logout may remove the folder. At its end it unlinks its own socket, not the next one's.
    name = where.socket if where.family == "AF_PIPE" else os.path.basename(where.socket)
    listener = Listener(name, where.family, backlog=16, authkey=key)
    refused = Server(run, prepare, _kit()).serve(listener, idle)
    with contextlib.suppress(FileNotFoundError):
        listener.close()
    os.close(lock)
    if refused:  # only now, so that whoever asked can start another one at once
        refused.end({"refused": "the kit has changed"})
        refused.await_sent()


@dataclass(eq=False)
class Request:
    """A command that someone asked for. is_over: its last message is or was sent.

    A thread of its own sends the messages, since whoever asked may be suspended, as after Ctrl-Z.
    """

    connection: Connection
    message: dict[str, Any]
    is_over: bool = False

    def __post_init__(self) -> None:
        self._messages: queue.SimpleQueue[dict[str, Any] | None] = queue.SimpleQueue()
        self._sender = threading.Thread(target=self._send_all, daemon=True)
        self._sender.start()

    def send(self, message: dict[str, Any]) -> None:
        """Send a message to whoever asked, in one piece whatever interrupts the command."""
        self._messages.put(message)

    def end(self, message: dict[str, Any]) -> None:
        """Send the last message."""
        self.send(message)
        self._messages.put(None)
        self.is_over = True

    def await_sent(self) -> None:
        """Wait until all messages are sent, but not for long."""
        self._sender.join(SENDING)

    def _send_all(self) -> None:
        with contextlib.suppress(OSError):  # they are gone, which ends the command
            for message in iter(self._messages.get, None):
                wire.send(self.connection, message)


class Server:
    """Accepts requests in threads, and answers them in the main thread, where signals arrive."""

    def __init__(self, run: Run, prepare: Callable[[], None], kit: tuple[object, ...]) -> None:
        self._run, self._prepare, self._kit = run, prepare, kit
        self._waiting: queue.Queue[Request] = queue.Queue()
        self._current: Request | None = None
        self._lock = threading.Lock()

    def serve(self, listener: Listener, idle: float) -> Request | None:
        """Answer requests until it is idle, or the kit changes before or while it answers one.

        Returns that one, which is to be repeated.
        """
        threading.Thread(target=self._accept, args=(listener,), daemon=True).start()
        while True:
            with contextlib.suppress(KeyboardInterrupt):  # late, of the request before
                try:
                    request = self._waiting.get(timeout=idle)
                except queue.Empty:
                    return None
                if self._is_same_kit():
                    self._carry_out(request)
                if not request.is_over:  # the kit has changed
                    return request
                request.await_sent()
                self._prepare()
                gc.unfreeze()  # what grading froze is garbage by now
                gc.collect()

    def _is_same_kit(self) -> bool:
        try:
            return _kit() == self._kit
        except OSError:  # it is gone
            return False

    def _carry_out(self, request: Request) -> None:
        """Run a command, and say how it ended even if it is interrupted in its last moment.

        Only if the kit changes meanwhile, nothing is said: parts of both kits may have run.
        """
        try:
            self._run_current(request)
        except BaseException:
            if not request.is_over:
                request.end(INTERRUPTED)
            raise

    def _run_current(self, request: Request) -> None:
        with self._lock:
            if request.is_over:
                return
            self._current = request
        answer = INTERRUPTED
        try:
            with _as_if_asked_here(request):
                interrupts.hold()  # as when a command starts in a process of its own
                answer = {"code": self._run(request.message["arguments"])}
        except SystemExit as end:  # of the parser of arguments
            answer = {"code": end.code}
        except Exception as failure:
            traceback.print_exc()
            answer = {"refused": f"it failed: {failure}"}
        finally:
            with self._lock:
                self._current = None
                if self._is_same_kit():
                    request.end(answer)

    def _accept(self, listener: Listener) -> None:
        while True:
            try:
                connection = listener.accept()
            except (OSError, EOFError, AuthenticationError):
                continue  # whoever it was is gone, or does not know the key
            threading.Thread(target=self._listen, args=(connection,), daemon=True).start()

    def _listen(self, connection: Connection) -> None:
        """Read a request; interrupt it if whoever asked says so, or is gone before its end."""
        with connection:
            try:
                request = Request(connection, wire.receive(connection))
            except (OSError, EOFError, DamagedData):
                return
            self._waiting.put(request)
            with contextlib.suppress(OSError, EOFError):
                while True:
                    connection.recv_bytes()  # a client's Ctrl-C
                    self._interrupt(request)
            self._interrupt(request)  # the client is gone

    def _interrupt(self, request: Request) -> None:
        """Interrupt a request, or refuse it at once if it has not begun."""
        with self._lock:
            if self._current is request:
                _interrupt()
            elif not request.is_over:
                request.end(INTERRUPTED)


def _kit() -> tuple[object, ...]:
    """Return what changes when anything does that can change a grade. Raises OSError."""
    return course.fingerprint(), course.secret_stamp()


def _interrupt() -> None:
    """Raise KeyboardInterrupt in the main thread, even where it waits for a child."""
    if main := hasattr(signal, "pthread_kill") and threading.main_thread().ident:
        signal.pthread_kill(main, signal.SIGINT)
    else:
        signal.raise_signal(signal.SIGINT)


class _Forwarded(io.TextIOBase):
    """A stream whose text is printed where the command was asked for."""

    def __init__(self, request: Request, name: str) -> None:
        self._request, self._name = request, name

    def isatty(self) -> bool:
        return bool(self._request.message["terminal"][self._name])

    def write(self, text: str) -> int:
        self._request.send({"stream": self._name, "text": text})
        return len(text)


@contextlib.contextmanager
def _as_if_asked_here(request: Request) -> Iterator[None]:
    """Run a block in the folder and the environment of a request, with its input and output."""
    folder, before, stdin = os.getcwd(), dict(os.environ), sys.stdin
    try:
        sys.stdin = io.StringIO(request.message["given"])
        os.chdir(request.message["folder"])
        for name in wire.PASSED_ON:
            os.environ.pop(name, None)
        os.environ.update(request.message["environment"])
        with (
            contextlib.redirect_stdout(_Forwarded(request, "stdout")),
            contextlib.redirect_stderr(_Forwarded(request, "stderr")),
        ):
            yield
    finally:
        with interrupts.postponed():
            sys.stdin = stdin
            os.chdir(folder)
            os.environ.clear()
            os.environ.update(before)
