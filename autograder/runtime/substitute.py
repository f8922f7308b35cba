"""Substitutes for wrong exercises: classes and functions whose computation runs in the grader.

The substitute for a class is a module with its own parameters. For outputs and gradients both kinds
ask the reference server, so the student's process never contains the reference's code.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

import torch
from torch import Tensor, nn
from torch.autograd.function import once_differentiable

from autograder.runtime.consultations import (
    CallRequest,
    GradientRequest,
    MakeRequest,
    Request,
    request_data,
)

Consult = Callable[[dict[str, Any]], Any]  # sends a request as data, returns the response


class Unsuited(AttributeError):
    """Code used a substitute in a way that the exercise does not offer."""

    def __init__(self, exercise: str, text: str) -> None:
        super().__init__(f"{exercise}, as the statement defines it, {text}")
        self.exercise = exercise


class Remote:
    """An object of an exercise's class, or a call of its function, in the reference server.

    consult: asks the server. arguments, named: as in MakeRequest.
    """

    def __init__(
        self, exercise: str, consult: Consult, arguments: list[Any], named: dict[str, Any]
    ) -> None:
        self.exercise = exercise
        self._consult = consult
        self._arguments, self._named = arguments, named

    def made(self) -> tuple[str, list[Any], dict[str, Any], Tensor]:
        """Return the fields of a MakeRequest, with this process's random state."""
        random = torch.default_generator.get_state()
        return self.exercise, self._arguments, self._named, random

    def ask(self, request: Request) -> dict[str, Any]:
        """Return the reference server's answer, and continue with its random state.

        Raises Unsuited.
        """
        try:
            answer = self._consult(request_data(request))
        except (TypeError, ValueError, KeyError, AttributeError) as error:  # from encoding it
            raise Unsuited(self.exercise, f"is not used so: {error}") from None
        if "problem" in answer:
            raise Unsuited(self.exercise, answer["problem"])
        if "random" in answer:
            torch.default_generator.set_state(answer["random"])
        found: dict[str, Any] = answer["value"]
        return found

    def call(self, inputs: Sequence[Any], parameters: dict[str, Tensor], training: bool) -> Any:
        """Return the outputs, through which gradients flow. Raises Unsuited."""
        given = [*inputs, *parameters.values()]
        if not given or not all(isinstance(value, Tensor) for value in given):
            raise Unsuited(self.exercise, "is called on tensors only")
        try:
            return _Consulted.apply(self, list(parameters), training, *given)  # type: ignore[no-untyped-call]
        except RuntimeError as error:  # torch.func, for example, cannot trace it
            raise Unsuited(self.exercise, f"cannot do this: {error}") from None


class Substitute(nn.Module):
    """A module that replaces one exercise; `consult` asks the reference server."""

    exercise: ClassVar[str]
    consult: ClassVar[Consult]

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__()
        self._remote = Remote(self.exercise, type(self).consult, list(arguments), named)
        made = self._remote.ask(MakeRequest(*self._remote.made()))
        for name, numbers in made["parameters"].items():
            _register(self, name.split("."), nn.Parameter(numbers))

    def forward(self, *inputs: Any) -> Any:
        return self._remote.call(inputs, dict(self.named_parameters()), self.training)

    def __getattr__(self, name: str) -> Any:
        try:
            return super().__getattr__(name)
        except AttributeError:
            raise Unsuited(self.exercise, f"need not have an attribute {name}") from None


def substitute(exercise: str, consult: Consult) -> type[Substitute]:
    """Return the class that replaces an exercise."""
    return type(exercise, (Substitute,), {"exercise": exercise, "consult": staticmethod(consult)})


def substitute_function(exercise: str, consult: Consult) -> Callable[..., Any]:
    """Return the function that replaces an exercise.

    It is called on tensors, numbers and linear layers.
    """

    def function(*arguments: Any, **named: Any) -> Any:
        tensors: list[Tensor] = []
        placed = [_placed(value, tensors) for value in arguments]
        by_name = {name: _placed(value, tensors) for name, value in named.items()}
        return Remote(exercise, consult, placed, by_name).call(tensors, {}, training=True)

    function.__name__ = function.__qualname__ = exercise
    return function


def _placed(value: Any, tensors: list[Tensor]) -> Any:
    """Append the tensors of a function's argument; return what stands for it in a request."""
    first = len(tensors)
    if isinstance(value, Tensor):
        tensors.append(value)
        return {"input": first}
    if isinstance(value, nn.Linear) and type(value).forward is nn.Linear.forward:
        own = [value.weight] if value.bias is None else [value.weight, value.bias]
        tensors += own
        return {"linear": list(range(first, first + len(own)))}
    return value


class _Consulted(torch.autograd.Function):
    """The outputs of a substitute, as a function of its inputs and its named parameters."""

    @staticmethod
    def forward(ctx: Any, remote: Remote, names: list[str], training: bool, *given: Tensor) -> Any:
        ctx.remote, ctx.names, ctx.training = remote, names, training
        ctx.random = torch.default_generator.get_state()
        ctx.save_for_backward(*given)
        found = remote.ask(CallRequest(*remote.made(), *_sent(ctx, given)))["output"]
        outputs = [t.to(next(iter(given)).device) for t in found]
        return tuple(outputs) if len(outputs) > 1 else outputs[0]

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, *gradients: Tensor) -> Any:
        after = torch.default_generator.get_state()
        torch.default_generator.set_state(ctx.random)
        remote: Remote = ctx.remote
        sent = _sent(ctx, ctx.saved_tensors)
        found = remote.ask(GradientRequest(*remote.made(), *sent, list(gradients)))["gradients"]
        torch.default_generator.set_state(after)
        return None, None, None, *found


def _sent(ctx: Any, given: Sequence[Tensor]) -> tuple[list[Tensor], dict[str, Tensor], bool]:
    """Return the fields of a CallRequest beyond MakeRequest."""
    sent = [t.detach().cpu() for t in given]
    count = len(sent) - len(ctx.names)
    parameters = dict(zip(ctx.names, sent[count:], strict=True))
    return sent[:count], parameters, ctx.training


def _register(module: nn.Module, path: list[str], parameter: nn.Parameter) -> None:
    *inner, name = path
    for part in inner:
        if part not in module._modules:
            module.add_module(part, nn.Module())
        module = module.get_submodule(part)
    module.register_parameter(name, parameter)
