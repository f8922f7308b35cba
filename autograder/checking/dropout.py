"""Check dropout by its statistics, never by the stream of the random generator."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from autograder.checking.agreement import Wrong, assert_output
from autograder.checking.tolerance import Operation, allowed
from autograder.client import Called, Client, Reply, StepFailed


def assert_drops_weights(
    mixed: Tensor,
    values: Tensor,
    weights: Tensor,
    p: float,
    operation: Operation,
    heads: int = 1,
) -> None:
    """Assert that each attention weight was dropped, or kept and divided by 1 - p, independently.

    mixed: (N, L, d), the result in training. values: (N, S, d) with S <= d, linearly independent,
    so that the weights can be solved for. weights: (L, S), before dropout, 0 where a query may not
    look; the last query may look at every key, and every query at key 0. L and S are at least 2.
    operation: the call. heads: per sequence; N counts them one after the other. The share dropped
    may be five standard deviations from p. Raises Wrong.
    """
    if not mixed.isfinite().all():
        raise Wrong(
            "not finite", "In training with dropout, the result has NaN or infinite numbers."
        )
    found = torch.linalg.lstsq(values.mT, mixed.mT.double()).solution.mT  # (N, L, S)
    # Solving enlarges an error by up to 1 / the least singular value of the values. float32's
    # tolerance is enough, since dropping changes more than digits.
    least = torch.linalg.svdvals(values)[:, -1, None, None]
    tolerance = allowed(mixed, operation, torch.float32) / least
    kept = (found - weights / (1 - p)).abs() < tolerance
    dropped = found.abs() < tolerance
    if ((found - weights).abs() < tolerance).all():
        text = "In training nothing is dropped: the weights after the softmax stay unchanged."
        raise Wrong("wrong dropout", text, symptom="nothing dropped")
    if not (kept | dropped).all():
        text = (
            "In training some weights are neither 0 nor divided by 1 - p. Are whole weights "
            "dropped, after the softmax, and nothing else?"
        )
        raise Wrong("wrong dropout", text, symptom="other things dropped")
    drops = dropped[:, weights > 0].unflatten(0, (-1, heads))  # (B, H, weights > 0)
    if (drops == drops[:1]).all():
        text = "All sequences lose the same weights; draw them for each sequence."
        raise Wrong("wrong dropout", text, symptom="sequences dropped alike")
    if heads > 1 and (drops == drops[:, :1]).all():
        text = "All heads lose the same weights; draw them for each head."
        raise Wrong("wrong dropout", text, symptom="heads dropped alike")
    if _share_alike(dropped[:, -1]) > _halfway(p, dropped.shape[2]):  # the last query sees all
        text = "A query loses all its weights or none; drop each weight independently."
        raise Wrong("wrong dropout", text, symptom="queries dropped")
    if _share_alike(dropped[:, :, 0]) > _halfway(p, dropped.shape[1]):
        text = "All queries lose the same keys; drop each weight independently."
        raise Wrong("wrong dropout", text, symptom="keys dropped")
    share, spread = float(drops.double().mean()), (p * (1 - p) / drops.numel()) ** 0.5
    if abs(share - p) > 5 * spread:
        text = f"With a dropout of {p}, a share of {share:.2f} of the weights is dropped."
        raise Wrong("wrong dropout", text, symptom="other share dropped")


def assert_uses_all_weights(
    client: Client,
    evaluation: Reply[Called],
    without: Callable[[], Reply[Called]],
    mean: Tensor,
    operation: Operation,
) -> None:
    """Assert that the output in evaluation is `mean`, as without dropout. Raises Wrong.

    without: calls a module built without dropout, to find out whether dropout is the cause.
    """
    try:
        assert_output(client, "After eval()", evaluation.value.output, mean, operation)
    except Wrong as wrong:
        if _is_right(client, without, mean, operation):
            wrong.symptom = "dropout in evaluation"
        raise


def _is_right(
    client: Client, ask: Callable[[], Reply[Called]], mean: Tensor, operation: Operation
) -> bool:
    try:
        assert_output(client, "", ask().value.output, mean, operation)
    except (Wrong, StepFailed):
        return False
    return True


def assert_calls_drop_differently(first: Tensor, second: Any) -> None:
    """Assert that two calls in training on one input dropped different weights. Raises Wrong."""
    if isinstance(second, Tensor) and torch.equal(first, second):
        text = "Two calls in training lose the same weights; draw them in each call."
        raise Wrong("wrong dropout", text, symptom="calls dropped alike")


def _share_alike(dropped: Tensor) -> float:
    """Return the share of rows of (N, n) that are dropped or kept as a whole."""
    return float((dropped == dropped[:, :1]).all(dim=1).double().mean())


def _halfway(p: float, n: int) -> float:
    """Return the midpoint of 1 and the expected share of whole rows if n drops are independent."""
    return (1 + p**n + (1 - p) ** n) / 2
