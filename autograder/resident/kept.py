"""Sandboxes that stay open from one command to the next."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from autograder.sandbox import Limits, Sandbox, SandboxFailed, open_sandbox


class KeptSandboxes:
    """Opens each kind of sandbox once. A command that fails or is interrupted closes its own."""

    def __init__(self) -> None:
        self._kept: dict[tuple[Limits, bool], Sandbox] = {}

    @contextmanager
    def open(self, limits: Limits, locked: bool = False) -> Iterator[Sandbox]:
        """Open a sandbox, or take the one that is kept, for a block. Raises CannotLock."""
        kind = limits, locked
        if kind not in self._kept:
            self._kept[kind] = open_sandbox(limits, locked=locked)
        try:
            yield self._kept[kind]
        except BaseException:
            self._kept.pop(kind).close()
            raise

    def prepare(self) -> None:
        """Let each prepare for the next command, before which one that cannot is opened anew."""
        for kind, sandbox in [*self._kept.items()]:
            try:
                sandbox.prepare()
            except BaseException as error:
                self._kept.pop(kind).close()
                if not isinstance(error, SandboxFailed):
                    raise

    def close(self) -> None:
        """Close all of them."""
        while self._kept:
            self._kept.popitem()[1].close()
