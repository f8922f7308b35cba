"""Implementations that a check compares with the reference: a submission, or local code."""

from __future__ import annotations

import contextlib
import io
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from autograder.client import answers
from autograder.client.answers import Problem
from autograder.client.conversation import Client, Conversation, Step, Trouble
from autograder.client.layout import SAME, Layout
from autograder.client.questions import SEED, Asked
from autograder.client.reference_server import Consult
from autograder.client.scripts import Script, ScriptProgress, Scripts
from autograder.client.sessions import Session
from autograder.runtime import wire
from autograder.runtime.interpreter import Interpreter
from autograder.runtime.protocol import Garbled
from autograder.runtime.recovery import BEGINS
from autograder.runtime.source import Code, Source
from autograder.sandbox import Child, Clock, Lost, Printed

SLOW = frozenset({"timeout", "killed"})  # problems of time
STOPS = SLOW | {"crashed", "left", "garbled", "spent"}  # the rest of the module did not run
MISSING = 10  # missing packages that are named
ENDLESS_CELLS = 2  # of a notebook; it is not run beyond the next one


@dataclass(frozen=True)
class Text:
    """The texts of a submission or solution, as for Source; `stem` names the main module."""

    stem: str
    texts: Mapping[str, Code]
    siblings: tuple[str, ...]

    def source(self, substitutes: Mapping[str, type] | None = None) -> Source:
        """Return a Source to run in this process. Only for trusted code."""
        return Source(self.stem, self.texts, list(self.siblings), substitutes)


@dataclass(frozen=True)
class Loaded:
    """The result of loading a submission's module: the names that it defined, and any problem.

    written: the names that its text defines, if there was a problem. missing: the packages that it
    imports and the grader does not have.
    """

    names: frozenset[str]
    problem: Problem | None
    written: frozenset[str] = frozenset()
    missing: tuple[str, ...] = ()


class SubmissionImplementation:
    """A submission's module, which runs in the child of a session; a lost child is replaced.

    consult: by exercise, the reference server for the substitute that replaces it.
    """

    def __init__(
        self, session: Session, text: Text, consult: Mapping[str, Consult] | None = None
    ) -> None:
        self.text = text
        self._progress = ScriptProgress()
        self._asks_ahead = True
        self._consult = consult or {}
        self._session = session
        self._child: Child | None = None  # the one that has loaded this module
        self._loaded: Loaded | None = None
        self._for_hidden: SubmissionImplementation | None = None
        self.printed = Printed()  # during the last question

    @property
    def for_hidden(self) -> SubmissionImplementation:
        """An implementation of the same module in another child, for hidden checks.

        Code could otherwise store what hidden checks ask and show it in visible ones. Returns
        itself if the sandbox is not locked, because such code can read the checks anyway.
        """
        if not self._session.sandbox.locked:
            return self
        if self._for_hidden is None:
            self._for_hidden = SubmissionImplementation(
                self._session.for_hidden, self.text, self._consult
            )
        return self._for_hidden

    def ask_ahead(self, scripts: Scripts) -> None:
        """Ask the questions of these scripts, meant for a correct submission, in one message."""
        if self.for_hidden is self:
            self._progress = ScriptProgress(scripts.whole)
        else:
            self._progress = ScriptProgress(scripts.visible)
            self.for_hidden._progress = ScriptProgress(scripts.hidden)

    def load(self) -> Loaded:
        """Load the module at the first call, with a second attempt after a timeout.

        An endless cell of a notebook counts as one that raised, and the other cells run. Raises
        SandboxFailed.
        """
        if self._loaded is None:
            self._loaded = self._load()
            if self.is_late(self._loaded.problem):
                self._loaded = self._load()
            self._loaded = self._without_endless_cells(self._loaded)
        return self._loaded

    def _without_endless_cells(self, first: Loaded) -> Loaded:
        """Load the module again without the statement that timed out and the rest of its cell."""
        loaded = first
        for _ in range(ENDLESS_CELLS):
            if loaded.problem is None or not self._cut_off(loaded.problem):
                break
            self.is_late(loaded.problem)
            loaded = self._load()
        return replace(loaded, problem=first.problem, written=first.written)

    def _cut_off(self, problem: Problem) -> bool:
        """Cut off the cell or module at the line that timed out. Returns whether that was known."""
        code = self.text.texts[self.text.stem]
        whole = [[f"{self.text.stem}.py", code]] if isinstance(code, str) else code
        if problem.kind != "timeout" or not problem.frames:
            return False
        outermost = problem.frames[0]
        cells = [
            [label, _above(text, outermost.line) if label == outermost.file else text]
            for label, text in whole
        ]
        self.text = replace(self.text, texts={**self.text.texts, self.text.stem: cells})
        return cells != whole

    def has_time(self) -> bool:
        """Return whether more than half of the budget remains, so that layouts may be tried."""
        return self._session.budget.remaining > self._session.limits.budget / 2

    def is_late(self, problem: Problem | None) -> bool:
        """Return whether a problem is one of time. If so, a new child gets the next question.

        The caller asks a late question once more, because the machine may have caused the delay.
        """
        if problem is None or problem.kind not in SLOW:
            return False
        self._drop_child()
        self._session.budget.note_timeout()
        return True

    def client(self, layout: Layout = SAME) -> Client:
        """Return a client with a new conversation."""
        return Client(Conversation(self._ask, layout), has_time=self.has_time)

    def pause(self) -> None:
        """Stop the child until its next question, or end it if it cannot be stopped.

        While another child answers, this one could signal to it by keeping the processor busy.
        """
        if self._child and self._session.has(self._child) and not self._child.pause():
            self._drop_child()

    def end_child(self) -> None:
        """End the child before a hidden check, so that no child can measure how long that takes."""
        if self._child:
            self._drop_child()

    @contextlib.contextmanager
    def in_new_session(
        self, stem: str, consult: Mapping[str, Consult] | None = None
    ) -> Iterator[SubmissionImplementation]:
        """Yield the module `stem` of the same texts in another child, perhaps with substitutes."""
        session = Session(self._session.sandbox, self._session)
        try:
            yield SubmissionImplementation(session, replace(self.text, stem=stem), consult)
        finally:
            session.clear()

    def _drop_child(self) -> None:
        self._child = None
        self._session.drop()

    def _load(self) -> Loaded:
        try:
            return self._begin()
        except Trouble as trouble:
            return Loaded(frozenset(), trouble.problem)

    def _begin(self) -> Loaded:
        self._child = self._session.child()
        job = {
            "stem": self.text.stem,
            "texts": dict(self.text.texts),
            "siblings": list(self.text.siblings),
            "substitutes": list(self._consult),
            "threads": self._session.limits.threads,
        }
        try:
            match self._run_job(job):
                case {"problem": None, "names": names} as reply:
                    return Loaded(frozenset(answers.words(names)), None, missing=_missing(reply))
                case {"problem": problem, "names": names, "written": written} as reply:
                    return Loaded(
                        frozenset(answers.words(names)),
                        answers.problem(problem),
                        frozenset(answers.words(written)),
                        _missing(reply),
                    )
            raise Garbled("malformed report on its module")
        except Garbled as garbled:
            self._drop_child()
            text = f"its reply is invalid ({garbled})"
            raise Trouble(Problem("garbled", text)) from None

    def _ask(self, steps: list[Step], fresh: bool) -> tuple[Any, str]:
        question, progress = Asked(steps, fresh), self._progress
        place = progress.place(question) if self._asks_ahead else None
        if place is not None and progress.answers is None:
            progress.answers = self._answers_ahead(progress.script, place)
        if place is not None and place in (progress.answers or ()):
            self.printed = Printed()
            return progress.answer(place), ""
        begun, progress.begun = progress.begun, []
        for earlier in begun if not fresh else []:
            self._answer(earlier)
        reply = self._answer(question)
        return reply, self.printed.stdout.decode(errors="replace")

    def _answers_ahead(self, script: Script, first: int) -> dict[int, Any]:
        """Ask all questions of a script from number `first` on, in one message.

        Returns the answers by their place in the script. If anything unusual happens, such as any
        output, returns none, ends the child, and asks no questions ahead from then on.
        """
        with contextlib.suppress(Trouble):
            budget = self._session.budget
            clock = self._ready().clock(budget.seconds_ahead, budget.remaining)
            reply = self._exchange(script.message(first, clock.seconds), clock)
            asked = script.questions[first:]
            if _answers_all(reply, asked) and self.printed == Printed():
                return dict(enumerate(reply, first))
        self._drop_child()
        self._asks_ahead = False
        return {}

    def _answer(self, question: Asked) -> Any:
        self._ready()
        reply = self._run_job(question.job)
        if not isinstance(reply, list) or len(reply) != len(question.steps):
            self._drop_child()  # its further replies would be useless
            raise Trouble(Problem("garbled", "its reply does not answer what was asked"))
        return reply

    def _ready(self) -> Child:
        """Return the child, or a new one that has loaded the module. Raises Trouble."""
        if not self._session.has(self._child):  # it was lost, or ended in favour of another
            again = self._begin().problem
            before = self._loaded
            if again and again.kind in SLOW and before and not before.problem:
                raise Trouble(again)  # otherwise its exercises would count as missing
        assert self._child is not None
        return self._child

    def _run_job(self, job: dict[str, Any]) -> Any:
        """Send a job and return the reply, within the time for one question. Raises Trouble."""
        assert self._child is not None
        budget = self._session.budget
        clock = self._child.clock(budget.seconds, budget.remaining)
        return self._exchange(wire.encode(job | {"seconds": clock.seconds}), clock)

    def _exchange(self, message: bytes, clock: Clock) -> Any:
        """Send a message and serve the substitutes' questions until the reply. Raises Trouble."""
        self.printed = Printed()
        budget = self._session.budget
        if not budget.remaining:
            raise Trouble(Problem("spent", "the time budget of this submission is used up"))
        try:
            reply = self._send(message, clock)
            while isinstance(reply, dict) and "consult" in reply:
                if not clock.remaining():  # each single answer may be in time
                    raise Lost("killed", "it uses substitutes without end")
                reply = self._send(wire.encode(self._consulted(reply["consult"])), clock)
            return reply
        except Lost as lost:
            problem = Problem(lost.kind, str(lost))
        except Garbled as garbled:
            problem = Problem("garbled", f"its reply is invalid ({garbled})")
        finally:
            budget.spend(clock.spent)
        self._drop_child()
        raise Trouble(problem) from None

    def _send(self, message: bytes, clock: Clock) -> Any:
        assert self._child is not None
        try:
            return wire.decode(self._child.ask(message, clock), untrusted=True)
        finally:
            self.printed.extend(self._child.printed, self._session.limits.printed)

    def _consulted(self, question: Any) -> Any:
        match question:
            case {"of": str(exercise)} if exercise in self._consult:
                return self._consult[exercise](question)
        raise Garbled("it asks for an exercise that has no substitute")


def _answers_all(reply: Any, asked: Sequence[Asked]) -> bool:
    """Return whether a reply answers every step of all questions, without a timeout."""
    if not isinstance(reply, list) or len(reply) != len(asked):
        return False
    for found, question in zip(reply, asked, strict=True):
        if not isinstance(found, list) or len(found) != len(question.steps):
            return False
        for answer in found:
            match answer:
                case {"problem": {"kind": "timeout"}}:
                    return False
    return True


def _missing(reply: dict[Any, Any]) -> tuple[str, ...]:
    """Read the missing packages from a child's report on its module. Raises Garbled."""
    named = answers.words(reply.get("missing", []))
    return tuple(filter(str.isidentifier, named[:MISSING]))


def _above(text: str, line: int) -> str:
    """Return the text above the top-level statement that contains a line, judging by the text."""
    lines = text.split("\n")[:line]
    while lines and not BEGINS.match(lines[-1]):
        lines.pop()
    return "\n".join(lines[:-1])


class LocalImplementation:
    """Trusted code in this process, such as a misconception, in place of a submission.

    It keeps no state from one check to the next.
    """

    def __init__(self, source: Source, seed: int = SEED) -> None:
        self._source = source
        self._interpreter = Interpreter(self._source)
        self._seed = seed
        self._loaded: Loaded | None = None
        self.printed = Printed()  # during the last question

    def load(self) -> Loaded:
        """Load the module at the first call."""
        if self._loaded is None:
            problem = self._source.load(keep=False)
            names = frozenset(name for name in self._source.namespace if name[:2] != "__")
            self._loaded = Loaded(names, answers.problem(problem) if problem else None)
        return self._loaded

    @property
    def for_hidden(self) -> LocalImplementation:
        """The implementation for hidden checks: itself, because trusted code needs no isolation."""
        return self

    def is_late(self, problem: Problem | None) -> bool:
        """Return False, because trusted code has no time limit."""
        return False

    def client(self, layout: Layout = SAME) -> Client:
        """Return a client with a new conversation."""
        self.load()
        return Client(Conversation(self._ask, layout))

    def answers(self, steps: Sequence[Step]) -> Iterator[dict[str, Any]]:
        """Yield the answers to the steps of a new conversation.

        Runs the steps lazily, up to one call at a time, so that a caller can stop early.
        """
        self.load()
        begun = 0
        for end, step in enumerate(steps, 1):
            if step["do"] == "call" or end == len(steps):
                yield from self._ask(list(steps[begun:end]), fresh=not begun)[0]
                begun = end

    def _ask(self, steps: list[Step], fresh: bool) -> tuple[list[dict[str, Any]], str]:
        if fresh:
            self._interpreter.forget()
            self._interpreter.kept.clear()  # a check must not see changes by an earlier one
        with contextlib.redirect_stdout(io.StringIO()) as printed, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = self._interpreter.answer({"steps": steps, "seed": self._seed})
        self.printed = Printed(printed.getvalue().encode(errors="replace"))
        return found, printed.getvalue()
