"""Carries out the steps of a question on a module's classes and answers with data.

A question is `{"steps": [...], "seed": int}`; a step is `{"do": verb, ...}`, where
the verb is a method of Interpreter below and the rest its arguments. Objects that
a step has built are named by number. The same interpreter serves a submission (in
the child) and the reference (in the grader), so both are asked the same thing.
"""

from __future__ import annotations

import contextlib
import math
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.parameter import is_lazy

from autograder.runtime.dispatch import CountOperations, OneDevice, Rounding, Steps
from autograder.runtime.source import Source
from autograder.runtime.values import (
    State,
    at,
    attributes,
    described,
    gradients,
    own,
    plain,
    registered,
    same,
    same_state,
    settle,
    state_of,
    trained,
    typed,
)
from autograder.runtime.wire import DTYPES

RATE = 0.5  # of gradient descent
SETTINGS = (
    "the seed of the random numbers",
    "the default type of new tensors",
    "whether gradients are computed",
)


class Refused(Exception):
    """A step cannot be done with what the student's module offers; `kind` says why."""

    def __init__(self, kind: str, text: str, **details: Any) -> None:
        super().__init__(text)
        self.problem = {
            "kind": kind,
            "type": "",
            "text": text,
            "frames": [],
            "where": "",
            **details,
        }


class Bound(nn.Module):
    """A function as a module: called on inputs, it calls the function on them and its projections.

    projections: name -> (features in, features out) of linear layers; bias: have they one?
    """

    def __init__(
        self, function: Any, projections: dict[str, list[int]], bias: bool = False
    ) -> None:
        super().__init__()
        self._function = [function]  # in a list: a module would become a child
        for name, (size_in, size_out) in projections.items():
            self.add_module(name, nn.Linear(size_in, size_out, bias=bias))

    def forward(self, *inputs: Any) -> Any:
        return self._function[0](*inputs, *self.children())


class Interpreter:
    """Answers questions about the classes and functions of one loaded module."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.objects: dict[int, Any] = {}
        self.kept: dict[tuple[str, str], Any] = {}
        self.broken: dict[int, dict[str, Any]] = {}
        self._built: dict[tuple[str, str], State] = {}  # of what is kept, as it was built
        self._used: set[tuple[str, str]] = set()  # of what is kept, since a check began
        self._seed = 0
        self._dtypes: dict[int, torch.dtype] = {}  # of the objects of classes
        self._ahead: list[dict[str, Any]] = []  # the steps of this question that are still to come

    def answer(self, question: dict[str, Any]) -> list[dict[str, Any]]:
        """One answer per step: `{"value": ...}` or `{"problem": ...}`.

        A step that needs an object which could not be built or loaded repeats its problem,
        and when time is up, so do all the steps that are left.
        """
        self._seed = question["seed"]
        self.seed(self._seed)
        replies: list[dict[str, Any]] = []
        late: dict[str, Any] | None = None
        for number, step in enumerate(question["steps"], 1):
            self._ahead = question["steps"][number:]
            replies.append(late or self.broken.get(step.get("of", -1)) or self._do(**step))
            problem = replies[-1].get("problem")
            if problem and step["do"] in ("build", "take", "load"):
                self.broken[step["of"]] = replies[-1]
            if problem and problem["kind"] == "timeout":
                late = replies[-1]
        return replies

    def _do(self, do: str, **arguments: Any) -> dict[str, Any]:
        try:
            return {"value": getattr(self, do)(**arguments)}
        except Refused as refused:
            return {"problem": refused.problem}
        except BaseException as error:
            return {"problem": self.source.problem(error)}

    def forget(self) -> None:
        """Drop all objects, before another check begins.

        Those to be kept can be had again, unless a call has changed more of them than numbers that
        are loaded: what one check leaves behind is no matter of the next.
        """
        self.objects.clear()
        self.broken.clear()
        for key in self._used:
            if not same_state(self._built[key], state_of(self.kept[key])):
                del self.kept[key]
        self._used.clear()

    def build(
        self,
        of: int,
        name: str,
        arguments: list[Any],
        named: dict[str, Any],
        dtype: str,
        keep: bool,
    ) -> list[str] | None:
        """Make the object `of` from the class `name`, its parameters in the given type.

        Returns the settings of PyTorch that this changed, if it did; they are set back.

        keep: take the one that an earlier step has made in the same way, if there is one. It draws
        random numbers of its own, so that it makes no difference which step that was.
        """
        given = [*map(repr, arguments), *(f"{key}={value!r}" for key, value in named.items())]
        call = f"{name}({', '.join(given)})"
        if keep and (call, dtype) in self.kept:
            self._used.add((call, dtype))
            self.objects[of], self._dtypes[of] = self.kept[call, dtype], DTYPES[dtype]
            return None
        cls = self._defined(name)
        if not isinstance(cls, type):
            raise Refused("not_a_class", f"{name} is not a class but {described(cls)}")
        if _lacks_a_call(cls):
            raise Refused("not_a_module", f"{name} does not inherit from nn.Module")
        random = torch.default_generator.get_state()
        if keep:
            self.seed(self._seed)
        before = _settings()
        try:
            made = cls(*arguments, **named)
        except TypeError as error:
            problem = self.source.problem(error)
            if problem["frames"]:
                raise
            raise Refused("signature", f"{call} does not fit: {problem['text']}") from None
        disturbed = _set_back(before)
        settle(_module(made) if isinstance(made, nn.Module) else made, DTYPES[dtype])
        self.objects[of], self._dtypes[of] = made, DTYPES[dtype]
        if isinstance(made, nn.Module) and any(map(is_lazy, registered(made).values())):
            self._call_first(of)
        if keep:
            self.kept[call, dtype], self._built[call, dtype] = made, state_of(made)
            self._used.add((call, dtype))
            torch.default_generator.set_state(random)
        return disturbed or None

    def _defined(self, name: str) -> Any:
        """Return what the module has by this name. Raises the reason if there is nothing."""
        if name in self.source.namespace:
            return self.source.namespace[name]
        if name in self.source.lost:
            raise self.source.lost[name]
        raise Refused("absent", f"there is no {name}")

    def seed(self, number: int) -> None:
        """Set PyTorch's random numbers."""
        torch.default_generator.manual_seed(number)  # torch.manual_seed costs a millisecond

    def take(
        self,
        of: int,
        name: str,
        projections: dict[str, list[int]],
        dtype: str,
        bias: bool = False,
    ) -> None:
        """Make the object `of` from the function `name`, with projections in the given type.

        One without projections has nothing that could change: the first is taken for all steps.
        """
        if not projections and (name, dtype) in self.kept:
            self.objects[of] = self.kept[name, dtype]
            return
        function = self._defined(name)
        if isinstance(function, type) or not callable(function):
            raise Refused("not_a_function", f"{name} is not a function but {described(function)}")
        made = Bound(function, projections, bias)
        settle(made, DTYPES[dtype])
        self.objects[of] = made
        if not projections:
            self.kept[name, dtype] = made

    def load(self, of: int, weights: dict[str, Tensor]) -> None:
        """Put numbers into parameters (or what stands in their place), by dotted name.

        Where some are not there yet, the object is called first: it may make them then.
        """
        places = {name: at(self.objects[of], name) for name in weights}
        if any(t is None or is_lazy(t) for t in places.values()):
            random = torch.default_generator.get_state()
            self._call_first(of)
            torch.default_generator.set_state(random)
            places = {name: at(self.objects[of], name) for name in weights}
        if any(
            t is None or is_lazy(t) or t.shape != weights[name].shape for name, t in places.items()
        ):
            raise Refused(
                "names",
                "the parameters have other names or shapes",
                have=self.parameters(of),
                want={name: list(weight.shape) for name, weight in weights.items()},
            )
        for name, place in places.items():
            assert place is not None
            place.data = weights[name].clone().to(place.dtype)

    def _call_first(self, of: int) -> None:
        """Call an object on what it will be called on next, in float32, as its author calls it.

        What makes its parameters in the first call has them then.
        """
        ahead = (step["inputs"] for step in self._ahead if "inputs" in step and step["of"] == of)
        inputs = next(ahead, None)
        if inputs is None or of not in self._dtypes:
            return
        made = self.objects[of]
        settle(made, torch.float32)
        with torch.no_grad():
            made(*_copies(inputs, "float32"))
        settle(made, self._dtypes[of])

    def call(
        self,
        of: int,
        inputs: list[Any],
        dtype: str,
        gradient: bool,
        strided: bool,
        anew: bool = True,
    ) -> dict[str, Any]:
        """Call the object. Returns its output, which inputs it changed and, if asked, gradients.

        inputs: tensors and plain numbers. The gradient is that of sum(output * w),
        w = cos(0, 1, 2, ...) in the output's shape. strided: the inputs are views that are not
        contiguous in memory. anew: random numbers begin anew, whatever was built or called before,
        with those of every other call; if not, with others. Settings of PyTorch that are other ones
        after the call are named, and set back.
        """
        self.seed(self._seed if anew else self._seed + 1)
        inputs = typed(inputs, dtype)
        given = [own(value, strided) for value in inputs]
        module = self.objects[of]
        wanted = [x for x in given if isinstance(x, Tensor) and x.is_floating_point()]
        named = trained(module) if gradient else {}
        of_plain_class = [] if isinstance(module, nn.Module) else named.values()
        for tensor in [*wanted, *of_plain_class] if gradient else []:
            tensor.requires_grad_()
        with torch.set_grad_enabled(gradient):
            before = _settings()
            output = module(*given)
            disturbed = _set_back(before)
            arrived = gradients(output, wanted, named) if gradient else None
        changed = [i for i, old in enumerate(inputs) if not same(old, given[i])]
        found = {"output": plain(output), "changed": changed, "gradients": arrived}
        return {**found, "disturbed": disturbed} if disturbed else found

    def parameters(self, of: int) -> dict[str, Any]:
        """Names of the registered parameters, each with shape and whether it is trained.

        One that gets its shape in the first call has none yet.
        """
        return {
            name: {
                "shape": [] if is_lazy(parameter) else list(parameter.shape),
                "trained": parameter.requires_grad,
            }
            for name, parameter in registered(_module(self.objects[of])).items()
        }

    def buffers(self, of: int) -> dict[str, Any]:
        """Names of the registered buffers, each with its shape, as of parameters."""
        return {
            name: {"shape": list(buffer.shape), "trained": buffer.requires_grad}
            for name, buffer in registered(_module(self.objects[of]), "_buffers").items()
        }

    def values(self, of: int) -> dict[str, Any]:
        """The numbers in the registered parameters, by name."""
        parameters = registered(_module(self.objects[of]))
        return {name: plain(parameter) for name, parameter in parameters.items()}

    def train(self, of: int, mode: bool) -> None:
        """Switch between training and evaluation; a plain class has an attribute for it."""
        made = self.objects[of]
        if isinstance(made, nn.Module):
            _module(made).train(mode)
        else:
            made.training = mode

    def state(self, of: int, names: list[str]) -> dict[str, Any]:
        """Tensors among its attributes: their numbers, and whether a graph hangs on them."""
        found = {name: at(self.objects[of], name) for name in names}
        return {
            name: {"numbers": plain(t), "graph": not t.is_leaf}
            for name, t in found.items()
            if t is not None
        }

    def listed(self, of: int) -> list[str]:
        """What its parameters() lists, by the names of its attributes; "?" for anything else."""
        made = self.objects[of]
        return [
            next((name for name, kept in attributes(made).items() if kept is tensor), "?")
            for tensor in made.parameters()
        ]

    def hand_over(self, of: int, to: int) -> None:
        """Load the state_dict of one object into another, strictly; as `load` does."""
        given, taking = _module(self.objects[of]).state_dict(), _module(self.objects[to])
        if given.keys() - taking.state_dict().keys():
            self._call_first(to)
        taking.load_state_dict(given)

    def hooked(self, of: int, inputs: list[Tensor], dtype: str) -> int:
        """Call the object; returns how often a forward hook on it fired."""
        fired: list[bool] = []
        with _module(self.objects[of]).register_forward_hook(lambda *_: fired.append(True)):
            self.objects[of](*_copies(inputs, dtype))
        return len(fired)

    def lacking(self, of: int, parts: dict[str, str]) -> dict[str, str]:
        """The parts that a module has not, or that are of another class: by name, which one.

        parts: by name, the name of the class of each or of one above it, as the class calls itself
        or as the module calls it; "" for any.
        """
        children = dict(_module(self.objects[of]).named_children())
        found = {}
        for name, wanted in parts.items():
            classes = type(children.get(name)).__mro__
            known = self.source.namespace.get(wanted)
            fits = known in classes or wanted in [cls.__name__ for cls in classes]
            if name not in children or (wanted and not fits):
                found[name] = classes[0].__name__ if name in children else ""
        return found

    def operations(self, of: int, inputs: list[Any], dtype: str) -> int:
        """Call the object; returns how many operations on tensors that took."""
        with torch.no_grad(), CountOperations() as counting:
            self.objects[of](*_copies(inputs, dtype))
        return counting.count

    def products(self, of: int, inputs: list[Any], dtype: str, tokens: int) -> int:
        """Call the object; returns how many products with its inputs it takes: 0, 1, or 2 for more.

        0 also where sums are added up along a sequence in their place. tokens: of the sequences.
        """
        steps = self._watched(of, inputs, dtype, tokens)
        return 0 if steps.cumulative else min(steps.products, 2)

    def exponentials(self, of: int, inputs: list[Any], dtype: str, tokens: int) -> bool:
        """Call the object; returns whether it computes exponentials, as a softmax does."""
        return self._watched(of, inputs, dtype, tokens).exponential

    def _watched(self, of: int, inputs: list[Any], dtype: str, tokens: int) -> Steps:
        with torch.no_grad(), Steps(tokens) as steps:
            self.objects[of](*_copies(inputs, dtype))
        return steps

    def training(self, of: int) -> bool:
        """Return whether its attribute `training` is True."""
        return getattr(self.objects[of], "training", None) is True

    def differentiated(self, of: int, names: list[str]) -> list[str]:
        """Name the tensors among these attributes that need a gradient."""
        found = {name: at(self.objects[of], name) for name in names}
        return [name for name, t in found.items() if t is not None and t.requires_grad]

    def matrices(self, of: int) -> list[str]:
        """Names of matrices that it keeps as plain attributes, neither parameters nor buffers."""
        modules = nn.Module.modules(_module(self.objects[of]))
        kept = [item for module in modules for item in vars(module).items()]
        return [name for name, value in kept if isinstance(value, Tensor) and value.dim() > 1]

    def rounds(self, of: int, inputs: list[Any], dtype: str) -> bool:
        """Call the object; returns whether numbers on the way are of another type, or buffers were.

        A module is built in float32, so its buffers have been rounded to that.
        """
        made, given = self.objects[of], _copies(inputs, dtype)
        with torch.no_grad(), Rounding(DTYPES[dtype]) as rounding:
            made(*given)
        buffers = made.buffers() if isinstance(made, nn.Module) else ()
        return rounding.found or any(buffer.is_floating_point() for buffer in buffers)

    def descend(self, of: int, inputs: list[Tensor], targets: Tensor, steps: int) -> list[float]:
        """Train it by gradient descent on the cross-entropy of its logits; returns the losses.

        inputs: of one call; targets: (B, T), the right index at each position. The rate is 0.5.
        """
        module = _module(self.objects[of]).train()
        losses = []
        for _ in range(steps):
            logits = module(*[tensor.clone() for tensor in inputs])
            loss = nn.functional.cross_entropy(logits.flatten(0, -2), targets.flatten())
            losses.append(float(loss.detach()))
            own = {id(p): p for p in registered(module).values()}  # each once, though it be shared
            parameters = [p for p in own.values() if p.requires_grad]
            slopes = torch.autograd.grad(loss, parameters, allow_unused=True)
            with torch.no_grad():
                for parameter, gradient in zip(parameters, slopes, strict=True):
                    if gradient is not None:
                        parameter.sub_(gradient, alpha=RATE)
        return [loss if math.isfinite(loss) else 1e300 for loss in losses]

    def move(self, of: int, inputs: list[Any], dtype: str) -> list[str]:
        """Call the object on another device; returns the operations that mixed two devices.

        The device is `meta`: shapes without numbers, to be had on every machine.
        """
        watch = OneDevice()
        module = _module(self.objects[of]).to("meta")
        moved = [x.to("meta") if isinstance(x, Tensor) else x for x in typed(inputs, dtype)]
        # The watch itself stops a mixture so; and what else PyTorch cannot do there is no fault:
        # NumPy, to which nothing can be handed from another device, is a TypeError.
        with contextlib.suppress(RuntimeError, TypeError), watch, torch.no_grad():
            module(*moved)
        return watch.mixed


def _copies(inputs: list[Any], dtype: str) -> list[Any]:
    """Inputs that the code which is called may change: in the grader, checks keep theirs."""
    return [own(value, strided=False) for value in typed(inputs, dtype)]


def _settings() -> tuple[Any, ...]:
    """Settings of PyTorch that belong to the whole program, in the order of SETTINGS."""
    seed = torch.default_generator.initial_seed()
    return seed, torch.get_default_dtype(), torch.is_grad_enabled()


def _set_back(before: tuple[Any, ...]) -> list[str]:
    """Restore the settings; the names of those that were changed."""
    now = _settings()
    if now == before:
        return []
    seed, dtype, grad = before
    torch.default_generator.manual_seed(seed)
    torch.set_default_dtype(dtype)
    torch.set_grad_enabled(grad)
    return [name for name, one, two in zip(SETTINGS, before, now, strict=True) if one != two]


def _lacks_a_call(cls: type) -> bool:
    """Is forward, which nn.Module would call, all that can be called?"""
    defined = {name for base in cls.__mro__ for name in vars(base)}
    return "forward" in defined and "__call__" not in defined


def _module(made: Any) -> nn.Module:
    if not isinstance(made, nn.Module):
        raise Refused("not_a_module", f"{type(made).__name__} does not inherit from nn.Module")
    if not hasattr(made, "_parameters"):
        raise Refused(
            "no_super", f"{type(made).__name__}.__init__ does not call super().__init__()"
        )
    return made
