"""The two sides of a comparison: a submission in its child, the reference right here."""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import time
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from torch import Tensor

from autograder.channel import answers
from autograder.channel.answers import Problem
from autograder.channel.conversation import Apart, Conversation, Course, Step, Trouble
from autograder.channel.desk import Desk
from autograder.channel.layout import Layout
from autograder.channel.oracle import Answer, Consult, Consultation, Question, answered, recalled
from autograder.child import wire
from autograder.child.interpreter import Interpreter
from autograder.child.protocol import Garbled
from autograder.child.source import Code, Source
from autograder.sandbox import Child, Lost, Printed

Memory = dict[bytes, tuple[Any, str]]  # digest of what was said -> answers, what was printed
SEED = 20170612  # for dropout and the like, so that a grade is the same each time
SLOW = frozenset({"timeout", "killed"})  # problems of time


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

    written: what its text would have defined, had it not been stopped.
    """

    names: frozenset[str]
    problem: Problem | None
    written: frozenset[str] = frozenset()


class SubmissionSide:
    """A submission's module in the child at a desk; lost children are replaced.

    consult: by exercise, what answers the substitutes that take their places in the module.
    """

    def __init__(
        self, desk: Desk, text: Text, consult: Mapping[str, Consult] | None = None
    ) -> None:
        self.text = text
        self._consult = consult or {}
        self._desk = desk
        self._child: Child | None = None  # the one that has loaded this module
        self._loaded: Loaded | None = None
        self._unheard: SubmissionSide | None = None
        self.printed = Printed()  # with the last question

    @property
    def unheard(self) -> SubmissionSide:
        """The same in another child, for what is not to be told to others: code keeps things.

        Itself where it is not locked in: there it can read the checks in the first place.
        """
        if not self._desk.sandbox.locked:
            return self
        if self._unheard is None:
            self._unheard = SubmissionSide(self._desk.behind, self.text, self._consult)
        return self._unheard

    def load(self) -> Loaded:
        """Load the module, if that was not done yet; again if it was idle until its time was up.

        Raises SandboxFailed.
        """
        if self._loaded is None:
            self._loaded = self._load()
            if self._loaded.problem and self.was_idle(self._loaded.problem):
                self._loaded = self._load()
        return self._loaded

    def was_idle(self, problem: Problem) -> bool:
        """Is it a problem of time, though its code was not busy? Then a new child can be asked."""
        if problem.kind not in SLOW:
            return False
        self._child = None
        return self._desk.was_idle()

    def course(self, layout: Layout | None = None) -> Course:
        """A new conversation with it."""
        return Course(Conversation(self._ask, layout))

    @contextlib.contextmanager
    def apart(
        self, stem: str, consult: Mapping[str, Consult] | None = None
    ) -> Iterator[SubmissionSide]:
        """One of the same modules in a child of its own, with substitutes if they are given."""
        desk = Desk(self._desk.sandbox)
        try:
            yield SubmissionSide(desk, replace(self.text, stem=stem), consult)
        finally:
            desk.clear()

    def _lose(self) -> None:
        self._child = None
        self._desk.drop()

    def _load(self) -> Loaded:
        try:
            return self._begin()
        except Trouble as trouble:
            return Loaded(frozenset(), trouble.problem)

    def _begin(self) -> Loaded:
        self._child = self._desk.child()
        job = {
            "stem": self.text.stem,
            "texts": dict(self.text.texts),
            "siblings": list(self.text.siblings),
            "substitutes": list(self._consult),
            "threads": self._desk.limits.threads,
        }
        try:
            match self._exchange(job):
                case {"problem": None, "names": names}:
                    return Loaded(frozenset(answers.words(names)), None)
                case {"problem": problem, "names": names, "written": written}:
                    return Loaded(
                        frozenset(answers.words(names)),
                        answers.problem(problem),
                        frozenset(answers.words(written)),
                    )
            raise Garbled("it says nothing about its module")
        except Garbled as garbled:
            self._lose()
            text = f"its reply makes no sense ({garbled})"
            raise Trouble(Problem("garbled", text)) from None

    def _ask(self, steps: list[Step], fresh: bool) -> tuple[Any, str]:
        if self._child is None:
            again = self._begin().problem
            before = self._loaded
            if again and again.kind in SLOW and before and not before.problem:
                raise Trouble(again)  # else what it defines would seem not to be there
        reply = self._exchange({"steps": steps, "seed": SEED, "fresh": fresh})
        if not isinstance(reply, list) or len(reply) != len(steps):
            self._lose()  # whatever else it would say is of no use
            raise Trouble(Problem("garbled", "its reply does not answer what was asked"))
        return reply, self.printed.stdout.decode(errors="replace")

    def _exchange(self, job: dict[str, Any]) -> Any:
        self.printed = Printed()
        deadline = time.monotonic() + self._desk.limits.seconds + self._desk.limits.grace
        try:
            reply = self._told(job | {"seconds": self._desk.limits.seconds})
            while isinstance(reply, dict) and "consult" in reply:
                if time.monotonic() > deadline:  # though each single answer may be in time
                    raise Lost("killed", "it consults without end")
                reply = self._told(self._consulted(reply["consult"]))
            return reply
        except Lost as lost:
            problem = Problem(lost.kind, str(lost))
        except Garbled as garbled:
            problem = Problem("garbled", f"its reply makes no sense ({garbled})")
        self._lose()
        raise Trouble(problem) from None

    def _told(self, message: Any) -> Any:
        assert self._child is not None
        try:
            return wire.decode(self._child.ask(wire.encode(message)), of_stranger=True)
        finally:
            self.printed.follow(self._child.printed, self._desk.limits.printed)

    def _consulted(self, question: Any) -> Any:
        match question:
            case {"of": str(exercise)} if exercise in self._consult:
                return self._consult[exercise](question)
        raise Garbled("it consults nobody")


class MistakenSide:
    """Code of ours in this process that may be wrong: a misconception. It remembers nothing.

    It can be asked in place of a SubmissionSide.
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
    def unheard(self) -> MistakenSide:
        """Itself: code of ours keeps nothing."""
        return self

    def was_idle(self, problem: Problem) -> bool:
        """Never: it is code of ours."""
        return False

    def course(self, layout: Layout | None = None) -> Course:
        """A new conversation with it."""
        self.load()
        return Course(Conversation(self._ask, layout))

    def answer(self, steps: Sequence[Step]) -> list[dict[str, Any]]:
        """What it answers to the first steps of a conversation, and to no others."""
        self.load()
        return self._ask(list(steps), fresh=True)[0]

    def _ask(self, steps: list[Step], fresh: bool) -> tuple[list[dict[str, Any]], str]:
        if fresh:
            self._interpreter.forget()
            self._interpreter.kept.clear()  # what one check did to a module is not seen in the next
        with contextlib.redirect_stdout(io.StringIO()) as printed, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = self._interpreter.answer({"steps": steps, "seed": self._seed})
        self.printed = Printed(printed.getvalue().encode(errors="replace"))
        return found, printed.getvalue()


class ReferenceFailed(RuntimeError):
    """The reference itself could not do what a check asked of it."""


class ReferenceSide:
    """The reference in the grader's own process; what it was asked before, it remembers."""

    def __init__(self, text: Text) -> None:
        source = text.source()
        problem = source.load(keep=False)
        if problem:
            raise ReferenceFailed(f"{text.stem}: {problem['type']}: {problem['text']}")
        self._source = source
        self._remembered: Memory = {}
        self._apart = Apart(self._conversation)

    @property
    def namespace(self) -> Mapping[str, Any]:
        """What the module defines."""
        return self._source.namespace

    def course(self) -> Course:
        """A new conversation with it."""
        return Course(self._conversation(), self._apart)

    def _conversation(self) -> Conversation:
        return Conversation(_ReferenceTalk(self._remembered, self._source).ask)

    def consult(self, question: Question) -> Answer:
        """Answer a substitute that stands for one of its classes."""
        return answered(self.namespace, question)

    def recording(self, consultations: Sequence[Consultation] = ()) -> bytes:
        """All that it has been asked and has answered, and consultations, for a RecordedSide."""
        rows = [[said.hex(), found, text] for said, (found, text) in self._remembered.items()]
        rows.sort(key=lambda row: str(row[0]))
        asked = [
            [{key: value for key, value in question.items() if key != "random"}, answer]
            for question, answer in consultations
        ]
        return wire.encode({"replies": rows, "consultations": asked})


class RecordedSide:
    """A reference of which only the answers are there: it repeats what was recorded."""

    def __init__(self, recording: bytes) -> None:
        recorded = wire.decode(recording)
        self._remembered: Memory = {
            bytes.fromhex(said): (found, text) for said, found, text in recorded["replies"]
        }
        self._consultations: list[Consultation] = recorded["consultations"]
        self._apart = Apart(self._conversation)

    def course(self) -> Course:
        """A new conversation with it."""
        return Course(self._conversation(), self._apart)

    def _conversation(self) -> Conversation:
        return Conversation(_ReferenceTalk(self._remembered, None).ask)

    def consult(self, question: Question) -> Answer:
        """Answer a substitute if something so much alike was recorded."""
        return recalled(self._consultations, question)


class _ReferenceTalk:
    """One conversation: answered from memory as long as all that was said in it is known."""

    def __init__(self, remembered: Memory, source: Source | None) -> None:
        self._interpreter = Interpreter(source) if source else None
        self._remembered = remembered
        self._said = b""
        self._undone: list[list[Step]] = []

    def ask(self, steps: list[Step], fresh: bool) -> tuple[Any, str]:
        self._said = _digest([self._said.hex(), steps])
        self._undone.append(steps)
        if self._said not in self._remembered:
            self._remembered[self._said] = self._answer()
        return self._remembered[self._said]

    def _answer(self) -> tuple[Any, str]:
        if self._interpreter is None:
            raise ReferenceFailed("the reference was not recorded on this question")
        found: list[dict[str, Any]] = []
        for steps in self._undone:
            with contextlib.redirect_stdout(io.StringIO()) as printed:
                found = self._interpreter.answer({"steps": steps, "seed": SEED})
        self._undone = []
        for answer in found:
            if "problem" in answer:
                problem = answer["problem"]
                raise ReferenceFailed(f"the reference: {problem['type']} {problem['text']}")
        return found, printed.getvalue()


def _digest(said: Any) -> bytes:
    """A digest of a tree of plain values and tensors. A tensor's own is kept with it: what has
    been asked about is not changed any more."""
    digest = hashlib.blake2b(digest_size=16)

    def add(value: Any) -> Any:
        if not isinstance(value, Tensor):
            return str(value)
        if not hasattr(value, "_digest"):
            content = f"{value.dtype}{value.shape}".encode() + value.numpy().tobytes()
            value._digest = hashlib.blake2b(content, digest_size=16).hexdigest()  # type: ignore[attr-defined]
        return value._digest  # type: ignore[attr-defined]

    digest.update(json.dumps(said, default=add).encode())
    return digest.digest()
