"""Laws that every module of the course has to obey, each written once.

A law is a generator: it first sends its steps to a module, then yields, then judges the replies
and raises Wrong (or StepFailed if the submission could not do a step). `hold` runs several laws
together, so that they cost one question.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import torch
from torch import Tensor

from autograder.checking.agreement import (
    Wrong,
    assert_agree,
    assert_same_numbers,
    described,
    missing_return,
    precision,
    showing,
)
from autograder.checking.draw import Draw
from autograder.checking.tolerance import Operation, scores
from autograder.checking.trial import Trial
from autograder.client import NUMPY, Called, Client, Input, Module, Reply, StepFailed

Law = Iterator[None]
UNCHANGED = 2  # tokens in front of the first changed one
ROOT_OF_LARGE = 100.0  # scores of 10,000 overflow exp in float32 and in float64


def hold(*laws: Law) -> None:
    """Let every law send its steps, then let every law judge the replies. Raises Wrong."""
    for law in laws:
        next(law)
    for law in laws:
        next(law, None)


def if_answered(reply: Reply[Called], law: Law) -> Law:
    """Law: the given one, which holds too if the submission fails in the call of the reply."""
    next(law)
    yield
    try:
        _ = reply.value
    except StepFailed:
        return
    next(law, None)


def gives_right_numbers(
    submission: Client, label: str, ours: Reply[Called], theirs: Reply[Called], operation: Operation
) -> Law:
    """Law: the result agrees with the reference's, since other laws count for right results only.

    Put it after other laws, which are more specific. Its message does not repeat the difference,
    which the checks of the same case show. label: describes the case.
    """
    yield
    try:
        assert_agree(submission, label, ours.value, theirs.value, operation)
    except Wrong as wrong:
        wrong.args = ("This property holds, but counts only once the results are right.",)
        raise


def avoids_loops(submission: Client, few: Trial, many: Trial, draw: Draw) -> Law:
    """Law: many tokens take no more operations than few, not even one for every four."""
    counts = []
    for trial in (few, many):
        _, inputs = trial.first_case(draw)
        counts.append(
            (sizes(trial.operation(inputs))[-2], trial.build(submission).operations(*inputs))
        )
    yield
    (T, first), (longer, second) = ((tokens, count.value) for tokens, count in counts)
    if 4 * (second - first) >= longer - T:
        text = (
            f"{first} tensor operations for {T} tokens, {second} for {longer}: compute all tokens "
            "with one product, without a loop over them."
        )
        raise Wrong("loops over tokens", text)


def takes_one_product(submission: Client, trial: Trial, draw: Draw) -> Law:
    """Law: the first case of a function takes exactly one matrix product with its input."""
    _, inputs = trial.first_case(draw)
    tokens = sizes(trial.operation(inputs))[-2]
    products = trial.build(submission).products(*inputs, tokens=tokens)
    yield
    if products.value != 1:
        many = "several" if products.value else "none, or a sum along the sequence"
        text = f"Expected one matrix product for the whole batch, got {many}."
        raise Wrong("not one product", text)


def computes_exponentials(submission: Client, trial: Trial, draw: Draw) -> Law:
    """Law: the weights of a function's first case come from a softmax, or from exponentials."""
    _, inputs = trial.first_case(draw)
    tokens = sizes(trial.operation(inputs))[-2]
    found = trial.build(submission).exponentials(*inputs, tokens=tokens)
    yield
    if not found.value:
        text = "No softmax is computed: make the weights from scores with a softmax."
        raise Wrong("no softmax", text)


def hides_later_tokens(submission: Client, trial: Trial, draw: Draw) -> Law:
    """Law: a function's first result, weights (T, T), is exactly 0 right of the diagonal."""
    called = trial.build(submission)(*trial.first_case(draw)[1])
    yield
    weights, *_ = _tensors(called.value.output)
    later = weights.triu(diagonal=1) if weights.dim() == 2 else weights[:0]
    if later.any():
        largest = float(later.abs().max())
        text = f"Expected weights of exactly 0 for later tokens, got up to {largest:.2g}."
        raise Wrong("wrong values", text)


def keeps_the_past(module: Module, operation: Operation, before: Reply[Called], draw: Draw) -> Law:
    """Law: changing tokens changes no result of earlier tokens.

    before: the reply to the unchanged inputs, which have four tokens or more: results of the right
    shapes. Tokens lie along the last dimension but one of inputs and results, (..., T, d), or along
    the last one of whole numbers, (..., T).
    """
    inputs = operation.inputs
    after = module(*(x if isinstance(x, int) else changed_from(x, UNCHANGED, draw) for x in inputs))
    yield
    for old, new in pairs(before, after):
        if old.shape != new.shape:
            raise Wrong("wrong shape", "Two calls give results of different shapes.")
        if not is_close(old[..., :UNCHANGED, :], new[..., :UNCHANGED, :], operation):
            text = f"The results of tokens 0 and 1 change when token {UNCHANGED} and later ones do."
            raise Wrong("looks into the future", text)


def survives_large_scores(
    submission: Client, ours: Module, theirs: Module, label: str, operation: Operation
) -> Law:
    """Law: with inputs scaled up, so that scores reach about 10,000, the result stays right.

    Tested in float64 only: in float32, rounding a score of 10,000 may change which of two keys
    wins.
    """
    inputs = [x if isinstance(x, int) else x * ROOT_OF_LARGE for x in operation.inputs]
    got, want = ours(*inputs), theirs(*inputs)
    yield
    label = f"{label}, scores of 10,000"
    operation = replace(operation, inputs=inputs, condition=scores(ROOT_OF_LARGE**2))
    with showing("extreme numbers"):
        assert_agree(submission, label, got.value, want.value, operation)


def leaves_its_arguments_alone(called: Reply[Called], label: str = "") -> Law:
    """Law: a call does not modify its arguments. label: describes the case."""
    yield
    if called.value.changed:
        which = ", ".join(str(i) for i in called.value.changed)
        text = f"{label}{': ' * bool(label)}Your code modified argument {which} in place."
        raise Wrong("changed its argument", text)


def leaves_settings_alone(called: Reply[Called]) -> Law:
    """Law: a call does not change the seed, default type or gradient mode of the whole program."""
    yield
    if called.value.disturbed:
        which = " and ".join(called.value.disturbed)
        text = f"The call changes {which} for the rest of the program."
        raise Wrong("changed a setting", text)


def builds_without_changing_settings(module: Module) -> Law:
    """Law: building a module does not change the seed, default type or gradient mode.

    module: built for this question (keep=False).
    """
    yield
    if module.built.value:
        which = " and ".join(module.built.value)
        text = f"Building it changes {which} for the rest of the program."
        raise Wrong("changed a setting", text)


def keeps_single_precision(called: Reply[Called]) -> Law:
    """Law: float32 inputs give float32 results. called: the reply to a call in float32."""
    yield
    if any(tensor.dtype is torch.float64 for tensor in _tensors(called.value.output)):
        text = "The result is float64 although the input is float32: create tensors with its dtype."
        raise Wrong("wrong type", text)


def keeps_sequences_apart(
    module: Module, operation: Operation, before: Reply[Called], draw: Draw
) -> Law:
    """Law: changing the other sequences of a batch does not change the result of one.

    before: the reply to the unchanged inputs, a batch of three or more.
    """
    inputs, i = operation.inputs, middle(operation)
    after = module(*(x if isinstance(x, int) else changed_around(x, i, draw) for x in inputs))
    yield
    for old, new in pairs(before, after):
        if old.shape != new.shape or old.shape[:1] != sizes(operation)[:1]:
            raise Wrong("wrong shape", "Expected a batch dimension in the result: (B, ...).")
        if not is_close(old[i], new[i], operation):
            text = f"The result of sequence {i} of a batch changes when the others change."
            raise Wrong("sequences influence each other", text)


def keeps_loaded_values(module: Module, weights: Mapping[str, Tensor]) -> Law:
    """Law: each parameter holds the numbers that were loaded into it, in its own type.

    module: in the type it was built in, since a change of type may separate parameters that share
    memory.
    """
    kept = module.values()
    yield
    for name, weight in weights.items():
        own = kept.value.get(name)
        if own is None:
            raise Wrong("wrong parameters", f"{name} is not a registered parameter.")
        if own.shape != weight.shape or not torch.equal(own, weight.to(own.dtype)):
            text = (
                f"After load_state_dict, {name} does not hold the numbers put into it. Does it "
                "share its tensor with another parameter?"
            )
            raise Wrong("parameters are not independent", text)


def has_loadable_state(module: Module, second: Module) -> Law:
    """Law: the module's state_dict can be loaded into a second one."""
    handed = module.hand_over(second)
    yield
    handed.value  # noqa: B018  (raises StepFailed if it failed)


def has_complete_state(
    module: Module, second: Module, operation: Operation, before: Reply[Called]
) -> Law:
    """Law: a second module with the same state_dict gives the same result.

    before: the reply of `module` to the inputs of the operation.
    """
    module.hand_over(second)
    after = second(*operation.inputs)
    yield
    for old, new in pairs(before, after):
        if not is_close(old, new, operation):
            text = "A second module with the same state_dict gives another result."
            raise Wrong("state is not complete", text)


def moves_to_another_device(module: Module, inputs: Sequence[Input], *others: Module) -> Law:
    """Law: on another device, the module uses, expects and returns no tensor on the CPU.

    others: the same module in other states, one of which may do so instead.
    """
    moved = [one.move(*inputs) for one in (module, *others)]
    yield
    found = [one.value for one in moved]
    if not all(found):
        return
    [operation, *_] = found[0]
    if operation == NUMPY:
        text = (
            "On another device (e.g. a GPU) a tensor cannot be converted to NumPy: copy it to the "
            "CPU first, with `.cpu()`."
        )
    else:
        text = (
            f"On another device (e.g. a GPU) `{operation}` would use a tensor that stays on "
            "the CPU: one that is not registered, or is created without device=."
        )
    raise Wrong("stays behind when moved", text)


def sizes(operation: Operation) -> torch.Size:
    """Return the shape of the first tensor among the inputs."""
    return next(x.shape for x in operation.inputs if not isinstance(x, int))


def middle(operation: Operation) -> int:
    """Return the index of the sequence of a batch that stays unchanged."""
    return sizes(operation)[0] // 2


def changed_around(tensor: Tensor, sequence: int, draw: Draw) -> Tensor:
    """Return a copy of a batch with other numbers in all sequences except one."""
    is_real = tensor.is_floating_point()
    changed = draw.normal(*tensor.shape).clone() if is_real else tensor.flip(-1)
    changed[sequence] = tensor[sequence]
    return changed


def rolled(inputs: Sequence[Input]) -> list[Input]:
    """Return the inputs with sequences rolled by one, or tokens where there is no batch."""
    return [x if isinstance(x, int) else x.roll(1, dims=0) for x in inputs]


def changed_from(tensor: Tensor, token: int, draw: Draw) -> Tensor:
    """Return a copy with other numbers at the given token and all later ones."""
    changed = tensor.clone()
    if tensor.is_floating_point():
        changed[..., token:, :] = draw.normal(*tensor.shape)[..., token:, :]
    else:
        changed[..., token:] = tensor[..., token:].flip(0)  # those of other sequences
    return changed


def pairs(one: Reply[Called], other: Reply[Called]) -> Iterator[tuple[Tensor, Tensor]]:
    """Pair the tensors in the results of two calls, of which there is at least one.

    Raises Wrong if the results differ in kind.
    """
    ours, theirs = _tensors(one.value.output), _tensors(other.value.output)
    if not ours:
        raise Wrong("wrong kind of result", "Expected numbers, got an empty tuple or list.")
    if len(ours) != len(theirs):
        raise Wrong("wrong kind of result", "Two calls give results of different kinds.")
    return zip(ours, theirs, strict=True)


def _tensors(output: object) -> list[Tensor]:
    """Return the tensors in an output. Raises Wrong if it contains anything else."""
    if isinstance(output, list):
        return [tensor for item in output for tensor in _tensors(item)]
    if isinstance(output, Tensor) and output.is_floating_point():
        return [output]
    text = f"Expected a tensor of floating-point numbers, got {described(output)}."
    raise Wrong("wrong kind of result", text + missing_return(output))


def is_close(old: Tensor, new: Tensor, operation: Operation) -> bool:
    """Return whether two results have one shape and agree within rounding in the coarser type.

    They are a submission's, which may not be right: NaN agrees with NaN, infinity with itself.
    """
    if old.shape != new.shape:
        return False
    odd = ~old.isfinite() & ((old == new) | (old.isnan() & new.isnan()))
    old, new = old.masked_fill(odd, 0), new.masked_fill(odd, 0)
    try:
        assert_same_numbers("", new, old, operation, precision([old, new], old.dtype))
    except Wrong:
        return False
    return True
