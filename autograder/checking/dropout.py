"""Dropout by its law, never by the generator's stream."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

from autograder.checking.agreement import Wrong, assert_output
from autograder.checking.tolerance import Operation, allowed
from autograder.client import Called, Client, Reply, Trouble


def assert_drops_weights(
    mixed: Tensor,
    values: Tensor,
    weights: Tensor,
    p: float,
    operation: Operation,
    heads: int = 1,
) -> None:
    """Each attention weight was kept and divided by 1 - p, or dropped, each by itself.

    mixed: (N, L, d), what came out in training; values: (N, S, d) with S <= d, linearly
    independent, so that the weights can be found again; weights: (L, S), without dropout, 0 where
    a query may not look: the last query may look everywhere, and every query at key 0. L and S
    are two or more; operation: the call; heads: of each sequence, one after the other in N. Raises
    Wrong. The share dropped may be five standard deviations from p.
    """
    if not mixed.isfinite().all():
        raise Wrong("not finite", "With dropout in training there are NaN or infinite numbers.")
    found = torch.linalg.lstsq(values.mT, mixed.mT.double()).solution.mT  # (N, L, S)
    # Dividing by the least singular value of the values enlarges an error so much; and what is
    # dropped is no matter of digits.
    least = torch.linalg.svdvals(values)[:, -1, None, None]
    room = allowed(mixed, operation, torch.float32) / least
    kept = (found - weights / (1 - p)).abs() < room
    dropped = found.abs() < room
    if ((found - weights).abs() < room).all():
        text = "In training nothing is dropped: the weights after the softmax are what they were."
        raise Wrong("wrong dropout", text, symptom="nothing dropped")
    if not (kept | dropped).all():
        text = (
            "In training some weights are neither 0 nor divided by 1 - p. Are whole weights "
            "dropped, after the softmax, and nothing else?"
        )
        raise Wrong("wrong dropout", text, symptom="other things dropped")
    of_all = dropped[:, weights > 0].unflatten(0, (-1, heads))  # (B, H, those that there are)
    if (of_all == of_all[:1]).all():
        text = "All sequences lose the same weights; each was to lose its own."
        raise Wrong("wrong dropout", text, symptom="sequences dropped alike")
    if heads > 1 and (of_all == of_all[:, :1]).all():
        text = "All heads lose the same weights; each was to lose its own."
        raise Wrong("wrong dropout", text, symptom="heads dropped alike")
    if _share_alike(dropped[:, -1]) > _halfway(p, dropped.shape[2]):  # the last query sees all
        text = "A query loses all its weights or none; each weight was to be dropped by itself."
        raise Wrong("wrong dropout", text, symptom="queries dropped")
    if _share_alike(dropped[:, :, 0]) > _halfway(p, dropped.shape[1]):
        text = "All queries lose the same keys; each was to lose its own."
        raise Wrong("wrong dropout", text, symptom="keys dropped")
    share, spread = float(of_all.double().mean()), (p * (1 - p) / of_all.numel()) ** 0.5
    if abs(share - p) > 5 * spread:
        text = f"With a dropout of {p}, a share of {share:.2f} of the weights is dropped."
        raise Wrong("wrong dropout", text, symptom="other share dropped")


def assert_uses_all_weights(
    course: Client,
    evaluation: Reply[Called],
    without: Callable[[], Reply[Called]],
    mean: Tensor,
    operation: Operation,
) -> None:
    """In evaluation the output is `mean`, as without dropout. Raises Wrong.

    without: asks the same of a module that was built without dropout, where the cause is looked
    for.
    """
    try:
        assert_output(course, "After eval()", evaluation.value.output, mean, operation)
    except Wrong as wrong:
        if _is_right(course, without, mean, operation):
            wrong.symptom = "dropout in evaluation"
        raise


def _is_right(
    course: Client, ask: Callable[[], Reply[Called]], mean: Tensor, operation: Operation
) -> bool:
    try:
        assert_output(course, "", ask().value.output, mean, operation)
    except (Wrong, Trouble):
        return False
    return True


def assert_draws_anew(first: Tensor, second: Tensor) -> None:
    """Two calls in training on the same input dropped other weights. Raises Wrong."""
    if torch.equal(first, second):
        text = "Two calls in training lose the same weights; each call was to draw its own."
        raise Wrong("wrong dropout", text, symptom="calls dropped alike")


def _share_alike(dropped: Tensor) -> float:
    """How many rows (N, n) are dropped as a whole or kept as a whole, of 1."""
    return float((dropped == dropped[:, :1]).all(dim=1).double().mean())


def _halfway(p: float, n: int) -> float:
    """Between the share of rows that is alike when each of n is dropped by itself, and 1."""
    return (1 + p**n + (1 - p) ** n) / 2
