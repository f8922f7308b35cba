"""Checks of normalisation: over the batch, and over the features."""

from __future__ import annotations

import torch

from autograder.client import Called, Client, Module, Reply
from autograder.client.answers import TensorState
from autograder.checking import Draw, Trial, Wrong, compare, laws
from autograder.checking.agreement import (
    ROUNDED,
    assert_output,
    assert_within_rounding,
    precision,
)
from autograder.checking.laws import Law
from autograder.checking.tolerance import Operation, of_spread
from autograder.checking.trial import Cases, Inputs, given
from autograder.course.exercise import Exercise

batch_norm = Exercise("BatchNorm1d")
layer_norm = Exercise("LayerNorm1d")

AFFINE = ("gamma", "beta")
RUNNING = ("running_mean", "running_var")
LARGE = 4096.0  # factor of numbers that nothing may limit; a power of two, which is exact


def tables(*shapes: tuple[int, int]) -> Inputs:
    """One case for each shape (N, dim): numbers of mean 2 and standard deviation 3."""

    def draw_cases(draw: Draw, arguments: tuple[int, ...]) -> Cases:
        return {f"An input of shape {shape}": (3 * draw.normal(*shape) + 2,) for shape in shapes}

    return draw_cases


def level(draw: Draw, arguments: tuple[int, ...]) -> Cases:
    """An input with a row and a column of equal numbers, most of its numbers below 0."""
    x = 3 * draw.normal(4, arguments[0]) - 2
    x[0], x[:, 0] = -2.0, -2.0
    return {"An input with a row and a column of equal numbers": (x,)}


def far_off(draw: Draw, arguments: tuple[int, ...]) -> Cases:
    """Numbers near 100,000, which are exact in float32 although their squares are not."""
    x = 100_000 + draw.integers(25, 6, arguments[0]).double() - 12
    return {"An input of numbers near 100,000": (x,)}


def near(draw: Draw, arguments: tuple[int, ...]) -> Cases:
    """Five examples of the usual size, and the same divided by 1000."""
    x = 3 * draw.normal(5, arguments[0]) + 2
    return {"An input of shape (5, 2)": (x,), "Numbers of a thousandth of that": (x / 1000,)}


def large(draw: Draw, arguments: tuple[int, ...]) -> Cases:
    """Many examples; the first argument is the number of their features."""
    shape = draw.size(17, 40), arguments[0]
    return {f"An input of shape {shape}": (3 * draw.normal(*shape) + 2,)}


def small(draw: Draw, arguments: tuple[int, ...]) -> Cases:
    """Many examples of small numbers, for which an eps of 1e-5 would be large."""
    shape = draw.size(17, 40), arguments[0]
    return {f"Small numbers of shape {shape}": ((3 * draw.normal(*shape) + 2) / 1024,)}


def uneven(draw: Draw, arguments: tuple[int, ...]) -> Cases:
    """As many examples as features; in each row and in each column, one number is far larger."""
    n = arguments[0]
    x = 3 * draw.normal(n, n) + 2 + LARGE * torch.eye(n).double()
    return {"An input with a large number in each row and column": (x,)}


def with_large_gamma(trial: Trial, reference: Client, draw: Draw) -> Trial:
    """Return a trial with random weights whose gamma makes results of hundreds and more."""
    weights = trial.weights(reference, draw)
    return trial.with_weights({**weights, "gamma": LARGE * weights["gamma"]})


def alone(draw: Draw, arguments: tuple[int, ...]) -> Cases:
    """A single example."""
    return {"A single example": (3 * draw.normal(1, arguments[0]) + 2,)}


def starts_alike(submission: Client, reference: Client, name: str, dim: int) -> Law:
    """Law: gamma, beta and the running averages start with the reference's numbers."""
    ours, theirs = (
        getattr(implementation, name)(dim).state(*AFFINE, *RUNNING)
        for implementation in (submission, reference)
    )
    yield
    for tensor, kept in theirs.value.items():
        got = ours.value.get(tensor)
        if got is None:
            raise Wrong("wrong parameters", f"It has no tensor {tensor}.")
        if got.numbers.numel() != kept.numbers.numel():
            shapes = f"expected shape {tuple(kept.numbers.shape)}, got {tuple(got.numbers.shape)}"
            raise Wrong("wrong parameters", f"{tensor}: {shapes}.", symptom="other shape")
        if not torch.equal(got.numbers.flatten(), kept.numbers.flatten()):
            first = kept.numbers.flatten()[0]
            raise Wrong("wrong start values", f"{tensor} should start as {first:g} everywhere.")


def leaves_the_rest_alone(called: Reply[Called]) -> tuple[Law, ...]:
    """Laws: a call changes neither its arguments nor a setting of PyTorch."""
    return laws.leaves_its_arguments_alone(called), laws.leaves_settings_alone(called)


def gives_the_same_again(module: Module, operation: Operation, first: Reply[Called]) -> Law:
    """Law: two calls with the same input give the same result."""
    second = module(*operation.inputs)
    yield
    if not all(laws.is_close(one, two, operation) for one, two in laws.pairs(first, second)):
        text = "The same input gives another result the second time."
        raise Wrong("another result", text, symptom="earlier call")


def lists_gamma_and_beta(submission: Client, name: str) -> Law:
    """Law: parameters() returns gamma and beta themselves, in any order."""
    listed = getattr(submission, name)(5).listed()
    yield
    if sorted(listed.value) != sorted(AFFINE):
        names = [name.replace("?", "something else") for name in listed.value]
        text = f"parameters() should list gamma and beta; it lists {', '.join(names) or 'none'}."
        raise Wrong("wrong parameters", text, symptom="listed otherwise")


BY_HAND = given(The_numbers_1_2_3_and_3_6_9=(torch.tensor([[1.0, 2, 3], [3, 6, 9]]).double(),))

LABEL = "6 examples of 5 features"

# BatchNorm1d

BATCH = Trial("BatchNorm1d", (5,), tables((6, 5)), tensors=AFFINE, condition=of_spread)


def runs_alike(
    submission: Client,
    reference: Client,
    draw: Draw,
    trial: Trial,
    examples: int,
    strided: bool = False,
) -> None:
    """Check running averages: after training, in evaluation and after more training. Raises Wrong.

    A call in evaluation must not change its argument; where one in training does, another check
    says so. examples: how many the batch in evaluation has. strided: the batches in training are
    not contiguous in memory.
    """
    weights = trial.weights(reference, draw)
    dim = trial.arguments[0]
    batches = [3 * draw.normal(n, dim) + i for i, n in enumerate((4, 5, 45))]
    other = 2 * draw.normal(examples, dim) - 1
    made = [trial.build(implementation).load(weights) for implementation in (submission, reference)]
    start = made[0].state(*RUNNING)
    first, *_ = [module(batch, strided=strided) for module in made for batch in batches]
    trained = [module.state(*RUNNING) for module in made]
    ours, theirs = (module.eval()(other) for module in made)
    kept, goes_on_training = made[0].state(*RUNNING), made[0].training()
    for module in made:
        module.train()(batches[0])
    later = [module.state(*RUNNING) for module in made]
    operation = trial.operation([torch.cat([*batches, other])], weights)
    least = precision([kept.numbers for kept in start.value.values()], torch.float64)
    if least is torch.float32:  # plain tensors of a module, which stay float32
        submission.note(ROUNDED)
    when = "after 3 batches in training"

    def coarser(dtype: torch.dtype) -> torch.dtype:
        return torch.float32 if torch.float32 in (least, dtype) else dtype

    def judge(dtype: torch.dtype) -> None:
        label, outputs = f"In evaluation, {when}", (ours.value.output, theirs.value.output)
        assert_same_averages(submission, when, trained, operation, coarser(dtype))
        assert_output(submission, label, *outputs, operation, coarser(dtype))

    def judge_later(dtype: torch.dtype) -> None:
        again = "after an evaluation and one more batch in training"
        assert_same_averages(submission, again, later, operation, coarser(dtype))

    assert_within_rounding(submission, first.value, judge)
    if not first.value.changed:
        laws.hold(laws.leaves_its_arguments_alone(ours))
    for name, before in trained[0].value.items():
        if name not in kept.value or not torch.equal(kept.value[name].numbers, before.numbers):
            raise Wrong("learns in evaluation", f"{name} changes during a call in evaluation.")
    if goes_on_training.value:
        text = "After a call in evaluation, the attribute training is True again."
        raise Wrong("learns in evaluation", text)
    assert_within_rounding(submission, first.value, judge_later)


def assert_same_averages(
    submission: Client,
    when: str,
    states: list[Reply[dict[str, TensorState]]],
    operation: Operation,
    dtype: torch.dtype,
) -> None:
    """Assert that running mean and variance agree within rounding in `dtype`. Raises Wrong."""
    ours, theirs = (state.value for state in states)
    for name in RUNNING:
        if name not in ours:
            raise Wrong("wrong parameters", f"It has no tensor {name}.")
        want, got = (implementation[name].numbers.flatten() for implementation in (theirs, ours))
        if want.shape != got.shape:
            text = f"{name} has {got.numel()} numbers, not {want.numel()}."
            raise Wrong("wrong shape", text)
        assert_output(submission, f"{name} {when}", got, want, operation, dtype)


def starts_in_training(module: Module) -> Law:
    """Law: the attribute `training` starts as True."""
    training = module.training()
    yield
    if not training.value:
        raise Wrong("wrong start values", "The attribute training should start as True.")


def keeps_no_graph(module: Module, draw: Draw) -> Law:
    """Law: the running averages keep no graph and need no gradient."""
    module(draw.normal(4, 5), gradient=True)
    state, tracked = module.state(*RUNNING), module.differentiated(*RUNNING)
    yield
    for name, kept in state.value.items():
        if kept.graph:
            text = f"{name} keeps the graph, and so the memory, of all batches that it has seen."
            raise Wrong("keeps a graph", text)
    if tracked.value:
        text = f"{tracked.value[0]} requires a gradient, but no optimiser should change it."
        raise Wrong("keeps a graph", text)


def keeps_averages_apart(submission: Client, module: Module, draw: Draw) -> Law:
    """Law: each layer has running averages of its own."""
    before, other = module.state(*RUNNING), submission.BatchNorm1d(5)
    other(draw.normal(4, 5))
    after = module.state(*RUNNING)
    yield
    for name, kept in before.value.items():
        now = after.value.get(name)
        if now is None or not torch.equal(now.numbers, kept.numbers):
            text = f"{name} changes when another layer is made and called."
            raise Wrong("another result", text)


@batch_norm.check(points=1)
def test_batch_by_hand(submission: Client, reference: Client, draw: Draw) -> None:
    """Gives -0.7071 and 0.7071 for each feature of two rows"""
    weights = {"gamma": torch.ones(3).double(), "beta": torch.zeros(3).double()}
    trial = BATCH.sized(3, inputs=BY_HAND).with_weights(weights)
    compare.agrees(submission, reference, draw, trial)


@batch_norm.check(points=2)
def test_batch_agrees(submission: Client, reference: Client, draw: Draw) -> None:
    """Agrees with the reference in training"""
    square = BATCH.on(tables((5, 5)), eps=0.5)
    laws.hold(
        compare.agreement(submission, reference, draw, BATCH, square, BATCH.on(level)),
        compare.agreement_in_single(
            submission, reference, draw, BATCH.on(far_off), symptom="float32"
        ),
    )


@batch_norm.check(points=2)
def test_batch_runs(submission: Client, reference: Client, draw: Draw) -> None:
    """Keeps running mean and variance, and uses them in evaluation"""
    runs_alike(submission, reference, draw, BATCH, examples=3)


# BEGIN HIDDEN TESTS
@batch_norm.check(points=1, symptom="other inputs")
def test_batch_agrees_elsewhere(submission: Client, reference: Client, draw: Draw) -> None:
    """Agrees with the reference on other sizes and numbers"""
    narrow, pair = BATCH.sized(1, inputs=tables((3, 1))), BATCH.sized(2, inputs=near)
    wide = BATCH.sized(draw.size(33, 67), inputs=large)
    limitless = with_large_gamma(wide.on(uneven), reference, draw)
    compare.agrees_strided(submission, reference, draw, narrow, pair, wide, limitless)


@batch_norm.check(points=1)
def test_batch_runs_elsewhere(submission: Client, reference: Client, draw: Draw) -> None:
    """Uses the given eps and momentum"""
    runs_alike(submission, reference, draw, BATCH.sized(4, 0.5, 0.75), examples=1, strided=True)
    still = BATCH.sized(draw.size(33, 67)).on(large, momentum=0.0)
    limitless = with_large_gamma(still, reference, draw)
    runs_alike(submission, reference, draw, limitless, examples=1)


# END HIDDEN TESTS
@batch_norm.check(points=1)
def test_batch_gradients(submission: Client, reference: Client, draw: Draw) -> None:
    """Lets gradients reach the input, gamma and beta"""
    laws.hold(compare.gradients(submission, reference, draw, BATCH, evaluated=True))


@batch_norm.check(points=1)
def test_batch_parameters(submission: Client, reference: Client, draw: Draw) -> None:
    """Starts with and lists gamma and beta, and keeps no graph"""
    module, x = submission.BatchNorm1d(5), draw.normal(6, 5)
    first, right = module(x), reference.BatchNorm1d(5)(x)
    laws.hold(
        starts_in_training(module),
        starts_alike(submission, reference, "BatchNorm1d", draw.size(33, 67)),
        lists_gamma_and_beta(submission, "BatchNorm1d"),
        *leaves_the_rest_alone(first),
        keeps_no_graph(module, draw),
        keeps_averages_apart(submission, module, draw),
        laws.gives_right_numbers(submission, LABEL, first, right, BATCH.operation([x])),
    )


# LayerNorm1d

LAYER = Trial("LayerNorm1d", (5,), tables((6, 5), (1, 5)), tensors=AFFINE, condition=of_spread)


@layer_norm.check(points=1)
def test_layer_by_hand(submission: Client, reference: Client, draw: Draw) -> None:
    """Gives -1, 0 and 1 for each row"""
    weights = {"gamma": torch.ones(3).double(), "beta": torch.zeros(3).double()}
    trial = LAYER.sized(3, inputs=BY_HAND).with_weights(weights)
    compare.agrees(submission, reference, draw, trial)


@layer_norm.check(points=2)
def test_layer_agrees(submission: Client, reference: Client, draw: Draw) -> None:
    """Agrees with the reference"""
    square = LAYER.on(tables((5, 5)), eps=0.5)
    laws.hold(
        compare.agreement(submission, reference, draw, LAYER, square, LAYER.on(level)),
        compare.agreement_in_single(
            submission, reference, draw, LAYER.on(far_off), symptom="float32"
        ),
    )


# BEGIN HIDDEN TESTS
@layer_norm.check(points=1, symptom="other inputs")
def test_layer_agrees_elsewhere(submission: Client, reference: Client, draw: Draw) -> None:
    """Agrees with the reference on other sizes and numbers"""
    steady, pair = (
        LAYER.sized(9, 0.25, inputs=tables((2, 9))),
        LAYER.sized(2, inputs=near),
    )
    wide, narrow = LAYER.sized(draw.size(33, 67)), LAYER.sized(3, inputs=large)
    limitless = with_large_gamma(wide.on(uneven), reference, draw)
    trials = steady, pair, narrow, wide.on(small, eps=0.0), wide.on(alone), limitless
    compare.agrees_strided(submission, reference, draw, *trials)


# END HIDDEN TESTS
@layer_norm.check(points=1)
def test_layer_gradients(submission: Client, reference: Client, draw: Draw) -> None:
    """Lets gradients reach the input, gamma and beta"""
    compare.gradients_agree(submission, reference, draw, LAYER)


@layer_norm.check(points=1)
def test_layer_parameters(submission: Client, reference: Client, draw: Draw) -> None:
    """Starts with and lists gamma and beta, and keeps rows independent"""
    module, x = submission.LayerNorm1d(5), draw.normal(6, 5)
    first, right = module(x), reference.LayerNorm1d(5)(x)
    laws.hold(
        starts_alike(submission, reference, "LayerNorm1d", draw.size(33, 67)),
        lists_gamma_and_beta(submission, "LayerNorm1d"),
        *leaves_the_rest_alone(first),
        gives_the_same_again(module, LAYER.operation([x]), first),
        laws.keeps_sequences_apart(module, LAYER.operation([x]), first, draw),
        laws.gives_right_numbers(submission, LABEL, first, right, LAYER.operation([x])),
    )
