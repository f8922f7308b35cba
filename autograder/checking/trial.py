"""Trials: the sizes, inputs and weights that an exercise is tested with."""

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
    """An exercise, the arguments it is built with, and how to draw the inputs of its cases.

    arguments, named: positional and keyword arguments. inputs: draws the cases: labels, with which
    messages begin, and the inputs of one call each. tensors: names of the trained tensors of a
    plain class; a module has parameters. projections: of a function, linear layers that it gets
    after its inputs, name -> (input features, output features); None for a class. condition:
    estimates how rounding grows, for tolerances. fixed_weights: weights by the reference's names,
    if they are not random. biased: a function's projections have a bias. usual: for calls in
    evaluation mode, the same trial in training mode; None for calls in training mode.
    """

    exercise: str
    arguments: tuple[Any, ...]
    inputs: Inputs
    named: Mapping[str, Any] = field(default_factory=dict)
    tensors: tuple[str, ...] = ()
    projections: Mapping[str, tuple[int, int]] | None = None
    condition: Condition = of_scores
    fixed_weights: Mapping[str, Tensor] | None = None
    biased: bool = False
    usual: Trial | None = None

    @staticmethod
    def function(
        name: str, inputs: Inputs, projections: Mapping[str, tuple[int, int]] | None = None
    ) -> Trial:
        """Return a trial of a plain function."""
        return Trial(name, (), inputs, projections=projections or {})

    def sized(self, *arguments: Any, inputs: Inputs | None = None) -> Trial:
        """Return this trial with other arguments, and other inputs if given."""
        return replace(self, arguments=arguments, inputs=inputs or self.inputs)

    def on(self, inputs: Inputs, **named: Any) -> Trial:
        """Return this trial with other inputs and keyword arguments."""
        return replace(self, inputs=inputs, named=named)

    def projecting(self, inputs: Inputs, **projections: tuple[int, int]) -> Trial:
        """Return this trial of a function with other inputs and projections."""
        return replace(self, inputs=inputs, projections=projections)

    def with_bias(self) -> Trial:
        """Return this trial with a bias in its projections."""
        return replace(self, biased=True)

    def in_evaluation(self, usual: Trial) -> Trial:
        """Return this trial with calls in evaluation mode; `usual` is the one in training mode."""
        return replace(self, usual=usual)

    def with_weights(self, weights: Mapping[str, Tensor]) -> Trial:
        """Return this trial with these weights instead of random ones."""
        return replace(self, fixed_weights=weights)

    def with_condition(self, condition: Condition) -> Trial:
        """Return this trial with another condition, for other weights or inputs."""
        return replace(self, condition=condition)

    @property
    def is_of_module(self) -> bool:
        """True if the exercise is an nn.Module, False if it is a function or a plain class."""
        return self.projections is None and not self.tensors

    def operation(
        self, inputs: Sequence[Input], weights: Mapping[str, Tensor] | None = None
    ) -> Operation:
        """Return a call with these weights, or a function's projections, for the tolerance."""
        shapes = [weight.shape for weight in (weights or {}).values()]
        projections = [torch.Size(size) for size in (self.projections or {}).values()]
        return Operation(inputs, shapes or projections, self.condition)

    def cases(self, draw: Draw) -> Cases:
        """Draw the cases."""
        return self.inputs(draw, self.arguments)

    def first_case(self, draw: Draw) -> tuple[str, tuple[Input, ...]]:
        """Draw the first case: its label and its inputs."""
        return next(iter(self.cases(draw).items()))

    def build(
        self,
        client: Client,
        dtype: torch.dtype = torch.float64,
        keep: bool = True,
        as_built: bool = False,
    ) -> Module:
        """Build the module in an implementation; all checks share it unless keep is False.

        Plain classes are never shared, since a call may change their state. as_built: its numbers
        stay in the types that its author gave them, and `dtype` is that of the inputs, unless
        its module has changed PyTorch's default type.
        """
        if self.projections is not None:
            return client.function(self.exercise, self.projections, dtype, self.biased)
        keep = keep and not self.tensors
        make = getattr(client, self.exercise)
        kind = {"dtype": dtype, "keep": keep, "as_built": as_built}
        made: Module = make(*self.arguments, **kind, **self.named)
        return made

    def shapes(self, reference: Client) -> dict[str, tuple[int, ...]]:
        """Return the shape of each of the reference's parameters; asked once per reference."""
        key = (
            f"shapes {self.exercise} {self.arguments} {self.named} {self.projections} {self.biased}"
        )
        return reference.once(key, self.shapes_in)

    def shapes_in(self, reference: Client) -> dict[str, tuple[int, ...]]:
        """Return the shape of each of the reference's parameters, asked in this conversation."""
        if self.tensors:
            kept = self.build(reference).state(*self.tensors).value
            return {name: tuple(t.numbers.shape) for name, t in kept.items()}
        if self.projections == {}:
            return {}
        parameters = self.build(reference).parameters().value
        return {name: p.shape for name, p in parameters.items()}

    def weights(self, reference: Client, draw: Draw) -> dict[str, Tensor]:
        """Return the fixed weights, or random numbers for each of the reference's parameters."""
        if self.fixed_weights is not None:
            return dict(self.fixed_weights)
        return {} if self.projections == {} else draw.weights(self.shapes(reference))


def given(**cases: tuple[Input, ...]) -> Inputs:
    """Return cases that are not random; underscores in a label stand for spaces."""
    return lambda draw, arguments: {label.replace("_", " "): x for label, x in cases.items()}


def enlarged(inputs: Inputs) -> Inputs:
    """Return the first case scaled up to scores of hundreds, by a power of two, which is exact."""

    def draw_cases(draw: Draw, arguments: tuple[int, ...]) -> Cases:
        label, given = next(iter(inputs(draw, arguments).items()))
        larger = tuple(x * ROOT if isinstance(x, Tensor) else x for x in given)
        return {f"{label}, scores of hundreds": larger}

    return draw_cases


def with_padding(inputs: Inputs) -> Inputs:
    """Return cases in which token 1 of each sequence is all zeros.

    Zeros may stand for padding elsewhere; here they are a token like any other.
    """

    def draw_cases(draw: Draw, arguments: tuple[int, ...]) -> Cases:
        drawn = inputs(draw, arguments)
        return {
            f"{label}, token 1 all zeros": tuple(_padded(x) for x in given)
            for label, given in drawn.items()
        }

    return draw_cases


def _padded(x: Input) -> Input:
    if not isinstance(x, Tensor) or x.shape[-2] == 1:
        return x
    return x.index_fill(-2, torch.tensor(1), 0)


def batches(draw: Draw, arguments: tuple[int, ...]) -> Cases:
    """Draw a batch whose sizes all differ (B=3, T=5), then a single token (B=1, T=1).

    The first argument is the number of features.
    """
    C = arguments[0]
    return {
        "A batch of 3 sentences": (draw.normal(3, 5, C),),
        "A batch of one sentence of one token": (draw.normal(1, 1, C),),
    }


def sentences(draw: Draw, arguments: tuple[int, ...]) -> Cases:
    """Draw the cases of `batches`, then a sentence and a token without a batch dimension."""
    single = {
        "One sentence, without a batch": (draw.normal(5, arguments[0]),),
        "One token, without a batch": (draw.normal(1, arguments[0]),),
    }
    return {**batches(draw, arguments), **single}


def down_to_a_token(draw: Draw, arguments: tuple[int, ...]) -> Cases:
    """Draw the cases of `sentences`, then a token with no dimension in front of its features."""
    return {**sentences(draw, arguments), "One token alone": (draw.normal(arguments[0]),)}


def batch_of_one(draw: Draw, arguments: tuple[int, ...]) -> Cases:
    """Draw a batch of one sentence: B=1, T=6."""
    return {"A batch of one sentence": (draw.normal(1, 6, arguments[0]),)}


def one_batch(draw: Draw, arguments: tuple[int, ...]) -> Cases:
    """Draw one batch whose sizes all differ: B=2, T=6."""
    return {"A batch of 2 sentences": (draw.normal(2, 6, arguments[0]),)}
