"""Carry out the steps that inspect an object without calling it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from torch import Tensor, nn
from torch.nn.parameter import is_lazy

from autograder.runtime.questions import Differentiated, Lacking, State
from autograder.runtime.refused import as_module
from autograder.runtime.values import as_data, at, attributes, registered


def parameters(made: Any) -> dict[str, Any]:
    """Answer Parameters."""
    return described(registered(as_module(made)))


def described(found: Mapping[str, Tensor]) -> dict[str, Any]:
    """Return the answer to Parameters that describes these tensors."""
    first: dict[int, str] = {}
    return {
        name: {
            "shape": [] if is_lazy(parameter) else list(parameter.shape),
            "trained": parameter.requires_grad,
            "first": first.setdefault(id(parameter), name),
        }
        for name, parameter in found.items()
    }


def buffers(made: Any) -> dict[str, Any]:
    """Answer Buffers."""
    return {
        name: {"shape": list(buffer.shape), "trained": buffer.requires_grad, "first": name}
        for name, buffer in registered(as_module(made), "_buffers").items()
    }


def values(made: Any) -> dict[str, Any]:
    """Answer Values; a parameter that no call has initialized yet has none."""
    return {
        name: None if is_lazy(parameter) else as_data(parameter)
        for name, parameter in registered(as_module(made)).items()
    }


def state(made: Any, step: State) -> dict[str, Any]:
    """Answer State."""
    found = {name: at(made, name) for name in step.names}
    return {
        name: {"numbers": as_data(t), "graph": not t.is_leaf}
        for name, t in found.items()
        if t is not None
    }


def listed(made: Any) -> list[str]:
    """Answer Listed."""
    return [
        next((name for name, kept in attributes(made).items() if kept is tensor), "?")
        for tensor in made.parameters()
    ]


def lacking(made: Any, step: Lacking, namespace: Mapping[str, Any]) -> dict[str, str]:
    """Answer Lacking. namespace: of the student's module."""
    children = as_module(made)._modules  # named_children() lists one of several names
    found: dict[str, str] = {}
    names: dict[int, str] = {}  # by the object's id
    for name, wanted in step.parts.items():
        part = children.get(name)
        classes = type(part).__mro__
        known = namespace.get(wanted)
        fits = known in classes or wanted in [cls.__name__ for cls in classes]
        if part is None:
            found[name] = ""
        elif wanted and not fits:
            found[name] = classes[0].__name__
        elif (first := names.setdefault(id(part), name)) != name:
            found[name] = first
    return found


def training(made: Any) -> bool:
    """Answer Training."""
    return getattr(made, "training", None) is True


def differentiated(made: Any, step: Differentiated) -> list[str]:
    """Answer Differentiated."""
    found = {name: at(made, name) for name in step.names}
    return [name for name, t in found.items() if t is not None and t.requires_grad]


def matrices(made: Any) -> list[str]:
    """Answer Matrices."""
    modules = nn.Module.modules(as_module(made))
    kept = [item for module in modules for item in vars(module).items()]
    return [name for name, value in kept if isinstance(value, Tensor) and value.dim() > 1]
