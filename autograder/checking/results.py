"""The tensors of a call's output, and whether one is small enough to show."""

from __future__ import annotations

import math
from typing import Any

import torch
from torch import Tensor

SHOWABLE = 64  # numbers or empty places in a result; one with more has a wrong shape
ROWS, DIMENSIONS = 16, 4  # of a result that is shown, at most


def is_showable(tensor: Tensor) -> bool:
    """Return whether a tensor has few numbers, rows and dimensions, even empty ones."""
    *many, columns = (max(size, 1) for size in (1, *tensor.shape))
    rows = math.prod(many)
    is_small = rows <= ROWS and rows * columns <= SHOWABLE and tensor.dim() <= DIMENSIONS
    return is_small and tensor.dtype in (torch.float64, torch.float32)


def parts(output: Any) -> list[Tensor]:
    """Return the tensors of an output; none if it contains anything else."""
    parts = output if isinstance(output, list) else [output]
    return parts if all(isinstance(part, Tensor) for part in parts) else []
