"""The entry points of processes for student code: a warm one, and a child for each submission.

The warm process imports torch and einops, and then only forks: `serve` reads orders from a control
socket and gives each child the pipes that come with the order. Where there is no fork, `run_alone`
runs a child in a new process. A child reads jobs from one pipe and writes replies to another; its
stdout and stderr are separate pipes.
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

from autograder.child import editing, own_disk, warming
from autograder.child.clock import Clock, exclude_imports
from autograder.child.shortening import shorten
from autograder.runtime import wire
from autograder.runtime.eager import run_eagerly
from autograder.runtime.interpreter import Interpreter, StepAnswer
from autograder.runtime.own_files import absolute
from autograder.runtime.packages import allow_only_listed
from autograder.runtime.problems import TimeUp
from autograder.runtime.protocol import AHEAD, END, FORK, ORDER, PREFIX, USE_CORE, size
from autograder.runtime.question_data import read_question
from autograder.runtime.questions import Question
from autograder.runtime.settings import kept
from autograder.runtime.source import Source
from autograder.runtime.substitute import MAKERS

try:
    import fcntl
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]
if sys.platform == "linux":
    from autograder.child.lock import DESCRIPTORS, Lock, LockPlan, libc
    from autograder.child.proof import proof
    from autograder.child.reaper import Reaper
    from autograder.runtime.limits import limit_cpu, limit_memory, taken

PR_SET_PDEATHSIG = 1  # <linux/prctl.h>
PLACES = (0, 3, 1, 2)  # a child's descriptors: requests, replies, stdout, stderr
HIGH_DESCRIPTOR = 100  # larger than any of PLACES
TRIAL_SECONDS = 50  # elapsed time; a trial needs less than one
MAX_REQUEST = 64 << 20  # bytes


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


def prepare() -> None:
    """Prepare this process for student code: restrict imports, warm up and measure memory.

    Runs once, before any child is forked.
    """
    allow_only_listed()
    run_eagerly()
    exclude_imports()
    warming.warm_up()
    if sys.platform == "linux":
        taken()


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


def run_alone(replies: int, memory: int) -> None:
    """Run a child in a new process that reads jobs from stdin.

    replies: the descriptor for replies, on Windows its handle. memory: bytes that the
    submission may allocate, 0 for no limit.
    """
    prepare()
    confine(memory)
    if sys.platform == "win32":
        import msvcrt

        replies = msvcrt.open_osfhandle(replies, 0)
    os.set_inheritable(replies, False)  # processes that the submission starts must not reply
    outgoing = os.fdopen(replies, "wb")
    outgoing.write(wire.encode("ready"))
    outgoing.flush()
    work(sys.stdin.buffer, outgoing)


def work(incoming: BinaryIO, outgoing: BinaryIO) -> None:
    """Answer jobs until the pipe is closed.

    The first job has a submission's texts and its limits. Each other job is a question, several
    questions, or the texts of another module of the same submission. During a question, substitutes
    may send a question to the reference server, whose answer arrives in place of the next job.
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
            others = {
                name: MAKERS[kind](name, consult) for name, kind in job["substitutes"].items()
            }
            places = {"homes": job["homes"], "folders": job["folders"]}
            left_out = shorten(clock, job) if job["needed"] else []
            edited = editing.edit(clock, job) if job["edit"] else None
            if edited and interpreter:
                interpreter.source.files.forget()  # one of them may be the edited one
            source = Source(job["stem"], job["texts"], job["siblings"], others, **places)
            if interpreter is None:
                home = job["homes"].get(job["stem"], "")
                own_disk.show(source.files, home.endswith(".ipynb"))
                sys.argv = [absolute(home)]
            interpreter = Interpreter(source)
            reply = {**_load(interpreter.source, clock, job["seconds"]), "edited": edited}
            reply["left_out"] = left_out[:1000]
        elif interpreter and "jobs" in job:
            reply = None  # unless all are answered in time
            with contextlib.suppress(TimeUp), clock.limit(job["seconds"]):
                reply = [_perform(interpreter, read_question(one)) for one in job["jobs"]]
        elif interpreter:
            reply = _carry_out(interpreter, clock, read_question(job), job["seconds"])
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(Exception):  # the student's code may have closed it
                stream.flush()
        send(reply)


def confine(memory: int) -> None:
    """Limit what a submission that is not locked in can use of the machine.

    memory: bytes that it may allocate, 0 for no limit.
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
    """Load the submission.

    Returns the problem that stopped it or None, the names that it defined, those that its text
    defines and deletes if there was a problem, and the missing packages.
    """
    try:
        clock.install()
        with kept(has_type=False), clock.limit(seconds):
            problem = source.load(keep=True)
    except BaseException as error:
        problem = source.problem(error)
    clock.install()  # the module may have replaced the handlers
    names = [str(name) for name in source.namespace if not str(name).startswith("__")]
    written, deleted = (source.written(), source.deleted()) if problem else ([], [])
    missing = source.imports.missing[:1000] if source.imports else []
    return {
        "problem": problem,
        "names": names[:1000],
        "written": written[:1000],
        "deleted": deleted[:1000],
        "missing": missing,
    }


def _perform(interpreter: Interpreter, question: Question) -> list[StepAnswer]:
    if question.fresh:
        interpreter.forget()
    return interpreter.answer(question)


def _carry_out(
    interpreter: Interpreter, clock: Clock, question: Question, seconds: float
) -> list[StepAnswer]:
    """Answer a question, also if the clock rings outside the student's code."""
    try:
        with clock.limit(seconds):
            return _perform(interpreter, question)
    except TimeUp as late:
        return [{"problem": interpreter.source.problem(late)} for _ in question.steps]
