"""Ask which rows of a result move with a row of the input, of the same sequence or of another."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from types import EllipsisType

import torch
from torch import Tensor

from autograder.checking.remarks import NEAR
from autograder.checking.results import parts
from autograder.checking.small import SmallQuestion
from autograder.client import Called, Input, Module, Reply, StepFailed

Index = tuple[int | slice | EllipsisType, ...]
BatchIndex = tuple[int, ...]  # of a sequence in its batch; () if there is no batch


@dataclass(frozen=True, eq=False)
class Influence:
    """The replies to a call, to calls with a row of one sequence changed, and to the first again.

    leading: the sizes of the inputs in front of the rows. shapes: those of the right results.
    """

    leading: tuple[int, ...]
    shapes: list[torch.Size]
    first: Reply[Called]
    changed: dict[BatchIndex, Reply[Called]]
    again: Reply[Called]

    def own(self, row: int, sequence: BatchIndex = ()) -> BatchIndex | None:
        """Return a sequence whose row of the result moves with the changed row of its own.

        sequence: the one to judge; all if it is ().
        """
        found = (s for s in self._among(sequence) if self._moves(row, s, s))
        return next(found, None)

    def other(self, row: int, sequence: BatchIndex = ()) -> tuple[BatchIndex, BatchIndex] | None:
        """Return a sequence whose row moves with that of another one, and this other one."""
        pairs = product(self._among(sequence), self.changed)
        found = (pair for pair in pairs if pair[0] != pair[1] and self._moves(row, *pair))
        return next(found, None)

    def _among(self, sequence: BatchIndex) -> list[BatchIndex]:
        return [s for s in self.changed if sequence in ((), s)]

    def _moves(self, row: int, sequence: BatchIndex, by: BatchIndex) -> bool:
        """Return whether a row differs while the one of a sequence is changed, and only then.

        A result that has one row for all sequences counts if a sequence is judged by itself. NaN
        where NaN was is no difference.
        """
        try:
            calls = [
                parts(reply.value.output) for reply in (self.first, self.changed[by], self.again)
            ]
        except StepFailed:
            return False
        if any([part.shape for part in call] != self.shapes for call in calls):
            return False
        rows = [list(self._rows(call, row, sequence, sequence == by)) for call in calls]
        return any(
            _is_same(before, after) and not _is_same(before, during)
            for before, during, after in zip(*rows, strict=True)
        )

    def _rows(
        self, results: list[Tensor], row: int, sequence: BatchIndex, shared: bool
    ) -> Iterator[Tensor]:
        batch = len(self.leading)
        for result in results:
            if result.shape[:batch] == self.leading and result.dim() > batch + 1:
                yield result[sequence][..., row, :]
            elif shared and result.dim() == 2:
                yield result[row]


def influence(
    module: Module, small: SmallQuestion, shapes: list[torch.Size], row: int
) -> Influence:
    """Call a module on a small question, and with other numbers in a row of each sequence in turn.

    shapes: those of the right results. Nothing is changed if the inputs do not have the same
    sequences, or not so many rows.
    """
    module.load(small.weights)
    leading = {tuple(x.shape[: -_dimensions(x)]) for x in small.inputs if isinstance(x, Tensor)}
    is_clear = len(leading) == 1 and rows(small) > row
    places = product(*(range(size) for size in min(leading))) if is_clear else ()
    first = module(*small.inputs)
    changed = {place: module(*changed_inputs(small, (*place, row))) for place in places}
    return Influence(min(leading), shapes, first, changed, module(*small.inputs))


def rows(small: SmallQuestion) -> int:
    """Return how many rows each sequence of the inputs has, at least; 0 if one has no rows."""
    tensors = [x for x in small.inputs if isinstance(x, Tensor)]
    return min(x.shape[-_dimensions(x)] if x.dim() >= _dimensions(x) else 0 for x in tensors)


def changed_inputs(small: SmallQuestion, place: Index) -> list[Input]:
    """Return the inputs with other numbers in one row, or in that of every sequence.

    place: of the sequence, or ..., and of the row in it.
    """
    size = small.trial.arguments[0] if small.trial.arguments else 1
    return [_changed(x, place, size) for x in small.inputs]


def _changed(x: Input, place: Index, size: int) -> Input:
    if not isinstance(x, Tensor):
        return x
    other = x.clone()
    if x.is_floating_point():
        place = *place, slice(None)
        other[place] += torch.arange(1, x.shape[-1] + 1)
    else:
        other[place] = (other[place] + 1) % size
    return other


def _dimensions(x: Tensor) -> int:
    """Return how many dimensions one sequence has: (T, d), or (T,) of token ids."""
    return 2 if x.is_floating_point() else 1


def _is_same(one: Tensor, other: Tensor) -> bool:
    """Return whether numbers agree except for rounding; NaN agrees with NaN."""
    close = (one.double() - other.double()).abs() <= NEAR * (1 + other.abs())
    return bool((close | (one == other) | (one.isnan() & other.isnan())).all())
