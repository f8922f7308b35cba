"""Convert values for and from a call: copies of inputs, gradients, outputs as plain data."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Sequence
from numbers import Integral, Real
from types import CoroutineType, MemberDescriptorType
from typing import Any

import torch
from torch import Tensor, nn

from autograder.runtime.dispatch import MAX_ITEMS, tensors
from autograder.runtime.standin import NotThere, StandIn
from autograder.runtime.wire import MAX_RANK, NAMES

MAX_NUMBERS = 1_000_000  # in one output


def cast(made: Any, dtype: torch.dtype) -> None:
    """Convert parameters and buffers, or the tensors of a plain object, to a dtype in place.

    Does the same as Module.to, but skips its preparation for other devices, which takes longest.
    In a module that lists its parameters itself, its plain tensors are converted as well.
    """
    if isinstance(made, nn.Module):
        for module in nn.Module.modules(made):  # the student may have overridden `made.modules`
            _cast(module._parameters.values(), dtype)
            for name, buffer in module._buffers.items():
                if buffer is not None and buffer.is_floating_point():
                    module._buffers[name] = buffer.to(dtype)
    if lists_itself(made):
        _cast(attributes(made).values(), dtype)


def _cast(tensors: Iterable[Tensor | None], dtype: torch.dtype) -> None:
    for tensor in tensors:
        if tensor is not None and tensor.is_floating_point() and tensor.dtype is not dtype:
            tensor.data = tensor.data.to(dtype)


def registered(made: nn.Module, kind: str = "_parameters", path: str = "") -> dict[str, Tensor]:
    """Return the parameters of a module, or its buffers ("_buffers"), by dotted name.

    Read from PyTorch's registries, because a module may override the methods that list them.
    """
    own = {f"{path}{name}": t for name, t in getattr(made, kind).items() if t is not None}
    for name, part in made._modules.items():
        if part is not None:
            own |= registered(part, kind, f"{path}{name}.")
    return own


def lists_itself(made: Any) -> bool:
    """Return whether a class, and not PyTorch, says what training changes, as a plain one does."""
    if not isinstance(made, nn.Module):
        return True
    return getattr(type(made), "parameters", None) is not nn.Module.parameters


def attributes(made: Any) -> dict[str, Tensor]:
    """Return the attributes that are tensors.

    For a plain object also properties and slots; for a module, plain tensors only if it lists its
    parameters itself.
    """
    if isinstance(made, nn.Module):
        plain = vars(made) if lists_itself(made) else {}
        own = {name: value for name, value in plain.items() if isinstance(value, Tensor)}
        return {**registered(made), **registered(made, "_buffers"), **own}
    found = dict(getattr(made, "__dict__", {}))  # missing if all attributes are slots
    for name in dir(type(made)):
        if isinstance(getattr(type(made), name), property | MemberDescriptorType):
            with contextlib.suppress(Exception):  # an attribute without a value yet is no tensor
                found[name] = getattr(made, name)
    return {name: own for name, own in found.items() if isinstance(own, Tensor)}


def trained(made: Any) -> dict[str, Tensor]:
    """Return the tensors that training would change, by name."""
    return {**(registered(made) if isinstance(made, nn.Module) else {}), **listed(made)}


def listed(made: Any) -> dict[str, Tensor]:
    """Return the attributes that an object lists itself as parameters, unless it registers them."""
    if not lists_itself(made) or not hasattr(made, "parameters"):
        return {}
    ids = {id(tensor) for tensor in made.parameters()}
    own = vars(made) if isinstance(made, nn.Module) else attributes(made)
    return {name: tensor for name, tensor in own.items() if id(tensor) in ids}


def constants(made: Any) -> list[Tensor]:
    """Return the numbers that an object keeps, except what training would change.

    They are Python's floats, buffers, and other tensors of a class that lists its parameters
    itself.
    """
    ids = {id(tensor) for tensor in trained(made).values()}
    held = [t for t in attributes(made).values() if id(t) not in ids and t.is_floating_point()]
    parts = nn.Module.modules(made) if isinstance(made, nn.Module) else [made]
    values = [value for part in parts for value in getattr(part, "__dict__", {}).values()]
    floats = [float(value) for value in values if _is_fraction(value)]
    return [*held, torch.tensor(floats, dtype=torch.float64)]


def _is_fraction(value: Any) -> bool:
    """Return whether a value is a number of Python's or NumPy's that is no whole one by type."""
    return isinstance(value, Real) and not isinstance(value, Integral)


def was_single(tensor: Tensor) -> bool:
    """Return whether a number in a tensor was computed in float32.

    It has no digits that float32 lacks, which is chance in one of 500 million numbers, but more
    than eight bits, which simple numbers such as 0, 0.5 and infinity do not have.
    """
    exact, simple = (tensor == tensor.to(kind) for kind in (torch.float32, torch.bfloat16))
    return bool((exact & ~simple).any())


def gradients(output: Any, inputs: list[Tensor], named: dict[str, Tensor]) -> dict[str, Any]:
    """Return the gradient of each input and of each parameter, None where there is none."""
    outputs = [t for t in tensors([output]) if t.is_floating_point() and t.requires_grad]
    wanted = inputs + list(named.values())
    found: tuple[Tensor | None, ...] = (None,) * len(wanted)
    asked = [t for t in wanted if t.requires_grad]
    if outputs and asked:
        # A scalar, because torch.autograd.grad with grad_outputs imports sympy, which takes 1 s.
        one, *others = [(t * _cosines(t)).sum() for t in outputs]
        arrived = iter(derivatives(sum(others, one), asked))
        found = tuple(next(arrived) if t.requires_grad else None for t in wanted)
    data = [None if gradient is None else as_data(gradient) for gradient in found]
    return {
        "inputs": data[: len(inputs)],
        "parameters": dict(zip(named, data[len(inputs) :], strict=True)),
    }


def derivatives(number: Tensor, wanted: Sequence[Tensor]) -> Sequence[Tensor | None]:
    """Return the gradient of a number with respect to each tensor, None where there is none.

    Activation checkpointing of the older kind allows `backward` only, as in training; the graph is
    kept for that.
    """
    try:
        return torch.autograd.grad(number, wanted, allow_unused=True, retain_graph=True)
    except RuntimeError as error:
        if "use_reentrant" not in str(error):
            raise
    before = [one.grad for one in wanted]
    for one in wanted:
        one.grad = None
    number.backward()
    found = [one.grad for one in wanted]
    for one, gradient in zip(wanted, before, strict=True):
        one.grad = gradient
    return found


def _cosines(tensor: Tensor) -> Tensor:
    return torch.arange(tensor.numel(), dtype=tensor.dtype).cos().reshape(tensor.shape)


def at(module: Any, name: str) -> Tensor | None:
    """Return the tensor at a dotted name, if there is one."""
    for part in name.split("."):
        inner = vars(module).get("_modules", {}) if isinstance(module, nn.Module) else {}
        module = inner[part] if part in inner else getattr(module, part, None)
    return module if isinstance(module, Tensor) else None


def output_of(made: Any, inputs: Sequence[Any]) -> Any:
    """Call an object. Returns its output.

    A coroutine is closed, or Python would warn, with a line of this program, that nobody awaits it.
    """
    output = made(*inputs)
    if isinstance(output, CoroutineType):
        output.close()
    return output


def typed(inputs: Sequence[Any], dtype: torch.dtype) -> list[Any]:
    """Return the inputs with their floating-point tensors converted to the module's dtype."""

    def differs(x: Any) -> bool:
        return isinstance(x, Tensor) and x.is_floating_point() and x.dtype is not dtype

    return [x.to(dtype) if differs(x) else x for x in inputs]


def own(value: Any, strided: bool) -> Any:
    """Return a copy of an input, which a call may change."""
    if not isinstance(value, Tensor):
        return value
    return _strided(value) if strided else value.clone()


def _strided(tensor: Tensor) -> Tensor:
    """Return a copy whose memory has the dimensions in reverse order and gaps between numbers."""
    if tensor.dim() == 0:
        return tensor.clone()
    wide = torch.zeros(*reversed(tensor.shape), 2, dtype=tensor.dtype)[..., 0]
    view = wide.permute(*reversed(range(tensor.dim())))
    return view.copy_(tensor)


def same(old: Any, new: Any) -> bool:
    """Return whether two inputs have the same values; NaN equals NaN."""
    if not isinstance(old, Tensor):
        return True  # a plain number cannot be modified in place
    if old.shape != new.shape:
        return False
    new = new.detach()
    if old.dtype == new.dtype and torch.equal(old, new):  # the usual case, and fast
        return True
    return bool(((old == new) | ((old != old) & (new != new))).all())


ModuleState = list[tuple[dict[str, Any], dict[str, int]]]
OF_EVERY_MODULE = frozenset(vars(nn.Module()))  # attribute names


def state_of(made: Any) -> ModuleState:
    """Return what a call may change in a module, except the values of its parameters.

    For each submodule: its attributes by name, the lengths of lists and dictionaries, and the
    version counters of buffers. Holds the objects themselves instead of their ids, which Python
    could reuse.
    """
    found: ModuleState = []
    for module in nn.Module.modules(made) if isinstance(made, nn.Module) else ():
        held = vars(module)
        own = {name: held[name] for name in held.keys() - OF_EVERY_MODULE}
        sizes = {name: len(value) for name, value in own.items() if isinstance(value, list | dict)}
        buffers = module._buffers
        sizes |= {name: b._version for name, b in buffers.items() if b is not None}
        found.append(({**own, **module._parameters, **buffers, **module._modules}, sizes))
    return found


def same_state(one: ModuleState, other: ModuleState) -> bool:
    """Return whether two states hold the same, unchanged objects."""
    if len(one) != len(other):
        return False
    return all(
        old.keys() == new.keys() and sizes == now and all(old[name] is new[name] for name in old)
        for (old, sizes), (new, now) in zip(one, other, strict=True)
    )


def as_data(value: Any, depth: int = 3) -> Any:
    """Return an output as plain data: a tensor, a list, or a description of anything else."""
    if value is None:
        return None
    if isinstance(value, Tensor):
        dense = value.layout is torch.strided and not value.is_nested
        dense = dense and value.device.type == "cpu"
        known = value.dtype in NAMES and value.dim() <= MAX_RANK
        if dense and known and value.numel() <= MAX_NUMBERS:
            is_plain = type(value) is Tensor and not value.requires_grad
            return value.clone() if is_plain else value.detach().as_subclass(Tensor).clone()
    elif isinstance(value, StandIn):
        raise NotThere(value._path)
    elif isinstance(value, list | tuple) and len(value) <= MAX_ITEMS and depth:
        return [as_data(item, depth - 1) for item in value]
    return {"other": described(value)}


def described(value: Any) -> str:
    """Describe a value in words, e.g. 'of type numpy.ndarray', in up to 120 characters."""
    if isinstance(value, Tensor) and value.is_nested:
        return "a nested tensor"
    if isinstance(value, Tensor):
        stored = f", stored as {value.layout}" if value.layout is not torch.strided else ""
        text = f"a tensor of shape {tuple(value.shape)}, {value.dtype}, on {value.device}{stored}"
        return text[:120]
    if isinstance(value, CoroutineType):
        return "a coroutine, which a call of an `async def` gives: write `def`"
    kind = type(value)
    name = kind.__name__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__name__}"
    return f"of type {name}"[:120]
