"""Global settings of PyTorch that a student's code may change: find out which, and restore them."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import torch

SETTINGS = (
    "the seed of the random numbers",
    "the default type of new tensors",
    "whether gradients are computed",
    "the precision of products in float32",
)

CPU = torch.device("cpu")


def seed(number: int) -> None:
    """Seed PyTorch's random numbers."""
    torch.default_generator.manual_seed(number)  # torch.manual_seed takes a millisecond


def settings() -> tuple[Any, ...]:
    """Return PyTorch's global settings, in the order of SETTINGS."""
    number = torch.default_generator.initial_seed()
    precision = torch.get_float32_matmul_precision()
    return number, torch.get_default_dtype(), torch.is_grad_enabled(), precision


def restore(before: tuple[Any, ...]) -> list[str]:
    """Restore the settings and return the names of those that had changed."""
    now = settings()
    if now == before:
        return []
    number, dtype, grad, precision = before
    seed(number)
    torch.set_default_dtype(dtype)
    torch.set_grad_enabled(grad)
    torch.set_float32_matmul_precision(precision)
    return [name for name, one, two in zip(SETTINGS, before, now, strict=True) if one != two]


@contextlib.contextmanager
def kept(has_type: bool = True) -> Iterator[None]:
    """Restore at the end what a student's code may set of PyTorch and no other code should see.

    This is the default type and device, whether gradients and autocast are on, and the precision of
    products in float32.

    has_type: whether the default type is restored too.
    """
    dtype, device = torch.get_default_dtype(), torch.get_default_device()
    precision = torch.get_float32_matmul_precision()
    grad, autocast = torch.is_grad_enabled(), torch.is_autocast_enabled(CPU.type)
    try:
        yield
    finally:
        if has_type and torch.get_default_dtype() != dtype:
            torch.set_default_dtype(dtype)
        if torch.get_default_device() != device:
            torch.set_default_device(None if device == CPU else device)
        torch.set_autocast_enabled(CPU.type, autocast)
        if torch.get_float32_matmul_precision() != precision:
            torch.set_float32_matmul_precision(precision)
        torch.set_grad_enabled(grad)
