"""Trusted code in this process, such as a misconception, in place of a submission."""

from __future__ import annotations

import contextlib
import io
import warnings
from collections.abc import Iterator, Sequence

from autograder.client import answers
from autograder.client.answers import Problem
from autograder.client.client import Client
from autograder.client.conversation import Conversation
from autograder.client.layout import SAME, Layout
from autograder.client.loaded import Loaded
from autograder.runtime.interpreter import Interpreter, StepAnswer
from autograder.runtime.objects import Objects
from autograder.runtime.questions import SEED, Call, Question, Step
from autograder.runtime.source import Source
from autograder.sandbox import Printed


class LocalImplementation:
    """Trusted code in this process. It keeps no state from one check to the next.

    objects: what builds its objects, if not Objects.
    """

    def __init__(self, source: Source, seed: int = SEED, objects: Objects | None = None) -> None:
        self._source = source
        self._interpreter = Interpreter(source, objects)
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

    def may_be_chance(self, problem: Problem | None) -> bool:
        """Return False, because trusted code runs in this process, without a time limit."""
        return False

    def client(self, layout: Layout = SAME) -> Client:
        """Return a client with a new conversation."""
        self.load()
        return Client(Conversation(self._ask, layout))

    def answers(self, steps: Sequence[Step]) -> Iterator[StepAnswer]:
        """Yield the answers to the steps of a new conversation.

        Runs the steps lazily, up to one call at a time, so that a caller can stop early.
        """
        self.load()
        begun = 0
        for end, step in enumerate(steps, 1):
            if isinstance(step, Call) or end == len(steps):
                yield from self._ask(steps[begun:end], fresh=not begun)[0]
                begun = end

    def _ask(self, steps: Sequence[Step], fresh: bool) -> tuple[list[StepAnswer], str]:
        if fresh:
            self._interpreter.forget()
            self._interpreter.objects.kept.clear()  # a check must not see changes by an earlier one
        with contextlib.redirect_stdout(io.StringIO()) as printed, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = self._interpreter.answer(Question(steps, fresh, self._seed))
        self.printed = Printed(printed.getvalue().encode(errors="replace"))
        return found, printed.getvalue()
