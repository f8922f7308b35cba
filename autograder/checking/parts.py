"""Laws about the submodules of a module."""

from __future__ import annotations

from collections.abc import Mapping

from autograder.checking.agreement import Wrong
from autograder.checking.laws import Law
from autograder.checking.trial import Trial
from autograder.client import Client


def has(submission: Client, trial: Trial, wanted: Mapping[str, str]) -> Law:
    """Law: the module has submodules of these names and classes.

    wanted: by name, the class or a base class of the submodule; "" for any.
    """
    lacking = trial.build(submission).lacking(wanted)
    yield
    for name, cls in lacking.value.items():
        if not cls:
            raise Wrong("wrong parts", f"There is no part called {name}.")
        raise Wrong("wrong parts", f"Expected {name} to be a {wanted.get(name)}, got a {cls}.")
