"""Questions about an implementation: the steps of a conversation, and what answers each of them.

The grader builds these objects, and the interpreter carries them out, in a child or in the grader.
Steps refer to the objects that they build by number. The answer to a step is `{"value": ...}`, of
the type given below, or `{"problem": ...}`, as in Source.problem.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

SEED = 20170612  # for dropout and other random numbers, so that grades are reproducible

Input = Tensor | int
Inputs = tuple[Input, ...]
Names = tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Seed:
    """Seed PyTorch's random numbers. Answer: None."""

    number: int


@dataclass(frozen=True, eq=False)
class ObjectStep:
    """A step about object number `of`."""

    of: int


@dataclass(frozen=True, eq=False)
class CallStep(ObjectStep):
    """A step that calls the object on inputs."""

    inputs: Inputs


# Steps that make and change objects


@dataclass(frozen=True, eq=False)
class Build(ObjectStep):
    """Build the object from the class `name`, with parameters of a dtype.

    keep: reuse the object that an earlier step built in the same way, if there is one. A kept
    object is built from the question's seed, so it does not matter which step built it.
    as_built: leave its numbers in the types that its author gave them, also later.
    Answer: the PyTorch settings that the constructor changed, list[str], or None.
    """

    name: str
    arguments: tuple[Any, ...]
    named: dict[str, Any]
    dtype: torch.dtype
    keep: bool = False
    as_built: bool = False


@dataclass(frozen=True, eq=False)
class Take(ObjectStep):
    """Make the object from the function `name`, as if it were a module.

    projections: linear layers that the function gets after its inputs, name -> (input features,
    output features). bias: whether they have one. Answer: None.
    """

    name: str
    projections: dict[str, tuple[int, int]]
    dtype: torch.dtype
    bias: bool = False


@dataclass(frozen=True, eq=False)
class Load(ObjectStep):
    """Copy weights into the parameters, or into tensors that serve as such, by dotted name.

    Answer: None. If names or shapes differ, a problem of kind 'names'.
    """

    weights: dict[str, Tensor]


@dataclass(frozen=True, eq=False)
class HandOver(ObjectStep):
    """Load the object's state_dict strictly into object number `to`. Answer: None."""

    to: int


@dataclass(frozen=True, eq=False)
class Train(ObjectStep):
    """Switch to training or, if not `mode`, to evaluation mode. Answer: None."""

    mode: bool


# Steps that call an object


@dataclass(frozen=True, eq=False)
class Call(CallStep):
    """Call the object; floating-point inputs are converted to its dtype.

    gradient: also compute that of sum(output * w), where w = cos(0, 1, 2, ...) in the output's
    shape. strided: pass inputs that are not contiguous in memory. anew: start from the same random
    state as every other call with `anew`; if False, from a different one.
    Answer: {"output": as values.as_data returns it, "changed": indices of the inputs that the call
    modified, "gradients": {"inputs": list, "parameters": by name} in the shapes of the inputs and
    parameters, or None}, and "disturbed" with the PyTorch settings that it changed, if any.
    """

    dtype: torch.dtype
    gradient: bool = False
    strided: bool = False
    anew: bool = True


@dataclass(frozen=True, eq=False)
class Descend(CallStep):
    """Train the object by gradient descent on the cross-entropy of its logits (B, T, classes).

    targets: (B, T), the correct index at each position.
    Answer: the loss before each step in nats, list[float]; 1e300 if it is not finite.
    """

    targets: Tensor
    steps: int


@dataclass(frozen=True, eq=False)
class Operations(CallStep):
    """Call the object and count its tensor operations. Answer: int."""

    dtype: torch.dtype


@dataclass(frozen=True, eq=False)
class Products(CallStep):
    """Call the object and count its matrix products over `tokens` tokens.

    Answer: 0, 1, or 2 for two or more; 0 if it uses a cumulative sum instead.
    """

    dtype: torch.dtype
    tokens: int


@dataclass(frozen=True, eq=False)
class Exponentials(CallStep):
    """Call the object on `tokens` tokens and see whether it computes exponentials, as a softmax.

    Answer: bool.
    """

    dtype: torch.dtype
    tokens: int


@dataclass(frozen=True, eq=False)
class Held(CallStep):
    """Call the object and measure how many numbers the tensors on its way hold at the same time.

    Answer: int, the most.
    """

    dtype: torch.dtype


@dataclass(frozen=True, eq=False)
class Rounds(CallStep):
    """Call the object and see whether it rounds to another dtype on the way. Answer: bool."""

    dtype: torch.dtype


@dataclass(frozen=True, eq=False)
class Hooked(CallStep):
    """Call the object and count how often a forward hook on it fires. Answer: int."""

    dtype: torch.dtype


RETURN = "return"  # Python's keyword, so no operation has this name
NUMPY = "numpy"  # no operation of PyTorch


@dataclass(frozen=True, eq=False)
class Move(CallStep):
    """Call the object on another device and list the operations that mix two devices.

    Answer: their names, list[str]; the last one is RETURN if a tensor that it returns is not there,
    and NUMPY if it fails because it converts a tensor there to NumPy.
    """

    dtype: torch.dtype


# Steps that inspect an object


@dataclass(frozen=True, eq=False)
class Parameters(ObjectStep):
    """List the registered parameters.

    Answer: name -> {"shape": list[int], "trained": bool, "first": the first name of the same
    parameter, which is another one if it is registered twice}. The shape of an uninitialized lazy
    parameter is [].
    """


@dataclass(frozen=True, eq=False)
class Buffers(ObjectStep):
    """List the registered buffers. Answer: as for Parameters."""


@dataclass(frozen=True, eq=False)
class Values(ObjectStep):
    """Read the values of the registered parameters.

    Answer: name -> tensor in its own shape, or None before a lazy one is initialized.
    """


@dataclass(frozen=True, eq=False)
class State(ObjectStep):
    """Read attributes that are tensors.

    Answer: name -> {"numbers": tensor, "graph": whether it has an autograd graph}, without others.
    """

    names: Names


@dataclass(frozen=True, eq=False)
class Listed(ObjectStep):
    """Call parameters() of a plain object. Answer: attribute names, "?" for other tensors."""


@dataclass(frozen=True, eq=False)
class Lacking(ObjectStep):
    """Find submodules that are missing, shared or of the wrong class.

    parts: attribute name -> required class or base class, by its own name or by its name in the
    student's module; "" allows any class. Answer: name -> the wrong class's name, "" if missing,
    or the name of an earlier one of these parts that is the same object.
    """

    parts: dict[str, str]


@dataclass(frozen=True, eq=False)
class Training(ObjectStep):
    """Read whether the attribute `training` is True. Answer: bool."""


@dataclass(frozen=True, eq=False)
class Differentiated(ObjectStep):
    """Find which of these attributes are tensors that require a gradient. Answer: list[str]."""

    names: Names


@dataclass(frozen=True, eq=False)
class Matrices(ObjectStep):
    """Find matrices that are plain attributes, neither parameters nor buffers.

    Answer: their names, list[str].
    """


Making = Seed | Build | Take | Load | HandOver | Train
Calling = Call | Descend | Operations | Products | Exponentials | Held | Rounds | Hooked | Move
Inspecting = (
    Parameters | Buffers | Values | State | Listed | Lacking | Training | Differentiated | Matrices
)
Step = Making | Calling | Inspecting


@dataclass(frozen=True, eq=False)
class Question:
    """Steps of one conversation that are asked together.

    fresh: whether they begin the conversation. seed: of the random numbers.
    """

    steps: Sequence[Step]
    fresh: bool = True
    seed: int = SEED
