"""Make wrong modules by copying right ones, since building a model costs more than calling it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import torch
from torch import nn

from autograder.client import SAME, SEED, Client, Layout, LocalImplementation, Step
from autograder.client.loading import Reference
from autograder.diagnosis.live.solution import Edited
from autograder.diagnosis.live.watch import Watch
from autograder.runtime.interpreter import Interpreter

Classes = Mapping[type, type]  # right class -> the class that replaces it


class EditedImplementation(LocalImplementation):
    """An edited module whose objects are copies of the right ones unless a constructor is edited.

    right: the solution's interpreter, shared by all implementations; it caches the objects it
    builds. watch: observes steps and answers, if set.
    """

    def __init__(self, source: Edited, right: Interpreter) -> None:
        super().__init__(source)
        self._interpreter = _Copying(source, right)
        self.watch: Watch | None = None

    def client(self, layout: Layout = SAME) -> Client:
        """Start a conversation with the edited module."""
        if self.watch:
            self.watch.begin(layout)
        return super().client(layout)

    def _ask(self, steps: list[Step], fresh: bool) -> tuple[list[dict[str, Any]], str]:
        found = super()._ask(steps, fresh)
        if self.watch:
            self.watch.see(steps, found[0])
        return found


class RightImplementation(EditedImplementation):
    """The solution itself. It uses the reference, which has most of the answers cached."""

    def __init__(self, source: Edited, right: Interpreter, reference: Reference) -> None:
        super().__init__(source, right)
        self._reference = reference

    def client(self, layout: Layout = SAME) -> Client:
        """Start a conversation with the reference; its layout is the stated one."""
        return self._reference.client()


class _Copying(Interpreter):
    def __init__(self, source: Edited, right: Interpreter) -> None:
        super().__init__(source)
        self._right = right

    def build(
        self,
        of: int,
        name: str,
        arguments: list[Any],
        named: dict[str, Any],
        dtype: str,
        keep: bool,
    ) -> list[str] | None:
        """Build an object as Interpreter does, by copying the right one if possible."""
        assert isinstance(self.source, Edited)
        classes = self.source.classes() if keep else {}
        if not classes:
            return super().build(of, name, arguments, named, dtype, keep)
        key = f"{name} {arguments} {named}", dtype
        if key not in self.kept:
            self._right.build(0, name, arguments, named, dtype, keep=True)
            with torch.no_grad():
                self.kept[key] = copied(self._right.objects[0], classes)
        self.objects[of] = self.kept[key]
        return None


def builder(source: Any) -> Interpreter:
    """Return the solution's interpreter, with the seed that an EditedImplementation uses."""
    right = Interpreter(source)
    right.answer({"steps": [], "seed": SEED})
    return right


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
