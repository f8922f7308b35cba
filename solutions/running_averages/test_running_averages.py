"""Checks of running averages: with a loop, with one product, with a softmax."""

from __future__ import annotations

import torch

from autograder.client import Client
from autograder.checking import Draw, Trial, behaviour, compare, laws
from autograder.checking.sizes import LONG
from autograder.checking.tolerance import of_sums
from autograder.checking.trial import Cases, Inputs, given
from autograder.course.exercise import Exercise

running_mean_loop = Exercise("running_mean_loop")
running_mean_matmul = Exercise("running_mean_matmul")
running_mean_softmax = Exercise("running_mean_softmax")


LARGE = 4096.0  # factor of numbers that nothing may limit; a power of two, which is exact


def sequences(*shapes: tuple[int, int, int]) -> Inputs:
    """One case for each shape (B, T, C)."""

    def draw_cases(draw: Draw, arguments: tuple[int, ...]) -> Cases:
        return {f"A batch of shape {shape}": (draw.normal(*shape),) for shape in shapes}

    return draw_cases


def long(draw: Draw, arguments: tuple[int, ...]) -> Cases:
    """A long sequence; the seed determines the length."""
    return sequences((1, draw.size(*LONG), 1))(draw, arguments)


def large(draw: Draw, arguments: tuple[int, ...]) -> Cases:
    """A small batch with zeros and a token of zeros only, and a large batch of many channels.

    The seed determines how many channels. Their numbers are large, and so are their averages.
    """
    small, many = draw.normal(3, 3, 3).clone(), LARGE * draw.normal(5, 4, draw.size(33, 67))
    small[1] *= small[1] > 0
    small[2, 1] = 0
    return {"A batch with zeros": (small,), "A large batch of large numbers": (many,)}


MANY = 68  # tokens, of which loops over chunks take several
BY_HAND = given(The_numbers_of_the_statement=(torch.tensor([[[2.0, 7], [6, 4], [6, 5]]]).double(),))

# running_mean_loop

LOOP = Trial.function("running_mean_loop", sequences((3, 5, 2), (1, 1, 4))).with_condition(of_sums)


@running_mean_loop.check(points=1)
def test_loop_by_hand(submission: Client, reference: Client, draw: Draw) -> None:
    """Gives 4.6667 and 5.3333 for the last of three tokens"""
    compare.agrees(submission, reference, draw, LOOP.on(BY_HAND))


@running_mean_loop.check(points=1)
def test_loop_agrees(submission: Client, reference: Client, draw: Draw) -> None:
    """Agrees with the reference"""
    compare.agrees(submission, reference, draw, LOOP)


# BEGIN HIDDEN TESTS
@running_mean_loop.check(points=1, symptom="other inputs")
def test_loop_agrees_elsewhere(submission: Client, reference: Client, draw: Draw) -> None:
    """Agrees with the reference on other sizes and numbers"""
    laws.hold(
        compare.agreement(submission, reference, draw, LOOP.on(large), strided=True),
        compare.agreement_in_single(submission, reference, draw, LOOP.on(long)),
    )


# END HIDDEN TESTS
@running_mean_loop.check(points=1)
def test_loop_behaves(submission: Client, reference: Client, draw: Draw) -> None:
    """Behaves as a function: past, arguments, batches, device"""
    few = LOOP.on(sequences((3, 4, 2), (1, 1, 4)))
    behaviour.of_function(submission, reference, draw, few, causal=True)


# running_mean_matmul

MATMUL = Trial.function("running_mean_matmul", sequences((3, 5, 2), (1, 1, 4))).with_condition(
    of_sums
)


@running_mean_matmul.check(points=1)
def test_matmul_by_hand(submission: Client, reference: Client, draw: Draw) -> None:
    """Gives 4.6667 and 5.3333 for the last of three tokens"""
    compare.agrees(submission, reference, draw, MATMUL.on(BY_HAND))


@running_mean_matmul.check(points=1)
def test_matmul_agrees(submission: Client, reference: Client, draw: Draw) -> None:
    """Gives the weights and the averages of the reference"""
    compare.agrees(submission, reference, draw, MATMUL)


# BEGIN HIDDEN TESTS
@running_mean_matmul.check(points=1, symptom="other inputs")
def test_matmul_agrees_elsewhere(submission: Client, reference: Client, draw: Draw) -> None:
    """Agrees with the reference on other sizes and numbers"""
    laws.hold(
        compare.agreement(submission, reference, draw, MATMUL.on(large), strided=True),
        compare.agreement_in_single(submission, reference, draw, MATMUL.on(long)),
    )


# END HIDDEN TESTS
@running_mean_matmul.check(points=1)
def test_matmul_behaves(submission: Client, reference: Client, draw: Draw) -> None:
    """Computes all tokens with one matrix product, without a loop"""
    few, many = MATMUL.on(sequences((2, 4, 3))), MATMUL.on(sequences((2, MANY, 3)))
    also = (
        laws.avoids_loops(submission, few, many, draw),
        laws.takes_one_product(submission, many, draw),
    )
    behaviour.of_function(submission, reference, draw, MATMUL, batch=False, also=also)


# running_mean_softmax

SOFTMAX = Trial.function("running_mean_softmax", sequences((3, 5, 2), (1, 1, 4))).with_condition(
    of_sums
)


@running_mean_softmax.check(points=1)
def test_softmax_by_hand(submission: Client, reference: Client, draw: Draw) -> None:
    """Gives 4.6667 and 5.3333 for the last of three tokens"""
    compare.agrees(submission, reference, draw, SOFTMAX.on(BY_HAND))


@running_mean_softmax.check(points=1)
def test_softmax_agrees(submission: Client, reference: Client, draw: Draw) -> None:
    """Gives the weights and the averages of the reference"""
    compare.agrees(submission, reference, draw, SOFTMAX)


# BEGIN HIDDEN TESTS
@running_mean_softmax.check(points=1, symptom="other inputs")
def test_softmax_agrees_elsewhere(submission: Client, reference: Client, draw: Draw) -> None:
    """Agrees with the reference on other sizes and numbers"""
    laws.hold(
        compare.agreement(submission, reference, draw, SOFTMAX.on(large), strided=True),
        compare.agreement_in_single(submission, reference, draw, SOFTMAX.on(long)),
    )


# END HIDDEN TESTS
@running_mean_softmax.check(points=1)
def test_softmax_behaves(submission: Client, reference: Client, draw: Draw) -> None:
    """Makes the weights with a softmax that hides later tokens entirely"""
    also = (
        laws.computes_exponentials(submission, SOFTMAX, draw),
        laws.hides_later_tokens(submission, SOFTMAX, draw),
    )
    behaviour.of_function(submission, reference, draw, SOFTMAX, batch=False, also=also)
