"""The implementation that a student has submitted, in a child."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import astuple, replace
from typing import Any

from autograder.client.answers import Problem
from autograder.client.child_connection import ChildConnection
from autograder.client.client import Client
from autograder.client.conversation import Conversation, StepFailed
from autograder.client.layout import SAME, Layout
from autograder.client.loaded import ASKED_AGAIN, SLOW, Loaded, Text, read_report
from autograder.client.reference_server import Consult
from autograder.client.scripts import Script, ScriptProgress, Scripts
from autograder.client.sessions import Session
from autograder.course import exercises
from autograder.runtime.protocol import IN_ALL, Garbled
from autograder.runtime.question_data import question_data
from autograder.runtime.questions import Question, Step
from autograder.runtime.recovery import BEGINS
from autograder.sandbox import Printed


class SubmissionImplementation:
    """A submission's module, which runs in the child of a session; a lost child is replaced.

    consult: by exercise, the reference server for the substitute that replaces it. kinds: what
    these exercises are, as in MAKERS.
    """

    def __init__(
        self,
        session: Session,
        text: Text,
        consult: Mapping[str, Consult] | None = None,
        kinds: Mapping[str, str] | None = None,
    ) -> None:
        self.text = text
        self._progress = ScriptProgress()
        self._asks_ahead = True
        self._session = session
        self._connection = ChildConnection(session, consult or {}, kinds or {})
        self._loaded: Loaded | None = None
        self._for_hidden: SubmissionImplementation | None = None

    @property
    def printed(self) -> Printed:
        """The text printed during the last question; set to Printed() before another one."""
        return self._connection.printed

    @printed.setter
    def printed(self, printed: Printed) -> None:
        self._connection.printed = printed

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
                self._session.for_hidden,
                self.text,
                self._connection.consult,
                self._connection.kinds,
            )
        return self._for_hidden

    @property
    def consulted(self) -> frozenset[str]:
        """The replaced exercises that were used in answers, not only while the module was loaded.

        A cell that shows what one exercise gives does not make the others use it.
        """
        hidden = self._for_hidden.consulted if self._for_hidden else frozenset()
        return hidden | self._connection.consulted

    def ask_ahead(self, scripts: Scripts) -> None:
        """Ask the questions of these scripts, meant for a correct submission, in one message."""
        if self.for_hidden is self:
            self._progress = ScriptProgress(scripts.whole)
        else:
            self._progress = ScriptProgress(scripts.visible)
            self.for_hidden._progress = ScriptProgress(scripts.hidden)

    def load(self) -> Loaded:
        """Load the module at the first call, with a second attempt if the first may be chance.

        The second one runs only what the exercises need of a notebook, one statement after the
        other, and goes on after one that takes too long. A module is loaded up to that. Raises
        SandboxFailed.
        """
        if self._loaded is None:
            first = self._load()
            if isinstance(self.text.texts.get(self.text.stem, ""), str):
                self._loaded = self._load_module_again(first)
            elif self._restart(first):
                self.text = replace(self.text, needed=tuple(exercises()))
                again = self._load()
                self._restart(again)
                self._loaded = _joined(first, again)
            else:
                self._loaded = first
            self.text = replace(self.text, stopped=self._loaded.stopped)
        return self._loaded

    def _load_module_again(self, first: Loaded) -> Loaded:
        """Load a module once more if it took too long, and then up to what takes too long."""
        is_endless = self._has_worked(first.problem)
        again = self._load() if self._restart(first) and not is_endless else first
        if again is not first:
            self._restart(again)
        if again.problem is None or not self._cut_off(again.problem):
            return again
        loaded = self._load()
        self._restart(loaded)
        return replace(again, names=loaded.names, missing=loaded.missing, edited=loaded.edited)

    def _cut_off(self, problem: Problem) -> bool:
        """Leave of a module what is above the statement that timed out. Returns whether it can.

        That is the module itself, or earlier work that it imports.
        """
        frames = [*problem.frames] if problem.kind == "timeout" else []
        while len(frames) > 1 and frames[0].code.startswith(("import ", "from ")):
            frames.pop(0)
        name = frames[0].file.removesuffix(".py") if frames else ""
        text = self.text.texts.get(name)
        if not isinstance(text, str):
            return False
        lines = [f"{one}\n" for one in text.split("\n")][: frames[0].line]
        last = max((i for i, one in enumerate(lines) if BEGINS.match(one)), default=0)
        self.text = replace(self.text, texts={**self.text.texts, name: "".join(lines[:last])})
        return True

    def has_time(self) -> bool:
        """Return whether more than half of the budget remains, so that layouts may be tried."""
        return self._session.budget.remaining > self._session.limits.budget / 2

    def may_be_chance(self, problem: Problem | None) -> bool:
        """Return whether the machine may be at fault: the caller asks once more.

        A busy machine delays, and one without memory kills. Not so if the child has worked for all
        the time of the question. In both cases a new child gets the next question.
        """
        is_sure = self._has_worked(problem)
        if is_sure:
            self._session.budget.note_timeout()  # in place of that of a second attempt
        return self._replace_child(problem) and not is_sure

    def _has_worked(self, problem: Problem | None) -> bool:
        """Return whether a question timed out although the child did not wait for anything."""
        is_timeout = problem is not None and problem.kind == "timeout"
        return is_timeout and self._connection.has_worked

    def _restart(self, loaded: Loaded) -> bool:
        """Let a new child load the module if this one could not for lack of time or memory.

        Returns whether it could not.
        """
        return not loaded.went_on and self._replace_child(loaded.problem)

    def _replace_child(self, problem: Problem | None) -> bool:
        """Let a new child get the next question after a problem with time or memory, if it is one.

        Returns whether it is.
        """
        if problem is None or problem.kind not in ASKED_AGAIN:
            return False
        self._connection.drop()
        self._session.budget.note_timeout()
        return True

    def client(self, layout: Layout = SAME) -> Client:
        """Return a client with a new conversation."""
        return Client(Conversation(self._ask, layout), has_time=self.has_time)

    def take_turn(self) -> None:
        """Let no other child of the same person's work do anything, see Session.take_turn.

        Also for a check of which all answers are known: judging them takes time too.
        """
        self._session.take_turn()

    @contextlib.contextmanager
    def in_new_session(
        self,
        stem: str,
        consult: Mapping[str, Consult] | None = None,
        kinds: Mapping[str, str] | None = None,
    ) -> Iterator[SubmissionImplementation]:
        """Yield the module `stem` of the same texts in another child, perhaps with substitutes."""
        session = Session(self._session.sandbox, self._session)
        try:
            text = replace(self.text, stem=stem)
            yield SubmissionImplementation(session, text, consult, kinds)
        finally:
            session.clear()

    def _load(self) -> Loaded:
        try:
            return self._begin()
        except StepFailed as failed:
            return Loaded(frozenset(), failed.problem)

    def _begin(self) -> Loaded:
        connection = self._connection
        connection.open()
        job = {
            "stem": self.text.stem,
            "texts": dict(self.text.texts),
            "siblings": list(self.text.siblings),
            "homes": dict(self.text.homes),
            "folders": list(self.text.folders),
            "substitutes": {name: connection.kinds[name] for name in connection.consult},
            "threads": self._session.limits.threads,
            "edit": astuple(self.text.edit) if self.text.edit else None,
            "needed": [*self.text.needed],
            "stopped": [*self.text.stopped],
        }
        before = {*connection.consulted}
        try:
            return read_report(connection.run(job, IN_ALL if self.text.needed else 1.0))
        except Garbled as garbled:
            connection.drop()
            text = f"its reply is invalid ({garbled})"
            raise StepFailed(Problem("garbled", text)) from None
        finally:
            connection.consulted = before

    def _ask(self, steps: Sequence[Step], fresh: bool) -> tuple[Any, str]:
        question, progress = Question(steps, fresh), self._progress
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
        with contextlib.suppress(StepFailed):
            self._prepare()
            clock = self._connection.clock(self._session.budget.seconds_ahead)
            reply = self._connection.exchange(script.message(first, clock.seconds), clock)
            if _answers_all(reply, script.questions[first:]) and self.printed == Printed():
                return dict(enumerate(reply, first))
        self._connection.drop()
        self._asks_ahead = False
        return {}

    def _answer(self, question: Question) -> Any:
        self._prepare()
        reply = self._connection.run(question_data(question))
        if not isinstance(reply, list) or len(reply) != len(question.steps):
            self._connection.drop()  # its further replies would be useless
            raise StepFailed(Problem("garbled", "its reply does not answer what was asked"))
        return reply

    def _prepare(self) -> None:
        """Load the module into a new child if the last one has ended. Raises StepFailed."""
        if not self._connection.is_open:
            again, before = self._begin(), self._loaded
            problem = again.problem if not again.went_on else None
            if problem and problem.kind in SLOW and before and not before.ended:
                raise StepFailed(problem)  # otherwise its exercises would count as missing


def _joined(first: Loaded, again: Loaded) -> Loaded:
    """Return what came of loading a module twice, the second time perhaps without some statements.

    If some were left out, the first problem is told.
    """
    if again.problem or not again.left_out or not first.problem:
        return again
    return replace(again, problem=first.problem, written=again.names, ran_needed=True)


def _answers_all(reply: Any, asked: Sequence[Question]) -> bool:
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
