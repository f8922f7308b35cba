"""What an exercise is tried on: sizes, inputs and weights."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import torch
from torch import Tensor

from autograder.channel import Course, Module
from autograder.comparison.draw import Draw

Cases = Mapping[str, tuple[Tensor, ...]]
Inputs = Callable[[Draw, tuple[int, ...]], Cases]


@dataclass(frozen=True)
class Trial:
    """An exercise built with `arguments` and `named`, and how the inputs of its cases are drawn.

    inputs: from random numbers and the arguments, the cases: labels in words, with which a
    difference begins, and the tensors of one call.
    """

    exercise: str
    arguments: tuple[int, ...]
    inputs: Inputs
    named: Mapping[str, Any] = field(default_factory=dict)

    def sized(self, *arguments: int, inputs: Inputs | None = None) -> Trial:
        """The same with other arguments, and other inputs if given."""
        return replace(self, arguments=arguments, inputs=inputs or self.inputs)

    def on(self, inputs: Inputs, **named: Any) -> Trial:
        """The same with other inputs and named arguments."""
        return replace(self, inputs=inputs, named=named)

    def cases(self, draw: Draw) -> Cases:
        """The cases, drawn anew."""
        return self.inputs(draw, self.arguments)

    def build(
        self, course: Course, dtype: torch.dtype = torch.float64, keep: bool = True
    ) -> Module:
        """The module, as one side makes it; one for all checks, unless keep is False."""
        make = getattr(course, self.exercise)
        made: Module = make(*self.arguments, dtype=dtype, keep=keep, **self.named)
        return made

    def weights(self, reference: Course, draw: Draw) -> dict[str, Tensor]:
        """Random numbers for each of the reference's parameters."""
        parameters = self.build(reference).parameters().value
        return draw.weights({name: p.shape for name, p in parameters.items()})


def given(**cases: tuple[Tensor, ...]) -> Inputs:
    """Inputs that are not drawn; underscores in a label stand for spaces."""
    return lambda draw, arguments: {label.replace("_", " "): x for label, x in cases.items()}


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
    """Batches, and a single sentence without a batch dimension."""
    single = {"One sentence, without a batch": (draw.normal(5, arguments[0]),)}
    return {**batches(draw, arguments), **single}


def special(draw: Draw, arguments: tuple[int, ...]) -> Cases:
    """Batches with a dimension of 1, and one with as many sentences as tokens as features."""
    C = arguments[0]
    return {
        "A batch of one sentence": (draw.normal(1, 6, C),),
        "Sentences of a single token": (draw.normal(2, 1, C),),
        "As many sentences as tokens as features": (draw.normal(C, C, C),),
    }


def one_batch(draw: Draw, arguments: tuple[int, ...]) -> Cases:
    """One batch, all of whose sizes differ: B=2, T=6."""
    return {"A batch of 2 sentences": (draw.normal(2, 6, arguments[0]),)}
