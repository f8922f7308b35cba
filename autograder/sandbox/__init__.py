"""Run a student's code in a process of its own, and talk to it within limits."""

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
    """Begin to start a sandbox; it is a context manager that leaves no process behind.

    fork: children are forked from one warm process (milliseconds each); without, each is
    started afresh (seconds each), which is all that Windows and macOS can do. locked: they can
    reach nothing and nobody. without: layers of the lock to leave out, to learn what they are
    good for. Raises CannotLock where this machine cannot do that; if it is found out only when the
    process starts, then with its first child.
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
