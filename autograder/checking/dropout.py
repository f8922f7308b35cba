"""Check dropout by its statistics, never by the stream of the random generator."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from autograder.checking.agreement import (
    Wrong,
    assert_output,
    assert_same_numbers,
    assert_within_rounding,
    showing,
)
from autograder.checking.tolerance import Operation, allowed
from autograder.client import Called, Client, Reply, StepFailed

EVEN = 1 / 3  # of the variance of a sum of independent drops: less is no chance


def assert_drops_weights(
    mixed: Tensor,
    values: Tensor,
    weights: Tensor,
    p: float,
    operation: Operation,
    heads: int = 1,
) -> Tensor:
    """Assert that each attention weight was dropped, or kept and divided by 1 - p, independently.

    Returns the factor of each weight, 0 or 1 / (1 - p): (N, L, S).

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
        text = "In training no weight is dropped after the softmax."
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
    _assert_independent(drops, p)
    return kept.double() / (1 - p)


def assert_divides_for_small_p(
    found: Tensor, weights: Tensor, p: float, operation: Operation
) -> None:
    """Assert that a small dropout too keeps weights divided by 1 - p, and drops a share of p.

    found: (N, L, S), the weights in training, which are the result itself if the value of token j
    is the unit vector j. weights: (L, S), as in assert_drops_weights. operation: the call. N is so
    large that the expected number of drops is more than five standard deviations. Raises Wrong.
    """
    seen = weights > 0
    tolerance = allowed(weights, operation, torch.float32)
    kept = (found - weights / (1 - p)).abs() <= tolerance
    dropped = seen & (found.abs() <= tolerance)
    if not (kept | dropped).all():
        text = f"In training, with a dropout of {p}, some weights are neither 0 nor divided by "
        raise Wrong("wrong dropout", f"{text}{1 - p:g}.", symptom="other things dropped")
    share, spread = (
        float(dropped[:, seen].double().mean()),
        (p * (1 - p) / dropped[:, seen].numel()),
    )
    if abs(share - p) > 5 * spread**0.5:
        text = f"With a dropout of {p}, a share of {share:.3f} of the weights is dropped."
        raise Wrong("wrong dropout", text, symptom="other share dropped")


def _assert_independent(drops: Tensor, p: float) -> None:
    """Assert that weights are not dropped in groups, nor in shares that are too even. Raises Wrong.

    drops: (B, H, weights), bool, of 50 sequences or more. By chance, each law is broken in less
    than one in 1e9 submissions: two weights are dropped alike in all sequences with a probability
    of (p² + (1 - p)²)^B, and two sequences agree in all n weights with (p² + (1 - p)²)^n.
    """
    signs = 2 * drops.flatten(1).double() - 1  # (B, H * weights)
    together = (signs.mT @ signs).abs().triu(1)
    if bool((together == len(signs)).any()):
        text = "Two weights of a sequence are always dropped together; draw each one by itself."
        raise Wrong("wrong dropout", text, symptom="not independent")
    alike = (signs @ signs.mT == signs.shape[1]).double()
    shares = [float(alike.diagonal(i).mean()) for i in range(1, 3 * len(alike) // 4)]
    if max(shares) > 0.5:
        text = "Many pairs of sequences lose the same weights; draw them for each sequence."
        raise Wrong("wrong dropout", text, symptom="not independent")
    counts = drops.sum(dim=-1).flatten().double()
    if counts.var() < EVEN * drops.shape[-1] * p * (1 - p):
        text = "All sequences lose about the same number of weights; draw each weight by itself."
        raise Wrong("wrong dropout", text, symptom="not independent")


def gradient_of_queries(
    of_mixed: Tensor, factors: Tensor, weights: Tensor, keys: Tensor, values: Tensor
) -> Tensor:
    """Return the gradient of the queries where all scores are 0, scaled by 1 / sqrt(d).

    of_mixed: (N, L, d), the gradient of the result. factors: what dropout multiplied the weights
    with, (N, L, S). weights: (L, S). keys, values: (N, S, d).
    """
    of_weights = of_mixed @ values.mT * factors
    of_scores = weights * (of_weights - (weights * of_weights).sum(dim=-1, keepdim=True))
    return of_scores @ keys / keys.shape[-1] ** 0.5


def assert_gradient_is_dropped(
    called: Called,
    name: str,
    of_weight: Callable[[Tensor], Tensor],
    factors: Tensor,
    without: Callable[[], Reply[Called]],
    operation: Operation,
) -> None:
    """Assert that the gradient of a parameter passes the same drops as the result. Raises Wrong.

    called: the call with dropout. of_weight: computes from factors the gradient of the parameter's
    first rows, those of the queries. without: calls a module built without dropout; if its gradient
    is wrong too, dropout is not the cause, and other checks find it.
    """
    try:
        _assert_gradient(called, name, of_weight(factors), operation)
    except Wrong as wrong:
        try:
            _assert_gradient(without().value, name, of_weight(torch.ones_like(factors)), operation)
        except (Wrong, StepFailed):
            return
        wrong.symptom = "dropped gradient"
        raise


def _assert_gradient(called: Called, name: str, expected: Tensor, operation: Operation) -> None:
    got = called.gradients.parameters.get(name) if called.gradients else None
    label = f"In training with dropout, gradient of {name}"
    if got is None or got.shape[1:] != expected.shape[1:] or len(got) < len(expected):
        raise Wrong("no gradient", f"{label}: there is none of the right shape.")
    try:
        assert_same_numbers(
            label, got[: len(expected)], expected, operation.gradients(), torch.float32
        )
    except Wrong as wrong:
        raise Wrong("wrong gradient", str(wrong)) from None


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
        _assert_mean(client, "After eval()", evaluation.value, mean, operation)
    except Wrong as wrong:
        if _is_right(client, without, mean, operation):
            wrong.symptom = "dropout in evaluation"
        raise


def _is_right(
    client: Client, ask: Callable[[], Reply[Called]], mean: Tensor, operation: Operation
) -> bool:
    try:
        _assert_mean(client, "", ask().value, mean, operation)
    except (Wrong, StepFailed):
        return False
    return True


def assert_calls_drop_differently(
    first: Tensor, second: Any, mean: Tensor, operation: Operation
) -> None:
    """Assert that two calls in training on one input dropped different weights. Raises Wrong.

    mean: the result without dropout. operation: the call.
    """
    if not isinstance(second, Tensor) or second.shape != mean.shape:
        return  # what the first call gives is judged
    if torch.equal(first, second):
        text = "Two calls in training lose the same weights; draw them in each call."
        raise Wrong("wrong dropout", text, symptom="calls dropped alike")
    if ((second.to(mean.dtype) - mean).abs() <= allowed(mean, operation, torch.float32)).all():
        text = "In training, a second call drops nothing. Does a call end the training?"
        raise Wrong("wrong dropout", text, symptom="nothing dropped")


def assert_stays_in_evaluation(
    client: Client, later: Reply[Called], mean: Tensor, operation: Operation
) -> None:
    """Assert that a second call after one eval() gives `mean`, as the first did. Raises Wrong."""
    label = "After eval(), in a second call"
    with showing("dropout in evaluation"):
        _assert_mean(client, label, later.value, mean, operation)


def _assert_mean(
    client: Client, label: str, call: Called, mean: Tensor, operation: Operation
) -> None:
    def judge(dtype: torch.dtype) -> None:
        assert_output(client, label, call.output, mean, operation, dtype)

    assert_within_rounding(client, call, judge)


def _share_alike(dropped: Tensor) -> float:
    """Return the share of rows of (N, n) that are dropped or kept as a whole."""
    return float((dropped == dropped[:, :1]).all(dim=1).double().mean())


def _halfway(p: float, n: int) -> float:
    """Return the midpoint of 1 and the expected share of whole rows if n drops are independent."""
    return (1 + p**n + (1 - p) ** n) / 2
