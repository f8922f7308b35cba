"""Fork children from one warm process that has imported torch (Linux), locked or not."""

from __future__ import annotations

import dataclasses
import json
import os
import signal
import socket
import subprocess
import tempfile
from functools import partial
from pathlib import Path

from autograder.runtime.protocol import AHEAD, END, FORK, ORDER, USAGE, USE_CORE
from autograder.sandbox.bubblewrap import CannotLock
from autograder.sandbox.child import Child, Limits, Sandbox, SandboxFailed, failed, start
from autograder.sandbox.forked import ForkedChild
from autograder.sandbox.lockdown import Lockdown

START_SECONDS = 120.0  # to import torch from a slow disk
ORDER_SECONDS = 10.0  # to kill and reap a child
CHUNK = 1 << 16
CORE = 36  # index of the current core among the fields after the name in /proc/pid/stat, proc(5)
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
        self._spare: ForkedChild | None = None

    def child(self) -> Child:
        spare, self._spare = self._spare, None
        if spare is not None and spare.lives:
            return spare
        if spare is not None:
            spare.end()
        return self._fork()

    def prepare(self) -> None:
        if self._spare is None:
            self._spare = self._fork(ahead=True)

    def _fork(self, ahead: bool = False) -> ForkedChild:
        try:
            number, handle, descriptors = self._warm.fork(ahead)
        except SandboxFailed:
            self._replace()
            number, handle, descriptors = self._warm.fork(ahead)
        reap = partial(self._reap, self._warm, number)
        return ForkedChild(self.limits, handle, descriptors, reap)

    def _reap(self, warm: _WarmProcess, number: int) -> tuple[int, float | None]:
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
        if self._spare is not None:
            self._spare.end()
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
            "forking",
            "serve(forking.socket.socket(fileno=int(a[0])), int(a[1]), forking.json.loads(a[2]))",
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

    def fork(self, ahead: bool) -> tuple[int, int, tuple[int, ...]]:
        """Fork a child, which warms up if it is made ahead. Raises SandboxFailed and CannotLock.

        Returns its number in the warm process, a descriptor of its process, and the grader's ends
        of its pipes: requests, replies, stdout, stderr.
        """
        self._wait_until_warm()
        requests, replies, stdout, stderr = (os.pipe() for _ in range(4))
        theirs = [requests[0], replies[1], stdout[1], stderr[1]]
        ours = (requests[1], replies[0], stdout[0], stderr[0])
        try:
            socket.send_fds(self._control, [ORDER.pack(FORK, AHEAD if ahead else 0)], theirs)
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
        usage = USAGE.unpack(self._answer(ORDER_SECONDS, USAGE.size)[0])
        status, seconds, microseconds = usage[0], usage[1] + usage[3], usage[2] + usage[4]
        return os.waitstatus_to_exitcode(status), seconds + microseconds / 1e6

    def close(self) -> None:
        """Close the socket, upon which the process kills its children and exits."""
        self._control.close()
        try:
            self._process.wait(ORDER_SECONDS if self._is_warm else 0)  # it may import torch
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

    def _answer(self, seconds: float, size: int = 0) -> tuple[bytes, list[int]]:
        """Wait for that many bytes, or for a line, and the descriptors that come with it."""
        self._control.settimeout(seconds)
        answer, descriptors = b"", list[int]()
        try:
            while len(answer) < size or not (size or answer.endswith(b"\n")):
                received, more, _, _ = socket.recv_fds(self._control, CHUNK, 1)
                if not received:
                    raise failed("it ended", self._errors)
                answer += received
                descriptors += more
        except TimeoutError:
            raise failed(f"no answer within {seconds:g} s", self._errors) from None
        except OSError as problem:
            raise failed(str(problem), self._errors) from None
        return answer, descriptors


def _out_of_memory(limits: Limits) -> str:
    """Explain that the kit's own code ran out of memory, as correct submissions would."""
    return (
        "Correct work runs out of memory in the process for students' code, which may take "
        f"{limits.memory >> 20} MB beyond what PyTorch itself takes. Does this session limit "
        "memory (ulimit -v, ulimit -d), or is there too little?"
    )
