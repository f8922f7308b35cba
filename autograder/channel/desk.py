"""Where a submission's code runs, and how busy it was."""

from __future__ import annotations

from autograder.sandbox import Child, Sandbox

IDLE = 0.5  # of a question's time: a child that used less of the CPU in its life was kept waiting


class Desk:
    """The child in which the modules of a submission run, one after the other.

    behind: the desk for what nothing may be heard of where there is something to be read.
    """

    def __init__(self, sandbox: Sandbox) -> None:
        self.limits = sandbox.limits
        self.sandbox = sandbox
        self._child: Child | None = None
        self._cpu: float | None = None  # of the child that was here before
        self._behind: Desk | None = None

    @property
    def behind(self) -> Desk:
        """Another desk, which is cleared with this one."""
        if self._behind is None:
            self._behind = Desk(self.sandbox)
        return self._behind

    def child(self) -> Child:
        """The child; a new one if there is none. Raises SandboxFailed."""
        if self._child is None:
            self._child = self.sandbox.child()
        return self._child

    def clear(self) -> None:
        """End the child, if there is one, and the one behind."""
        self.drop()
        if self._behind is not None:
            self._behind.clear()

    def drop(self) -> None:
        """End the child, if there is one."""
        if self._child is not None:
            child, self._child = self._child, None
            child.end()
            self._cpu = child.cpu

    def was_idle(self) -> bool:
        """End the child. Did it use so little of the CPU that it cannot have been busy for the
        time of a question: is the machine so loaded, or did its code sleep?"""
        self.drop()
        return self._cpu is not None and self._cpu < IDLE * self.limits.seconds
