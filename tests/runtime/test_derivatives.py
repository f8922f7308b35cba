"""Gradients of code that allows them by `backward` only, as older activation checkpointing does."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch import Tensor

from autograder.runtime.values import derivatives


class Checkpointed(torch.autograd.Function):
    """Squares, and refuses what torch.utils.checkpoint with use_reentrant=True refuses."""

    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> Tensor:
        if not torch.autograd._is_checkpoint_valid():
            raise RuntimeError("When use_reentrant=True, .grad() is not possible")
        [x], [gradient] = ctx.saved_tensors, gradients
        found: Tensor = 2 * x * gradient
        return found


class Refusing(Checkpointed):
    """Fails in any backward pass."""

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> Tensor:
        raise RuntimeError("no way back")


def squared(x: Tensor, by: type[Checkpointed] = Checkpointed) -> Tensor:
    found: Tensor = by.apply(x)  # type: ignore[no-untyped-call]
    return found


def test_backward_gives_what_grad_is_refused() -> None:
    x, kept, unused = (torch.tensor([3.0, 4.0], requires_grad=True) for _ in range(3))
    x.grad, kept.grad = torch.ones(2), torch.zeros(2)
    with pytest.raises(RuntimeError, match="use_reentrant"):
        torch.autograd.grad(squared(x).sum(), x)
    of_x, of_kept, of_unused = derivatives((squared(x) + kept).sum(), [x, kept, unused])
    assert of_x is not None and of_x.tolist() == [6.0, 8.0]
    assert of_kept is not None and of_kept.tolist() == [1.0, 1.0]
    assert of_unused is None
    assert (x.grad.tolist(), kept.grad.tolist(), unused.grad) == ([1.0, 1.0], [0.0, 0.0], None)


def test_other_errors_are_raised() -> None:
    x = torch.ones(2, requires_grad=True)
    with pytest.raises(RuntimeError, match="no way back"):
        derivatives(squared(x, Refusing).sum(), [x])
