"""A sandbox whose children run in the test process, with behaviour that a test chooses."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Callable
from typing import Any

from autograder.runtime import wire
from autograder.runtime.interpreter import Interpreter
from autograder.runtime.question_data import read_question
from autograder.runtime.source import Source
from autograder.sandbox import Child, Limits, Sandbox

PATIENCE = 2.0  # seconds for a question; no test waits that long


class Honest(Child):
    """A child that answers like one in a process of its own."""

    def __init__(self, limits: Limits) -> None:
        super().__init__(limits)
        self.interpreter: Interpreter | None = None

    def _exchange(self, request: bytes) -> bytes:
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            reply = wire.encode(self.reply(wire.decode(request)))
        self.printed.stdout = printed.getvalue().encode()
        return reply

    def reply(self, job: dict[str, Any]) -> Any:
        if "stem" in job:
            places = {"homes": job["homes"], "folders": job["folders"]}
            source = Source(job["stem"], job["texts"], job["siblings"], **places)
            self.interpreter = Interpreter(source)
            problem = source.load(keep=False)
            return {"problem": problem, "names": list(source.namespace), "written": []}
        if "jobs" in job:
            return [self.answer(question) for question in job["jobs"]]
        return self.answer(job)

    def answer(self, data: dict[str, Any]) -> list[dict[str, Any]]:
        assert self.interpreter
        question = read_question(data)
        if question.fresh:
            self.interpreter.forget()
        return self.interpreter.answer(question)

    def end(self) -> None:
        self.cpu = 0.1


class Scripted(Sandbox):
    """A sandbox that creates the given children in order, and honest ones after the last."""

    def __init__(self, *children: Callable[[Limits], Child]) -> None:
        super().__init__(Limits(seconds=PATIENCE))
        self.children = list(children)
        self.given: list[Child] = []

    def child(self) -> Child:
        self.given.append((self.children.pop(0) if self.children else Honest)(self.limits))
        return self.given[-1]

    def close(self) -> None:
        pass
