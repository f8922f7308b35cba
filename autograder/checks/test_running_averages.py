"""Checks of running averages: by a loop, by one product, by a softmax."""

from __future__ import annotations

import torch

from autograder.channel import Course
from autograder.comparison import Draw, Trial, behaviour, compare, laws
from autograder.comparison.tolerance import of_sums
from autograder.comparison.trial import Cases, Inputs, given
from autograder.exercise import Exercise

running_mean_loop = Exercise("running_mean_loop")
running_mean_matmul = Exercise("running_mean_matmul")
running_mean_softmax = Exercise("running_mean_softmax")


def sequences(*shapes: tuple[int, int, int]) -> Inputs:
    """One case for each shape (B, T, C)."""

    def draw_them(draw: Draw, arguments: tuple[int, ...]) -> Cases:
        return {f"A batch of shape {shape}": (draw.normal(*shape),) for shape in shapes}

    return draw_them


BY_HAND = given(The_numbers_of_the_statement=(torch.tensor([[[2.0, 7], [6, 4], [6, 5]]]).double(),))
ELSEWHERE = sequences((3, 3, 3), (1, 9, 2))  # more than the 8 tokens of the statement

# running_mean_loop

LOOP = Trial.function("running_mean_loop", sequences((3, 5, 2), (1, 1, 4))).of(of_sums)


@running_mean_loop.check(points=1)
def test_loop_by_hand(submission: Course, reference: Course, draw: Draw) -> None:
    """Gives 4.6667 and 5.3333 for the last of three tokens"""
    compare.agrees(submission, reference, draw, LOOP.on(BY_HAND))


@running_mean_loop.check(points=1)
def test_loop_agrees(submission: Course, reference: Course, draw: Draw) -> None:
    """Agrees with the reference"""
    compare.agrees(submission, reference, draw, LOOP)


# BEGIN HIDDEN TESTS
@running_mean_loop.check(points=1)
def test_loop_agrees_elsewhere(submission: Course, reference: Course, draw: Draw) -> None:
    """Agrees with the reference on other sizes and numbers"""
    compare.agrees_strided(submission, reference, draw, LOOP.on(ELSEWHERE))


# END HIDDEN TESTS
@running_mean_loop.check(points=1)
def test_loop_behaves(submission: Course, reference: Course, draw: Draw) -> None:
    """Lets gradients through; keeps argument, batch and past apart"""
    few = LOOP.on(sequences((3, 4, 2), (1, 1, 4)))
    behaviour.of_function(submission, draw, few, causal=True)
    compare.gradients_agree(submission, reference, draw, few)


# running_mean_matmul

MATMUL = Trial.function("running_mean_matmul", sequences((3, 5, 2), (1, 1, 4))).of(of_sums)


@running_mean_matmul.check(points=1)
def test_matmul_by_hand(submission: Course, reference: Course, draw: Draw) -> None:
    """Gives 4.6667 and 5.3333 for the last of three tokens"""
    compare.agrees(submission, reference, draw, MATMUL.on(BY_HAND))


@running_mean_matmul.check(points=1)
def test_matmul_agrees(submission: Course, reference: Course, draw: Draw) -> None:
    """Gives the weights and the averages of the reference"""
    compare.agrees(submission, reference, draw, MATMUL)


# BEGIN HIDDEN TESTS
@running_mean_matmul.check(points=1)
def test_matmul_agrees_elsewhere(submission: Course, reference: Course, draw: Draw) -> None:
    """Agrees with the reference on other sizes and numbers"""
    compare.agrees_strided(submission, reference, draw, MATMUL.on(ELSEWHERE))


# END HIDDEN TESTS
@running_mean_matmul.check(points=1)
def test_matmul_behaves(submission: Course, reference: Course, draw: Draw) -> None:
    """Takes one product, lets gradients through, changes nothing"""
    few, many = MATMUL.on(sequences((2, 4, 3))), MATMUL.on(sequences((2, 9, 3)))
    behaviour.of_function(submission, draw, MATMUL, batch=False)
    laws.hold(
        laws.takes_one_go(submission, few, many, draw),
        compare.gradients(submission, reference, draw, MATMUL),
    )


# running_mean_softmax

SOFTMAX = Trial.function("running_mean_softmax", sequences((3, 5, 2), (1, 1, 4))).of(of_sums)


@running_mean_softmax.check(points=1)
def test_softmax_by_hand(submission: Course, reference: Course, draw: Draw) -> None:
    """Gives 4.6667 and 5.3333 for the last of three tokens"""
    compare.agrees(submission, reference, draw, SOFTMAX.on(BY_HAND))


@running_mean_softmax.check(points=1)
def test_softmax_agrees(submission: Course, reference: Course, draw: Draw) -> None:
    """Gives the weights and the averages of the reference"""
    compare.agrees(submission, reference, draw, SOFTMAX)


# BEGIN HIDDEN TESTS
@running_mean_softmax.check(points=1)
def test_softmax_agrees_elsewhere(submission: Course, reference: Course, draw: Draw) -> None:
    """Agrees with the reference on other sizes and numbers"""
    compare.agrees_strided(submission, reference, draw, SOFTMAX.on(ELSEWHERE))


# END HIDDEN TESTS
@running_mean_softmax.check(points=1)
def test_softmax_behaves(submission: Course, reference: Course, draw: Draw) -> None:
    """Lets gradients through and changes nothing"""
    behaviour.of_function(submission, draw, SOFTMAX, batch=False)
    compare.gradients_agree(submission, reference, draw, SOFTMAX)
