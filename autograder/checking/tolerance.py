"""How far a right result may be from the reference's: a rounding bound from the sizes of a call.

The oracle is the reference in float64. The other tolerances of the project refer to this one, or
say why they do not.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import torch
from torch import Tensor

from autograder.client import Input

Condition = Callable[[Sequence[Input]], float]
PLAIN = 3  # sums on the way without a parameter: scores, softmax, mixture
BETWEEN = 4  # roundings beside each sum: a scale, an exponential, a root, a division
LIKELY = 5.0  # standard deviations: 1 in a million goes beyond
LEAST_VARIANCE = 1e-5  # eps, which a norm adds to a variance


def of_sums(inputs: Sequence[Input]) -> float:
    """Sums and products alone: what is wrong with them stays as small as it is."""
    return 0.0


def of_scores(inputs: Sequence[Input]) -> float:
    """Through a softmax: twice the largest score, at most the longest query times the longest key.

    Scores s(1 + δ) instead of s change a weight by a factor of exp(±2 |s| δ) at most; Blanchard,
    Higham and Higham 2021, section 3. The rows of one input are both queries and keys; drawn
    weights lengthen them by little, and what divides the scores makes up for it.
    """
    lengths = sorted(float(torch.linalg.vector_norm(x, dim=-1).max()) for x in _real(inputs))
    return 2 * lengths[-1] * lengths[-2 if len(lengths) > 1 else -1]


def scores(largest: float) -> Condition:
    """As of_scores, where parameters, not the inputs, say how large the scores are."""
    return lambda inputs: 2 * largest


def of_spread(inputs: Sequence[Input]) -> float:
    """Through a norm: the largest number over the smallest root of a variance that divides it.

    A mean is wrong by so much of the largest number, and its distance to that is what is divided.
    inputs: (N, dim) each; a row, or a column, of one number has no variance.
    """
    [x] = _real(inputs)
    variances = [float(x.var(dim=dim).min()) for dim in (0, 1) if x.shape[dim] > 1]
    return float(x.abs().max()) / (min(variances, default=1.0) + LEAST_VARIANCE) ** 0.5


@dataclass(frozen=True)
class Operation:
    """One call, as far as its rounding depends on it.

    parameters: the shapes of those it has. condition: from the inputs, how many times as large an
    error on the way may be in the result.
    """

    inputs: Sequence[Input]
    parameters: Sequence[torch.Size] = ()
    condition: Condition = of_scores
    backward: bool = False

    def gradients(self) -> Operation:
        """The same with the way back: twice as many sums, some over all rows of the inputs."""
        return replace(self, backward=True)

    def roundings(self) -> float:
        """How many roundings add up at most, or in all likelihood.

        A sum passes one for each of its terms, of which there are no more than the largest
        dimension has; and there is one sum for each parameter, besides the PLAIN ones.
        """
        shapes = [*self.parameters, *(x.shape for x in self.inputs if isinstance(x, Tensor))]
        terms, sums = max((n for shape in shapes for n in shape[-2:]), default=1), PLAIN
        sums += len(self.parameters)
        if self.backward:
            rows = max(x.shape[:-1].numel() for x in self.inputs if isinstance(x, Tensor))
            terms, sums = max(terms, rows), 2 * sums
        most = sums * (terms + BETWEEN)
        return float(min(most, LIKELY * most**0.5))

    @cached_property
    def growth(self) -> float:
        """How many times eps a number of size 1 may be wrong by."""
        return self.roundings() * (1.0 + self.condition(self.inputs))


def allowed(expected: Tensor, operation: Operation, dtype: torch.dtype) -> float:
    """The largest absolute difference that rounding in `dtype` explains.

        eps · k · (1 + condition) · (1 + the largest number expected)

    k roundings one after the other, each by eps / 2, are wrong by k · eps / 2 at most (Higham,
    Accuracy and Stability of Numerical Algorithms, 2nd ed., lemma 3.1; a sum of n products passes
    n, section 3.1; what follows adds its own, section 3.7), and in all likelihood, since they go
    up and down, by λ · √k · eps / 2 (Higham and Mary 2019, A new approach to probabilistic rounding
    error analysis; λ is LIKELY). The reference may be as wrong the other way: hence eps, not half
    of it. Errors are relative to the numbers on the way; those are of size 1, or that of the
    result. What makes more of an error on its way is the condition.
    """
    largest = float(expected.abs().max()) if expected.numel() else 0.0
    return torch.finfo(dtype).eps * operation.growth * (1.0 + largest)


def _real(inputs: Sequence[Input]) -> list[Tensor]:
    return [x for x in inputs if isinstance(x, Tensor) and x.is_floating_point()]
