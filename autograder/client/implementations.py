"""The side of a submission in a comparison: in its child, or code of ours that may be wrong."""

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
from autograder.client.scripts import Script, Scripts, Turn
from autograder.client.sessions import Session
from autograder.runtime import wire
from autograder.runtime.interpreter import Interpreter
from autograder.runtime.mending import BEGINS
from autograder.runtime.protocol import Garbled
from autograder.runtime.source import Code, Source
from autograder.sandbox import Child, Clock, Lost, Printed

SLOW = frozenset({"timeout", "killed"})  # problems of time
STOPS = SLOW | {"crashed", "left", "garbled", "spent"}  # behind these, nothing of a module was run
MISSING = 10  # packages that are named
ENDLESS_CELLS = 2  # of a notebook; with more it is stopped at the next


@dataclass(frozen=True)
class Text:
    """Modules as text, as for Source: `stem` names the one that is meant, `texts` has the ones
    beside it too."""

    stem: str
    texts: Mapping[str, Code]
    siblings: tuple[str, ...]

    def source(self, substitutes: Mapping[str, type] | None = None) -> Source:
        """They, ready to be executed in this process: code of ours."""
        return Source(self.stem, self.texts, list(self.siblings), substitutes)


@dataclass(frozen=True)
class Loaded:
    """What became of a submission's module: the names it defined, and what stopped it, if anything.

    written: what its text would have defined, had it not been stopped. missing: the packages that
    it imports and the grader does not have.
    """

    names: frozenset[str]
    problem: Problem | None
    written: frozenset[str] = frozenset()
    missing: tuple[str, ...] = ()


class SubmissionImplementation:
    """A submission's module in the child at a desk; lost children are replaced.

    consult: by exercise, what answers the substitutes that take their places in the module.
    """

    def __init__(
        self, session: Session, text: Text, consult: Mapping[str, Consult] | None = None
    ) -> None:
        self.text = text
        self._turn = Turn()
        self._asks_ahead = True
        self._consult = consult or {}
        self._session = session
        self._child: Child | None = None  # the one that has loaded this module
        self._loaded: Loaded | None = None
        self._for_hidden: SubmissionImplementation | None = None
        self.printed = Printed()  # with the last question

    @property
    def for_hidden(self) -> SubmissionImplementation:
        """The same in another child, for what is not to be told to others: code keeps things.

        Itself where it is not locked in: there it can read the checks in the first place.
        """
        if not self._session.sandbox.locked:
            return self
        if self._for_hidden is None:
            self._for_hidden = SubmissionImplementation(
                self._session.behind, self.text, self._consult
            )
        return self._for_hidden

    def foresee(self, scripts: Scripts) -> None:
        """Ask the questions of these scripts ahead. They are those to a right submission."""
        if self.for_hidden is self:
            self._turn = Turn(scripts.whole)
        else:
            self._turn, self.for_hidden._turn = Turn(scripts.visible), Turn(scripts.hidden)

    def load(self) -> Loaded:
        """Load the module, if that was not done yet; once more if its time was up.

        A cell of a notebook that does not come to an end is stopped there, as one that fails, and
        the others go on. Raises SandboxFailed.
        """
        if self._loaded is None:
            self._loaded = self._load()
            if self.is_late(self._loaded.problem):
                self._loaded = self._load()
            self._loaded = self._without_endless_cells(self._loaded)
        return self._loaded

    def _without_endless_cells(self, first: Loaded) -> Loaded:
        """Load the module again, cut off where its time was up, each cell by itself."""
        loaded = first
        for _ in range(ENDLESS_CELLS):
            if loaded.problem is None or not self._cut_off(loaded.problem):
                break
            self.is_late(loaded.problem)
            loaded = self._load()
        return replace(loaded, problem=first.problem, written=first.written)

    def _cut_off(self, problem: Problem) -> bool:
        """Cut off the module or cell in which it stood when its time was up, if it was in one."""
        code = self.text.texts[self.text.stem]
        whole = [[f"{self.text.stem}.py", code]] if isinstance(code, str) else code
        if problem.kind != "timeout" or not problem.frames:
            return False
        begun = problem.frames[0]  # the others are in what it called
        cells = [
            [label, _above(text, begun.line) if label == begun.file else text]
            for label, text in whole
        ]
        self.text = replace(self.text, texts={**self.text.texts, self.text.stem: cells})
        return cells != whole

    def has_time(self) -> bool:
        """Is more than half of its time left, so that guesses at what it means may be tried?"""
        return self._session.budget_left.left > self._session.limits.budget / 2

    def is_late(self, problem: Problem | None) -> bool:
        """Return whether it is a problem of time. If so, the next question goes to a new child.

        The first time in a question it may be the machine's doing, so it is asked again.
        """
        if problem is None or problem.kind not in SLOW:
            return False
        self._lose()
        self._session.budget_left.late()
        return True

    def client(self, layout: Layout = SAME) -> Client:
        """A new conversation with it."""
        return Client(Conversation(self._ask, layout), has_time=self.has_time)

    def rest(self) -> None:
        """Let nothing run, since nothing is asked for now: while others are asked, what this child
        does could be told by how it keeps the processor busy."""
        if self._child and self._session.has(self._child) and not self._child.pause():
            self._lose()

    def leave(self) -> None:
        """End the child before a hidden check is asked: the next one cannot know how long that
        took."""
        if self._child:
            self._lose()

    @contextlib.contextmanager
    def apart(
        self, stem: str, consult: Mapping[str, Consult] | None = None
    ) -> Iterator[SubmissionImplementation]:
        """One of the same modules in a child of its own, with substitutes if they are given."""
        session = Session(self._session.sandbox, self._session)
        try:
            yield SubmissionImplementation(session, replace(self.text, stem=stem), consult)
        finally:
            session.clear()

    def _lose(self) -> None:
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
            match self._done(job):
                case {"problem": None, "names": names} as reply:
                    return Loaded(frozenset(answers.words(names)), None, missing=_missing(reply))
                case {"problem": problem, "names": names, "written": written} as reply:
                    return Loaded(
                        frozenset(answers.words(names)),
                        answers.problem(problem),
                        frozenset(answers.words(written)),
                        _missing(reply),
                    )
            raise Garbled("it says nothing about its module")
        except Garbled as garbled:
            self._lose()
            text = f"its reply makes no sense ({garbled})"
            raise Trouble(Problem("garbled", text)) from None

    def _ask(self, steps: list[Step], fresh: bool) -> tuple[Any, str]:
        question, turn = Asked(steps, fresh), self._turn
        place = turn.place(question) if self._asks_ahead else None
        if place is not None and turn.answers is None:
            turn.answers = self._answers_ahead(turn.script, place)
        if place is not None and place in (turn.answers or ()):
            self.printed = Printed()
            return turn.answer(place), ""
        begun, turn.begun = turn.begun, []
        for earlier in begun if not fresh else []:
            self._answer(earlier)
        reply = self._answer(question)
        return reply, self.printed.stdout.decode(errors="replace")

    def _answers_ahead(self, script: Script, first: int) -> dict[int, Any]:
        """Ask all questions of a script from the first one on, in less time than there is for one.

        Returns the answers by place; none where it comes to anything unusual, be it only that
        something is printed. Then nothing is asked ahead any more, and a new child is asked.
        """
        with contextlib.suppress(Trouble):
            budget_left = self._session.budget_left
            clock = self._ready().clock(budget_left.seconds_ahead, budget_left.left)
            reply = self._exchange(script.message(first, clock.seconds), clock)
            asked = script.questions[first:]
            if _answers_all(reply, asked) and self.printed == Printed():
                return dict(enumerate(reply, first))
        self._lose()
        self._asks_ahead = False
        return {}

    def _answer(self, question: Asked) -> Any:
        self._ready()
        reply = self._done(question.job)
        if not isinstance(reply, list) or len(reply) != len(question.steps):
            self._lose()  # whatever else it would say is of no use
            raise Trouble(Problem("garbled", "its reply does not answer what was asked"))
        return reply

    def _ready(self) -> Child:
        """The child; if there is none, a new one that has loaded the module. Raises Trouble."""
        if not self._session.has(self._child):  # it was lost, or ended to make room for another
            again = self._begin().problem
            before = self._loaded
            if again and again.kind in SLOW and before and not before.problem:
                raise Trouble(again)  # else what it defines would seem not to be there
        assert self._child is not None
        return self._child

    def _done(self, job: dict[str, Any]) -> Any:
        """Have a job done, in the time that there is for one. Raises Trouble."""
        assert self._child is not None
        budget_left = self._session.budget_left
        clock = self._child.clock(budget_left.seconds, budget_left.left)
        return self._exchange(wire.encode(job | {"seconds": clock.seconds}), clock)

    def _exchange(self, message: bytes, clock: Clock) -> Any:
        self.printed = Printed()
        budget_left = self._session.budget_left
        if not budget_left.left:
            raise Trouble(Problem("spent", "there is no time left for this work"))
        try:
            reply = self._told(message, clock)
            while isinstance(reply, dict) and "consult" in reply:
                if not clock.left():  # though each single answer may be in time
                    raise Lost("killed", "it consults without end")
                reply = self._told(wire.encode(self._consulted(reply["consult"])), clock)
            return reply
        except Lost as lost:
            problem = Problem(lost.kind, str(lost))
        except Garbled as garbled:
            problem = Problem("garbled", f"its reply makes no sense ({garbled})")
        finally:
            budget_left.spend(clock.spent)
        self._lose()
        raise Trouble(problem) from None

    def _told(self, message: bytes, clock: Clock) -> Any:
        assert self._child is not None
        try:
            return wire.decode(self._child.ask(message, clock), of_stranger=True)
        finally:
            self.printed.follow(self._child.printed, self._session.limits.printed)

    def _consulted(self, question: Any) -> Any:
        match question:
            case {"of": str(exercise)} if exercise in self._consult:
                return self._consult[exercise](question)
        raise Garbled("it consults nobody")


def _answers_all(reply: Any, asked: Sequence[Asked]) -> bool:
    """Return whether it answers each step of all questions, none of them too late."""
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
    """The names of packages in what a child says of its module. Raises Garbled."""
    named = answers.words(reply.get("missing", []))
    return tuple(filter(str.isidentifier, named[:MISSING]))


def _above(text: str, line: int) -> str:
    """What stands above the statement that goes over a line of a cell, as far as text tells."""
    lines = text.split("\n")[:line]
    while lines and not BEGINS.match(lines[-1]):
        lines.pop()
    return "\n".join(lines[:-1])


class LocalImplementation:
    """Code of ours in this process that may be wrong: a misconception. It remembers nothing.

    It can be asked in place of a SubmissionImplementation.
    """

    def __init__(self, source: Source, seed: int = SEED) -> None:
        self._source = source
        self._interpreter = Interpreter(self._source)
        self._seed = seed
        self._loaded: Loaded | None = None
        self.printed = Printed()  # with the last question

    def load(self) -> Loaded:
        """Load the module, if that was not done yet."""
        if self._loaded is None:
            problem = self._source.load(keep=False)
            names = frozenset(name for name in self._source.namespace if name[:2] != "__")
            self._loaded = Loaded(names, answers.problem(problem) if problem else None)
        return self._loaded

    @property
    def for_hidden(self) -> LocalImplementation:
        """Itself: code of ours keeps nothing."""
        return self

    def is_late(self, problem: Problem | None) -> bool:
        """Never: it is code of ours."""
        return False

    def client(self, layout: Layout = SAME) -> Client:
        """A new conversation with it."""
        self.load()
        return Client(Conversation(self._ask, layout))

    def answers(self, steps: Sequence[Step]) -> Iterator[dict[str, Any]]:
        """What it answers to the first steps of a conversation, and to no others.

        They are asked up to a call at a time: behind the last answer that is looked at, no more.
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
            self._interpreter.kept.clear()  # what one check did to a module is not seen in the next
        with contextlib.redirect_stdout(io.StringIO()) as printed, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = self._interpreter.answer({"steps": steps, "seed": self._seed})
        self.printed = Printed(printed.getvalue().encode(errors="replace"))
        return found, printed.getvalue()
