"""Checks of normalisation: over the batch, and over the features."""

from __future__ import annotations

import torch

from autograder.channel import Course, Module
from autograder.comparison import Draw, Trial, Wrong, compare, laws
from autograder.comparison.agreement import assert_output
from autograder.comparison.laws import Law
from autograder.comparison.tolerance import of_spread
from autograder.comparison.trial import Cases, Inputs, given
from autograder.exercise import Exercise

batch_norm = Exercise("BatchNorm1d")
layer_norm = Exercise("LayerNorm1d")

AFFINE = ("gamma", "beta")
RUNNING = ("running_mean", "running_var")


def tables(*shapes: tuple[int, int]) -> Inputs:
    """One case for each shape (N, dim): numbers of mean 2 and standard deviation 3."""

    def draw_them(draw: Draw, arguments: tuple[int, ...]) -> Cases:
        return {f"An input of shape {shape}": (3 * draw.normal(*shape) + 2,) for shape in shapes}

    return draw_them


def level(draw: Draw, arguments: tuple[int, ...]) -> Cases:
    """An input in which all numbers of the first row, and of the first column, are the same; most
    of them below 0."""
    x = 3 * draw.normal(4, arguments[0]) - 2
    x[0], x[:, 0] = -2.0, -2.0
    return {"An input with a row and a column of equal numbers": (x,)}


def starts_alike(submission: Course, reference: Course, name: str) -> Law:
    """gamma and beta, and what runs along, begin with the reference's numbers."""
    ours, theirs = (
        getattr(side, name)(5).state(*AFFINE, *RUNNING) for side in (submission, reference)
    )
    yield
    for tensor, kept in theirs.value.items():
        got = ours.value.get(tensor)
        if got is None:
            raise Wrong("wrong parameters", f"It has no tensor {tensor}.")
        if not torch.equal(got.numbers.flatten(), kept.numbers.flatten()):
            first = kept.numbers.flatten()[0]
            raise Wrong("wrong start values", f"{tensor} was to start as {first:g} everywhere.")


def lists_gamma_and_beta(submission: Course, name: str) -> Law:
    """parameters() gives gamma and beta themselves, in any order."""
    listed = getattr(submission, name)(5).listed()
    yield
    if sorted(listed.value) != sorted(AFFINE):
        names = ", ".join(listed.value) or "none"
        text = f"parameters() was to list gamma and beta; it lists {names}."
        raise Wrong("wrong parameters", text)


BY_HAND = given(The_numbers_1_2_3_and_3_6_9=(torch.tensor([[1.0, 2, 3], [3, 6, 9]]).double(),))

# BatchNorm1d

BATCH = Trial("BatchNorm1d", (5,), tables((6, 5)), tensors=AFFINE, condition=of_spread)
STEADY = {"eps": 0.5, "momentum": 0.25}


def runs_alike(submission: Course, reference: Course, draw: Draw, trial: Trial) -> None:
    """After some batches in training it keeps the same running mean and variance, and in evaluation
    gives the same for other numbers, and learns nothing more."""
    weights = trial.weights(reference, draw)
    dim = trial.arguments[0]
    batches = [3 * draw.normal(4 + i, dim) + i for i in range(3)]
    other = 2 * draw.normal(3, dim) - 1
    made = [trial.build(side).load(weights) for side in (submission, reference)]
    for module in made:
        for batch in batches:
            module(batch)
    ours, theirs = (module.state(*RUNNING) for module in made)
    ours_later, theirs_later = (module.eval()(other) for module in made)
    kept = made[0].state(*RUNNING)
    operation = trial.operation([torch.cat([*batches, other])], weights)
    for name in RUNNING:
        if name not in ours.value:
            raise Wrong("wrong parameters", f"It has no tensor {name}.")
        want, got = (side.value[name].numbers.flatten() for side in (theirs, ours))
        if want.shape != got.shape:
            raise Wrong("wrong shape", f"{name} has {got.numel()} numbers, not {dim}.")
        label = f"{name} after 3 batches in training"
        assert_output(submission, label, got, want, operation)
    label = "In evaluation, after 3 batches in training"
    assert_output(submission, label, ours_later.value.output, theirs_later.value.output, operation)
    for name in RUNNING:
        if name not in kept.value or not torch.equal(
            kept.value[name].numbers, ours.value[name].numbers
        ):
            raise Wrong("learns in evaluation", f"{name} changes when it is called in evaluation.")


def keeps_no_graph(module: Module, draw: Draw) -> Law:
    """What runs along is a number, not the end of a graph."""
    module(draw.normal(4, 5), gradient=True)
    state = module.state(*RUNNING)
    yield
    for name, kept in state.value.items():
        if kept.graph:
            text = f"{name} keeps the graph of the batches it has seen, and all their memory."
            raise Wrong("keeps a graph", text)


@batch_norm.check(points=1)
def test_batch_by_hand(submission: Course, reference: Course, draw: Draw) -> None:
    """Gives -0.7071 and 0.7071 for each feature of two rows"""
    weights = {"gamma": torch.ones(3).double(), "beta": torch.zeros(3).double()}
    trial = BATCH.sized(3, inputs=BY_HAND).holding(weights)
    compare.agrees(submission, reference, draw, trial)


@batch_norm.check(points=2)
def test_batch_agrees(submission: Course, reference: Course, draw: Draw) -> None:
    """Agrees with the reference in training"""
    large = BATCH.on(tables((3, 5)), eps=0.5)
    compare.agrees(submission, reference, draw, BATCH, large, BATCH.on(level))


@batch_norm.check(points=2)
def test_batch_runs(submission: Course, reference: Course, draw: Draw) -> None:
    """Keeps running mean and variance, and uses them in evaluation"""
    runs_alike(submission, reference, draw, BATCH)


# BEGIN HIDDEN TESTS
@batch_norm.check(points=1)
def test_batch_agrees_elsewhere(submission: Course, reference: Course, draw: Draw) -> None:
    """Agrees with the reference on other sizes and numbers"""
    square = BATCH.sized(4, inputs=tables((4, 4)))
    compare.agrees_strided(
        submission, reference, draw, square, BATCH.sized(1, inputs=tables((3, 1)))
    )


@batch_norm.check(points=1)
def test_batch_runs_elsewhere(submission: Course, reference: Course, draw: Draw) -> None:
    """Uses eps and momentum as they are given"""
    runs_alike(submission, reference, draw, BATCH.sized(4).on(tables((6, 4)), **STEADY))


# END HIDDEN TESTS
@batch_norm.check(points=1)
def test_batch_gradients(submission: Course, reference: Course, draw: Draw) -> None:
    """Lets gradients reach the input, gamma and beta"""
    compare.gradients_agree(submission, reference, draw, BATCH)


@batch_norm.check(points=1)
def test_batch_parameters(submission: Course, reference: Course, draw: Draw) -> None:
    """Starts and lists gamma and beta; keeps no graph, changes nothing"""
    module = submission.BatchNorm1d(5)
    laws.hold(
        starts_alike(submission, reference, "BatchNorm1d"),
        lists_gamma_and_beta(submission, "BatchNorm1d"),
        laws.leaves_its_arguments_alone(module(draw.normal(6, 5))),
        keeps_no_graph(module, draw),
    )


# LayerNorm1d

LAYER = Trial("LayerNorm1d", (5,), tables((6, 5), (1, 5)), tensors=AFFINE, condition=of_spread)


@layer_norm.check(points=1)
def test_layer_by_hand(submission: Course, reference: Course, draw: Draw) -> None:
    """Gives -1, 0 and 1 for each row"""
    weights = {"gamma": torch.ones(3).double(), "beta": torch.zeros(3).double()}
    trial = LAYER.sized(3, inputs=BY_HAND).holding(weights)
    compare.agrees(submission, reference, draw, trial)


@layer_norm.check(points=2)
def test_layer_agrees(submission: Course, reference: Course, draw: Draw) -> None:
    """Agrees with the reference"""
    large = LAYER.on(tables((3, 5)), eps=0.5)
    compare.agrees(submission, reference, draw, LAYER, large, LAYER.on(level))


# BEGIN HIDDEN TESTS
@layer_norm.check(points=1)
def test_layer_agrees_elsewhere(submission: Course, reference: Course, draw: Draw) -> None:
    """Agrees with the reference on other sizes and numbers"""
    square = LAYER.sized(4, inputs=tables((4, 4)))
    wide = LAYER.sized(9).on(tables((2, 9)), eps=0.25)
    compare.agrees_strided(submission, reference, draw, square, wide)


# END HIDDEN TESTS
@layer_norm.check(points=1)
def test_layer_gradients(submission: Course, reference: Course, draw: Draw) -> None:
    """Lets gradients reach the input, gamma and beta"""
    compare.gradients_agree(submission, reference, draw, LAYER)


@layer_norm.check(points=1)
def test_layer_parameters(submission: Course, reference: Course, draw: Draw) -> None:
    """Starts and lists gamma and beta; keeps rows apart, changes nothing"""
    module = submission.LayerNorm1d(5)
    x = draw.normal(6, 5)
    first = module(x)
    laws.hold(
        starts_alike(submission, reference, "LayerNorm1d"),
        lists_gamma_and_beta(submission, "LayerNorm1d"),
        laws.leaves_its_arguments_alone(first),
        laws.keeps_sequences_apart(module, LAYER.operation([x]), first, draw),
    )
