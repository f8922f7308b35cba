"""Match a submission's parameters with the reference's when their names or layouts differ."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from functools import lru_cache
from typing import TypeVar

from torch import Tensor

from autograder.client.packing import NO_ARGUMENTS, Arguments, Packing

Shapes = Mapping[str, tuple[int, ...]]
T = TypeVar("T", Tensor, Tensor | None)
MOST = 24  # layouts to try
MOST_NAMES = 200  # parameters of a module that is not refused
MOST_PARTS = 16  # between the dots of a name that is mapped like another one
COMPARED = 60  # characters of a name that are compared; the child sends the names


@dataclass(frozen=True)
class Layout:
    """A mapping between the parameters of a submission and those of the reference.

    places: the reference's name -> (the submission's name, whether it is stored transposed). same:
    names that are equal in both. Any other name, e.g. of another block or bias, is mapped like a
    name in `places` that differs from it only in numbers or in its last part, if there is one.
    packing: the rearrangement of numbers between parameters, if there is one.
    """

    places: Mapping[str, tuple[str, bool]] = field(default_factory=dict)
    packing: Packing | None = None
    same: frozenset[str] = frozenset()

    def outward(
        self, weights: Mapping[str, Tensor], arguments: Arguments = NO_ARGUMENTS
    ) -> dict[str, Tensor]:
        """Convert the reference's weights to the names and layout of the submission.

        arguments: of the object's constructor.
        """
        if self == SAME:
            return dict(weights)
        placed = {}
        packed = self.packing.outward(weights, arguments) if self.packing else weights
        for name, weight in packed.items():
            own, transposed = self._place(name)
            placed[own] = weight.mT.contiguous() if transposed and weight.dim() == 2 else weight
        return placed

    def inward(self, numbers: Mapping[str, T], arguments: Arguments = NO_ARGUMENTS) -> dict[str, T]:
        """Convert the submission's weights to the names and layout of the reference."""
        if self == SAME:
            return dict(numbers)
        found: dict[str, T] = {}
        kept = {own for own, _ in self.places.values()}
        for own in sorted(numbers, key=kept.__contains__):  # mapped names last, to take precedence
            tensor = numbers[own]
            name, transposed = self._name(own)
            flip = transposed and tensor is not None and tensor.dim() == 2
            found[name] = tensor.mT if flip and tensor is not None else tensor
        return self.packing.inward(found, arguments) if self.packing else found

    def _place(self, name: str) -> tuple[str, bool]:
        """Return the submission's name of a reference parameter, and whether it is transposed."""
        if name in self.places:
            return self.places[name]
        places = {} if name in self.same else self.places
        alike = ((_moved(name, n, own), flip) for n, (own, flip) in places.items())
        return next(((own, flip) for own, flip in alike if own), (name, False))

    def _name(self, own: str) -> tuple[str, bool]:
        """Return the reference's name of a parameter, and whether it is stored transposed."""
        known = {kept: (name, flip) for name, (kept, flip) in self.places.items()}
        if own in known or own in self.same:
            return known.get(own, (own, False))
        alike = ((_moved(own, kept, name), flip) for kept, (name, flip) in known.items())
        return next(((name, flip) for name, flip in alike if name), (own, False))


SAME = Layout()  # the names and layout of the reference


def layouts(want: Shapes, have: Shapes) -> Iterator[Layout]:
    """Yield the possible layouts of a submission's parameters, most likely first, at most MOST.

    Parameters with the same name and shape match. The others match by shape; if several fit, by
    similarity of names and then by order of registration. A matrix may be transposed only if it
    fits in no other way. Nothing is yielded if there are more than MOST_NAMES.
    """
    if max(len(want), len(have)) > MOST_NAMES:
        return
    missing = [name for name in want if have.get(name) != want[name]]
    pools: dict[tuple[int, ...], list[str]] = {}
    for own, shape in have.items():
        if want.get(own) != shape:
            pools.setdefault(shape, []).append(own)
    wanted: dict[tuple[int, ...], list[str]] = {}  # by the shape of the matching pool
    for name in missing:
        shape = want[name] if want[name] in pools or len(want[name]) != 2 else want[name][::-1]
        wanted.setdefault(shape, []).append(name)
    if any(len(names) > len(pools.get(shape, [])) for shape, names in wanted.items()):
        return
    orders = [_orders(names, pools[shape]) for shape, names in wanted.items()]
    for chosen in itertools.islice(itertools.product(*orders), MOST):
        places: dict[str, tuple[str, bool]] = {}
        for (shape, names), owns in zip(wanted.items(), chosen, strict=True):
            places |= {
                name: (own, shape != want[name]) for name, own in zip(names, owns, strict=True)
            }
        yield Layout(places, same=frozenset(want) - frozenset(missing))


def _orders(names: list[str], owns: list[str]) -> list[tuple[str, ...]]:
    """Return assignments of the parameters `owns` to these names, most similar names first."""
    first = list(itertools.islice(itertools.permutations(owns, len(names)), MOST))
    return sorted(first, key=lambda order: -sum(map(_likeness, names, order)))


@lru_cache(maxsize=1 << 12)
def _likeness(name: str, other: str) -> float:
    """Return the similarity of two names, from 0 to 1, ignoring case and separators."""
    one, two = (re.sub(r"[\W_]", "", n).lower()[-COMPARED:] for n in (name, other))
    return SequenceMatcher(None, one, two, autojunk=False).ratio()


def _moved(name: str, known: str, other: str) -> str | None:
    """Return the name that relates to `other` as `name` relates to `known`, or None.

    `name` and `known` may differ only in numbers and in the last part.
    """
    dots = name.count(".")
    if dots != known.count(".") or dots >= MOST_PARTS:
        return None
    parts, like, moved = name.split("."), known.split("."), other.split(".")
    if like[-1] == moved[-1] and len(like) > 1:
        like[-1] = moved[-1] = parts[-1]
    for part, number in zip(parts, like, strict=True):
        if part == number:
            continue
        if not (part.isdigit() and number.isdigit() and number in moved):
            return None
        moved[moved.index(number)] = part
    return ".".join(moved)
