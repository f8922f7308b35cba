"""Fork children from one warm process that has imported torch (Linux), locked or not."""

from __future__ import annotations

import contextlib
import dataclasses
import json
import os
import selectors
import signal
import socket
import subprocess
import tempfile
from pathlib import Path

from autograder.runtime.protocol import END, FORK, ORDER, PREFIX, USE_CORE, Garbled, size
from autograder.sandbox.bubblewrap import CannotLock
from autograder.sandbox.child import (
    Child,
    Limits,
    Lost,
    Sandbox,
    SandboxFailed,
    exited,
    failed,
    start,
)
from autograder.sandbox.lockdown import Lockdown

START_SECONDS = 120.0  # to import torch from a slow disk
ORDER_SECONDS = 10.0  # to kill and reap a child
CHUNK = 1 << 16
CORE = 36  # index of the current core among the fields after the name in /proc/pid/stat, proc(5)
PIPE = 1 << 20  # bytes, the largest capacity of a pipe, see pipe(7)
ENVIRONMENT = {  # all environment variables of the process
    "CUDA_VISIBLE_DEVICES": "",  # submissions are graded on the CPU, as in a locked process
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    # Large pages make forks and process switches cheaper, because there are fewer of them. Blocks
    # of up to 32 MB stay in the heap and are reused without new page faults.
    "GLIBC_TUNABLES": "glibc.malloc.hugetlb=1:"
    "glibc.malloc.mmap_threshold=33554432:glibc.malloc.trim_threshold=134217728",
}


class WarmSandbox(Sandbox):
    """A sandbox that forks children from a warm process, which never reads student code.

    If the warm process is stopped or killed, perhaps by a child, all children end and a new warm
    process replaces it.
    """

    def __init__(self, limits: Limits, lockdown: Lockdown | None = None) -> None:
        super().__init__(limits, locked=lockdown is not None)
        self._lockdown = lockdown
        self._warm = _WarmProcess(limits, lockdown)
        self._closed = False

    def child(self) -> Child:
        try:
            number, handle, descriptors = self._warm.fork()
        except SandboxFailed:
            self._replace()
            number, handle, descriptors = self._warm.fork()
        return _WarmChild(self, self._warm, number, handle, descriptors)

    def reap(self, warm: _WarmProcess, number: int) -> tuple[int, float | None]:
        """End a child. Returns its exit code as in subprocess.Popen and its CPU seconds."""
        if self._closed or warm is not self._warm:  # it died with the warm process
            return -signal.SIGKILL, None
        try:
            return warm.reap(number)
        except SandboxFailed:
            self._replace()
            return -signal.SIGKILL, None

    def close(self) -> None:
        self._closed = True
        self._warm.close()

    def _replace(self) -> None:
        self._warm.kill()
        self._warm = _WarmProcess(self.limits, self._lockdown)


class _WarmProcess:
    """The warm process, and the socket for its orders."""

    def __init__(self, limits: Limits, lockdown: Lockdown | None) -> None:
        self._control, theirs = socket.socketpair()
        self._errors = tempfile.TemporaryFile()
        self._cores = os.sched_getaffinity(0)
        self._limits = limits
        self._lockdown = lockdown
        self._is_warm = False
        self._process = start(
            "serve(main.socket.socket(fileno=int(a[0])), int(a[1]), main.json.loads(a[2]))",
            str(theirs.fileno()),
            str(limits.memory),
            json.dumps(lockdown and dataclasses.asdict(lockdown.plan)),
            place=lockdown.place if lockdown else None,
            pass_fds=[theirs.fileno()],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=self._errors,
            env=ENVIRONMENT,
            cwd="/",
        )
        theirs.close()

    def fork(self) -> tuple[int, int, tuple[int, ...]]:
        """Fork a child. Raises SandboxFailed and CannotLock.

        Returns its number in the warm process, a descriptor of its process, and the grader's ends
        of its pipes: requests, replies, stdout, stderr.
        """
        self._wait_until_warm()
        requests, replies, stdout, stderr = (os.pipe() for _ in range(4))
        theirs = [requests[0], replies[1], stdout[1], stderr[1]]
        ours = (requests[1], replies[0], stdout[0], stderr[0])
        try:
            socket.send_fds(self._control, [ORDER.pack(FORK, 0)], theirs)
            line, [handle] = self._answer(ORDER_SECONDS)
            number: int = json.loads(line)["child"]
        except (OSError, SandboxFailed) as problem:
            for descriptor in ours:
                os.close(descriptor)
            if isinstance(problem, SandboxFailed):
                raise
            raise failed(str(problem), self._errors) from None
        finally:
            for descriptor in theirs:
                os.close(descriptor)
        return number, handle, ours

    def _wait_until_warm(self) -> None:
        """Wait for the first message, which reports the tests of the lock and of the limits.

        Raises CannotLock and SandboxFailed.
        """
        if self._is_warm:
            return
        found = json.loads(self._line(START_SECONDS))
        refused = CannotLock if self._lockdown else SandboxFailed
        fails = found["fails"]
        if fails and fails["kind"] == "memory":  # before the proof, which may also run out
            raise refused(_out_of_memory(self._limits))
        if self._lockdown:
            self._lockdown.judge(found["lacks"])
        if fails:
            raise refused(
                f"Correct work does not run in the process for students' code: {fails['text']}."
            )
        self._is_warm = True
        self._share_a_core()

    def reap(self, number: int) -> tuple[int, float]:
        """Kill and reap a child. Returns its exit code and its CPU seconds."""
        try:
            self._control.sendall(ORDER.pack(END, number))
        except OSError as problem:
            raise failed(str(problem), self._errors) from None
        answer = json.loads(self._line(ORDER_SECONDS))
        return os.waitstatus_to_exitcode(answer["status"]), float(answer["cpu"])

    def close(self) -> None:
        """Close the socket, upon which the process kills its children and exits."""
        self._control.close()
        try:
            self._process.wait(ORDER_SECONDS)
        except subprocess.TimeoutExpired:
            self.kill()
        self._errors.close()
        os.sched_setaffinity(0, self._cores)

    def kill(self) -> None:
        """Kill the process; its children are killed with it."""
        self._process.kill()
        self._process.wait()
        self._control.close()
        self._errors.close()
        os.sched_setaffinity(0, self._cores)

    def _share_a_core(self) -> None:
        """Restrict this process and the warm one to one core, until `close`.

        They take turns, and each finds the other's data in the core's cache.
        """
        core = int(Path("/proc/self/stat").read_text().rpartition(")")[2].split()[CORE])
        os.sched_setaffinity(0, {core})
        self._control.sendall(ORDER.pack(USE_CORE, core))
        self._line(ORDER_SECONDS)

    def _line(self, seconds: float) -> bytes:
        return self._answer(seconds)[0]

    def _answer(self, seconds: float) -> tuple[bytes, list[int]]:
        """Wait for a line, and the descriptors that come with it."""
        self._control.settimeout(seconds)
        line, descriptors = b"", list[int]()
        try:
            while not line.endswith(b"\n"):
                received, more, _, _ = socket.recv_fds(self._control, CHUNK, 1)
                if not received:
                    raise failed("it ended", self._errors)
                line += received
                descriptors += more
        except TimeoutError:
            raise failed(f"no answer within {seconds:g} s", self._errors) from None
        except OSError as problem:
            raise failed(str(problem), self._errors) from None
        return line, descriptors


def _process(handle: int) -> int:
    """Return a process's id in this namespace; it has another id in its own namespace."""
    known = Path(f"/proc/self/fdinfo/{handle}").read_text().split()
    return int(known[known.index("Pid:") + 1])


def _out_of_memory(limits: Limits) -> str:
    """Explain that the kit's own code ran out of memory, as correct submissions would."""
    return (
        "Correct work runs out of memory in the process for students' code, which may take "
        f"{limits.memory >> 20} MB beyond what PyTorch itself takes. Does this session limit "
        "memory (ulimit -v, ulimit -d), or is there too little?"
    )


class _WarmChild(Child):
    def __init__(
        self,
        sandbox: WarmSandbox,
        warm: _WarmProcess,
        number: int,
        handle: int,
        descriptors: tuple[int, ...],
    ) -> None:
        super().__init__(sandbox.limits)
        self.process = _process(handle)
        self._handle, self._is_paused = handle, False
        self._sandbox, self._warm, self._number = sandbox, warm, number
        self._requests, self._replies, stdout, stderr = descriptors
        self._streams = {stdout: "stdout", stderr: "stderr"}
        self._open = {handle, *descriptors}
        self._exit_code: int | None = None
        self._selector = selectors.DefaultSelector()
        for descriptor in descriptors:
            os.set_blocking(descriptor, False)
            if descriptor != self._requests:
                self._selector.register(descriptor, selectors.EVENT_READ)

    def pause(self) -> bool:
        if self._exit_code is None and not self._is_paused:
            self._is_paused = True
            self._signal(signal.SIGSTOP)
        return True

    def _signal(self, number: int) -> None:
        with contextlib.suppress(ProcessLookupError):  # if the child ended, its replies end too
            signal.pidfd_send_signal(self._handle, number)

    def _exchange(self, request: bytes) -> bytes | bytearray:
        if self._exit_code is not None:
            raise exited(self._exit_code)
        if self._is_paused:
            self._is_paused = False
            self._signal(signal.SIGCONT)
        unsent = self._send(memoryview(request))
        if unsent:
            self._selector.register(self._requests, selectors.EVENT_WRITE)
        reply, filled, wanted, printing = bytearray(PREFIX.size), 0, PREFIX.size, False
        while filled < wanted:
            seconds = self._clock.remaining()
            if not seconds:  # also reached while the child prints without end
                self.end()
                raise self._too_slow()
            ready = self._selector.select(seconds)
            printing = len(ready) > 1  # output printed before the reply is readable with it
            for key, _ in ready:
                if key.fd == self._requests:
                    unsent = self._send(unsent)
                    if not unsent:
                        self._selector.unregister(self._requests)
                elif key.fd == self._replies:
                    filled += self._take_reply(memoryview(reply)[filled:])
                    if filled == wanted == PREFIX.size:
                        wanted += size(reply, self.limits.reply)
                        reply += bytes(wanted - filled + 1)  # with space for one byte too many
                else:
                    self._take_printed(key.fd)
        if filled > wanted or unsent:
            raise Garbled("the message is longer than it says, or the request was not read")
        if printing:
            self._drain()
        del reply[wanted:]
        return reply

    def _send(self, unsent: memoryview) -> memoryview:
        try:
            while unsent:
                unsent = unsent[os.write(self._requests, unsent) :]
        except BlockingIOError:
            pass  # the pipe is full; the rest is sent after the child has read some of it
        except BrokenPipeError:
            return unsent[:0]  # the child has ended, which its reply pipe will show
        return unsent

    def _take_reply(self, buffer: memoryview) -> int:
        """Read the available part of a reply into the buffer and return its number of bytes."""
        count = os.readv(self._replies, [buffer])
        if not count:
            raise self._gone()
        return count

    def _take_printed(self, descriptor: int) -> bool:
        """Read what is available on stdout or stderr. Returns whether there was anything."""
        if descriptor not in self._streams:
            return False
        try:
            data = os.read(descriptor, CHUNK)
        except BlockingIOError:
            return False
        if data:
            self._clock.note_output()
            self.printed.add(self._streams[descriptor], data, self.limits.printed)
        else:
            self._selector.unregister(descriptor)
            del self._streams[descriptor]
        return bool(data)

    def _drain(self) -> None:
        """Read what is in the pipes now; bounded, because processes may print without end."""
        for stream in list(self._streams):
            for _ in range(PIPE // CHUNK):
                if not self._take_printed(stream):
                    break

    def _gone(self) -> Lost:
        """Describe why there are no more replies.

        Raises SandboxFailed if the warm process has ended too.
        """
        self._drain()
        self.end()
        assert self._exit_code is not None
        if self.cpu is None:
            raise SandboxFailed("the process for students' code was killed from outside")
        return exited(self._exit_code)

    def end(self) -> None:
        if self._exit_code is not None:
            return
        self._selector.close()
        for descriptor in self._open:
            os.close(descriptor)
        self._exit_code, self.cpu = self._sandbox.reap(self._warm, self._number)
