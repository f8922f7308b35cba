"""Run a student's code in a process of its own, and talk to it within limits."""

from __future__ import annotations

import sys

from autograder.sandbox.child import Child, Limits, Lost, Printed, Sandbox, SandboxFailed

__all__ = ["Child", "Limits", "Lost", "Printed", "Sandbox", "SandboxFailed", "open_sandbox"]


def open_sandbox(limits: Limits, fork: bool = sys.platform == "linux") -> Sandbox:
    """Begin to start a sandbox; it is a context manager that leaves no process behind.

    fork: children are forked from one warm process (milliseconds each); without, each is
    started afresh (seconds each), which is all that Windows and macOS can do.
    """
    if fork:
        from autograder.sandbox.warm import WarmSandbox

        return WarmSandbox(limits)
    from autograder.sandbox.fresh import FreshSandbox

    return FreshSandbox(limits)
