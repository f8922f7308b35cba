"""Where a submission keeps the reference's parameters when it calls them otherwise."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from functools import lru_cache
from typing import TypeVar

from torch import Tensor

from autograder.client.packing import PLAIN, Build, Packing

Shapes = Mapping[str, tuple[int, ...]]
T = TypeVar("T", Tensor, Tensor | None)
MOST = 24  # layouts that are tried


@dataclass(frozen=True)
class Layout:
    """Which parameter of a submission stands for which of the reference's.

    places: the reference's name -> (the submission's name, stored transposed?). same: names that
    are the same on both sides. Any other name, as of another block or of a bias that was not there,
    is kept as one in `places` that differs from it in numbers or its end only, if there is one.
    packing: which numbers stand in which, if they do
    otherwise than in the reference's.
    """

    places: Mapping[str, tuple[str, bool]] = field(default_factory=dict)
    packing: Packing | None = None
    same: frozenset[str] = frozenset()

    def outward(self, weights: Mapping[str, Tensor], build: Build = PLAIN) -> dict[str, Tensor]:
        """The reference's numbers as the submission names and stores them, built in this way."""
        if self == SAME:
            return dict(weights)
        placed = {}
        packed = self.packing.outward(weights, build) if self.packing else weights
        for name, weight in packed.items():
            own, transposed = self._place(name)
            placed[own] = weight.mT.contiguous() if transposed and weight.dim() == 2 else weight
        return placed

    def inward(self, numbers: Mapping[str, T], build: Build = PLAIN) -> dict[str, T]:
        """The submission's numbers as the reference names and stores them."""
        if self == SAME:
            return dict(numbers)
        found: dict[str, T] = {}
        kept = {own for own, _ in self.places.values()}
        for own in sorted(numbers, key=kept.__contains__):  # which come last, and so count
            tensor = numbers[own]
            name, transposed = self._name(own)
            flip = transposed and tensor is not None and tensor.dim() == 2
            found[name] = tensor.mT if flip and tensor is not None else tensor
        return self.packing.inward(found, build) if self.packing else found

    def _place(self, name: str) -> tuple[str, bool]:
        """Where one of the reference's parameters is kept, and whether transposed."""
        if name in self.places:
            return self.places[name]
        places = {} if name in self.same else self.places
        alike = ((_moved(name, n, own), flip) for n, (own, flip) in places.items())
        return next(((own, flip) for own, flip in alike if own), (name, False))

    def _name(self, own: str) -> tuple[str, bool]:
        """The reference's name of a parameter, and whether it is kept transposed."""
        known = {kept: (name, flip) for name, (kept, flip) in self.places.items()}
        if own in known or own in self.same:
            return known.get(own, (own, False))
        alike = ((_moved(own, kept, name), flip) for kept, (name, flip) in known.items())
        return next(((name, flip) for name, flip in alike if name), (own, False))


SAME = Layout()  # names and places as the reference has them


def layouts(want: Shapes, have: Shapes) -> Iterator[Layout]:
    """The ways in which a submission's parameters can stand for the reference's, likeliest first.

    Names that agree stay together; the others go by shape, and where several fit, first by likeness
    of names, then in order of registration; a matrix may be stored transposed if it fits in no
    other way. At most MOST.
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
    orders = [_orders(names, pools[shape]) for shape, names in asked.items()]
    for chosen in itertools.islice(itertools.product(*orders), MOST):
        places: dict[str, tuple[str, bool]] = {}
        for (shape, names), owns in zip(asked.items(), chosen, strict=True):
            places |= {
                name: (own, shape != want[name]) for name, own in zip(names, owns, strict=True)
            }
        yield Layout(places, same=frozenset(want) - frozenset(missing))


def _orders(names: list[str], owns: list[str]) -> list[tuple[str, ...]]:
    """Orders in which parameters can stand for those with these names, the likeliest first."""
    first = list(itertools.islice(itertools.permutations(owns, len(names)), MOST))
    return sorted(first, key=lambda order: -sum(map(_likeness, names, order)))


@lru_cache(maxsize=1 << 12)
def _likeness(name: str, other: str) -> float:
    """Return the likeness of two names, from 0 to 1, without what stands between words."""
    one, two = (re.sub(r"[\W_]", "", n).lower() for n in (name, other))
    return SequenceMatcher(None, one, two, autojunk=False).ratio()


def _moved(name: str, known: str, other: str) -> str | None:
    """The name that is to `other` as `name` is to `known`, where these differ in numbers, or both
    of them in their ends."""
    parts, like, moved = name.split("."), known.split("."), other.split(".")
    if len(parts) != len(like):
        return None
    if like[-1] == moved[-1] and len(like) > 1:
        like[-1] = moved[-1] = parts[-1]
    for part, number in zip(parts, like, strict=True):
        if part == number:
            continue
        if not (part.isdigit() and number.isdigit() and number in moved):
            return None
        moved[moved.index(number)] = part
    return ".".join(moved)
