"""A sandbox that hears all that comes out of its children, before the grader takes its part."""

from __future__ import annotations

from autograder.sandbox import Child, Sandbox


class Overheard(Sandbox):
    """Another sandbox, of which `heard` keeps what its children answer and print."""

    def __init__(self, sandbox: Sandbox) -> None:
        super().__init__(sandbox.limits)
        self._sandbox = sandbox
        self.heard: list[bytes] = []

    def child(self) -> Child:
        return _Overheard(self._sandbox.child(), self.heard)

    def close(self) -> None:
        self._sandbox.close()


class _Overheard(Child):
    def __init__(self, child: Child, heard: list[bytes]) -> None:
        super().__init__(child.limits)
        self._child = child
        self._heard = heard

    def _exchange(self, request: bytes) -> bytes:
        try:
            reply = self._child.ask(request)
            self._heard.append(reply)
            return reply
        finally:
            self.printed = self._child.printed
            self._heard += [self.printed.stdout, self.printed.stderr]

    def end(self) -> None:
        self._child.end()
