"""Checks of means and powers."""

from __future__ import annotations

import torch

from autograder.checking import Draw, Trial, compare, parts
from autograder.checking.laws import hold
from autograder.checking.trial import Cases, Inputs, given
from autograder.client import Client
from autograder.course.exercise import Exercise

geometric_mean = Exercise("geometric_mean")
polynomial = Exercise("Polynomial")


def positive(*shapes: tuple[int, ...]) -> Inputs:
    """One case for each shape: numbers above a half."""

    def draw_cases(draw: Draw, arguments: tuple[int, ...]) -> Cases:
        return {f"Numbers of shape {shape}": (draw.normal(*shape).abs() + 0.5,) for shape in shapes}

    return draw_cases


MEAN = Trial.function("geometric_mean", positive((3, 5), (2, 4, 3)))
BY_HAND = given(The_numbers_of_the_statement=(torch.tensor([1.0, 2.0, 4.0]).double(),))
POLYNOMIAL = Trial("Polynomial", (3,), positive((4,), (2, 5)))


@geometric_mean.check(points=1)
def test_mean_by_hand(submission: Client, reference: Client, draw: Draw) -> None:
    """Gives 2 for 1, 2 and 4"""
    compare.agrees(submission, reference, draw, MEAN.on(BY_HAND))


@geometric_mean.check(points=1, symptom="several rows")
def test_mean_agrees(submission: Client, reference: Client, draw: Draw) -> None:
    """Agrees with the reference"""
    compare.agrees(submission, reference, draw, MEAN)


# BEGIN HIDDEN TESTS
@geometric_mean.check(points=1, symptom="other inputs")
def test_mean_agrees_elsewhere(submission: Client, reference: Client, draw: Draw) -> None:
    """Agrees with the reference on other sizes"""
    compare.agrees(submission, reference, draw, MEAN.on(positive((7,), (1, draw.size(20, 40)))))


# END HIDDEN TESTS
@polynomial.check(points=1)
def test_polynomial_parameters(submission: Client, reference: Client) -> None:
    """Has the parameter coefficients"""
    parts.has_parameters(submission, reference, POLYNOMIAL)


@polynomial.check(points=2)
def test_polynomial_agrees(submission: Client, reference: Client, draw: Draw) -> None:
    """Agrees with the reference"""
    compare.agrees(submission, reference, draw, POLYNOMIAL)


# BEGIN HIDDEN TESTS
@polynomial.check(points=1, symptom="other inputs")
def test_polynomial_agrees_elsewhere(submission: Client, reference: Client, draw: Draw) -> None:
    """Agrees with the reference on other degrees"""
    trials = (POLYNOMIAL.sized(degree, inputs=positive((3, 2))) for degree in (1, 5))
    hold(*(compare.agreement(submission, reference, draw, trial) for trial in trials))


# END HIDDEN TESTS
