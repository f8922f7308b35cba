"""The laws that every function and every module of a course has to obey, combined into checks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor

from autograder.checking import laws
from autograder.checking.agreement import Wrong
from autograder.checking.draw import Draw
from autograder.checking.laws import Law
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
) -> None:
    """Check the laws of every function of one sequence or of a batch of sequences. Raises Wrong.

    The laws use the trial's first case; the law about devices uses its last one. causal: no token
    may look at later ones. also: further laws to check together with these.
    """
    weights = trial.weights(reference, draw)
    function, right = (
        trial.build(implementation).load(weights) for implementation in (submission, reference)
    )
    single = trial.build(submission, torch.float32).load(weights)
    cases = trial.cases(draw)
    label, inputs = next(iter(cases.items()))
    *_, simplest = cases.values()
    operation = trial.operation(inputs)
    first = function(*inputs)
    repeated = RepeatedCall(operation, first, draw, batch, causal)
    laws.hold(
        laws.leaves_its_arguments_alone(first),
        laws.leaves_settings_alone(first),
        is_invariant(single, repeated, lambda: repeated.separate_laws(function)),
        laws.moves_to_another_device(submission, trial.build(submission), simplest, first),
        *also,
        laws.gives_right_numbers(submission, label, first, right(*inputs), operation),
    )


def of_module(
    submission: Client,
    reference: Client,
    draw: Draw,
    trial: Trial,
    batch: bool = True,
    causal: bool = False,
    also: tuple[Law, ...] = (),
) -> None:
    """Check the laws of every module that maps sequences to sequences. Raises Wrong.

    The laws use the trial's first case. batch: the sequences form a batch. causal: no token may
    look at later ones. also: further laws to check together with these.
    """
    weights = trial.weights(reference, draw)
    module = trial.build(submission).load(weights)
    second = trial.build(submission, torch.float32, keep=False)
    label, inputs = next(iter(trial.cases(draw).items()))
    operation = trial.operation(inputs, weights)
    first = module(*inputs)
    repeated = RepeatedCall(operation, first, draw, batch, causal)

    def separate_laws() -> list[Law]:
        third = trial.build(submission, keep=False)
        is_all = laws.has_complete_state(module, third, operation, first)
        return [*repeated.separate_laws(module), is_all]

    right = trial.build(reference).load(weights)
    found = [
        laws.leaves_its_arguments_alone(first),
        laws.leaves_settings_alone(first),
        laws.builds_without_changing_settings(second),
        laws.has_loadable_state(module, second),
        laws.keeps_loaded_values(second, weights),
        is_invariant(second, repeated, separate_laws),
    ]
    if not causal:
        found.append(laws.survives_large_scores(submission, module, right, label, operation))
    # Last of the questions to `second`: it stays on the other device.
    found.append(laws.moves_to_another_device(submission, second, inputs, first))
    numbers = laws.gives_right_numbers(submission, label, first, right(*inputs), operation)
    laws.hold(*found, *also, numbers)


@dataclass(frozen=True)
class RepeatedCall:
    """A call to repeat with everything changed that must not affect the result.

    before: the reply to the first call. batch: the inputs are batches of independent sequences.
    causal: no token may look at later ones.
    """

    operation: Operation
    before: Reply[Called]
    draw: Draw
    batch: bool
    causal: bool

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
            laws.is_the_same_in_evaluation(module, self.operation, self.before),
            laws.keeps_nothing_between_calls(module, self.operation, self.before),
        ]
        if self.batch:
            found.append(laws.keeps_sequences_apart(module, self.operation, self.before, self.draw))
        if self.causal:
            found.append(laws.keeps_the_past(module, self.operation, self.before, self.draw))
        return found


def is_invariant(
    module: Module, repeated: RepeatedCall, separate_laws: Callable[[], list[Law]]
) -> Law:
    """Law: a result stays the same in float32, after eval() and with other sequences around it.

    All of this changes in one call, to save time. A call with other numbers precedes it, to reveal
    state kept between calls; if causal, a call with the first tokens only follows. module: built
    in float32. separate_laws: makes the separate laws, to say which change mattered.
    """
    module.eval()(*laws.rolled(repeated.operation.inputs))
    shorter = module(*repeated.beginnings()) if repeated.causal else None
    after = module(*repeated.inputs())
    module.train()
    yield
    if not all(repeated.is_alike(old, new) for old, new in laws.pairs(repeated.before, after)):
        laws.hold(*separate_laws())
        text = "In float32, after eval() and among other sequences, an input gives another result."
        raise Wrong("another result", text)
    if shorter and not all(
        repeated.begins_alike(*two) for two in laws.pairs(repeated.before, shorter)
    ):
        text = "After eval(), a sequence gives another result if a longer one came before it."
        raise Wrong("another result", text)
    laws.hold(laws.keeps_single_precision(after), laws.leaves_settings_alone(after))
