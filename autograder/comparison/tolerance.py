"""How far a right result may be from the reference's. The only tolerances there are."""

from __future__ import annotations

import torch
from torch import Tensor

# A result of these exercises is a chain of a few sums (projection, scores, mixture, output)
# with a softmax or a norm between them. A sum of n terms carries a relative error of at most
# n · eps, and of about sqrt(n) · eps as a rule (Higham, Accuracy and Stability of Numerical
# Algorithms, 2nd ed., sections 2.8 and 4.2). The longest here has 128 terms (to_out of
# MultiHeadAttention with its defaults): twice its worst case leaves room for the others, which
# are all short, and is still far less than a scale wrong by a millionth makes in float64.
ROUNDINGS = 256


def allowed(expected: Tensor, dtype: torch.dtype, magnitude: float = 1.0) -> float:
    """The largest absolute difference that rounding in `dtype` explains.

    magnitude: the size of the largest numbers on the way to the result, where it is far
    from 1 (scores of 10,000, say): an error is relative to what was added up.
    """
    largest = float(expected.abs().max()) if expected.numel() else 0.0
    return ROUNDINGS * torch.finfo(dtype).eps * magnitude * (1.0 + largest)
