"""Match a submission's parameters with the reference's when their names or layouts differ."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from functools import lru_cache
from heapq import nsmallest
from typing import TypeVar

from torch import Tensor

from autograder.client.packing import NO_ARGUMENTS, Arguments, Packing

Shapes = Mapping[str, tuple[int, ...]]
T = TypeVar("T", Tensor, Tensor | None)
MOST = 24  # layouts to try
MOST_NAMES = 200  # parameters of a module that is not refused
MOST_PARTS = 16  # between the dots of a name that is mapped like another one
MOST_NUMBERS = 6  # in such a name
TRIED = 8  # known names for each such name
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
        alike = _Alike(self.places, INDEX, NUMBER)
        for name, weight in packed.items():
            known = (name, False) if name in self.same else self.places.get(name)
            own, transposed = known or alike.place(name)
            placed[own] = weight.mT.contiguous() if transposed and weight.dim() == 2 else weight
        return placed

    def inward(self, numbers: Mapping[str, T], arguments: Arguments = NO_ARGUMENTS) -> dict[str, T]:
        """Convert the submission's weights to the names and layout of the reference."""
        if self == SAME:
            return dict(numbers)
        found: dict[str, T] = {}
        kept = {own: (name, flip) for name, (own, flip) in self.places.items()}
        alike = _Alike(kept, NUMBER, INDEX)
        for own in sorted(numbers, key=kept.__contains__):  # mapped names last, to take precedence
            tensor = numbers[own]
            known = kept.get(own) or ((own, False) if own in self.same else None)
            name, transposed = known or alike.place(own)
            flip = transposed and tensor is not None and tensor.dim() == 2
            found[name] = tensor.mT if flip and tensor is not None else tensor
        return self.packing.inward(found, arguments) if self.packing else found


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


class _Alike:
    """Places for names that differ from known ones only in numbers and in the last part.

    Each number that differs stands in the place too, perhaps counted from 1 in place of 0: that of
    `heads.2` is `head_3` if that of `heads.0` is `head_1`. numbers, others: what counts as a number
    in the known names, and in their places. The last part may differ where it is that of the place.
    """

    def __init__(
        self,
        known: Mapping[str, tuple[str, bool]],
        numbers: re.Pattern[str],
        others: re.Pattern[str],
    ) -> None:
        self._numbers = numbers
        # By the words between numbers: the numbers, the words and numbers of the place, its flip.
        self._found: dict[tuple[str, ...], list[tuple[list[str], list[str], bool]]] = {}
        for name, (place, flip) in known.items():
            first, dot, last = name.rpartition(".")
            if dot and place.rpartition(".")[2] == last:
                name, place = f"{first}.", place.removesuffix(last)
            words, counts = self._split(name)
            moved = others.split(place)
            if max(len(counts), len(moved) // 2) <= MOST_NUMBERS:
                self._found.setdefault(words, []).append((counts, moved, flip))

    def place(self, name: str) -> tuple[str, bool]:
        """Return the place of a name, and whether it is stored transposed: itself if unknown.

        Of several known names, the one with the fewest other numbers counts.
        """
        first, dot, last = name.rpartition(".")
        for start, end in ((name, ""), (f"{first}{dot}", last)):
            words, counts = self._split(start)
            found = [
                ([two for two in zip(counts, like, strict=True) if two[0] != two[1]], moved, flip)
                for like, moved, flip in self._found.get(words, ())
            ]
            for differing, moved, flip in nsmallest(TRIED, found, key=lambda one: len(one[0])):
                if place := _counted(moved, differing):
                    return f"{place}{end}", flip
        return name, False

    def _split(self, name: str) -> tuple[tuple[str, ...], list[str]]:
        """Return the words and the numbers of a name; no numbers if it is too long."""
        if name.count(".") > MOST_PARTS:
            return (name,), []
        parts = self._numbers.split(name)
        return tuple(parts[::2]), parts[1::2]


def _counted(moved: list[str], differing: list[tuple[str, str]]) -> str | None:
    """Return a place with new numbers for old ones; None if an old one does not stand in it.

    moved: its words and numbers in turn. differing: the new and the old numbers.
    """
    parts, left = [*moved], [*range(1, len(moved), 2)]
    for new, old in differing:
        fits = ((at, s) for s in (0, 1, -1) for at in left if int(moved[at]) == int(old) + s)
        at, shift = next(fits, (0, 0))
        if not at or int(new) + shift < 0:
            return None
        parts[at] = str(int(new) + shift)
        left.remove(at)
    return "".join(parts)
