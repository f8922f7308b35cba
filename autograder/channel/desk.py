"""Where a submission's code runs, and how long its questions may take."""

from __future__ import annotations

from autograder.sandbox import Child, Limits, Sandbox

TIMES = 4  # that the time for a question may run out: two questions, each asked twice
SHARE = 5  # the part of the time that is left for each question after that


class Patience:
    """The time for each question to one student's work, which is less once much has been lost.

    However many loops without end there are in it, it cannot hold up the others for long, and what
    is right in it is right in a fifth of the time too.
    """

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._times = 0

    @property
    def seconds(self) -> float:
        """Return the seconds of CPU time that the next question may take."""
        return self._limits.seconds / (1 if self._times < TIMES else SHARE)

    def late(self) -> None:
        """Take note that the time for a question has run out."""
        self._times += 1


class Desk:
    """The child in which the modules of a submission run, one after the other.

    behind: the desk for what nothing may be heard of where there is something to be read.
    """

    def __init__(self, sandbox: Sandbox, patience: Patience | None = None) -> None:
        self.limits = sandbox.limits
        self.sandbox = sandbox
        self.patience = patience or Patience(sandbox.limits)
        self._child: Child | None = None
        self._behind: Desk | None = None

    @property
    def behind(self) -> Desk:
        """Another desk, which is cleared with this one."""
        if self._behind is None:
            self._behind = Desk(self.sandbox, self.patience)
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
