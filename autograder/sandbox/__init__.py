"""Run a student's code in a separate process, and ask it questions within limits."""

from __future__ import annotations

import sys
from collections.abc import Collection

from autograder.sandbox.bubblewrap import CannotLock
from autograder.sandbox.child import (
    Child,
    Limits,
    Lost,
    Printed,
    Sandbox,
    SandboxFailed,
    wrong_times,
)
from autograder.sandbox.clock import Clock

__all__ = [
    "CannotLock",
    "Child",
    "Clock",
    "Limits",
    "Lost",
    "Printed",
    "Sandbox",
    "SandboxFailed",
    "open_sandbox",
    "wrong_times",
]


def open_sandbox(
    limits: Limits,
    fork: bool = sys.platform == "linux",
    locked: bool = False,
    without: Collection[str] = (),
) -> Sandbox:
    """Start a sandbox, a context manager that ends all its processes.

    fork: fork children from one warm process, in milliseconds each. Otherwise each child is a new
    process, which takes seconds; Windows and macOS support only this. locked: isolate children from
    the machine and the network. without: layers of the lock to omit, to measure what each prevents.
    Raises CannotLock, here or from the first call of `child`, if this machine cannot lock.
    """
    if not fork:
        if locked:
            raise CannotLock("Students' code can be locked in on Linux only.")
        from autograder.sandbox.fresh import FreshSandbox

        return FreshSandbox(limits)
    from autograder.sandbox.warm import WarmSandbox

    if not locked:
        return WarmSandbox(limits)
    from autograder.sandbox.lockdown import lockdown

    return WarmSandbox(limits, lockdown(limits, without))
