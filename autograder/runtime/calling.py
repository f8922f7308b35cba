"""Carry out the steps that call an object."""

from __future__ import annotations

import contextlib
import math
from typing import Any

import torch
from torch import Tensor, nn

from autograder.runtime.dispatch import (
    AsGPU,
    AttentionOperations,
    CountOperations,
    NumbersHeld,
    OneDevice,
    Rounding,
    tensors,
)
from autograder.runtime.questions import (
    NUMPY,
    RETURN,
    Call,
    Descend,
    Exponentials,
    Held,
    Hooked,
    Inputs,
    Move,
    Operations,
    Products,
    Rounds,
)
from autograder.runtime.refused import as_module
from autograder.runtime.settings import restore, seed, settings
from autograder.runtime.values import (
    as_data,
    constants,
    derivatives,
    gradients,
    listed,
    output_of,
    own,
    registered,
    same,
    trained,
    typed,
    was_single,
)

RATE = 0.5  # learning rate of gradient descent
TO_NUMPY = "device type tensor to numpy"  # in PyTorch's message, which is the same for a GPU


def call(made: Any, step: Call, number: int, loaded: dict[str, Tensor]) -> dict[str, Any]:
    """Answer Call. number: the question's seed. loaded: tensors that training should change."""
    seed(number if step.anew else number + 1)
    inputs = typed(step.inputs, step.dtype)
    given = [own(value, step.strided) for value in inputs]
    wanted = [x for x in given if isinstance(x, Tensor) and x.is_floating_point()]
    named = {**trained(made), **loaded} if step.gradient else {}
    plain = [t for t in {**listed(made), **loaded}.values() if t.is_floating_point()]
    for tensor in [*wanted, *plain] if step.gradient else []:
        tensor.requires_grad_()
    with torch.set_grad_enabled(step.gradient):
        before = settings()
        output = output_of(made, given)
        disturbed = restore(before)
        arrived = gradients(output, wanted, named) if step.gradient else None
    changed = [i for i, old in enumerate(inputs) if not same(old, given[i])]
    if not step.gradient:  # otherwise they require gradients anyway
        tracked = [i for i, x in enumerate(given) if isinstance(x, Tensor) and x.requires_grad]
        changed = sorted({*changed, *tracked})
    found = {"output": as_data(output), "changed": changed, "gradients": arrived}
    return {**found, "disturbed": disturbed} if disturbed else found


def descend(made: Any, step: Descend) -> list[float]:
    """Answer Descend. The learning rate is RATE."""
    module = as_module(made).train()
    losses = []
    for _ in range(step.steps):
        logits = output_of(module, copies(step.inputs))
        loss = nn.functional.cross_entropy(logits.flatten(0, -2), step.targets.flatten())
        losses.append(float(loss.detach()))
        distinct = {id(p): p for p in registered(module).values()}  # shared ones only once
        parameters = [p for p in distinct.values() if p.requires_grad]
        found = derivatives(loss, parameters)
        with torch.no_grad():
            for parameter, gradient in zip(parameters, found, strict=True):
                if gradient is not None:
                    parameter.sub_(gradient, alpha=RATE)
    return [loss if math.isfinite(loss) else 1e300 for loss in losses]


def operations(made: Any, step: Operations) -> int:
    """Answer Operations."""
    with torch.no_grad(), CountOperations() as counting:
        output_of(made, copies(step.inputs, step.dtype))
    return counting.count


def products(made: Any, step: Products) -> int:
    """Answer Products."""
    watch = _watched(made, step)
    return 0 if watch.cumulative else min(watch.products, 2)


def exponentials(made: Any, step: Exponentials) -> bool:
    """Answer Exponentials."""
    return _watched(made, step).exponential


def _watched(made: Any, step: Products | Exponentials) -> AttentionOperations:
    with torch.no_grad(), AttentionOperations(step.tokens) as watch:
        output_of(made, copies(step.inputs, step.dtype))
    return watch


def held(made: Any, step: Held) -> int:
    """Answer Held."""
    inputs = copies(step.inputs, step.dtype)
    with torch.no_grad(), NumbersHeld() as watch:
        output_of(made, inputs)
    return watch.most


def rounds(made: Any, step: Rounds) -> bool:
    """Answer Rounds.

    An object is built in float32, and its constants are as coarse after a cast to another type.
    """
    given = copies(step.inputs, step.dtype)
    with torch.no_grad(), Rounding(step.dtype) as rounding:
        output_of(made, given)
    return rounding.found or any(map(was_single, constants(made)))


def hooked(made: Any, step: Hooked) -> int:
    """Answer Hooked."""
    fired: list[bool] = []
    with as_module(made).register_forward_hook(lambda *_: fired.append(True)):
        output_of(made, copies(step.inputs, step.dtype))
    return len(fired)


def move(made: Any, step: Move) -> list[str]:
    """Answer Move.

    The other device is `meta`, which is available on every machine.
    """
    watch, module = OneDevice(), as_module(made)
    inputs = typed(step.inputs, step.dtype)
    # A mixture is recorded where it raises RuntimeError. Other errors are not the student's, except
    # those of a GPU: code may insist on devices that it knows.
    with contextlib.suppress(Exception), watch, AsGPU(watch.mixed), torch.no_grad():
        there = [x.to("meta") if isinstance(x, Tensor) else x for x in inputs]
        try:
            output = output_of(module.to("meta"), there)
        except TypeError as error:
            return [*watch.mixed, NUMPY] if TO_NUMPY in str(error) else watch.mixed
        if not all(tensor.is_meta for tensor in tensors([output])):
            return [*watch.mixed, RETURN]
    return watch.mixed


def copies(inputs: Inputs, dtype: torch.dtype | None = None) -> list[Any]:
    """Return copies of the inputs, so that in the grader a call cannot change a check's tensors.

    dtype: of the floating-point ones; None for their own.
    """
    return [own(x, strided=False) for x in (typed(inputs, dtype) if dtype else inputs)]
