"""Make wrong modules by copying right ones, since building a model costs more than calling it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import torch
from torch import nn

from autograder.client import SAME, Client, Layout, LocalImplementation
from autograder.client.loading import Reference
from autograder.diagnosis.live.solution import Edited
from autograder.diagnosis.live.watch import Watch
from autograder.runtime.interpreter import StepAnswer
from autograder.runtime.objects import Objects, written
from autograder.runtime.questions import SEED, Build, Step

Classes = Mapping[type, type]  # right class -> the class that replaces it


class EditedImplementation(LocalImplementation):
    """An edited module whose objects are copies of the right ones unless a constructor is edited.

    right: the solution's objects, shared by all implementations; it keeps what it builds. watch:
    observes steps and answers, if set.
    """

    def __init__(self, source: Edited, right: Objects) -> None:
        super().__init__(source, objects=_Copies(source, right))
        self.watch: Watch | None = None

    def client(self, layout: Layout = SAME) -> Client:
        """Start a conversation with the edited module."""
        if self.watch:
            self.watch.begin(layout)
        return super().client(layout)

    def _ask(self, steps: Sequence[Step], fresh: bool) -> tuple[list[StepAnswer], str]:
        found = super()._ask(steps, fresh)
        if self.watch:
            self.watch.see(steps, found[0])
        return found


class RightImplementation(EditedImplementation):
    """The solution itself, which a reference answers for."""

    def __init__(self, source: Edited, right: Objects, reference: Reference) -> None:
        super().__init__(source, right)
        self._reference = reference

    def client(self, layout: Layout = SAME) -> Client:
        """Start a conversation with the reference; its layout is the stated one."""
        return self._reference.client()


class _Copies(Objects):
    """Objects that are copies of the right ones, where only `forward` is edited."""

    def __init__(self, source: Edited, right: Objects) -> None:
        super().__init__(source)
        self._edited = source
        self._right = right

    def build(self, step: Build, number: int, following: Sequence[Step]) -> list[str] | None:
        """Build an object as Objects does, by copying the right one if possible."""
        classes = self._edited.classes() if step.keep else {}
        if not classes:
            return super().build(step, number, following)
        key = written(step), step.dtype
        if key not in self.kept:
            self._right.build(replace(step, of=0), SEED, ())
            with torch.no_grad():
                self.kept[key] = copied(self._right[0], classes)
        self._objects[step.of] = self.kept[key]
        return None


def copied(model: nn.Module, classes: Classes) -> nn.Module:
    """Copy a module and its numbers with other classes. No submodule may occur twice in it."""
    copy: nn.Module = object.__new__(classes.get(type(model), type(model)))
    vars(copy).update(vars(model))
    vars(copy)["_parameters"] = {
        name: p if p is None else nn.Parameter(p.clone(), p.requires_grad)
        for name, p in model._parameters.items()
    }
    vars(copy)["_buffers"] = {
        name: b if b is None else b.clone() for name, b in model._buffers.items()
    }
    vars(copy)["_modules"] = {
        name: m if m is None else copied(m, classes) for name, m in model._modules.items()
    }
    return copy
