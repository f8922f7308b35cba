"""Answer jobs in the process that runs a student's code."""

from __future__ import annotations

import contextlib
import io
import sys
from collections.abc import Iterator
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
from autograder.runtime.protocol import PREFIX, size
from autograder.runtime.question_data import read_question
from autograder.runtime.questions import Question
from autograder.runtime.settings import kept
from autograder.runtime.source import Source
from autograder.runtime.stepping import Stepping
from autograder.runtime.substitute import MAKERS

if sys.platform != "win32":
    import resource
if sys.platform == "linux":
    from autograder.runtime.limits import limit_cpu, limit_memory, taken

MAX_REQUEST = 64 << 20  # bytes


def prepare() -> None:
    """Prepare this process for student code: restrict imports, warm up and measure memory.

    Runs once, before it reads any.
    """
    allow_only_listed()
    run_eagerly()
    exclude_imports()
    warming.warm_up()
    if sys.platform == "linux":
        taken()


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
            stepping = _stepping(clock, job) if job["needed"] else None
            source = Source(
                job["stem"], job["texts"], job["siblings"], others, **places, stepping=stepping
            )
            if interpreter is None:
                home = job["homes"].get(job["stem"], "")
                own_disk.show(source.files, home.endswith(".ipynb"))
                sys.argv = [absolute(home)]
            interpreter = Interpreter(source)
            reply = {**_load(interpreter.source, clock, job["seconds"]), "edited": edited}
            reply["left_out"] = left_out[:1000]
            reply["stopped"] = stepping.stopped if stepping else []
            reply["ended"] = bool(stepping and stepping.has_ended)
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
    if sys.platform != "win32":
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


def _stepping(clock: Clock, job: dict[str, Any]) -> Stepping | None:
    """Return how a job's notebook is run if it is slow; None for a module."""
    cells = job["texts"].get(job["stem"], "")
    if isinstance(cells, str):
        return None
    known = [(label, number) for label, number in job["stopped"]]
    texts = [(label, text) for label, text in cells]
    return Stepping(texts, clock.restart, job["seconds"], known)


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
