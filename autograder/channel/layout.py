"""Where a submission keeps the reference's parameters when it calls them otherwise."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from torch import Tensor

Shapes = Mapping[str, tuple[int, ...]]
T = TypeVar("T", Tensor, Tensor | None)
MOST = 24  # layouts that are tried


@dataclass(frozen=True)
class Layout:
    """Which parameter of a submission stands for which of the reference's.

    places: the reference's name -> (the submission's name, stored transposed?). A name that
    is not listed is the same on both sides.
    """

    places: Mapping[str, tuple[str, bool]] = field(default_factory=dict)

    def outward(self, weights: Mapping[str, Tensor]) -> dict[str, Tensor]:
        """The reference's numbers as the submission names and stores them."""
        placed = {}
        for name, weight in weights.items():
            own, transposed = self.places.get(name, (name, False))
            placed[own] = weight.mT.contiguous() if transposed else weight
        return placed

    def inward(self, numbers: Mapping[str, T]) -> dict[str, T]:
        """The submission's numbers as the reference names and stores them."""
        back = {own: place for place in self.places.items() for own in [place[1][0]]}
        found: dict[str, T] = {own: tensor for own, tensor in numbers.items() if own not in back}
        for own, (name, (_, transposed)) in back.items():
            if own in numbers:
                tensor = numbers[own]
                flip = transposed and tensor is not None and tensor.dim() == 2
                found[name] = tensor.mT if flip and tensor is not None else tensor
        return found


def layouts(want: Shapes, have: Shapes) -> Iterator[Layout]:
    """The ways in which a submission's parameters can stand for the reference's, likeliest first.

    Names that agree stay together; the others go by shape, and in order of registration where
    several fit; a matrix may be stored transposed if it fits in no other way. At most MOST.
    """
    missing = [name for name in want if have.get(name) != want[name]]
    free = [name for name in have if have[name] != want.get(name)]
    options: list[list[tuple[str, bool]]] = []
    for name in missing:
        shape = want[name]
        fitting = [(own, False) for own in free if have[own] == shape]
        turned = [(own, True) for own in free if len(shape) == 2 and have[own] == shape[::-1]]
        options.append(fitting or turned)
    found = (Layout(dict(zip(missing, chosen, strict=True))) for chosen in _choices(options))
    return itertools.islice(found, MOST)


def _choices(options: list[list[tuple[str, bool]]]) -> Iterator[list[tuple[str, bool]]]:
    """One of each list of options, none of them twice."""
    if not options:
        yield []
        return
    for choice in options[0]:
        rest = [[o for o in others if o[0] != choice[0]] for others in options[1:]]
        if all(rest):
            for chosen in _choices(rest):
                yield [choice, *chosen]
