"""How far a right result may be from the reference's. The only tolerances there are."""

from __future__ import annotations

import torch
from torch import Tensor

# A result of these exercises is a chain of at most four sums (projection, scores, mixture,
# output), each over fewer than 32 products of numbers of about 1, and a softmax or norm
# between them. Each sum of n terms carries a relative error of at most n · eps (Higham,
# Accuracy and Stability of Numerical Algorithms, 2nd ed., section 4.2) and passes the earlier
# ones on; gradients run through the chain twice. 4 · 32 · 2 = 256 roundings cover that with
# much to spare, and are still thousands of times less than a scale wrong by a thousandth
# makes in float64.
ROUNDINGS = 256


def allowed(expected: Tensor, dtype: torch.dtype, magnitude: float = 1.0) -> float:
    """The largest absolute difference that rounding in `dtype` explains.

    magnitude: the size of the largest numbers on the way to the result, where it is far
    from 1 (scores of 10,000, say): an error is relative to what was added up.
    """
    largest = float(expected.abs().max()) if expected.numel() else 0.0
    return ROUNDINGS * torch.finfo(dtype).eps * magnitude * (1.0 + largest)
