"""Where a submission's code runs, and how long its questions may take."""

from __future__ import annotations

from autograder.sandbox import Child, Limits, Sandbox

TIMES = 4  # that the time for a question may run out: two questions, each asked twice
CHILDREN = 2  # of one work that live at a time: one for visible checks, one for hidden ones
SHARE = 5  # the part of the time that is left for each question after that


class Budget:
    """The time for all questions to one student's work, and for each, which is less once much has
    been lost.

    However many loops without end there are in it, it cannot hold up the others for long, and what
    is right in it is right in a fifth of the time too.
    """

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._times = 0
        self._spent = 0.0
        self._asked = 0

    @property
    def left(self) -> float:
        """Return the seconds that are left for all of it; 0 if too much was asked."""
        if self._asked >= self._limits.questions:
            return 0.0
        return max(0.0, self._limits.budget - self._spent)

    def spend(self, seconds: float) -> None:
        """Take note of a question and the time that it took."""
        self._spent += seconds
        self._asked += 1

    @property
    def seconds(self) -> float:
        """Return the seconds of CPU time that the next question may take.

        The child is told them, so they do not depend on what is left: that would say how long the
        questions before took, which may be those of hidden checks.
        """
        return self._limits.seconds / (1 if self._times < TIMES else SHARE)

    @property
    def seconds_ahead(self) -> float:
        """Return those that all questions together may take that are asked before their turn: far
        more than right work takes, and no great loss where it is to be asked again."""
        return min(self.seconds, self._limits.seconds / SHARE)

    def late(self) -> None:
        """Take note that the time for a question has run out."""
        self._times += 1


class Session:
    """The child in which the modules of a submission run, one after the other.

    beside: a desk of the same work. All desks of one work share its time, and its CHILDREN: where
    one more would be too many, the oldest is ended, and started anew when it is asked again.
    behind: the desk for what nothing may be heard of where there is something to be read.
    """

    def __init__(self, sandbox: Sandbox, beside: Session | None = None) -> None:
        self.limits = sandbox.limits
        self.sandbox = sandbox
        self.budget_left: Budget = beside.budget_left if beside else Budget(sandbox.limits)
        self._living: list[Session] = beside._living if beside else []  # that have a child
        self._child: Child | None = None
        self._behind: Session | None = None

    @property
    def behind(self) -> Session:
        """Another desk, which is cleared with this one."""
        if self._behind is None:
            self._behind = Session(self.sandbox, self)
        return self._behind

    def child(self) -> Child:
        """The child; a new one if there is none. Raises SandboxFailed."""
        if self._child is None:
            while len(self._living) >= CHILDREN:
                self._living[0].drop()
            self._child = self.sandbox.child()
            self._living.append(self)
        return self._child

    def has(self, child: Child | None) -> bool:
        """Return whether this is the child that is here, and was not ended."""
        return child is not None and child is self._child

    def clear(self) -> None:
        """End the child, if there is one, and the one behind."""
        self.drop()
        if self._behind is not None:
            self._behind.clear()

    def drop(self) -> None:
        """End the child, if there is one."""
        if self._child is not None:
            self._living.remove(self)
            child, self._child = self._child, None
            child.end()
