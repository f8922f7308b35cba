"""What holds for every module of the course, each law written once.

A law first asks what it needs to know of a module, then yields, then judges the replies and
raises Wrong (or Trouble, when the submission could not do what it was asked). So several laws
put to `hold` together cost one question.
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
    precision,
    showing,
)
from autograder.checking.draw import Draw
from autograder.checking.tolerance import Operation, scores
from autograder.checking.trial import Trial
from autograder.client import Called, Client, Input, Module, Reply

Law = Iterator[None]
PAST = 2  # tokens before those that are changed
ROOT_OF_LARGE = 100.0  # scores of 10,000 overflow exp in float64 as in float32


def hold(*laws: Law) -> None:
    """Let every law ask, then let every law judge."""
    for law in laws:
        next(law)
    for law in laws:
        next(law, None)


def gives_right_numbers(
    submission: Client, label: str, ours: Reply[Called], theirs: Reply[Called], operation: Operation
) -> Law:
    """The result is the reference's: what else may be said of a result is worth no point before.

    Held behind other laws, which say more of what is wrong; what differs, the checks tell that
    compare the same case. label: the case in words.
    """
    yield
    try:
        assert_agree(submission, label, ours.value, theirs.value, operation)
    except Wrong as wrong:
        wrong.args = ("That holds, but counts only once the result is right.",)
        raise


def takes_one_go(submission: Client, few: Trial, many: Trial, draw: Draw) -> Law:
    """It takes no more operations for many tokens than for few."""
    counts = []
    for trial in (few, many):
        inputs = next(iter(trial.cases(draw).values()))
        counts.append(
            (sizes(trial.operation(inputs))[-2], trial.build(submission).operations(*inputs))
        )
    yield
    (T, first), (longer, second) = ((tokens, count.value) for tokens, count in counts)
    if second - first >= longer - T:
        text = (
            f"{first} operations on tensors for {T} tokens, {second} for {longer}: this exercise "
            "asks for one product that serves all tokens, without a loop over them."
        )
        raise Wrong("loops over tokens", text)


def takes_one_product(submission: Client, trial: Trial, draw: Draw) -> Law:
    """The first case of a function takes one matrix product with its input, no more and no less."""
    inputs = next(iter(trial.cases(draw).values()))
    tokens = sizes(trial.operation(inputs))[-2]
    products = trial.build(submission).products(*inputs, tokens=tokens)
    yield
    if products.value != 1:
        many = "several" if products.value else "none, or adds up along the sequence"
        text = f"This exercise asks for one matrix product for the whole batch; it takes {many}."
        raise Wrong("not one product", text)


def computes_exponentials(submission: Client, trial: Trial, draw: Draw) -> Law:
    """The weights of the first case come from a softmax, or from exponentials."""
    inputs = next(iter(trial.cases(draw).values()))
    tokens = sizes(trial.operation(inputs))[-2]
    found = trial.build(submission).exponentials(*inputs, tokens=tokens)
    yield
    if not found.value:
        text = "No softmax is computed on the way: the weights should be made out of scores by one."
        raise Wrong("no softmax", text)


def keeps_the_past(module: Module, operation: Operation, before: Reply[Called], draw: Draw) -> Law:
    """Changing tokens leaves every result before them as it was.

    before: the reply to the inputs as they are. The tokens of its inputs, and those of the results,
    lie along the last dimension but one; those of whole numbers along the last. There are four or
    more.
    """
    inputs = operation.inputs
    after = module(*(x if isinstance(x, int) else changed_from(x, PAST, draw) for x in inputs))
    yield
    for old, new in pairs(before, after):
        if old.shape != new.shape or old.dim() < 2:
            raise Wrong("wrong shape", "The result has no place for its tokens.")
        if not is_close(old[..., :PAST, :], new[..., :PAST, :], operation):
            text = f"The results of tokens 0 and 1 change when token {PAST} and later ones do."
            raise Wrong("looks into the future", text)


def survives_large_scores(
    submission: Client, ours: Module, theirs: Module, label: str, operation: Operation
) -> Law:
    """With scores of about 10,000, since the inputs are enlarged, the result is finite and right.

    Asked in float64 only: in float32 a rounded score of 10,000 may rightly tip the balance of two
    keys.
    """
    inputs = [x if isinstance(x, int) else x * ROOT_OF_LARGE for x in operation.inputs]
    got, want = ours(*inputs), theirs(*inputs)
    yield
    label = f"{label}, scores of 10,000"
    operation = replace(operation, inputs=inputs, condition=scores(ROOT_OF_LARGE**2))
    with showing("extreme numbers"):
        assert_agree(submission, label, got.value, want.value, operation)


def leaves_its_arguments_alone(called: Reply[Called]) -> Law:
    """The tensors that it was given are the same afterwards."""
    yield
    if called.value.changed:
        which = ", ".join(str(i) for i in called.value.changed)
        text = f"After the call, argument {which} is no longer what it was."
        raise Wrong("changed its argument", text)


def leaves_settings_alone(called: Reply[Called]) -> Law:
    """A call sets no seed, default type or gradient mode, which belong to the whole program."""
    yield
    if called.value.disturbed:
        which = " and ".join(called.value.disturbed)
        text = f"The call changes {which}, for everything that comes after it."
        raise Wrong("changed a setting", text)


def is_built_quietly(module: Module) -> Law:
    """Building a module sets no seed, default type or gradient mode. module: built anew."""
    yield
    if module.built.value:
        which = " and ".join(module.built.value)
        text = f"Building it changes {which}, for everything that comes after it."
        raise Wrong("changed a setting", text)


def keeps_single_precision(called: Reply[Called]) -> Law:
    """float32 in gives float32 out. called: the reply to a call in float32."""
    yield
    if any(tensor.dtype is torch.float64 for tensor in _tensors(called.value.output)):
        text = "The result is float64 although the input is float32; it takes twice the memory."
        raise Wrong("wrong type", text)


def keeps_sequences_apart(
    module: Module, operation: Operation, before: Reply[Called], draw: Draw
) -> Law:
    """Changing the sequences before and behind one leaves its result as it was.

    before: the reply to the inputs as they are, a batch of three or more.
    """
    inputs, i = operation.inputs, middle(operation)
    after = module(*(x if isinstance(x, int) else changed_around(x, i, draw) for x in inputs))
    yield
    for old, new in pairs(before, after):
        if old.shape != new.shape or old.shape[:1] != sizes(operation)[:1]:
            raise Wrong("wrong shape", "The result of a batch has no place for its sequences.")
        if not is_close(old[i], new[i], operation):
            text = f"The result of sequence {i} of a batch changes when the others change."
            raise Wrong("sequences influence each other", text)


def is_the_same_again(module: Module, operation: Operation, first: Reply[Called]) -> Law:
    """Asked again after eval(), it gives the same result as at first, in training."""
    again = module.eval()(*operation.inputs)
    module.train()
    yield
    for old, new in pairs(first, again):
        if old.shape != new.shape:
            text = "The same input gives another shape after eval()."
            raise Wrong("wrong shape", text, symptom="evaluation")
        if broken := int((~old.isfinite()).sum()):  # NaN is never the same
            text = f"{broken} of {old.numel()} numbers of the result are NaN or infinite."
            raise Wrong("not finite", text)
        with showing("evaluation"):
            assert_same_numbers("The same input after eval()", new, old, operation, old.dtype)


def forgets_other_calls(module: Module, operation: Operation, first: Reply[Called]) -> Law:
    """After eval(), a call with other inputs of the same shapes leaves no trace in the next one."""
    module.eval()(*rolled(operation.inputs))
    again = module(*operation.inputs)
    module.train()
    yield
    for old, new in pairs(first, again):
        if old.shape != new.shape or not is_close(old, new, operation):
            text = (
                "After eval(), an input gives another result when other numbers of the same shape "
                "came before it. Does a call keep something for the next one?"
            )
            raise Wrong("another result", text, symptom="earlier call")


def keeps_its_numbers(module: Module, weights: Mapping[str, Tensor]) -> Law:
    """Each parameter keeps the numbers of its own that were put into it, in whatever type.

    module: as it was built, since another type may part what shared a memory.
    """
    kept = module.values()
    yield
    for name, weight in weights.items():
        own = kept.value.get(name)
        if own is None:
            raise Wrong("wrong parameters", f"{name} is not among the registered parameters.")
        if own.shape != weight.shape or not torch.equal(own.double(), weight.double()):
            text = (
                f"After load_state_dict, {name} does not hold the numbers put into it. Is it one "
                "tensor with another?"
            )
            raise Wrong("parameters are not independent", text)


def hands_over_its_state(module: Module, second: Module) -> Law:
    """Its state_dict can be loaded into a second one."""
    handed = module.hand_over(second)
    yield
    handed.value  # noqa: B018  (raises what went wrong)


def is_all_in_its_state(
    module: Module, second: Module, operation: Operation, before: Reply[Called]
) -> Law:
    """A state_dict makes a second module equal.

    module gave `before` for the inputs of the operation.
    """
    module.hand_over(second)
    after = second(*operation.inputs)
    yield
    for old, new in pairs(before, after):
        if old.shape != new.shape or not is_close(old, new, operation):
            text = "A second one with the same state_dict gives another result."
            raise Wrong("state is not complete", text)


def moves_as_a_whole(
    submission: Client, module: Module, inputs: Sequence[Input], first: Reply[Called]
) -> Law:
    """Moved to another device, it leaves no tensor behind and makes none elsewhere.

    first: the reply to the inputs where they are. Where that is float32 for float64, new tensors
    are made with neither type nor device: this was remarked on, and costs no points.
    """
    moved = module.move(*inputs)
    yield
    if moved.value:
        text = (
            f"On another device (a GPU, say) `{moved.value[0]}` would meet a tensor that stayed on "
            "the CPU: one that is not registered, or was made without device=."
        )
        if any(tensor.dtype is torch.float32 for tensor in _tensors(first.value.output)):
            submission.note(text)
            return
        raise Wrong("stays behind when moved", text)


def sizes(operation: Operation) -> torch.Size:
    """The shape of the first tensor."""
    return next(x.shape for x in operation.inputs if not isinstance(x, int))


def middle(operation: Operation) -> int:
    """The sequence of a batch that stays as it is."""
    return sizes(operation)[0] // 2


def changed_around(tensor: Tensor, sequence: int, draw: Draw) -> Tensor:
    """The same with other numbers in all sequences but one."""
    is_real = tensor.is_floating_point()
    changed = draw.normal(*tensor.shape).clone() if is_real else tensor.flip(-1)
    changed[sequence] = tensor[sequence]
    return changed


def rolled(inputs: Sequence[Input]) -> list[Input]:
    """The same tensors, each sequence in the place of the next one, or each token if there is one
    sequence only."""
    return [x if isinstance(x, int) else x.roll(1, dims=0) for x in inputs]


def changed_from(tensor: Tensor, token: int, draw: Draw) -> Tensor:
    """The same with other numbers at the given token and behind it."""
    changed = tensor.clone()
    if tensor.is_floating_point():
        changed[..., token:, :] = draw.normal(*tensor.shape)[..., token:, :]
    else:
        changed[..., token:] = tensor[..., token:].flip(0)  # those of other sequences
    return changed


def pairs(one: Reply[Called], other: Reply[Called]) -> Iterator[tuple[Tensor, Tensor]]:
    """The tensors in the results of two calls, side by side."""
    ours, theirs = _tensors(one.value.output), _tensors(other.value.output)
    if len(ours) != len(theirs):
        raise Wrong("wrong kind of result", "Two calls give results of different kinds.")
    return zip(ours, theirs, strict=True)


def _tensors(output: object) -> list[Tensor]:
    """The tensors in an output. Raises Wrong where there is something else in it."""
    if isinstance(output, list):
        return [tensor for item in output for tensor in _tensors(item)]
    if isinstance(output, Tensor) and output.is_floating_point():
        return [output]
    text = f"Expected floating-point numbers, got {described(output)}."
    raise Wrong("wrong kind of result", text)


def is_close(old: Tensor, new: Tensor, operation: Operation) -> bool:
    """Do two results of a call agree within rounding, in the coarser of their types?"""
    try:
        assert_same_numbers("", new, old, operation, precision([old, new], old.dtype))
    except Wrong:
        return False
    return True
