"""Rearrangements of an exercise's weights that give the same function."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeVar

from torch import Tensor

T = TypeVar("T", Tensor, Tensor | None)
Order = Callable[[int, int], Tensor]


class Arguments(NamedTuple):
    """The positional and named arguments of a constructor."""

    positional: tuple[Any, ...]
    named: Mapping[str, Any]


NO_ARGUMENTS = Arguments((), {})


@dataclass(frozen=True, eq=False)
class Packing:
    """A rearrangement of the reference's weights, contrary to the statement.

    differs: a sentence or two about what the submission does and should do. names: renamed parts of
    dotted names, the reference's -> the submission's. orders: end of a name -> (dimension, order).
    An order takes the size of that dimension and the number of heads, and returns the indices of
    the reference's numbers in the submission's order; it raises RuntimeError for impossible sizes.
    heads: returns the number of heads from the constructor arguments.
    """

    differs: str
    names: Mapping[str, str] = field(default_factory=dict)
    orders: Mapping[str, tuple[int, Order]] = field(default_factory=dict)
    heads: Callable[..., int] = lambda *_, **__: 1

    def moves(self, name: str) -> bool:
        """Return whether this parameter of the reference has another name or order."""
        return _renamed(name, self.names) != name or name.endswith(tuple(self.orders))

    def outward(
        self, weights: Mapping[str, Tensor], arguments: Arguments = NO_ARGUMENTS
    ) -> dict[str, Tensor]:
        """Convert the reference's weights to this packing. arguments: of the constructor."""
        return {
            _renamed(name, self.names): self._ordered(name, weight, arguments)
            for name, weight in weights.items()
        }

    def inward(self, numbers: Mapping[str, T], arguments: Arguments = NO_ARGUMENTS) -> dict[str, T]:
        """Convert weights in this packing to the reference's names and order."""
        back = {kept: name for name, kept in self.names.items()}
        found: dict[str, T] = {}
        for own, tensor in numbers.items():
            name = _renamed(own, back)
            found[name] = self._ordered(name, tensor, arguments, back=True)
        return found

    def _ordered(self, name: str, tensor: T, arguments: Arguments, back: bool = False) -> T:
        end = next((end for end in self.orders if name.endswith(end)), None)
        if end is None or tensor is None or not tensor.numel():
            return tensor  # without numbers it takes no bytes, whatever the size of a dimension
        dim, order = self.orders[end]
        if tensor.dim() <= dim:
            return tensor
        try:
            heads = self.heads(*arguments.positional, **arguments.named)
            places = order(tensor.shape[dim], heads)
        except RuntimeError:  # a wrong shape, which a check will report
            return tensor
        return tensor.index_select(dim, places.argsort() if back else places)


def _renamed(name: str, names: Mapping[str, str]) -> str:
    return ".".join(names.get(part, part) for part in name.split("."))
