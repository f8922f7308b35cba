"""Send messages to the child of a session, and serve its substitutes until it replies."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from autograder.client.answers import Problem
from autograder.client.conversation import StepFailed
from autograder.client.reference_server import Consult
from autograder.client.sessions import Session
from autograder.runtime import wire
from autograder.runtime.protocol import Garbled
from autograder.sandbox import Child, Clock, Lost, Printed

WORKED = 0.9  # share of the time of a question, below which the child has waited for something


class ChildConnection:
    """The child that has loaded one module of a submission.

    consult: by exercise, the reference server for the substitute that replaces it. kinds: what
    these exercises are, as in MAKERS.
    """

    def __init__(
        self, session: Session, consult: Mapping[str, Consult], kinds: Mapping[str, str]
    ) -> None:
        self.session = session
        self.consult = consult
        self.kinds = kinds
        self.printed = Printed()  # during the last question
        self.has_worked = False  # for all the time of the last question
        self.consulted: set[str] = set()  # exercises whose reference was asked
        self._child: Child | None = None

    def open(self) -> None:
        """Connect to the session's child, a new one if there is none. Raises SandboxFailed."""
        self._child = self.session.child()

    @property
    def is_open(self) -> bool:
        """Return whether there is a child: it may be lost, or ended in favour of another."""
        return self.session.has(self._child)

    def drop(self) -> None:
        """End the child."""
        self._child = None
        self.session.drop()

    def clock(self, seconds: float) -> Clock:
        """Start the clock for a message that may take these seconds, within the budget."""
        assert self._child is not None
        return self._child.clock(seconds, self.session.budget.remaining)

    def run(self, job: dict[str, Any], factor: float = 1.0) -> Any:
        """Send a job and return the reply, within the time for one question or several.

        Raises StepFailed.
        """
        seconds = self.session.budget.seconds
        clock = self.clock(factor * seconds)
        return self.exchange(wire.encode(job | {"seconds": seconds}), clock)

    def exchange(self, message: bytes, clock: Clock) -> Any:
        """Send a message and serve the substitutes' requests until the reply. Raises StepFailed."""
        self.printed = Printed()
        self.session.take_turn()
        budget = self.session.budget
        if not budget.remaining:
            raise StepFailed(Problem("spent", "the budget of this submission is used up"))
        try:
            reply = self._send(message, clock)
            while isinstance(reply, dict) and "consult" in reply:
                if not clock.remaining():  # each single answer may be in time
                    raise Lost("killed", "it uses substitutes without end")
                reply = self._send(wire.encode(self._consulted(reply["consult"])), clock)
            return reply
        except Lost as lost:
            problem = Problem(lost.kind, str(lost))
        except Garbled as garbled:
            problem = Problem("garbled", f"its reply is invalid ({garbled})")
        finally:
            budget.spend(clock.spent)
            self.has_worked = clock.worked >= WORKED * clock.seconds
        self.drop()
        raise StepFailed(problem) from None

    def _send(self, message: bytes, clock: Clock) -> Any:
        assert self._child is not None
        try:
            reply = self._child.ask(message, clock)
            self.session.budget.receive(reply)
            return wire.decode(reply, untrusted=True)
        finally:
            self.printed.extend(self._child.printed, self.session.limits.printed)

    def _consulted(self, request: Any) -> Any:
        match request:
            case {"of": str(exercise)} if exercise in self.consult:
                self.consulted.add(exercise)
                return self.consult[exercise](request)
        raise Garbled("it asks for an exercise that has no substitute")
