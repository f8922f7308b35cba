"""Requests of substitutes to the reference server.

A substitute runs beside a student's code, so the server reads its requests strictly.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from torch import Tensor


@dataclass(frozen=True, eq=False)
class MakeRequest:
    """Ask for the parameters of a new object of the reference's class.

    exercise: the name of the class, or of a function. arguments, named: of the constructor, plain
    numbers; or of the function's call, in which {"input": i} stands for input number i, and
    {"linear": [i, j]} for a linear layer with inputs i and j as weight and bias, or without a bias.
    random: the state of the random numbers, from which the reference continues.
    Response: {"parameters": name -> tensor, "inputs": {"": the names of a call's arguments; name of
    a module in it -> the same for that}, "linear": the names of the linear layers in it}. If the
    class is a plain one, the parameters are all of its tensors, and there are also "listed": the
    names of those that its parameters() lists, and "numbers": name -> number.
    """

    exercise: str
    arguments: list[Any]
    named: dict[str, Any]
    random: Tensor


@dataclass(frozen=True, eq=False)
class CallRequest(MakeRequest):
    """Ask for the outputs of such an object with these parameters, or of a function's call.

    part: the name of a module in the object, which is called in its place with its own parameters,
    or "". Response: {"output": list of tensors}. If the class is a plain one: its result, and then
    all of its tensors after the call.
    """

    inputs: list[Tensor]
    parameters: dict[str, Tensor]
    training: bool
    part: str


@dataclass(frozen=True, eq=False)
class GradientRequest(CallRequest):
    """Ask for the gradients of inputs and parameters, given those of the outputs.

    gradients: in the shapes of the outputs. Answer: {"gradients": list of tensors}, in the shapes
    of the inputs and then of the parameters; zeros for whole numbers.
    """

    gradients: list[Tensor]


Request = MakeRequest | CallRequest | GradientRequest
VERBS: dict[type[Request], str] = {
    MakeRequest: "make",
    CallRequest: "call",
    GradientRequest: "slopes",
}


def request_data(request: Request) -> dict[str, Any]:
    """Return a request as a tree for wire.encode."""
    fields = dict(vars(request))
    return {"do": VERBS[type(request)], "of": fields.pop("exercise"), **fields}
