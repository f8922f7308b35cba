"""Substitutes for wrong exercises: classes and functions whose computation runs in the grader.

The substitute for a class has its own parameters, those for a module in a module. For outputs and
gradients all kinds ask the reference server, so the student's process never contains the
reference's code.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
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
from autograder.runtime.dispatch import uncounted
from autograder.runtime.wire import MAX_NUMBERS

Consult = Callable[[dict[str, Any]], Any]  # sends a request as data, returns the response


MOST = MAX_NUMBERS // 2  # bytes of a request's tensors; the grader refuses larger messages
# What encoding a request raises: it has, for example, a sparse tensor, or one of torch.func.
ENCODING = (TypeError, ValueError, KeyError, AttributeError, RuntimeError)


class Unsuited(AttributeError):
    """Code used a substitute in a way that the exercise does not offer."""

    def __init__(self, exercise: str, text: str) -> None:
        super().__init__(f"{exercise}, as the statement defines it, {text}")
        self.exercise = exercise


class Remote:
    """An object of an exercise's class, or a call of its function, in the reference server.

    consult: asks the server. arguments, named: as in MakeRequest. part: as in CallRequest.
    """

    def __init__(
        self,
        exercise: str,
        consult: Consult,
        arguments: list[Any],
        named: dict[str, Any],
        part: str = "",
    ) -> None:
        self.exercise, self.part = exercise, part
        self._consult = consult
        self._arguments, self._named = arguments, named

    def of_part(self, part: str) -> Remote:
        """Return a module in this object."""
        return Remote(self.exercise, self._consult, self._arguments, self._named, part)

    def made(self) -> tuple[str, list[Any], dict[str, Any], Tensor]:
        """Return the fields of a MakeRequest, with this process's random state."""
        random = torch.default_generator.get_state()
        return self.exercise, self._arguments, self._named, random

    def ask(self, request: Request) -> dict[str, Any]:
        """Return the reference server's answer, and continue with its random state.

        Raises Unsuited.
        """
        data = request_data(request)
        if _size(data) > MOST:
            raise Unsuited(self.exercise, "is not called on as much at once")
        try:
            answer = self._consult(data)
        except ENCODING as error:
            raise Unsuited(self.exercise, f"is not used so: {error}") from None
        if "problem" in answer:
            raise Unsuited(self.exercise, answer["problem"])
        if "random" in answer:
            torch.default_generator.set_state(answer["random"])
        found: dict[str, Any] = answer["value"]
        return found

    def in_order(
        self, names: Sequence[str], inputs: Sequence[Any], named: dict[str, Any]
    ) -> list[Any]:
        """Return the inputs of a call in the order of their names. Raises Unsuited."""
        following = names[len(inputs) : len(inputs) + len(named)]
        if {*following} != named.keys():
            raise Unsuited(self.exercise, f"is called with {', '.join(names)}")
        return [*inputs, *(named[name] for name in following)]

    def call(self, inputs: Sequence[Any], parameters: dict[str, Tensor], training: bool) -> Any:
        """Return the outputs, through which gradients flow. Raises Unsuited."""
        given = [*inputs, *parameters.values()]
        if not given or not all(isinstance(value, Tensor) for value in given):
            raise Unsuited(self.exercise, "is called on tensors only")
        try:
            return _consulted(self, list(parameters), training, given)
        except RuntimeError as error:  # torch.func.jacrev, for example, cannot trace it
            raise Unsuited(self.exercise, f"cannot do this: {error}") from None


def _size(data: dict[str, Any]) -> int:
    """Return how many bytes the tensors in a request have."""
    given = [*data.get("inputs", []), *data.get("gradients", [])]
    given += data.get("parameters", {}).values()
    return sum(tensor.numel() * tensor.element_size() for tensor in given)


class _Asking(nn.Module):
    """A module whose computation runs in the grader, and that has some parameters of its own."""

    exercise: str = ""
    _remote: Remote
    _inputs: list[str]

    def forward(self, *inputs: Any, **named: Any) -> Any:
        given = self._remote.in_order(self._inputs, inputs, named)
        return self._remote.call(given, dict(self.named_parameters()), self.training)

    def __getattr__(self, name: str) -> Any:
        try:
            return super().__getattr__(name)
        except AttributeError:
            raise Unsuited(self.exercise, f"need not have an attribute {name}") from None


class Substitute(_Asking):
    """A module that replaces one exercise; `consult` asks the reference server."""

    consult: ClassVar[Consult]

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__()
        self._remote = Remote(self.exercise, type(self).consult, list(arguments), named)
        made = self._remote.ask(MakeRequest(*self._remote.made()))
        self._inputs = made["inputs"][""]
        for part, inputs in made["inputs"].items():  # in their order, outer ones first
            if part in made["linear"]:
                _add(self, part, _linear(made["parameters"][f"{part}.weight"]))
            elif part:
                _add(self, part, _Part(self._remote.of_part(part), inputs))
        for name, numbers in made["parameters"].items():
            part, _, last = name.rpartition(".")
            self.get_submodule(part).register_parameter(last, nn.Parameter(numbers))


class _Part(_Asking):
    """A module in a substitute. inputs: the names of a call's arguments."""

    def __init__(self, remote: Remote, inputs: list[str]) -> None:
        super().__init__()
        self.exercise, self._remote, self._inputs = remote.exercise, remote, inputs


class PlainSubstitute:
    """An object of a plain class that replaces one exercise; `consult` asks the reference server.

    It has the reference's tensors and numbers as attributes. A call changes the tensors that
    parameters() does not list as the reference changes its own.
    """

    exercise: ClassVar[str]
    consult: ClassVar[Consult]

    def __init__(self, *arguments: Any, **named: Any) -> None:
        self._remote = Remote(self.exercise, type(self).consult, list(arguments), named)
        made = self._remote.ask(MakeRequest(*self._remote.made()))
        self._names: list[str] = [*made["parameters"]]
        self._inputs: list[str] = made["inputs"][""]
        self._listed: list[str] = made["listed"]
        vars(self).update({**made["parameters"], **made["numbers"]})

    def __call__(self, *inputs: Any, **named: Any) -> Any:
        given = self._remote.in_order(self._inputs, inputs, named)
        tensors = {name: getattr(self, name) for name in self._names}
        training = bool(getattr(self, "training", True))
        output, *after = self._remote.call(given, tensors, training)
        for name, tensor in zip(self._names, after, strict=True):
            if name not in self._listed:
                setattr(self, name, tensor.detach())
        return output

    def parameters(self) -> list[Tensor]:
        return [getattr(self, name) for name in self._listed]

    def __getattr__(self, name: str) -> Any:
        raise Unsuited(self.exercise, f"need not have an attribute {name}")


def substitute(exercise: str, consult: Consult) -> type[Substitute]:
    """Return the class that replaces an exercise that is a module."""
    return type(exercise, (Substitute,), {"exercise": exercise, "consult": staticmethod(consult)})


def substitute_plain(exercise: str, consult: Consult) -> type[Any]:
    """Return the class that replaces an exercise that is a plain class."""
    held = {"exercise": exercise, "consult": staticmethod(consult)}
    return type(exercise, (PlainSubstitute,), held)


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


def _consulted(remote: Remote, names: list[str], training: bool, given: Sequence[Tensor]) -> Any:
    restore = partial(torch.default_generator.set_state, torch.default_generator.get_state())
    return _Consulted.apply(remote, names, training, restore, *given)  # type: ignore[no-untyped-call]


class _Consulted(torch.autograd.Function):
    """The outputs of a substitute, as a function of its inputs and its named parameters.

    restore: sets the random numbers' state of before the call.
    """

    @staticmethod
    def forward(
        remote: Remote, names: list[str], training: bool, restore: partial[Any], *given: Tensor
    ) -> Any:
        sent = _sent(names, training, given)
        found = remote.ask(CallRequest(*remote.made(), *sent, remote.part))["output"]
        outputs = [t.to(next(iter(given)).device) for t in found]
        return tuple(outputs) if len(outputs) > 1 else outputs[0]

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        ctx.remote, ctx.names, ctx.training, ctx.restore, *given = inputs
        ctx.save_for_backward(*given)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, *gradients: Tensor) -> Any:
        after = torch.default_generator.get_state()
        ctx.restore()
        remote: Remote = ctx.remote
        sent = _sent(ctx.names, ctx.training, ctx.saved_tensors)
        request = GradientRequest(*remote.made(), *sent, remote.part, list(gradients))
        found = remote.ask(request)["gradients"]
        torch.default_generator.set_state(after)
        return None, None, None, None, *found

    @staticmethod
    def vmap(info: Any, in_dims: Any, *inputs: Any) -> Any:
        """Call the substitute on each entry of the dimension that torch.vmap maps over."""
        remote, names, training, _, *given = inputs
        if not info.batch_size:
            raise Unsuited(remote.exercise, "is mapped over one entry or more")
        places = in_dims[-len(given) :]
        pairs = [*zip(given, places, strict=True)]
        with uncounted():  # an exercise that is mapped over does not compute in a loop
            rows = [
                _consulted(
                    remote,
                    names,
                    training,
                    [x if at is None else x.select(at, i) for x, at in pairs],
                )
                for i in range(info.batch_size)
            ]
        if isinstance(rows[0], tuple):
            stacked = tuple(torch.stack(output) for output in zip(*rows, strict=True))
            return stacked, (0,) * len(stacked)
        return torch.stack(rows), 0


def _sent(
    names: list[str], training: bool, given: Sequence[Tensor]
) -> tuple[list[Tensor], dict[str, Tensor], bool]:
    """Return the fields of a CallRequest beyond MakeRequest."""
    sent = [t.detach().cpu() for t in given]
    count = len(sent) - len(names)
    return sent[:count], dict(zip(names, sent[count:], strict=True)), training


def _add(module: nn.Module, path: str, part: nn.Module) -> None:
    above, _, name = path.rpartition(".")
    module.get_submodule(above).add_module(name, part)


def _linear(weight: Tensor) -> nn.Linear:
    """Return a linear layer for this weight, without a bias; no random number is drawn."""
    out_features, in_features = weight.shape
    return nn.Linear(in_features, out_features, bias=False, device="meta")


MAKERS: dict[str, Callable[[str, Consult], Any]] = {  # by the kind of exercise
    "function": substitute_function,
    "module": substitute,
    "plain class": substitute_plain,
}
