"""Carry out the steps that make objects and give them parameters."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.parameter import is_lazy

from autograder.runtime import inspecting
from autograder.runtime.calling import copies
from autograder.runtime.questions import Build, CallStep, HandOver, Load, Step, Take, Train
from autograder.runtime.refused import StepRefused, as_module
from autograder.runtime.settings import restore, seed, settings
from autograder.runtime.source import Source
from autograder.runtime.values import (
    ModuleState,
    at,
    cast,
    described,
    listed,
    lists_itself,
    output_of,
    registered,
    same_state,
    state_of,
)

Key = tuple[str, torch.dtype]  # how an object was made, as code


class Bound(nn.Module):
    """A plain function wrapped as a module that passes its projections after the inputs.

    projections: name -> (input features, output features) of linear layers. bias: whether these
    layers have one.
    """

    def __init__(
        self, function: Any, projections: dict[str, tuple[int, int]], bias: bool = False
    ) -> None:
        super().__init__()
        self._function = [function]  # in a list: a module would become a child
        for name, (size_in, size_out) in projections.items():
            self.add_module(name, nn.Linear(size_in, size_out, bias=bias))

    def forward(self, *inputs: Any) -> Any:
        return self._function[0](*inputs, *self.children())


class Objects:
    """The objects that steps make from the classes and functions of one module, by number."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.kept: dict[Key, Any] = {}
        self._objects: dict[int, Any] = {}
        self._built: dict[Key, ModuleState] = {}  # states of kept objects when built
        self._used: set[Key] = set()  # kept objects used since the check began
        self._dtypes: dict[int, torch.dtype] = {}  # by number, of objects built from classes
        self._as_built: set[int] = set()  # numbers of objects that are in their author's types
        self._loaded: dict[int, tuple[str, ...]] = {}  # by number, names of tensors given weights

    def __getitem__(self, of: int) -> Any:
        return self._objects[of]

    def forget(self) -> None:
        """Drop all objects before the next check begins.

        Kept objects stay available, unless a call changed them beyond their parameters' values,
        so one check cannot affect the next.
        """
        self._objects.clear()
        self._as_built.clear()
        self._loaded.clear()
        for key in self._used:
            if not same_state(self._built[key], state_of(self.kept[key])):
                del self.kept[key]
        self._used.clear()

    def build(self, step: Build, number: int, following: Sequence[Step]) -> list[str] | None:
        """Answer Build. number: the question's seed. following: the question's later steps."""
        call = written(step)
        key = call, step.dtype
        if step.keep and key in self.kept:
            self._used.add(key)
            self._objects[step.of], self._dtypes[step.of] = self.kept[key], step.dtype
            return None
        cls = self._class(step.name)
        random = torch.default_generator.get_state()
        if step.keep:
            seed(number)
        before = settings()
        try:
            made = cls(*step.arguments, **step.named)
        except TypeError as error:
            problem = self.source.problem(error)
            if problem["frames"]:
                raise
            raise StepRefused("signature", f"{call} does not fit: {problem['text']}") from None
        disturbed = restore(before)
        if isinstance(made, nn.Module):
            as_module(made)  # refuses one that hides what PyTorch needs
        if step.as_built and torch.get_default_dtype() is step.dtype:
            self._as_built.add(step.of)
        else:
            cast(made, step.dtype)
        self._objects[step.of], self._dtypes[step.of] = made, step.dtype
        if isinstance(made, nn.Module) and any(map(is_lazy, registered(made).values())):
            self._call_first(step.of, following)
        if step.keep:
            self.kept[key], self._built[key] = made, state_of(made)
            self._used.add(key)
            torch.default_generator.set_state(random)
        return disturbed or None

    def _class(self, name: str) -> type:
        cls = self._defined(name)
        if not isinstance(cls, type):
            raise StepRefused("not_a_class", f"{name} is not a class but {described(cls)}")
        if _lacks_a_call(cls):  # nn.Module would define __call__
            raise StepRefused("no_call", f"{name} has no __call__")
        return cls

    def _defined(self, name: str) -> Any:
        """Return what the module defines under this name.

        If nothing: raises the exception that prevented the definition, or StepRefused.
        """
        if name in self.source.namespace:
            return self.source.namespace[name]
        if name in self.source.lost:
            raise self.source.lost[name]
        raise StepRefused("absent", f"there is no {name}")

    def take(self, step: Take) -> None:
        """Answer Take. Without projections, the object has no state, so all steps share it."""
        key = step.name, step.dtype
        if not step.projections and key in self.kept:
            self._objects[step.of] = self.kept[key]
            return
        function = self._defined(step.name)
        if isinstance(function, type) or not callable(function):
            what = "a class" if isinstance(function, type) else described(function)
            raise StepRefused("not_a_function", f"{step.name} is not a function but {what}")
        made = Bound(function, step.projections, step.bias)
        cast(made, step.dtype)
        self._objects[step.of] = made
        if not step.projections:
            self.kept[key] = made

    def load(self, step: Load, following: Sequence[Step]) -> None:
        """Answer Load.

        If some tensors do not exist yet, the object is called first: the call may create them.
        """
        made, weights = self[step.of], step.weights
        places = {name: at(made, name) for name in weights}
        if any(t is None or is_lazy(t) for t in places.values()):
            random = torch.default_generator.get_state()
            self._call_first(step.of, following)
            torch.default_generator.set_state(random)
            places = {name: at(made, name) for name in weights}
        if any(
            t is None or is_lazy(t) or t.shape != weights[name].shape for name, t in places.items()
        ):
            raise _other_names(made, places, weights)
        for name, place in places.items():
            assert place is not None
            place.data = weights[name].clone().to(place.dtype)
        self._loaded[step.of] = tuple(weights)

    def loaded(self, of: int) -> dict[str, Tensor]:
        """Return the tensors of an object that lists its own which were given weights, by name.

        They are what training should change, whether the object lists them or not.
        """
        made = self[of]
        names = self._loaded.get(of, ()) if lists_itself(made) else ()
        return {name: tensor for name in names if (tensor := at(made, name)) is not None}

    def hand_over(self, step: HandOver, following: Sequence[Step]) -> None:
        """Answer HandOver.

        If the other object lacks some entries, it is called first, as in `load`.
        """
        given, target = as_module(self[step.of]).state_dict(), as_module(self[step.to])
        if given.keys() - target.state_dict().keys():
            self._call_first(step.to, following)
        target.load_state_dict(given)

    def train(self, step: Train) -> None:
        """Answer Train; on a plain class, set its `training`."""
        made = self[step.of]
        if isinstance(made, nn.Module):
            as_module(made).train(step.mode)
        else:
            made.training = step.mode

    def _call_first(self, of: int, following: Sequence[Step]) -> None:
        """Call an object on the inputs of its next call, in float32 as its author would.

        This gives an object its parameters if it creates them in the first call.
        """
        calls = (step for step in following if isinstance(step, CallStep) and step.of == of)
        first = next(calls, None)
        if first is None or of not in self._dtypes:
            return
        made = self[of]
        if of not in self._as_built:
            cast(made, torch.float32)
        with torch.no_grad():
            output_of(made, copies(first.inputs, torch.float32))
        if of not in self._as_built:
            cast(made, self._dtypes[of])


def written(step: Build) -> str:
    """Return the constructor's call as code."""
    named = (f"{key}={value!r}" for key, value in step.named.items())
    return f"{step.name}({', '.join([*map(repr, step.arguments), *named])})"


def _other_names(
    made: Any, places: Mapping[str, Tensor | None], weights: Mapping[str, Tensor]
) -> StepRefused:
    """Return the refusal of weights that do not fit, with what there is instead.

    places: the object's tensor for each weight, if there is one.
    """
    found = registered(as_module(made)) if isinstance(made, nn.Module) else {}
    if lists_itself(made):
        found |= {name: tensor for name, tensor in places.items() if tensor is not None}
        with contextlib.suppress(Exception):  # a parameters() that fails lists nothing
            found |= listed(made)
    have = inspecting.described(found)
    want = {name: list(weight.shape) for name, weight in weights.items()}
    if isinstance(made, nn.Module):
        text = "the parameters have other names or shapes"
        return StepRefused("names", text, have=have, want=want)
    text = f"{type(made).__name__} does not inherit from nn.Module"
    return StepRefused("attributes", text, have=have, want=want)


def _lacks_a_call(cls: type) -> bool:
    """Return whether the class defines forward without a __call__ that would call it."""
    defined = {name for base in cls.__mro__ for name in vars(base)}
    return "forward" in defined and "__call__" not in defined
