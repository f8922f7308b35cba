"""Where a submission keeps the reference's parameters when it calls them otherwise."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from torch import Tensor

from autograder.channel.packing import PLAIN, Build, Packing

Shapes = Mapping[str, tuple[int, ...]]
T = TypeVar("T", Tensor, Tensor | None)
MOST = 24  # layouts that are tried


@dataclass(frozen=True)
class Layout:
    """Which parameter of a submission stands for which of the reference's.

    places: the reference's name -> (the submission's name, stored transposed?). A name that
    is not listed is the same on both sides. packing: which numbers stand in which, if they do
    otherwise than in the reference's.
    """

    places: Mapping[str, tuple[str, bool]] = field(default_factory=dict)
    packing: Packing | None = None

    def outward(self, weights: Mapping[str, Tensor], build: Build = PLAIN) -> dict[str, Tensor]:
        """The reference's numbers as the submission names and stores them, built in this way."""
        placed = {}
        packed = self.packing.outward(weights, build) if self.packing else weights
        for name, weight in packed.items():
            own, transposed = self.places.get(name, (name, False))
            placed[own] = weight.mT.contiguous() if transposed else weight
        return placed

    def inward(self, numbers: Mapping[str, T], build: Build = PLAIN) -> dict[str, T]:
        """The submission's numbers as the reference names and stores them."""
        back = {own: place for place in self.places.items() for own in [place[1][0]]}
        found: dict[str, T] = {own: tensor for own, tensor in numbers.items() if own not in back}
        for own, (name, (_, transposed)) in back.items():
            if own in numbers:
                tensor = numbers[own]
                flip = transposed and tensor is not None and tensor.dim() == 2
                found[name] = tensor.mT if flip and tensor is not None else tensor
        return self.packing.inward(found, build) if self.packing else found


def layouts(want: Shapes, have: Shapes) -> Iterator[Layout]:
    """The ways in which a submission's parameters can stand for the reference's, likeliest first.

    Names that agree stay together; the others go by shape, and in order of registration where
    several fit; a matrix may be stored transposed if it fits in no other way. At most MOST.
    """
    missing = [name for name in want if have.get(name) != want[name]]
    pools: dict[tuple[int, ...], list[str]] = {}
    for own, shape in have.items():
        if want.get(own) != shape:
            pools.setdefault(shape, []).append(own)
    asked: dict[tuple[int, ...], list[str]] = {}  # by the shape of the pool that can serve
    for name in missing:
        shape = want[name] if want[name] in pools or len(want[name]) != 2 else want[name][::-1]
        asked.setdefault(shape, []).append(name)
    if any(len(names) > len(pools.get(shape, [])) for shape, names in asked.items()):
        return
    orders = [
        list(itertools.islice(itertools.permutations(pools[shape], len(names)), MOST))
        for shape, names in asked.items()
    ]
    for chosen in itertools.islice(itertools.product(*orders), MOST):
        places: dict[str, tuple[str, bool]] = {}
        for (shape, names), owns in zip(asked.items(), chosen, strict=True):
            places |= {
                name: (own, shape != want[name]) for name, own in zip(names, owns, strict=True)
            }
        yield Layout(places)
