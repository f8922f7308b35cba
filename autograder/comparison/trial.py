"""What an exercise is tried on: sizes, inputs and weights."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor

from autograder.channel import Course, Module
from autograder.comparison.draw import Draw

Cases = Mapping[str, tuple[Tensor, ...]]


@dataclass(frozen=True)
class Trial:
    """An exercise built with `arguments` and `named`, and the `cases` it is called on.

    A case has a label in words, with which a difference begins, and the tensors of one call.
    """

    exercise: str
    arguments: tuple[int, ...]
    cases: Cases
    named: Mapping[str, Any] = field(default_factory=dict)

    def build(self, course: Course, dtype: torch.dtype = torch.float64) -> Module:
        """The module, as one side makes it."""
        made: Module = getattr(course, self.exercise)(*self.arguments, dtype=dtype, **self.named)
        return made

    def weights(self, reference: Course, draw: Draw) -> dict[str, Tensor]:
        """Random numbers for each of the reference's parameters."""
        parameters = self.build(reference).parameters().value
        return draw.weights({name: p.shape for name, p in parameters.items()})


def sentences(draw: Draw, width: int, ranks: tuple[int, ...] = (2, 3)) -> dict[str, tuple[Tensor]]:
    """Sequences of tokens with `width` features, in the shapes in which they come.

    All sizes differ (B=3, T=5), then the special ones: a single token, a batch of one, and as
    many sequences as tokens as features.
    """
    shapes = {
        "A batch of 3 sentences": (3, 5, width),
        "A batch of one sentence": (1, 5, width),
        "Sentences of a single token": (3, 1, width),
        "As many sentences as tokens as features": (width, width, width),
        "One sentence, without a batch": (5, width),
    }
    return {
        label: (draw.normal(*shape),) for label, shape in shapes.items() if len(shape) in ranks
    }
