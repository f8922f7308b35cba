"""Laws about the parts that a module consists of."""

from __future__ import annotations

from collections.abc import Mapping

from autograder.checking.agreement import Wrong
from autograder.checking.laws import Law
from autograder.checking.trial import Trial
from autograder.client import Client


def has(submission: Client, trial: Trial, wanted: Mapping[str, str]) -> Law:
    """Modules of these names are among its attributes.

    wanted: by name, the class of the part, or of which its class is a subclass; "" for any.
    """
    lacking = trial.build(submission).lacking(wanted)
    yield
    for name, cls in lacking.value.items():
        if not cls:
            raise Wrong("wrong parts", f"There is no part called {name}.")
        raise Wrong("wrong parts", f"Expected {name} to be a {wanted.get(name)}, got a {cls}.")
