"""Take the layers of the lock away, one at a time, and see what each of them keeps out."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from attacks.watching.attack import Attack
from attacks.watching.canaries import planted
from attacks.watching.watch import LIMITS, Watch
from autograder.sandbox import Sandbox, SandboxFailed, open_sandbox

ALL = "all of them"
LAYERS = (ALL, "namespaces", "limits", "descriptors", "landlock", "seccomp")


@dataclass(frozen=True)
class Row:
    """A layer without which the lock was tried.

    refusal: what the sandbox says that does not start without it. succeed: else, the names of the
    attacks that had issues.
    """

    layer: str
    refusal: str = ""
    succeed: tuple[str, ...] = ()

    @property
    def needed(self) -> bool:
        """Is the lock noticeably worse without it?"""
        return bool(self.refusal or self.succeed)


def ablated(layer: str, attacks: Iterable[Attack], told: Callable[[str], None]) -> Row:
    """Try the attacks without a layer; those that only wait for a time limit are left out."""
    try:
        with planted() as canaries, _opened(layer) as sandbox:
            watch = Watch(sandbox, canaries)
            succeed = []
            for attack in attacks:
                if not attack.name.startswith("time_"):
                    told(f"without {layer}: {attack.name}")
                    succeed += [attack.name] if watch.result(attack).issues else []
            return Row(layer, succeed=tuple(succeed))
    except SandboxFailed as failure:
        return Row(layer, refusal=f"it does not start: {failure}")


def _opened(layer: str) -> Sandbox:
    if layer == ALL:
        return open_sandbox(LIMITS)
    return open_sandbox(LIMITS, locked=True, without=frozenset({layer}))
