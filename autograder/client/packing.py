"""Other layouts of an exercise's weights in which they make the same function."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from torch import Tensor

T = TypeVar("T", Tensor, Tensor | None)
Order = Callable[[int, int], Tensor]
Build = tuple[tuple[Any, ...], Mapping[str, Any]]  # the arguments of a module, and the named ones
PLAIN: Build = ((), {})


@dataclass(frozen=True, eq=False)
class Packing:
    """Where a submission keeps the reference's numbers, if not where the statement puts them.

    differs: what it does, and is to do, in a sentence or two. names: a part of the reference's
    name, as it stands between dots -> that of the parameter in which the numbers are kept.
    orders: the end of a name -> the dimension along which the numbers are in another order, and
    that order: from how many they are and the number of heads, which of the reference's comes
    where; it raises RuntimeError for a number that cannot be. heads: from the arguments of the
    module, how many it has.
    """

    differs: str
    names: Mapping[str, str] = field(default_factory=dict)
    orders: Mapping[str, tuple[int, Order]] = field(default_factory=dict)
    heads: Callable[..., int] = lambda *_, **__: 1

    def moves(self, name: str) -> bool:
        """Does it keep this parameter of the reference's elsewhere, or in another order?"""
        return _renamed(name, self.names) != name or name.endswith(tuple(self.orders))

    def outward(self, weights: Mapping[str, Tensor], build: Build = PLAIN) -> dict[str, Tensor]:
        """The reference's numbers as a submission keeps them, which was built in this way."""
        return {
            _renamed(name, self.names): self._ordered(name, weight, build)
            for name, weight in weights.items()
        }

    def inward(self, numbers: Mapping[str, T], build: Build = PLAIN) -> dict[str, T]:
        """A submission's numbers as the reference keeps them. What has no order stays as it is."""
        back = {kept: name for name, kept in self.names.items()}
        found: dict[str, T] = {}
        for own, tensor in numbers.items():
            name = _renamed(own, back)
            found[name] = self._ordered(name, tensor, build, back=True)
        return found

    def _ordered(self, name: str, tensor: T, build: Build, back: bool = False) -> T:
        end = next((end for end in self.orders if name.endswith(end)), None)
        if end is None or tensor is None:
            return tensor
        dim, order = self.orders[end]
        if tensor.dim() <= dim:
            return tensor
        arguments, named = build
        try:
            places = order(tensor.shape[dim], self.heads(*arguments, **named))
        except RuntimeError:  # of a shape of its own, about which a check will say something
            return tensor
        return tensor.index_select(dim, places.argsort() if back else places)


def _renamed(name: str, names: Mapping[str, str]) -> str:
    return ".".join(names.get(part, part) for part in name.split("."))
