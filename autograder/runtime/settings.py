"""Global settings of PyTorch that a student's code may change: find out which, and restore them."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import torch

CPU = torch.device("cpu")


def seed(number: int) -> None:
    """Seed PyTorch's random numbers."""
    torch.default_generator.manual_seed(number)  # torch.manual_seed takes a millisecond


@dataclass(frozen=True)
class Setting:
    """A global setting: its name, and the functions that read and change it."""

    name: str
    read: Callable[[], Any]
    change: Callable[[Any], Any]


SEED = Setting("the seed of the random numbers", torch.default_generator.initial_seed, seed)
TYPE = Setting("the default type of new tensors", torch.get_default_dtype, torch.set_default_dtype)
GRADIENTS = Setting("whether gradients are computed", torch.is_grad_enabled, torch.set_grad_enabled)
PRECISION = Setting(
    "the precision of products in float32",
    torch.get_float32_matmul_precision,
    torch.set_float32_matmul_precision,
)
DEVICE = Setting(
    "the device of new tensors",
    torch.get_default_device,
    lambda device: torch.set_default_device(None if device == CPU else device),
)
AUTOCAST = Setting(
    "whether autocast is on",
    lambda: torch.is_autocast_enabled(CPU.type),
    lambda on: torch.set_autocast_enabled(CPU.type, on),
)
OF_CALLS = SEED, TYPE, GRADIENTS, PRECISION
OF_CODE = TYPE, DEVICE, AUTOCAST, PRECISION, GRADIENTS


def settings() -> tuple[Any, ...]:
    """Return the settings that a call of a student's code must leave alone, see restore."""
    return tuple(setting.read() for setting in OF_CALLS)


def restore(before: tuple[Any, ...]) -> list[str]:
    """Restore what `settings` returned, and return the names of those that had changed."""
    return _restore(zip(OF_CALLS, before, strict=True))


@contextlib.contextmanager
def kept(has_type: bool = True) -> Iterator[None]:
    """Restore at the end what a student's code may set of PyTorch and no other code should see.

    has_type: whether the default type is restored too.
    """
    before = [(one, one.read()) for one in OF_CODE if has_type or one is not TYPE]
    try:
        yield
    finally:
        _restore(before)


def _restore(before: Iterable[tuple[Setting, Any]]) -> list[str]:
    changed = [(setting, value) for setting, value in before if setting.read() != value]
    for setting, value in changed:
        setting.change(value)
    return [setting.name for setting, _ in changed]
