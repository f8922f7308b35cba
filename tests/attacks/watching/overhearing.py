"""Hear all that comes out of a sandbox's children, before the grader takes its part."""

from __future__ import annotations

from autograder.sandbox import Child, Clock, Sandbox


class Overheard(Sandbox):
    """Another sandbox, of which `heard` keeps what its children answer and print.

    waited: seconds in which children and grader would have worked if the machine had been free.
    """

    def __init__(self, sandbox: Sandbox) -> None:
        super().__init__(sandbox.limits, sandbox.locked)
        self._sandbox = sandbox
        self.heard: list[bytes | bytearray] = []
        self.waited = 0.0

    def child(self) -> Child:
        child = self._sandbox.child()
        ask = child.ask

        def overheard(request: bytes, clock: Clock | None = None) -> bytes | bytearray:
            before = child._waited_so_far()
            try:
                reply = ask(request, clock)
                self.heard.append(reply)
                return reply
            finally:
                self.waited += max(0.0, child._waited_so_far() - before)
                self.heard += [child.printed.stdout, child.printed.stderr]

        child.ask = overheard  # type: ignore[method-assign]
        return child

    def close(self) -> None:
        self._sandbox.close()
