"""Take the layers of the lock away, one at a time, and see what each of them keeps out."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from attacks.watching.attack import Attack
from attacks.watching.canaries import planted
from attacks.watching.watch import LIMITS, Result, Watch
from autograder.child.lock import LAYERS
from autograder.sandbox.lockdown import Lockdown, lockdown
from autograder.sandbox.warm import WarmSandbox

ALL = "all of them"
CHOICES = (ALL, *LAYERS)


@dataclass(frozen=True)
class Row:
    """A layer without which the lock was tried.

    refused: what its self-test found that can be done, for which it would have refused to start.
    succeed: names of the attacks that had issues, since it was started all the same.
    """

    layer: str
    refused: tuple[str, ...]
    succeed: tuple[str, ...]

    @property
    def needed(self) -> bool:
        """Is the lock noticeably worse without it?"""
        return bool(self.refused or self.succeed)


@dataclass(frozen=True)
class Lenient(Lockdown):
    """A lock that is used though it does not hold; `lacks` is what its self-test found."""

    lacks: list[str] = field(default_factory=list)

    def judge(self, lacks: list[str]) -> None:
        self.lacks.extend(lacks)


def ablated(layer: str, attacks: Iterable[Attack], told: Callable[[Result], None]) -> Row:
    """Try attacks without a layer; told is called with what came of each."""
    whole = lockdown(LIMITS, without=LAYERS if layer == ALL else (layer,))
    lenient = Lenient(whole.place, whole.plan)
    succeed = []
    with planted() as canaries, WarmSandbox(LIMITS, lenient) as sandbox:
        watch = Watch(sandbox, canaries)
        for attack in attacks:
            result = watch.result(attack)
            told(result)
            succeed += [attack.name] if result.issues else []
    return Row(layer, tuple(dict.fromkeys(lenient.lacks)), tuple(succeed))
