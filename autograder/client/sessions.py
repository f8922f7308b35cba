"""The child in which a submission's code runs, and the time budget for its questions."""

from __future__ import annotations

from autograder.runtime.protocol import PREFIX
from autograder.sandbox import Child, Limits, Sandbox

TIMEOUTS = 4  # with the full time for a question: two questions, each asked twice
CHILD_SECONDS = 0.02  # of CPU time to start and end a child, which no question's clock measures
CHILDREN = 2  # of one person's work at a time: one for visible checks, one for hidden ones
HEADER_COST = 30  # bytes in memory for each byte of a reply's header
SHARE = 5  # divisor of the time for a question after that


def cost(reply: bytes | bytearray) -> int:
    """Return how many bytes a reply may take in the grader, which keeps it.

    The header's objects are much larger than its text; a tensor without numbers by 25 times.
    """
    header = PREFIX.unpack_from(reply)[1] if len(reply) >= PREFIX.size else 0
    return len(reply) + HEADER_COST * int(header)


class Budget:
    """The time for all questions to one submission and its children, and for each single question.

    The memory that its replies take is limited too.

    After several timeouts each question gets less time, so a submission with many endless loops
    cannot delay the others for long. Correct code needs much less than the reduced time.
    """

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._timeouts = 0
        self._spent = 0.0
        self._questions = 0
        self._received = 0

    @property
    def remaining(self) -> float:
        """Return the seconds that remain for all questions.

        0 after the maximal number of them, or if the replies take too much memory.
        """
        if self._questions >= self._limits.questions or self._received > self._limits.received:
            return 0.0
        return max(0.0, self._limits.budget - self._spent)

    def spend(self, seconds: float) -> None:
        """Record a question and the time that it took."""
        self._spent += seconds
        self._questions += 1

    def start_child(self) -> None:
        """Record the start of a child."""
        self._spent += CHILD_SECONDS

    def receive(self, reply: bytes | bytearray) -> None:
        """Record a reply."""
        self._received += cost(reply)

    @property
    def seconds(self) -> float:
        """Return the seconds of CPU time that the next question may take.

        The child sees this number, so it does not depend on the remaining budget, which would show
        how long earlier questions took, perhaps those of hidden checks.
        """
        return self._limits.seconds / (1 if self._timeouts < TIMEOUTS else SHARE)

    @property
    def seconds_ahead(self) -> float:
        """Return the seconds of CPU time for all questions that are asked ahead together.

        Far more than a correct submission needs, and little to lose if they are asked again.
        """
        return min(self.seconds, self._limits.seconds / SHARE)

    def note_timeout(self) -> None:
        """Record that the time for a question has run out, or that its child was killed."""
        self._timeouts += 1


class Session:
    """The child in which the modules of a submission run, one after the other.

    parent: another session of the same person's work. All its sessions share one budget and at most
    CHILDREN children. If one more is needed, the oldest of visible checks ends, or of hidden ones
    if there is no other; its session starts a new one later. is_hidden: for hidden checks.
    """

    def __init__(
        self, sandbox: Sandbox, parent: Session | None = None, is_hidden: bool = False
    ) -> None:
        self.limits = sandbox.limits
        self.sandbox = sandbox
        self.budget: Budget = parent.budget if parent else Budget(sandbox.limits)
        self._active: list[Session] = parent._active if parent else []  # sessions with a child
        self._is_hidden = is_hidden
        self._child: Child | None = None
        self._for_hidden: Session | None = None

    @property
    def for_hidden(self) -> Session:
        """A session for hidden checks, whose child never takes part in visible ones."""
        if self._for_hidden is None:
            self._for_hidden = Session(self.sandbox, self, is_hidden=True)
        return self._for_hidden

    def take_turn(self) -> None:
        """Let no other child of the same person's work do anything until it takes its own turn.

        Others could measure how busy this session's child keeps the processor, or signal to it by
        keeping it busy. So they are stopped; one for hidden checks ends if it cannot be stopped.
        When hidden checks take their turn, children for visible ones end: they could measure how
        long it takes.
        """
        for other in [one for one in self._active if one is not self]:
            would_measure = self._is_hidden and not other._is_hidden
            if would_measure or not other._stands_still():
                other.drop()

    def _stands_still(self) -> bool:
        """Stop the child until the next question. Returns whether it can do no harm until then."""
        assert self._child is not None
        return self._child.pause() or not self._is_hidden

    def child(self) -> Child:
        """Return the child, a new one if there is none. Raises SandboxFailed."""
        if self._child is None:
            while len(self._active) >= CHILDREN:
                visible = [one for one in self._active if not one._is_hidden]
                (visible or self._active)[0].drop()
            self.budget.start_child()
            self._child = self.sandbox.child()
            self._active.append(self)
        return self._child

    def has(self, child: Child | None) -> bool:
        """Return whether this is the session's current child."""
        return child is not None and child is self._child

    def clear(self) -> None:
        """End the child, if there is one, and that for hidden checks."""
        self.drop()
        if self._for_hidden is not None:
            self._for_hidden.clear()

    def drop(self) -> None:
        """End the child, if there is one."""
        if self._child is not None:
            self._active.remove(self)
            child, self._child = self._child, None
            child.end()
