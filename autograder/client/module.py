"""A proxy for an object of an implementation: its methods ask questions and return replies."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

from torch import Tensor

from autograder.client import answers
from autograder.client.answers import Called, Registered, TensorState
from autograder.client.conversation import Conversation, Reply, StepFailed
from autograder.client.packing import Packing
from autograder.runtime import questions
from autograder.runtime.questions import Build, Input, Step, Take

T = TypeVar("T")


class Module:
    """A proxy for an object of an implementation's class, or for one of its functions.

    made: the step that makes it.
    """

    def __init__(self, conversation: Conversation, made: Build | Take) -> None:
        self._conversation = conversation
        self._number = made.of
        self._dtype = made.dtype
        self.built = conversation.add(made, answers.settings)

    def load(self, weights: Mapping[str, Tensor]) -> Module:
        """Set its parameters, given by the reference's names. Returns itself."""
        if weights:
            self._add(questions.Load(self._number, self.own(weights)), answers.nothing)
        return self

    def own(self, weights: Mapping[str, Tensor]) -> dict[str, Tensor]:
        """Return weights, given by the reference's names, by its own names and in its layout."""
        return self._conversation.outward(weights, self._number)

    def load_as(self, packing: Packing, weights: Mapping[str, Tensor]) -> Module:
        """Set its parameters, rearranged by another packing. Returns itself."""
        return self.load(packing.outward(weights, self._conversation.arguments[self._number]))

    def train(self, mode: bool = True) -> Module:
        """Switch to training or evaluation mode. Returns itself."""
        self._add(questions.Train(self._number, mode), answers.nothing)
        return self

    def eval(self) -> Module:
        """Switch to evaluation mode. Returns itself."""
        return self.train(False)

    def __call__(
        self, *inputs: Input, gradient: bool = False, strided: bool = False, reseed: bool = True
    ) -> Reply[Called]:
        """Call it on inputs; floating-point tensors are converted to its dtype.

        gradient: also compute that of sum(output * cos(0, 1, 2, ...)). strided: pass inputs that
        are not contiguous in memory. reseed: start from the same random state as every other call;
        if False, from a different one.
        """

        def read(data: Any) -> Called:
            found = answers.called(data, rounds)
            if found.gradients is None:
                return found
            parameters = self._conversation.inward(found.gradients.parameters, self._number)
            return replace(found, gradients=replace(found.gradients, parameters=parameters))

        def rounds() -> bool:
            step = questions.Rounds(self._number, inputs, self._dtype)
            try:
                return self._add(step, answers.truth).value
            except StepFailed:  # the watched call failed; that alone is no mistake
                return False

        step = questions.Call(self._number, inputs, self._dtype, gradient, strided, anew=reseed)
        return self._add(step, read)

    def parameters(self) -> Reply[dict[str, Registered]]:
        """Ask for its registered parameters, by its own names."""
        return self._add(questions.Parameters(self._number), answers.parameters)

    def buffers(self) -> Reply[dict[str, Registered]]:
        """Ask for its registered buffers, by its own names."""
        return self._add(questions.Buffers(self._number), answers.parameters)

    def lacking(self, parts: Mapping[str, str]) -> Reply[dict[str, str]]:
        """Ask for the submodules that are missing, shared or of the wrong class, as Lacking says.

        parts: attribute name -> required class or base class; "" allows any class.
        """
        return self._add(questions.Lacking(self._number, dict(parts)), answers.parts)

    def values(self) -> Reply[dict[str, Tensor | None]]:
        """Ask for the values of its registered parameters, by the reference's names."""

        def read(data: Any) -> dict[str, Tensor | None]:
            return self._conversation.inward(answers.numbers(data), self._number)

        return self._add(questions.Values(self._number), read)

    def hand_over(self, to: Module) -> Reply[None]:
        """Load its state_dict into another module."""
        return self._add(questions.HandOver(self._number, to._number), answers.nothing)

    def state(self, *names: str) -> Reply[dict[str, TensorState]]:
        """Ask for tensors among its attributes, by name; missing ones are omitted."""
        return self._add(questions.State(self._number, names), answers.state)

    def listed(self) -> Reply[list[str]]:
        """Ask for the attribute names of what its parameters() lists; "?" for other tensors."""
        return self._add(questions.Listed(self._number), answers.words)

    def operations(self, *inputs: Input) -> Reply[int]:
        """Call it and ask for the number of tensor operations."""
        return self._add(questions.Operations(self._number, inputs, self._dtype), answers.count)

    def products(self, *inputs: Input, tokens: int) -> Reply[int]:
        """Call it and ask for the number of matrix products: 0, 1, or 2 for two or more.

        tokens: the length of its sequences; all sizes of the inputs must differ.
        """
        step = questions.Products(self._number, inputs, self._dtype, tokens)
        return self._add(step, answers.count)

    def exponentials(self, *inputs: Input, tokens: int) -> Reply[bool]:
        """Call it and ask whether it computes exponentials, as a softmax does."""
        step = questions.Exponentials(self._number, inputs, self._dtype, tokens)
        return self._add(step, answers.truth)

    def held(self, *inputs: Input) -> Reply[int]:
        """Call it and ask how many numbers its tensors hold at the same time, at the most."""
        return self._add(questions.Held(self._number, inputs, self._dtype), answers.count)

    def training(self) -> Reply[bool]:
        """Ask whether its attribute `training` is True."""
        return self._add(questions.Training(self._number), answers.truth)

    def differentiated(self, *names: str) -> Reply[list[str]]:
        """Ask which of these attributes are tensors that require a gradient."""
        return self._add(questions.Differentiated(self._number, names), answers.words)

    def matrices(self) -> Reply[list[str]]:
        """Ask for the names of matrices that it keeps as plain attributes."""
        return self._add(questions.Matrices(self._number), answers.words)

    def descend(self, *inputs: Tensor, targets: Tensor, steps: int) -> Reply[list[float]]:
        """Train it by gradient descent on the cross-entropy and ask for the losses.

        targets: (B, T), the correct index at each position of its logits (B, T, classes).
        """
        step = questions.Descend(self._number, inputs, targets, steps)
        return self._add(step, partial(answers.losses, steps=steps))

    def hooked(self, *inputs: Tensor) -> Reply[int]:
        """Call it and ask how often a forward hook fired."""
        return self._add(questions.Hooked(self._number, inputs, self._dtype), answers.count)

    def move(self, *inputs: Input) -> Reply[list[str]]:
        """Call it on another device and ask for what fails there, as in questions.Move."""
        return self._add(questions.Move(self._number, inputs, self._dtype), answers.words)

    def _add(self, step: Step, read: Callable[[Any], T]) -> Reply[T]:
        return self._conversation.add(step, read)
