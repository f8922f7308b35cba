"""What an exercise is tried on: sizes, inputs and weights."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import torch
from torch import Tensor

from autograder.checking.draw import Draw
from autograder.checking.tolerance import Condition, Operation, of_scores
from autograder.client import Client, Input, Module

Cases = Mapping[str, tuple[Input, ...]]
Inputs = Callable[[Draw, tuple[int, ...]], Cases]
ROOT = 16.0  # scores become 256 times as large: exp of them overflows in float32, not in float64


@dataclass(frozen=True, eq=False)
class Trial:
    """An exercise built with `arguments` and `named`, and how the inputs of its cases are drawn.

    inputs: from random numbers and the arguments, the cases: labels in words, with which a
    difference begins, and the inputs of one call. tensors: the names of the tensors that a plain
    class trains; a module's are its parameters. projections: as in Client.function, for a
    function; None for a class. condition: as of an Operation. held: its weights, by the
    reference's names, where they are not to be drawn. biased: have a function's projections a bias?
    usual: if the module is called in evaluation, the trial with which another check compares
    evaluation and training; None if it is called in training.
    """

    exercise: str
    arguments: tuple[Any, ...]
    inputs: Inputs
    named: Mapping[str, Any] = field(default_factory=dict)
    tensors: tuple[str, ...] = ()
    projections: Mapping[str, tuple[int, int]] | None = None
    condition: Condition = of_scores
    held: Mapping[str, Tensor] | None = None
    biased: bool = False
    usual: Trial | None = None

    @staticmethod
    def function(
        name: str, inputs: Inputs, projections: Mapping[str, tuple[int, int]] | None = None
    ) -> Trial:
        """A trial of a plain function."""
        return Trial(name, (), inputs, projections=projections or {})

    def sized(self, *arguments: Any, inputs: Inputs | None = None) -> Trial:
        """The same with other arguments, and other inputs if given."""
        return replace(self, arguments=arguments, inputs=inputs or self.inputs)

    def on(self, inputs: Inputs, **named: Any) -> Trial:
        """The same with other inputs and named arguments."""
        return replace(self, inputs=inputs, named=named)

    def projecting(self, inputs: Inputs, **projections: tuple[int, int]) -> Trial:
        """The same function with other inputs and projections."""
        return replace(self, inputs=inputs, projections=projections)

    def with_bias(self) -> Trial:
        """Return this trial with a bias in its projections."""
        return replace(self, biased=True)

    def in_evaluation(self, usual: Trial) -> Trial:
        """The same, called in evaluation. usual: the trial with which another check does that."""
        return replace(self, usual=usual)

    def holding(self, weights: Mapping[str, Tensor]) -> Trial:
        """The same with these weights."""
        return replace(self, held=weights)

    def of(self, condition: Condition) -> Trial:
        """The same where weights or inputs make another condition."""
        return replace(self, condition=condition)

    def operation(
        self, inputs: Sequence[Input], weights: Mapping[str, Tensor] | None = None
    ) -> Operation:
        """A call with these weights, or a function's projections, as the tolerance sees it."""
        shapes = [weight.shape for weight in (weights or {}).values()]
        projections = [torch.Size(size) for size in (self.projections or {}).values()]
        return Operation(inputs, shapes or projections, self.condition)

    def cases(self, draw: Draw) -> Cases:
        """The cases, drawn anew."""
        return self.inputs(draw, self.arguments)

    def build(
        self, course: Client, dtype: torch.dtype = torch.float64, keep: bool = True
    ) -> Module:
        """The module, as one side makes it; one for all checks, unless keep is False.

        What is kept must not change when it is called, as a plain class may.
        """
        if self.projections is not None:
            return course.function(self.exercise, self.projections, dtype, self.biased)
        keep = keep and not self.tensors
        make = getattr(course, self.exercise)
        made: Module = make(*self.arguments, dtype=dtype, keep=keep, **self.named)
        return made

    def shapes(self, reference: Client) -> dict[str, tuple[int, ...]]:
        """The shape of each of the reference's parameters."""
        key = (
            f"shapes {self.exercise} {self.arguments} {self.named} {self.projections} {self.biased}"
        )
        return reference.once(key, self.shapes_in)

    def shapes_in(self, reference: Client) -> dict[str, tuple[int, ...]]:
        """The same, asked in this conversation, in which it may be built again at no cost."""
        if self.tensors:
            kept = self.build(reference).state(*self.tensors).value
            return {name: tuple(t.numbers.shape) for name, t in kept.items()}
        if self.projections == {}:
            return {}
        parameters = self.build(reference).parameters().value
        return {name: p.shape for name, p in parameters.items()}

    def weights(self, reference: Client, draw: Draw) -> dict[str, Tensor]:
        """Those that it holds, or random numbers for each of the reference's parameters."""
        if self.held is not None:
            return dict(self.held)
        return {} if self.projections == {} else draw.weights(self.shapes(reference))


def given(**cases: tuple[Input, ...]) -> Inputs:
    """Inputs that are not drawn; underscores in a label stand for spaces."""
    return lambda draw, arguments: {label.replace("_", " "): x for label, x in cases.items()}


def enlarged(inputs: Inputs) -> Inputs:
    """The first of some cases with scores of hundreds: a power of two, so that nothing rounds."""

    def draw_them(draw: Draw, arguments: tuple[int, ...]) -> Cases:
        label, given = next(iter(inputs(draw, arguments).items()))
        larger = tuple(x * ROOT if isinstance(x, Tensor) else x for x in given)
        return {f"{label}, scores of hundreds": larger}

    return draw_them


def with_padding(inputs: Inputs) -> Inputs:
    """Cases in which token 1 of each sequence is all zeros: what stands for no token elsewhere is
    one like any other here."""

    def draw_them(draw: Draw, arguments: tuple[int, ...]) -> Cases:
        drawn = inputs(draw, arguments)
        return {
            f"{label}, token 1 all zeros": tuple(_padded(x) for x in given)
            for label, given in drawn.items()
        }

    return draw_them


def _padded(x: Input) -> Input:
    if not isinstance(x, Tensor) or x.shape[-2] == 1:
        return x
    return x.index_fill(-2, torch.tensor(1), 0)


def batches(draw: Draw, arguments: tuple[int, ...]) -> Cases:
    """Batches of sequences of tokens; the first argument is the number of their features.

    First one whose sizes all differ (B=3, T=5), then a single token.
    """
    C = arguments[0]
    return {
        "A batch of 3 sentences": (draw.normal(3, 5, C),),
        "A batch of one sentence of one token": (draw.normal(1, 1, C),),
    }


def sentences(draw: Draw, arguments: tuple[int, ...]) -> Cases:
    """Batches, a sentence without a batch dimension, and one of a single token."""
    single = {
        "One sentence, without a batch": (draw.normal(5, arguments[0]),),
        "One token, without a batch": (draw.normal(1, arguments[0]),),
    }
    return {**batches(draw, arguments), **single}


def batch_of_one(draw: Draw, arguments: tuple[int, ...]) -> Cases:
    """One sentence as a batch: B=1, T=6."""
    return {"A batch of one sentence": (draw.normal(1, 6, arguments[0]),)}


def one_batch(draw: Draw, arguments: tuple[int, ...]) -> Cases:
    """One batch, all of whose sizes differ: B=2, T=6."""
    return {"A batch of 2 sentences": (draw.normal(2, 6, arguments[0]),)}
