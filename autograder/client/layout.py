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
NUMBER = re.compile(r"(?<!\d)(\d{1,6})(?!\d)")  # in a name; a longer one is never replaced
INDEX = re.compile(r"(?<![^.])(\d{1,6})(?![^.])")  # a number between dots: ln1 is not ln2
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
        if name in self.same:
            return name, False
        return _alike(name, self.places, INDEX, NUMBER)

    def _name(self, own: str) -> tuple[str, bool]:
        """Return the reference's name of a parameter, and whether it is stored transposed."""
        known = {kept: (name, flip) for name, (kept, flip) in self.places.items()}
        if own in known or own in self.same:
            return known.get(own, (own, False))
        return _alike(own, known, NUMBER, INDEX)


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


def _alike(
    name: str,
    known: Mapping[str, tuple[str, bool]],
    numbers: re.Pattern[str],
    others: re.Pattern[str],
) -> tuple[str, bool]:
    """Return the place that a name has if it is mapped like the most similar name in `known`.

    They may differ only in numbers and in the last part. Each number that differs stands in the
    other name too, perhaps counted from 1 in place of 0: `heads.2` is in `head_3` if `heads.0` is
    in `head_1`. numbers, others: what counts as a number in the known names, and in their places.
    """
    found = [
        (*moved, flip)
        for like, (place, flip) in known.items()
        if (moved := _moved(name, like, place, numbers, others))
    ]
    _, place, flip = min(found, key=lambda one: one[0], default=(0, name, False))
    return place, flip


def _moved(
    name: str, like: str, place: str, numbers: re.Pattern[str], others: re.Pattern[str]
) -> tuple[int, str] | None:
    """Return how many numbers differ between two names, and the place of `name`; or None.

    place: of the name `like`.
    """
    if max(name.count("."), place.count(".")) >= MOST_PARTS:
        return None
    first, dot, last = like.rpartition(".")
    if dot and place.rpartition(".")[2] == last:
        end = name.rpartition(".")[2]
        like, place = f"{first}.{end}", f"{place.removesuffix(last)}{end}"
    (words, known), moved = (numbers.split(one) for one in (name, like)), others.split(place)
    if words[::2] != known[::2]:
        return None
    differing = [pair for pair in zip(words[1::2], known[1::2], strict=True) if pair[0] != pair[1]]
    left = [*range(1, len(moved), 2)]  # numbers that are not replaced yet
    for new, old in differing:
        fits = ((at, s) for s in (0, 1, -1) for at in left if int(moved[at]) == int(old) + s)
        at, shift = next(fits, (0, 0))
        if not at or int(new) + shift < 0:
            return None
        moved[at] = str(int(new) + shift)
        left.remove(at)
    return len(differing), "".join(moved)
