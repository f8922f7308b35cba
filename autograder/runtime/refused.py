"""Refuse a step for which the student's module does not offer what is needed."""

from __future__ import annotations

from typing import Any

from torch import nn


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


def as_module(made: Any) -> nn.Module:
    """Return an object that is a module. Raises StepRefused if it is none or has no registries."""
    if not isinstance(made, nn.Module):
        raise StepRefused("not_a_module", f"{type(made).__name__} does not inherit from nn.Module")
    if not hasattr(made, "_parameters"):
        raise StepRefused(
            "no_super", f"{type(made).__name__}.__init__ does not call super().__init__()"
        )
    return made
