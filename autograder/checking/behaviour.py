"""The laws that every function and every module of a course has to obey, combined into checks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from autograder.checking import laws, repeating
from autograder.checking.agreement import FLOAT32_ALONE, Wrong, assert_agree, assert_same_shapes
from autograder.checking.draw import Draw
from autograder.checking.laws import Law
from autograder.checking.single import assert_repeatable, is_alike_in_single
from autograder.checking.tolerance import Operation
from autograder.checking.trial import Trial
from autograder.client import Called, Client, Input, Module, Reply


def of_function(
    submission: Client,
    reference: Client,
    draw: Draw,
    trial: Trial,
    batch: bool = True,
    causal: bool = False,
    also: tuple[Law, ...] = (),
    last: tuple[Law, ...] = (),
) -> None:
    """Check the laws of every function of one sequence or of a batch of sequences. Raises Wrong.

    The laws use the trial's first case; no other case may change its arguments either. batch: the
    first axis of each input and of the result counts the sequences of a batch, each of which has
    the same result whatever the others are; False for a single sequence, such as (T, dim). causal:
    no token may look at later ones. also: further laws to check together with these. last: laws to
    judge only where all others hold.
    """
    weights = trial.weights(reference, draw)
    function, right = (
        trial.build(implementation).load(weights) for implementation in (submission, reference)
    )
    single = trial.build(submission, torch.float32).load(weights)
    (label, inputs), *others = trial.cases(draw).items()
    operation = trial.operation(inputs)
    first = function(*inputs)
    repeated = RepeatedCall(operation, first, draw, batch, causal, of_function=True)
    in_single = InSingle(
        single,
        right,
        trial.build(reference, torch.float32).load(weights),
        repeated,
        lambda: trial.build(submission, torch.float32, keep=False).load(weights),
        lambda: is_alike_in_single(submission, trial, weights, inputs),
        lambda: repeated.separate_laws(function),
    )
    laws.hold(
        laws.leaves_its_arguments_alone(first),
        *_leaves_other_arguments_alone(function, others),
        laws.leaves_settings_alone(first),
        in_single.is_invariant(label),
        laws.moves_to_another_device(trial.build(submission), inputs),
        *also,
        laws.gives_right_numbers(submission, label, first, right(*inputs), operation),
        in_single.is_right(submission, label),
        *last,
    )


def of_module(
    submission: Client,
    reference: Client,
    draw: Draw,
    trial: Trial,
    batch: bool = True,
    causal: bool = False,
    also: tuple[Law, ...] = (),
    last: tuple[Law, ...] = (),
    dropping: Trial | None = None,
) -> None:
    """Check the laws of every module that maps sequences to sequences. Raises Wrong.

    The laws use the trial's first case; no other case may change its arguments either. In float32
    they see a module that is given floating-point numbers as its author built it. batch: as in
    of_function. causal: no token may look at later ones. also: further laws to check
    together with these. last: laws to judge only where all others hold. dropping: the same trial
    with dropout, of a module that has any.
    """
    weights = trial.weights(reference, draw)
    module = trial.build(submission).load(weights)
    (label, inputs), *others = trial.cases(draw).items()
    is_given_type = any(isinstance(x, Tensor) and x.is_floating_point() for x in inputs)
    second = trial.build(submission, torch.float32, keep=False, as_built=is_given_type)
    operation = trial.operation(inputs, weights)
    first = module(*inputs)
    repeated = RepeatedCall(operation, first, draw, batch, causal)
    right = trial.build(reference).load(weights)

    def anew() -> Module:
        made = trial.build(submission, torch.float32, keep=False, as_built=is_given_type)
        return made.load(weights)

    def is_alike() -> bool:
        return is_alike_in_single(submission, trial, weights, inputs, is_given_type)

    def separate_laws() -> list[Law]:
        third = trial.build(submission, keep=False)
        is_all = laws.has_complete_state(module, third, operation, first)
        return [*repeated.separate_laws(module), is_all]

    rounded = trial.build(reference, torch.float32).load(weights)
    in_single = InSingle(second, right, rounded, repeated, anew, is_alike, separate_laws)
    found = [
        laws.leaves_its_arguments_alone(first),
        *_leaves_other_arguments_alone(module, others),
        laws.leaves_settings_alone(first),
        laws.builds_without_changing_settings(second),
        laws.has_loadable_state(module, second),
        laws.keeps_loaded_values(second, weights),
        in_single.is_invariant(label),
    ]
    if not causal:
        found.append(laws.survives_large_scores(submission, module, right, label, operation))
    # Last of the questions to `second`: it stays on the other device.
    found.append(laws.moves_to_another_device(second, inputs))
    if dropping:
        found += _drops_in_single(submission, dropping, inputs)
    numbers = laws.gives_right_numbers(submission, label, first, right(*inputs), operation)
    laws.hold(*found, *also, numbers, in_single.is_right(submission, label), *last)


def _leaves_other_arguments_alone(
    module: Module, cases: Iterable[tuple[str, Sequence[Input]]]
) -> Iterator[Law]:
    """Yield a law for each case: it leaves its arguments alone, if it is answered at all."""
    for label, inputs in cases:
        called = module(*inputs)
        yield laws.if_answered(called, laws.leaves_its_arguments_alone(called, label))


def _drops_in_single(submission: Client, dropping: Trial, inputs: Sequence[Input]) -> Iterator[Law]:
    """Yield laws of a module that drops, built and called in training in float32.

    They hold where it fails in float64 too: then the check of the dropout fails.
    """
    usual = dropping.build(submission, keep=False)(*inputs)
    # One is moved before its first call: what a call keeps of its draws would stay behind. The
    # other is moved after it: layers that the first call makes would not be there.
    new, called = (dropping.build(submission, torch.float32, keep=False) for _ in range(2))
    single = called(*inputs)
    for law in (
        laws.builds_without_changing_settings(called),
        laws.leaves_settings_alone(single),
        laws.keeps_single_precision(single),
        laws.moves_to_another_device(new, inputs, called),
    ):
        yield laws.if_answered(usual, law)


@dataclass(frozen=True)
class RepeatedCall:
    """A call to repeat with everything changed that must not affect the result.

    before: the reply to the first call. batch: the inputs are batches of independent sequences.
    causal: no token may look at later ones. of_function: what is called has no eval().
    """

    operation: Operation
    before: Reply[Called]
    draw: Draw
    batch: bool
    causal: bool
    of_function: bool = False

    def inputs(self) -> list[Input]:
        """Return the inputs with all sequences changed except the middle one.

        If causal, the last sequence keeps its first tokens.
        """
        given = list(self.operation.inputs)
        return [self._changed(x) for x in given] if self.batch else given

    def _changed(self, x: Input) -> Input:
        if isinstance(x, int):
            return x
        changed = laws.changed_around(x, laws.middle(self.operation), self.draw)
        if self.causal:
            changed[-1] = laws.changed_from(x, laws.UNCHANGED, self.draw)[-1]
        return changed

    def is_alike(self, old: Tensor, new: Tensor) -> bool:
        """Return whether a result is unchanged where it has to be."""
        if not self.batch:
            return laws.is_close(old, new, self.operation)
        if old.shape != new.shape or old.shape[:1] != laws.sizes(self.operation)[:1]:
            return False
        if self.causal and (old.dim() < 3 or not self._has_same_past(old[-1], new[-1])):
            return False
        i = laws.middle(self.operation)
        return laws.is_close(old[i], new[i], self.operation)

    def _has_same_past(self, old: Tensor, new: Tensor) -> bool:
        return laws.is_close(
            old[..., : laws.UNCHANGED, :], new[..., : laws.UNCHANGED, :], self.operation
        )

    def beginnings(self) -> list[Input]:
        """Return the first tokens of every sequence."""
        return [x if isinstance(x, int) else self._beginning(x) for x in self.operation.inputs]

    def _beginning(self, x: Tensor) -> Tensor:
        tokens = -2 if x.is_floating_point() else -1
        return x.narrow(tokens, 0, laws.UNCHANGED)

    def begins_alike(self, old: Tensor, new: Tensor) -> bool:
        """Return whether the result for the first tokens is the beginning of the whole result.

        Attention weights are cut along both of their token dimensions.
        """
        if min(old.dim(), new.dim()) < 2:
            return False
        beginning = old[..., : laws.UNCHANGED, : new.shape[-1]]
        return laws.is_close(beginning, new, self.operation)

    def separate_laws(self, module: Module) -> list[Law]:
        """Return one law per change, to find the change that affects the result."""
        found = [
            repeating.is_the_same_in_evaluation(
                module, self.operation, self.before, self.of_function
            ),
            repeating.keeps_nothing_between_calls(module, self.operation, self.before),
        ]
        if self.batch:
            found.append(laws.keeps_sequences_apart(module, self.operation, self.before, self.draw))
        if self.causal:
            found.append(laws.keeps_the_past(module, self.operation, self.before, self.draw))
        return found


@dataclass
class InSingle:
    """The calls of a module in float32, after eval(), and the two laws that judge them.

    All that must not affect a result changes in one call, to save time. A call with other numbers
    precedes it, to reveal state kept between calls; if causal, also one with the first tokens only.
    module: built in float32. right, rounded: the reference's, in float64 and in float32. anew:
    builds such a module again, since later laws move the first to another device. is_alike: asks
    whether float32 gives what float64 gives, if nothing else changes. separate_laws: makes the
    separate laws, to say which change mattered.
    """

    module: Module
    right: Module
    rounded: Module
    repeated: RepeatedCall
    anew: Callable[[], Module]
    is_alike: Callable[[], bool]
    separate_laws: Callable[[], list[Law]]

    def is_invariant(self, label: str) -> Law:
        """Law: a result is the same in float32, after eval() and with other sequences around it.

        There, too, a call leaves its arguments and PyTorch's settings alone. A result that is not
        the same has to be of the right shape: of another, nobody knows what its rows stand for.
        """
        repeated, inputs = self.repeated, self.repeated.inputs()
        self.module.eval()(*laws.rolled(repeated.operation.inputs))
        shorter = self.module(*repeated.beginnings()) if repeated.causal else None
        if shorter:  # what a call keeps may last only while the shapes are the same
            self.module(*laws.rolled(repeated.operation.inputs))
        self.after, self.expected = self.module(*inputs), self.right(*inputs)
        self.single = self.rounded(*inputs)
        self.module.train()
        yield
        before = repeated.before
        if not self._is_alike():
            self._assert_right_shape(label)
            laws.hold(*self.separate_laws())
            if not self.is_alike():
                text = "In float32, an input gives another result than in float64."
                raise Wrong("another result", text, symptom=FLOAT32_ALONE)
            when = "In float32" if repeated.of_function else "In float32, after eval()"
            text = f"{when} and among other sequences, an input gives another result."
            raise Wrong("another result", text)
        if shorter and not all(repeated.begins_alike(*two) for two in laws.pairs(before, shorter)):
            self._assert_right_shape(label)
            assert_repeatable(self.anew().eval(), repeated.operation)
            text = (
                f"The first {laws.UNCHANGED} tokens alone give another result than as the "
                "beginning of a longer sequence, which was called before."
            )
            raise Wrong("another result", text)
        laws.hold(
            laws.leaves_its_arguments_alone(self.after),
            laws.keeps_single_precision(self.after),
            laws.leaves_settings_alone(self.after),
        )

    def _is_alike(self) -> bool:
        """Return whether both results are numbers, and unchanged where they have to be."""
        try:
            found = list(laws.pairs(self.repeated.before, self.after))
        except Wrong:
            return False
        return all(old.isfinite().all() and self.repeated.is_alike(old, new) for old, new in found)

    def _assert_right_shape(self, label: str) -> None:
        got, expected = self.repeated.before.value, self.expected.value
        assert_same_shapes(label, got.output, expected.output, torch.float64)

    def is_right(self, submission: Client, label: str) -> Law:
        """Law: every sequence of the changed inputs has the reference's result.

        Put it after is_invariant, which asks, and after the law about results in float64.
        """
        yield
        label = f"{label}, with other numbers, in float32"
        label += "" if self.repeated.of_function else " after eval()"
        got, expected, operation = self.after.value, self.expected.value, self.repeated.operation
        try:
            assert_agree(
                submission,
                label,
                got,
                expected,
                operation,
                torch.float32,
                lambda: self.single.value,
            )
        except Wrong as wrong:
            if not self.is_alike():
                wrong.symptom = FLOAT32_ALONE
                raise
            laws.hold(*self.separate_laws())
            raise
