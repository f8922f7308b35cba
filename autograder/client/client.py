"""Access to an implementation's exercises by name, as if they were local classes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import torch

from autograder.client import answers
from autograder.client.conversation import Conversation
from autograder.client.layout import Layout
from autograder.client.module import Module
from autograder.client.packing import NO_ARGUMENTS, Arguments
from autograder.runtime.questions import Build, Seed, Step, Take

T = TypeVar("T")


class ResultCache:
    """The results that an implementation which always gives the same answers has led to.

    begin: starts a new conversation with it.
    """

    def __init__(self, begin: Callable[[], Conversation]) -> None:
        self._begin = begin
        self._results: dict[str, Any] = {}

    def once(self, key: str, compute: Callable[[Client], T]) -> T:
        """Return the result for a key; `compute` gets a new conversation the first time."""
        if key not in self._results:
            self._results[key] = compute(Client(self._begin()))
        result: T = self._results[key]
        return result


class Client:
    """Access to an implementation's exercises by name: `client.AttentionHead(7, 4)` is a proxy.

    has_time: returns whether enough time remains to try other layouts of the parameters.
    """

    def __init__(
        self,
        conversation: Conversation,
        cache: ResultCache | None = None,
        has_time: Callable[[], bool] = lambda: True,
    ) -> None:
        self._conversation = conversation
        self._cache = cache
        self.has_time = has_time
        self.notes: list[str] = []

    def once(self, key: str, compute: Callable[[Client], T]) -> T:
        """Return the result of `compute`; for a reference, compute it only once per key."""
        return self._cache.once(key, compute) if self._cache else compute(self)

    def note(self, text: str) -> None:
        """Add a remark that costs no points."""
        if text not in self.notes:
            self.notes.append(text)

    def __getattr__(self, name: str) -> Callable[..., Module]:
        if name.startswith("__"):
            raise AttributeError(name)

        def build(
            *arguments: Any,
            dtype: torch.dtype = torch.float64,
            keep: bool = False,
            as_built: bool = False,
            **named: Any,
        ) -> Module:
            of = self._conversation.new(Arguments(arguments, named))
            made = Build(of, name, arguments, named, dtype, keep, as_built)
            return Module(self._conversation, made)

        return build

    def function(
        self,
        name: str,
        projections: Mapping[str, tuple[int, int]] | None = None,
        dtype: torch.dtype = torch.float64,
        bias: bool = False,
    ) -> Module:
        """Return a proxy for a plain function, as if it were a module.

        projections: linear layers that the function gets after its inputs, name -> (input features,
        output features). Their weights, and biases if `bias`, are the module's parameters.
        """
        of = self._conversation.new(NO_ARGUMENTS)
        made = Take(of, name, dict(projections or {}), dtype, bias)
        return Module(self._conversation, made)

    def seed(self, number: int) -> None:
        """Seed PyTorch's random numbers before the next step, as torch.manual_seed does."""
        self._conversation.add(Seed(number), answers.nothing)

    def printed(self) -> str:
        """Return what the implementation printed to stdout since the last call."""
        return self._conversation.printed()

    @property
    def layout(self) -> Layout:
        """The layout in which the implementation is assumed to store its parameters."""
        return self._conversation.layout

    def transcript(self) -> list[tuple[Step, Any]]:
        """Return each step with its unread answer, see Conversation.transcript."""
        return self._conversation.transcript()

    def steps(self) -> list[Step]:
        """Return the steps that have been answered."""
        return self._conversation.steps()

    def asked_for(self) -> list[str]:
        """Return the names of the classes and functions that were asked for."""
        made = (step for step in self._conversation.added() if isinstance(step, Build | Take))
        return [step.name for step in made]
