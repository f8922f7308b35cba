"""The process of a student's code: a warm one that waits, and a child of it per submission.

The warm process has torch and einops imported and does nothing but fork: `serve` reads
orders from its control socket and hands each child the pipes that came with the order.
Where there is no fork, `once` is the whole life of a process that is started afresh.
A child reads jobs from one pipe and writes replies to another; its stdout and stderr
are pipes of their own.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import signal
import socket
import sys
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO

import torch

from autograder.child import warming
from autograder.child.clock import Clock, excuse_imports
from autograder.runtime import wire
from autograder.runtime.eager import run_eagerly
from autograder.runtime.interpreter import Interpreter
from autograder.runtime.packages import keep_to_the_list
from autograder.runtime.protocol import END, FORK, KEEP_TO, ORDER, PREFIX, size
from autograder.runtime.source import Source, TimeUp
from autograder.runtime.substitute import substitute

try:
    import fcntl
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]
if sys.platform == "linux":
    from autograder.child.lock import Lock, Plan, libc
    from autograder.child.proof import proof
    from autograder.runtime.limits import limit_cpu, limit_memory, taken

PR_SET_PDEATHSIG = 1  # <linux/prctl.h>
PLACES = (0, 3, 1, 2)  # of a child's descriptors: requests, replies, stdout, stderr
ASIDE, DESCRIPTORS = 100, 1 << 16  # where they are put meanwhile; the largest that is looked for
TRIAL_SECONDS = 50  # elapsed, where a fraction of one is enough
MAX_REQUEST = 64 << 20  # bytes


def serve(control: socket.socket, memory: int, plan: dict[str, Any] | None) -> None:
    """Fork a child for each order until the other side hangs up.

    memory: bytes that a child may take, 0 for any. plan: as Plan in child.lock, if children
    are to be locked in. What is said is lines of JSON: at first {"lacks": what a locked child can
    do all the same, "fails": the problem that work of ours meets in a child, or null}, then the
    answer to each order. FORK comes with four descriptors (requests in, replies out, stdout,
    stderr): {"child": its number}, with a descriptor of its process. END stops the child of that
    number: {"status": wait status, "cpu": seconds}. KEEP_TO names the core to run on: {}.
    """
    lock = Lock(Plan(**plan)) if plan else None
    prepare()
    lacks = _proof(lock) if lock else []
    fails = _trial(memory, lock)
    control.sendall(json.dumps({"lacks": lacks, "fails": fails}).encode() + b"\n")
    children: set[int] = set()
    while True:
        received, descriptors, _, _ = socket.recv_fds(control, ORDER.size, 4)
        if not received:
            for child in children:
                _reap(child)
            os._exit(0)  # taking torch down in good order would cost a quarter of a second
        order, child = ORDER.unpack(received)
        theirs: list[int] = []
        if order == FORK:
            child = _fork(control, descriptors, memory, lock)
            children.add(child)
            theirs = [os.pidfd_open(child)]
            done: dict[str, float] = {"child": child}
        elif order == END and child in children:
            children.remove(child)
            status, usage = _reap(child)
            done = {"status": status, "cpu": usage.ru_utime + usage.ru_stime}
        elif order == KEEP_TO:
            os.sched_setaffinity(0, {child})
            done = {}
        else:
            raise RuntimeError("an order that cannot be carried out")
        socket.send_fds(control, [json.dumps(done).encode() + b"\n"], theirs)
        for descriptor in theirs:
            os.close(descriptor)


def prepare() -> None:
    """Make this process one for students' code: warm, with its imports and its time in order, and
    its memory measured. It is done once, before any child is forked.
    """
    keep_to_the_list()
    run_eagerly()
    excuse_imports()
    warming.warm_up()
    if sys.platform == "linux":
        taken()


def _proof(lock: Lock) -> list[str]:
    """Return what can be done behind a closed lock all the same."""
    found: list[str] = _thrown_away(
        lambda writing: proof(lock, [0, 1, 2, writing]),
        without_memory=["the proof of the lock ran out of memory"],
        without_end=["the proof of the lock came to no end"],
    )
    return found


def _trial(memory: int, lock: Lock | None) -> dict[str, Any] | None:
    """Return the problem that work of ours meets within the limits of a submission, if any."""

    def problem(writing: int) -> dict[str, Any] | None:
        if lock:
            lock.close([0, 1, 2, writing])
        else:
            confine(memory)
        return warming.trial()

    found: dict[str, Any] | None = _thrown_away(
        problem,
        without_memory={"kind": "memory", "text": "out of memory"},
        without_end={"kind": "crashed", "text": "its process came to no end"},
    )
    return found


def _thrown_away(work: Callable[[int], Any], without_memory: Any, without_end: Any) -> Any:
    """Do work in a child that is thrown away; it is given the descriptor that has to stay open.

    Returns what the work returns, or what is given for a child that ends without memory for it, or
    that comes to no end of it.
    """
    starved = json.dumps(without_memory).encode()
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(reading)
            signal.alarm(TRIAL_SECONDS)  # which ends the process
            os.write(writing, json.dumps(work(writing)).encode())
        except MemoryError:
            os.write(writing, starved)
        finally:
            os._exit(0)
    os.close(writing)
    with open(reading, "rb") as found:
        said = found.read()
    os.waitpid(child, 0)
    return json.loads(said) if said else without_end


def _fork(control: socket.socket, descriptors: list[int], memory: int, lock: Lock | None) -> int:
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        control.close()
        live(descriptors, memory, lock)
    with contextlib.suppress(ProcessLookupError):  # it may be gone already
        os.setpgid(child, child)  # here and in the child: whichever comes first
    for descriptor in descriptors:
        os.close(descriptor)
    return child


def _reap(child: int) -> tuple[int, resource.struct_rusage]:
    for kill in (os.kill, os.killpg):  # it may have left its own group
        with contextlib.suppress(ProcessLookupError):
            kill(child, signal.SIGKILL)
    _, status, usage = os.wait4(child, 0)
    return status, usage


def live(descriptors: list[int], memory: int, lock: Lock | None) -> None:
    """A child's life: take the pipes, lock itself in, work, and leave without any clean-up."""
    code = 1
    try:
        os.setpgid(0, 0)  # what it starts is killed with it
        libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)  # and it with the warm process
        aside = [fcntl.fcntl(descriptor, fcntl.F_DUPFD, ASIDE) for descriptor in descriptors]
        for descriptor, place in zip(aside, PLACES, strict=True):
            os.dup2(descriptor, place)
        if lock:
            lock.close(PLACES)
        else:
            os.closerange(max(PLACES) + 1, DESCRIPTORS)
            confine(memory)
        with open(PLACES[0], "rb") as incoming, open(PLACES[1], "wb") as outgoing:
            work(incoming, outgoing)
        code = 0
    finally:
        os._exit(code)


def once(replies: int, memory: int) -> None:
    """The life of a child that was started afresh: jobs on stdin, prints on stdout and stderr.

    replies: the descriptor to reply through, on Windows the handle. memory: as for serve.
    """
    prepare()
    confine(memory)
    if sys.platform == "win32":
        import msvcrt

        replies = msvcrt.open_osfhandle(replies, 0)
    os.set_inheritable(replies, False)  # for nothing that it starts
    outgoing = os.fdopen(replies, "wb")
    outgoing.write(wire.encode("ready"))
    outgoing.flush()
    work(sys.stdin.buffer, outgoing)


def work(incoming: BinaryIO, outgoing: BinaryIO) -> None:
    """Answer jobs until there are no more.

    The first job carries a submission's texts and its limits; the others one question, several, or
    the texts of another module of the same submission. While a question is being answered,
    substitutes may consult the other side, whose answer comes instead of the next job.
    """
    sys.stdin = io.StringIO()
    sys.stdout = open(1, "w", buffering=1, encoding="utf-8", errors="replace", closefd=False)
    sys.stderr = open(2, "w", buffering=1, encoding="utf-8", errors="replace", closefd=False)
    interpreter: Interpreter | None = None
    reply: Any = None

    def send(message: Any) -> None:
        outgoing.write(wire.encode(message))
        outgoing.flush()

    def consult(question: dict[str, Any]) -> Any:
        send({"consult": question})
        return next(jobs)

    jobs = _jobs(incoming)
    clock = Clock()
    for job in jobs:
        if interpreter is None:
            torch.set_num_threads(job["threads"])
        if "stem" in job:
            others = {name: substitute(name, consult) for name in job["substitutes"]}
            source = Source(job["stem"], job["texts"], job["siblings"], others)
            interpreter = Interpreter(source)
            reply = _load(interpreter.source, clock, job["seconds"])
        elif interpreter and "jobs" in job:
            reply = None  # if there is not the time for all
            with contextlib.suppress(TimeUp), clock.limit(job["seconds"]):
                reply = [_perform(interpreter, question) for question in job["jobs"]]
        elif interpreter:
            reply = _carry_out(interpreter, clock, job)
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(Exception):  # the student's code may have closed it
                stream.flush()
        send(reply)


def confine(memory: int) -> None:
    """Keep a submission that is not locked in from taking the whole machine.

    memory: bytes that it may take, 0 for any.
    """
    if resource is None:
        return
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if sys.platform == "linux":
        limit_cpu()
        if memory:
            limit_memory(memory)


def _jobs(incoming: BinaryIO) -> Iterator[dict[str, Any]]:
    while prefix := incoming.read(PREFIX.size):
        message = bytearray(prefix) + bytearray(size(prefix, MAX_REQUEST))
        incoming.readinto(memoryview(message)[len(prefix) :])  # type: ignore[attr-defined]
        yield wire.decode(message)


def _load(source: Source, clock: Clock, seconds: float) -> dict[str, Any]:
    """Load the submission. Returns what stopped it, if anything, the names that it defined, and
    if something stopped it those that its text would have defined."""
    try:
        clock.heed()
        with clock.limit(seconds):
            problem = source.load(keep=True)
    except BaseException as error:
        problem = source.problem(error)
    clock.heed()  # the module may have had other ideas; later it has itself to blame
    names = [str(name) for name in source.namespace if not str(name).startswith("__")]
    written = source.written() if problem else []
    missing = source.imports.missing[:1000] if source.imports else []
    told = {"problem": problem, "names": names[:1000], "written": written[:1000]}
    return {**told, "missing": missing}


def _perform(interpreter: Interpreter, question: dict[str, Any]) -> list[dict[str, Any]]:
    if question["fresh"]:
        interpreter.forget()
    return interpreter.answer(question)


def _carry_out(interpreter: Interpreter, clock: Clock, job: dict[str, Any]) -> list[dict[str, Any]]:
    """Answer a question; the clock may ring outside the student's code as well."""
    try:
        with clock.limit(job["seconds"]):
            return _perform(interpreter, job)
    except TimeUp as late:
        return [{"problem": interpreter.source.problem(late)} for _ in job["steps"]]
