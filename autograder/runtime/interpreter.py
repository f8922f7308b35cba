"""Run the steps of a question on a module's classes and answer with data.

A question is `{"steps": [...], "seed": int}`. A step is `{"do": verb, ...}`: the verb is a method
of Interpreter below, and the rest are its arguments. Steps refer to the objects that they build by
number. The same interpreter runs the submission (in its child) and the reference (in the grader),
so both answer the same questions.
"""

from __future__ import annotations

import contextlib
import math
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.parameter import is_lazy

from autograder.runtime.dispatch import AttentionOperations, CountOperations, OneDevice, Rounding
from autograder.runtime.source import Source
from autograder.runtime.values import (
    State,
    at,
    attributes,
    cast,
    described,
    gradients,
    own,
    plain,
    registered,
    same,
    same_state,
    state_of,
    trained,
    typed,
)
from autograder.runtime.wire import DTYPES

RATE = 0.5  # learning rate of gradient descent
SETTINGS = (
    "the seed of the random numbers",
    "the default type of new tensors",
    "whether gradients are computed",
)


class StepRefused(Exception):
    """The student's module does not offer what a step needs; `problem` holds the kind and text."""

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
    """A plain function wrapped as a module that passes its projections after the inputs.

    projections: name -> (input features, output features) of linear layers. bias: whether these
    layers have one.
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
    """Answer questions about the classes and functions of one loaded module."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.objects: dict[int, Any] = {}
        self.kept: dict[tuple[str, str], Any] = {}
        self.broken: dict[int, dict[str, Any]] = {}
        self._built: dict[tuple[str, str], State] = {}  # states of kept objects when built
        self._used: set[tuple[str, str]] = set()  # kept objects used since the check began
        self._seed = 0
        self._dtypes: dict[int, torch.dtype] = {}  # by number, of objects built from classes
        self._next_steps: list[dict[str, Any]] = []  # of this question

    def answer(self, question: dict[str, Any]) -> list[dict[str, Any]]:
        """Return one answer per step: `{"value": ...}` or `{"problem": ...}`.

        A step that needs an object which could not be built or loaded repeats that object's
        problem. After a timeout, all remaining steps repeat the timeout.
        """
        self._seed = question["seed"]
        self.seed(self._seed)
        replies: list[dict[str, Any]] = []
        late: dict[str, Any] | None = None
        for number, step in enumerate(question["steps"], 1):
            self._next_steps = question["steps"][number:]
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
        except StepRefused as refused:
            return {"problem": refused.problem}
        except BaseException as error:
            return {"problem": self.source.problem(error)}

    def forget(self) -> None:
        """Drop all objects before the next check begins.

        Kept objects stay available, unless a call changed them beyond their parameters' values,
        so one check cannot affect the next.
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
        """Build object number `of` from the class `name`, with parameters of the given dtype.

        Returns the PyTorch settings that the constructor changed, if any, and restores them.

        keep: reuse the object that an earlier step built in the same way, if there is one. A kept
        object is built from the question's seed, so it does not matter which step built it.
        """
        given = [*map(repr, arguments), *(f"{key}={value!r}" for key, value in named.items())]
        call = f"{name}({', '.join(given)})"
        if keep and (call, dtype) in self.kept:
            self._used.add((call, dtype))
            self.objects[of], self._dtypes[of] = self.kept[call, dtype], DTYPES[dtype]
            return None
        cls = self._defined(name)
        if not isinstance(cls, type):
            raise StepRefused("not_a_class", f"{name} is not a class but {described(cls)}")
        if _lacks_a_call(cls):  # nn.Module would define __call__
            raise StepRefused("not_a_module", f"{name} does not inherit from nn.Module")
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
            raise StepRefused("signature", f"{call} does not fit: {problem['text']}") from None
        disturbed = _set_back(before)
        cast(_module(made) if isinstance(made, nn.Module) else made, DTYPES[dtype])
        self.objects[of], self._dtypes[of] = made, DTYPES[dtype]
        if isinstance(made, nn.Module) and any(map(is_lazy, registered(made).values())):
            self._call_first(of)
        if keep:
            self.kept[call, dtype], self._built[call, dtype] = made, state_of(made)
            self._used.add((call, dtype))
            torch.default_generator.set_state(random)
        return disturbed or None

    def _defined(self, name: str) -> Any:
        """Return what the module defines under this name.

        If nothing: raises the exception that prevented the definition, or StepRefused.
        """
        if name in self.source.namespace:
            return self.source.namespace[name]
        if name in self.source.lost:
            raise self.source.lost[name]
        raise StepRefused("absent", f"there is no {name}")

    def seed(self, number: int) -> None:
        """Seed PyTorch's random numbers."""
        torch.default_generator.manual_seed(number)  # torch.manual_seed takes a millisecond

    def take(
        self,
        of: int,
        name: str,
        projections: dict[str, list[int]],
        dtype: str,
        bias: bool = False,
    ) -> None:
        """Make object number `of` from the function `name`, with projections of the given dtype.

        Without projections, the object has no state, so all steps share the first one.
        """
        if not projections and (name, dtype) in self.kept:
            self.objects[of] = self.kept[name, dtype]
            return
        function = self._defined(name)
        if isinstance(function, type) or not callable(function):
            raise StepRefused(
                "not_a_function", f"{name} is not a function but {described(function)}"
            )
        made = Bound(function, projections, bias)
        cast(made, DTYPES[dtype])
        self.objects[of] = made
        if not projections:
            self.kept[name, dtype] = made

    def load(self, of: int, weights: dict[str, Tensor]) -> None:
        """Copy weights into parameters, or into tensors that serve as such, by dotted name.

        If some do not exist yet, the object is called first, because the call may create them.
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
            raise StepRefused(
                "names",
                "the parameters have other names or shapes",
                have=self.parameters(of),
                want={name: list(weight.shape) for name, weight in weights.items()},
            )
        for name, place in places.items():
            assert place is not None
            place.data = weights[name].clone().to(place.dtype)

    def _call_first(self, of: int) -> None:
        """Call an object on the inputs of its next call, in float32 as its author would.

        This gives an object its parameters if it creates them in the first call.
        """
        steps = (step for step in self._next_steps if "inputs" in step and step["of"] == of)
        inputs = next((step["inputs"] for step in steps), None)
        if inputs is None or of not in self._dtypes:
            return
        made = self.objects[of]
        cast(made, torch.float32)
        with torch.no_grad():
            made(*_copies(inputs, "float32"))
        cast(made, self._dtypes[of])

    def call(
        self,
        of: int,
        inputs: list[Any],
        dtype: str,
        gradient: bool,
        strided: bool,
        anew: bool = True,
    ) -> dict[str, Any]:
        """Call the object. Returns its output, the inputs it changed and, on request, gradients.

        inputs: tensors and plain numbers. The gradient is that of sum(output * w), where
        w = cos(0, 1, 2, ...) in the output's shape. strided: pass the inputs as views that are not
        contiguous in memory. anew: start from the same random state as every other call with
        `anew`; if False, from a different one. PyTorch settings that the call changed are listed
        under "disturbed" and restored.
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
        """Return the shape of each registered parameter, by name, and whether it is trained.

        The shape of an uninitialized lazy parameter is [].
        """
        return {
            name: {
                "shape": [] if is_lazy(parameter) else list(parameter.shape),
                "trained": parameter.requires_grad,
            }
            for name, parameter in registered(_module(self.objects[of])).items()
        }

    def buffers(self, of: int) -> dict[str, Any]:
        """Return the registered buffers by name, in the form that `parameters` uses."""
        return {
            name: {"shape": list(buffer.shape), "trained": buffer.requires_grad}
            for name, buffer in registered(_module(self.objects[of]), "_buffers").items()
        }

    def values(self, of: int) -> dict[str, Any]:
        """Return the values of the registered parameters, by name."""
        parameters = registered(_module(self.objects[of]))
        return {name: plain(parameter) for name, parameter in parameters.items()}

    def train(self, of: int, mode: bool) -> None:
        """Switch between training and evaluation mode; on a plain class, set its `training`."""
        made = self.objects[of]
        if isinstance(made, nn.Module):
            _module(made).train(mode)
        else:
            made.training = mode

    def state(self, of: int, names: list[str]) -> dict[str, Any]:
        """Return the named attributes that are tensors: values, and whether they have a graph."""
        found = {name: at(self.objects[of], name) for name in names}
        return {
            name: {"numbers": plain(t), "graph": not t.is_leaf}
            for name, t in found.items()
            if t is not None
        }

    def listed(self, of: int) -> list[str]:
        """Return the attribute names of what its parameters() lists; "?" for other tensors."""
        made = self.objects[of]
        return [
            next((name for name, kept in attributes(made).items() if kept is tensor), "?")
            for tensor in made.parameters()
        ]

    def hand_over(self, of: int, to: int) -> None:
        """Load the state_dict of one object strictly into another.

        If the other lacks some entries, it is called first, as in `load`.
        """
        given, target = _module(self.objects[of]).state_dict(), _module(self.objects[to])
        if given.keys() - target.state_dict().keys():
            self._call_first(to)
        target.load_state_dict(given)

    def hooked(self, of: int, inputs: list[Tensor], dtype: str) -> int:
        """Call the object and return how often a forward hook on it fired."""
        fired: list[bool] = []
        with _module(self.objects[of]).register_forward_hook(lambda *_: fired.append(True)):
            self.objects[of](*_copies(inputs, dtype))
        return len(fired)

    def lacking(self, of: int, parts: dict[str, str]) -> dict[str, str]:
        """Return the submodules that are missing (as "") or of the wrong class (its name).

        parts: attribute name -> required class or base class, by its own name or by its name in
        the student's module; "" allows any class.
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
        """Call the object and return the number of tensor operations."""
        with torch.no_grad(), CountOperations() as counting:
            self.objects[of](*_copies(inputs, dtype))
        return counting.count

    def products(self, of: int, inputs: list[Any], dtype: str, tokens: int) -> int:
        """Call the object and return the number of matrix products: 0, 1, or 2 for two or more.

        Returns 0 if the object uses a cumulative sum instead. tokens: the length of the sequences.
        """
        watch = self._watched(of, inputs, dtype, tokens)
        return 0 if watch.cumulative else min(watch.products, 2)

    def exponentials(self, of: int, inputs: list[Any], dtype: str, tokens: int) -> bool:
        """Call the object and return whether it computes exponentials, as a softmax does."""
        return self._watched(of, inputs, dtype, tokens).exponential

    def _watched(self, of: int, inputs: list[Any], dtype: str, tokens: int) -> AttentionOperations:
        with torch.no_grad(), AttentionOperations(tokens) as watch:
            self.objects[of](*_copies(inputs, dtype))
        return watch

    def training(self, of: int) -> bool:
        """Return whether the object's attribute `training` is True."""
        return getattr(self.objects[of], "training", None) is True

    def differentiated(self, of: int, names: list[str]) -> list[str]:
        """Return which of these attributes are tensors that require a gradient."""
        found = {name: at(self.objects[of], name) for name in names}
        return [name for name, t in found.items() if t is not None and t.requires_grad]

    def matrices(self, of: int) -> list[str]:
        """Return the names of matrices kept as plain attributes: no parameters, no buffers."""
        modules = nn.Module.modules(_module(self.objects[of]))
        kept = [item for module in modules for item in vars(module).items()]
        return [name for name, value in kept if isinstance(value, Tensor) and value.dim() > 1]

    def rounds(self, of: int, inputs: list[Any], dtype: str) -> bool:
        """Call the object and return whether it rounds to another dtype on the way.

        Floating-point buffers count as rounded, because a module is built in float32.
        """
        made, given = self.objects[of], _copies(inputs, dtype)
        with torch.no_grad(), Rounding(DTYPES[dtype]) as rounding:
            made(*given)
        buffers = made.buffers() if isinstance(made, nn.Module) else ()
        return rounding.found or any(buffer.is_floating_point() for buffer in buffers)

    def descend(self, of: int, inputs: list[Tensor], targets: Tensor, steps: int) -> list[float]:
        """Train the object by gradient descent on the cross-entropy of its logits.

        Returns the loss before each step. inputs: of one call. targets: (B, T), the correct index
        at each position. The learning rate is RATE.
        """
        module = _module(self.objects[of]).train()
        losses = []
        for _ in range(steps):
            logits = module(*[tensor.clone() for tensor in inputs])
            loss = nn.functional.cross_entropy(logits.flatten(0, -2), targets.flatten())
            losses.append(float(loss.detach()))
            distinct = {id(p): p for p in registered(module).values()}  # shared ones only once
            parameters = [p for p in distinct.values() if p.requires_grad]
            found = torch.autograd.grad(loss, parameters, allow_unused=True)
            with torch.no_grad():
                for parameter, gradient in zip(parameters, found, strict=True):
                    if gradient is not None:
                        parameter.sub_(gradient, alpha=RATE)
        return [loss if math.isfinite(loss) else 1e300 for loss in losses]

    def move(self, of: int, inputs: list[Any], dtype: str) -> list[str]:
        """Call the object on another device and return the operations that mixed two devices.

        The device is `meta`: tensors without values, available on every machine.
        """
        watch = OneDevice()
        module = _module(self.objects[of]).to("meta")
        moved = [x.to("meta") if isinstance(x, Tensor) else x for x in typed(inputs, dtype)]
        # The watch raises RuntimeError at a mixture. Other errors of the meta device are not the
        # student's: for example, conversion to NumPy raises TypeError there.
        with contextlib.suppress(RuntimeError, TypeError), watch, torch.no_grad():
            module(*moved)
        return watch.mixed


def _copies(inputs: list[Any], dtype: str) -> list[Any]:
    """Return copies of the inputs, so that in the grader a call cannot change a check's tensors."""
    return [own(value, strided=False) for value in typed(inputs, dtype)]


def _settings() -> tuple[Any, ...]:
    """Return PyTorch's global settings, in the order of SETTINGS."""
    seed = torch.default_generator.initial_seed()
    return seed, torch.get_default_dtype(), torch.is_grad_enabled()


def _set_back(before: tuple[Any, ...]) -> list[str]:
    """Restore the settings and return the names of those that had changed."""
    now = _settings()
    if now == before:
        return []
    seed, dtype, grad = before
    torch.default_generator.manual_seed(seed)
    torch.set_default_dtype(dtype)
    torch.set_grad_enabled(grad)
    return [name for name, one, two in zip(SETTINGS, before, now, strict=True) if one != two]


def _lacks_a_call(cls: type) -> bool:
    """Return whether the class defines forward without a __call__ that would call it."""
    defined = {name for base in cls.__mro__ for name in vars(base)}
    return "forward" in defined and "__call__" not in defined


def _module(made: Any) -> nn.Module:
    if not isinstance(made, nn.Module):
        raise StepRefused("not_a_module", f"{type(made).__name__} does not inherit from nn.Module")
    if not hasattr(made, "_parameters"):
        raise StepRefused(
            "no_super", f"{type(made).__name__}.__init__ does not call super().__init__()"
        )
    return made
