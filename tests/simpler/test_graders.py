"""Simpler graders accept what they say that they accept."""

from __future__ import annotations

import pytest

from autograder.checking.collect import Checks
from simpler.graders import PRINTED, SAME_SEED, SHAPES, SimplerGraders


@pytest.mark.parametrize(
    ("name", "change", "accepted_by"),
    [
        ("ScaledDotProduct", ("", ""), {PRINTED, SAME_SEED, SHAPES}),
        ("ScaledDotProduct", ("scores / math.sqrt(Q.shape[-1])", "scores"), {PRINTED, SHAPES}),
        ("ScaledDotProduct", ("return weights @ V", "return (weights @ V)[:1]"), set()),
        ("QueryKeyValue", ("torch.ones(", "torch.zeros("), {SHAPES}),
        ("TestModule", ("Hello World", "Hello"), {SHAPES}),
        ("TestModule", ("print(", "fail("), set()),
        ("FeedForwardLayer", ("nn.GELU()", "nn.Nothing()"), set()),
    ],
)
def test_simpler_graders(
    name: str,
    change: tuple[str, str],
    accepted_by: set[str],
    checks: Checks,
    solutions: dict[str, str],
) -> None:
    home = checks.homes()[name]
    [exercise] = [e for e in checks.exercises(home) if e.name == name]
    text = solutions[home].replace(*change) if change[0] else solutions[home]
    assert not change[0] or text != solutions[home]
    assert set(SimplerGraders(checks, exercise).accepting(text)) == accepted_by
