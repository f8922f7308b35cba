"""The warm process (Linux): it imports torch and einops, and then only forks children.

It reads orders from a control socket and gives each child the pipes that come with the order. A
child reads jobs from one pipe and writes replies to another; its stdout and stderr are separate
pipes.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import signal
import socket
import sys
from collections.abc import Callable
from typing import Any

from autograder.child import warming
from autograder.child.answering import confine, prepare, work
from autograder.child.lock import DESCRIPTORS, Lock, LockPlan, libc
from autograder.child.proof import proof
from autograder.child.reaper import Reaper
from autograder.runtime.protocol import AHEAD, END, FORK, ORDER, USE_CORE

PR_SET_PDEATHSIG = 1  # <linux/prctl.h>
PLACES = (0, 3, 1, 2)  # a child's descriptors: requests, replies, stdout, stderr
HIGH_DESCRIPTOR = 100  # larger than any of PLACES
TRIAL_SECONDS = 50  # elapsed time; a trial needs less than one


def serve(control: socket.socket, memory: int, plan: dict[str, Any] | None) -> None:
    """Carry out orders until the grader closes the control socket.

    memory: bytes that a child may allocate, 0 for no limit. plan: the fields of LockPlan if
    children are to be locked. Writes lines of JSON. The first is {"lacks": what a locked child can
    still do, "fails": the problem that the kit's own code has in a child, or null}. Then each order
    gets an answer:
    FORK, with four descriptors (requests, replies, stdout, stderr), starts a child, which warms up
    if the order says AHEAD. The answer is {"child": its number}, with a descriptor of its process.
    END stops the child of that number. The answer is in place of a line.
    USE_CORE moves this process to the core of that number: {}.
    """
    lock = Lock(LockPlan(**plan)) if plan else None
    prepare()
    lacks = _proof(lock) if lock else []
    fails = _trial(memory, lock)
    control.sendall(json.dumps({"lacks": lacks, "fails": fails}).encode() + b"\n")
    children: set[int] = set()
    reaper = Reaper()
    while True:
        received, descriptors, _, _ = socket.recv_fds(control, ORDER.size, 4)
        if not received:
            for child in children:
                reaper.end(child)
            os._exit(0)  # a normal exit takes torch a quarter of a second
        order, child = ORDER.unpack(received)
        theirs: list[int] = []
        if order == FORK:
            child = _fork(control, descriptors, memory, lock, ahead=child == AHEAD)
            children.add(child)
            theirs = [os.pidfd_open(child)]
            answer: bytes | memoryview = json.dumps({"child": child}).encode() + b"\n"
        elif order == END and child in children:
            children.remove(child)
            answer = reaper.end(child)
        elif order == USE_CORE:
            os.sched_setaffinity(0, {child})
            answer = b"{}\n"
        else:
            raise RuntimeError("unknown order")
        socket.send_fds(control, [answer], theirs)
        for descriptor in theirs:
            os.close(descriptor)


def _proof(lock: Lock) -> list[str]:
    """Return what code can still do behind the closed lock."""
    found: list[str] = _in_disposable_child(
        lambda writing: proof(lock, [0, 1, 2, writing]),
        without_memory=["the proof of the lock ran out of memory"],
        without_end=["the proof of the lock came to no end"],
    )
    return found


def _trial(memory: int, lock: Lock | None) -> dict[str, Any] | None:
    """Return the problem that the kit's own code has within a submission's limits, if any."""

    def problem(writing: int) -> dict[str, Any] | None:
        if lock:
            lock.close([0, 1, 2, writing])
        else:
            confine(memory)
        return warming.trial()

    found: dict[str, Any] | None = _in_disposable_child(
        problem,
        without_memory={"kind": "memory", "text": "out of memory"},
        without_end={"kind": "crashed", "text": "its process came to no end"},
    )
    return found


def _in_disposable_child(work: Callable[[int], Any], without_memory: Any, without_end: Any) -> Any:
    """Run `work` in a new child and return its result, which must be JSON data.

    work: gets the descriptor that it must keep open. without_memory: returned if the child runs out
    of memory. without_end: returned if the child ends without a result.
    """
    out_of_memory = json.dumps(without_memory).encode()
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(reading)
            signal.alarm(TRIAL_SECONDS)  # which ends the process
            os.write(writing, json.dumps(work(writing)).encode())
        except MemoryError:
            os.write(writing, out_of_memory)
        finally:
            os._exit(0)
    os.close(writing)
    with open(reading, "rb") as pipe:
        result = pipe.read()
    os.waitpid(child, 0)
    return json.loads(result) if result else without_end


def _fork(
    control: socket.socket, descriptors: list[int], memory: int, lock: Lock | None, ahead: bool
) -> int:
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        control.close()
        run_child(descriptors, memory, lock, ahead)
    with contextlib.suppress(ProcessLookupError):  # the child may have ended already
        os.setpgid(child, child)  # the child does this too: either may come first
    for descriptor in descriptors:
        os.close(descriptor)
    return child


def run_child(descriptors: list[int], memory: int, lock: Lock | None, ahead: bool = False) -> None:
    """Run a forked child: take the pipes, lock, answer jobs, and exit without any clean-up.

    ahead: nobody waits for it yet, so it warms up before the first job.
    """
    code = 1
    try:
        os.setpgid(0, 0)  # processes that it starts are killed with it
        libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)  # it is killed with the warm process
        copies = [fcntl.fcntl(one, fcntl.F_DUPFD, HIGH_DESCRIPTOR) for one in descriptors]
        for descriptor, place in zip(copies, PLACES, strict=True):
            os.dup2(descriptor, place)
        if lock:
            lock.close(PLACES)
        else:
            os.closerange(max(PLACES) + 1, DESCRIPTORS)
            confine(memory)
        if ahead:
            warming.warm_up_again()
        with open(PLACES[0], "rb") as incoming, open(PLACES[1], "wb") as outgoing:
            work(incoming, outgoing)
        code = 0
    finally:
        os._exit(code)
