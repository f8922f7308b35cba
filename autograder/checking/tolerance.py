"""Tolerances: a bound on rounding errors, from the sizes and the condition of a call.

Expected numbers come from the reference in float64. The other tolerances of the project refer to
this one, or say why they do not.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import torch
from torch import Tensor

from autograder.client import Input

Condition = Callable[[Sequence[Input]], float]
WITHOUT_PARAMETER = 3  # sums without a parameter: scores, softmax, weighted mean
BETWEEN = 4  # further roundings per sum: a scale, an exponential, a root, a division
LIKELY = 5.0  # standard deviations: 1 in a million exceeds them
AMPLIFIED = 0.02  # of the largest number: float32 excuses no more, however errors grow
MEASURED = 64.0  # times the reference's own error in float32; other correct code has up to 6 times
ORDINARY = 300.0  # condition; above it, the reference may be lucky where other correct code is not
LEAST_VARIANCE = 1e-5  # eps, which a norm adds to a variance


def of_sums(inputs: Sequence[Input]) -> float:
    """Return the condition of sums and products: 0, since they do not amplify errors."""
    return 0.0


def of_scores(inputs: Sequence[Input]) -> float:
    """Return the condition of a softmax of scores: twice a bound on the largest score.

    The bound is the length of the longest query times that of the longest key; rows of a single
    input are both. Random weights lengthen rows by little, and the scores' divisor compensates for
    it. Scores s(1 + δ) instead of s change a weight by a factor of exp(±2 |s| δ) at most;
    Blanchard, Higham and Higham 2021, section 3.
    """
    lengths = sorted(float(torch.linalg.vector_norm(x, dim=-1).max()) for x in _real(inputs))
    return 2 * lengths[-1] * lengths[-2 if len(lengths) > 1 else -1]


def scores(largest: float) -> Condition:
    """Return the condition of a softmax whose largest score is known, whatever the inputs."""
    return lambda inputs: 2 * largest


def of_spread(inputs: Sequence[Input]) -> float:
    """Return the condition of a norm: the largest number over the smallest standard deviation.

    The error of a mean is relative to the largest number, and is divided by the deviation. inputs:
    one tensor (N, dim); rows or columns of a single number have no variance.
    """
    [x] = _real(inputs)
    variances = [float(x.var(dim=dim).min()) for dim in (0, 1) if x.shape[dim] > 1]
    return float(x.abs().max()) / (min(variances, default=1.0) + LEAST_VARIANCE) ** 0.5


@dataclass(frozen=True)
class Operation:
    """One call, described as far as rounding errors depend on it.

    parameters: shapes of the parameters. condition: computes from the inputs the factor by which an
    intermediate error may grow. backward: gradients are computed as well. measured: the errors that
    the reference makes in float32, in outputs and in gradients, relative to 1 + the largest number.
    """

    inputs: Sequence[Input]
    parameters: Sequence[torch.Size] = ()
    condition: Condition = of_scores
    backward: bool = False
    measured: tuple[float, float] | None = None

    def gradients(self) -> Operation:
        """Return this call with its backward pass: twice as many sums, some over all input rows."""
        return replace(self, backward=True)

    def roundings(self) -> float:
        """Return how many roundings add up: the maximum or, if smaller, a likely bound.

        A sum rounds once per term; its terms are at most as many as the largest dimension has.
        There is one sum per parameter in addition to the WITHOUT_PARAMETER ones.
        """
        shapes = [*self.parameters, *(x.shape for x in self.inputs if isinstance(x, Tensor))]
        terms, sums = max((n for shape in shapes for n in shape[-2:]), default=1), WITHOUT_PARAMETER
        sums += len(self.parameters)
        if self.backward:
            rows = max(x.shape[:-1].numel() for x in self.inputs if isinstance(x, Tensor))
            terms, sums = max(terms, rows), 2 * sums
        most = sums * (terms + BETWEEN)
        return float(min(most, LIKELY * most**0.5))

    @cached_property
    def growth(self) -> tuple[float, float]:
        """Return the largest error of a number of size 1, in units of eps: plain, and amplified."""
        roundings = self.roundings()
        return roundings, roundings * self.condition(self.inputs)


def allowed(expected: Tensor, operation: Operation, dtype: torch.dtype) -> float:
    """Return the largest absolute difference that rounding in `dtype` explains.

        eps · k · (1 + the largest number expected)
        + the smaller of eps · k · condition · (1 + the largest) and AMPLIFIED · the largest

    k successive roundings, each of at most eps / 2, give an error of at most k · eps / 2 (Higham,
    Accuracy and Stability of Numerical Algorithms, 2nd ed., lemma 3.1; a sum of n products has n
    roundings, section 3.1; errors of successive steps add up, section 3.7). Since roundings go up
    and down, the error is very likely at most λ · √k · eps / 2 (Higham and Mary 2019, A new
    approach to probabilistic rounding error analysis; λ is LIKELY). The reference may be as far off
    in the other direction: hence eps, not half of it. Errors are relative to intermediate numbers,
    which are of size 1 or of the size of the result. The condition says how errors grow; it is a
    bound for the worst case, and in float32 it would excuse results that share no digit with the
    expected ones. Where the reference's own errors in float32 were measured, they give a better
    bound, unless numbers are extreme: MEASURED times as much, or as eps if they are smaller.
    """
    largest = float(expected.abs().max()) if expected.numel() else 0.0
    unit = torch.finfo(dtype).eps * (1.0 + largest)
    plain, amplified = (unit * growth for growth in operation.growth)
    if dtype is torch.float32:
        amplified = min(amplified, AMPLIFIED * largest)
        if operation.measured is not None and operation.growth[1] < ORDINARY * operation.growth[0]:
            error = operation.measured[operation.backward] * (1.0 + largest)
            return min(plain + amplified, MEASURED * max(error, unit))
    return plain + amplified


def _real(inputs: Sequence[Input]) -> list[Tensor]:
    return [x for x in inputs if isinstance(x, Tensor) and x.is_floating_point()]
