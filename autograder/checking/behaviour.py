"""What is expected of every function and every module of the course: the laws put together."""

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
    """What is expected of every function of a batch of sequences, or of one sequence.

    It is tried on the first case of the trial, and on another device on the last. also: laws that
    are put together with these.
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
    asked = Again(operation, first, draw, batch, causal)
    laws.hold(
        laws.leaves_its_arguments_alone(first),
        laws.leaves_settings_alone(first),
        stays_as_it_is(single, asked, lambda: asked.one_by_one(function)),
        laws.moves_as_a_whole(submission, trial.build(submission), simplest, first),
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
    """What is expected of every module that maps sequences to others, in a batch if `batch`.

    It is tried on the first case of the trial. causal: no token may look at those behind it. also:
    laws that are put together with these.
    """
    weights = trial.weights(reference, draw)
    module = trial.build(submission).load(weights)
    second = trial.build(submission, torch.float32, keep=False)
    label, inputs = next(iter(trial.cases(draw).items()))
    operation = trial.operation(inputs, weights)
    first = module(*inputs)
    asked = Again(operation, first, draw, batch, causal)

    def one_by_one() -> list[Law]:
        third = trial.build(submission, keep=False)
        is_all = laws.is_all_in_its_state(module, third, operation, first)
        return [*asked.one_by_one(module), is_all]

    right = trial.build(reference).load(weights)
    found = [
        laws.leaves_its_arguments_alone(first),
        laws.leaves_settings_alone(first),
        laws.is_built_quietly(second),
        laws.hands_over_its_state(module, second),
        laws.keeps_its_numbers(second, weights),
        stays_as_it_is(second, asked, one_by_one),
    ]
    if not causal:
        found.append(laws.survives_large_scores(submission, module, right, label, operation))
    found.append(laws.moves_as_a_whole(submission, second, inputs, first))  # there it stays
    numbers = laws.gives_right_numbers(submission, label, first, right(*inputs), operation)
    laws.hold(*found, *also, numbers)


@dataclass(frozen=True)
class Again:
    """A call that is to be asked again, with all changed in it that must not matter.

    before: the reply to it. batch: is it a batch of sequences, each by itself? causal: may no
    token look at those behind it?
    """

    operation: Operation
    before: Reply[Called]
    draw: Draw
    batch: bool
    causal: bool

    def inputs(self) -> list[Input]:
        """In a batch with other sequences around that in the middle; if causal, the last one begins
        with the same tokens."""
        given = list(self.operation.inputs)
        return [self._changed(x) for x in given] if self.batch else given

    def _changed(self, x: Input) -> Input:
        if isinstance(x, int):
            return x
        changed = laws.changed_around(x, laws.middle(self.operation), self.draw)
        if self.causal:
            changed[-1] = laws.changed_from(x, laws.PAST, self.draw)[-1]
        return changed

    def is_alike(self, old: Tensor, new: Tensor) -> bool:
        """Is a result the same where it must be?"""
        if not self.batch:
            return old.shape == new.shape and laws.is_close(old, new, self.operation)
        if old.shape != new.shape or old.shape[:1] != laws.sizes(self.operation)[:1]:
            return False
        if self.causal and (old.dim() < 3 or not self._has_its_past(old[-1], new[-1])):
            return False
        i = laws.middle(self.operation)
        return laws.is_close(old[i], new[i], self.operation)

    def _has_its_past(self, old: Tensor, new: Tensor) -> bool:
        return laws.is_close(old[..., : laws.PAST, :], new[..., : laws.PAST, :], self.operation)

    def beginnings(self) -> list[Input]:
        """The first tokens of every sequence alone."""
        return [x if isinstance(x, int) else self._beginning(x) for x in self.operation.inputs]

    def _beginning(self, x: Tensor) -> Tensor:
        tokens = -2 if x.is_floating_point() else -1
        return x.narrow(tokens, 0, laws.PAST)

    def begins_alike(self, old: Tensor, new: Tensor) -> bool:
        """Return whether the result for the first tokens alone begins the result for all.

        Weights, one for each pair of tokens, begin so along both dimensions.
        """
        beginning = old[..., : laws.PAST, : new.shape[-1]]
        return new.shape == beginning.shape and laws.is_close(beginning, new, self.operation)

    def one_by_one(self, module: Module) -> list[Law]:
        """What is asked to learn which change does matter."""
        found = [
            laws.is_the_same_again(module, self.operation, self.before),
            laws.forgets_other_calls(module, self.operation, self.before),
        ]
        if self.batch:
            found.append(laws.keeps_sequences_apart(module, self.operation, self.before, self.draw))
        if self.causal:
            found.append(laws.keeps_the_past(module, self.operation, self.before, self.draw))
        return found


def stays_as_it_is(module: Module, again: Again, one_by_one: Callable[[], list[Law]]) -> Law:
    """In float32 and after eval(), nothing that must not matter changes a result, though much is
    changed at once.

    It is called with other numbers before, so that what a call keeps for the next one shows, and
    with the first tokens alone, if no token may look at later ones. module: in float32.
    one_by_one: makes the laws of which one is broken if it does.
    """
    module.eval()(*laws.rolled(again.operation.inputs))
    shorter = module(*again.beginnings()) if again.causal else None
    after = module(*again.inputs())
    module.train()
    yield
    if not all(again.is_alike(old, new) for old, new in laws.pairs(again.before, after)):
        laws.hold(*one_by_one())
        text = "In float32, after eval() and among other sequences, an input gives another result."
        raise Wrong("another result", text)
    if shorter and not all(again.begins_alike(*two) for two in laws.pairs(again.before, shorter)):
        text = "After eval(), a sequence gives another result when a longer one came before it."
        raise Wrong("another result", text)
    laws.hold(laws.keeps_single_precision(after), laws.leaves_settings_alone(after))
