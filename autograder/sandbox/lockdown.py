"""How a warm process and its children are locked in: what is around them, what they give up."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from autograder.child.lock import Plan
from autograder.sandbox import bubblewrap, filter
from autograder.sandbox.bubblewrap import KIT, PACKAGES, CannotLock
from autograder.sandbox.child import Limits, Place

FLAGS = ("-I", "-S", "-B")  # no environment, no site-packages, no files written


@dataclass(frozen=True)
class Lockdown:
    """place: bubblewrap, with what is mounted. plan: what each child does to itself."""

    place: Place
    plan: Plan

    def judge(self, lacks: list[str]) -> None:
        """Refuse a lock that does not hold. Raises CannotLock.

        lacks: what could be done behind it, as child.proof says. What a plan is without on
        purpose is passed over.
        """
        open_ = [lack for lack in lacks if lack.partition(":")[0] not in self.plan.without]
        if open_:
            raise CannotLock(
                f"A student's code could not be locked in here ({'; '.join(open_)}). What "
                "to do: make doctor."
            )


def lockdown(limits: Limits, without: Collection[str] = ()) -> Lockdown:
    """All layers but those named. Raises CannotLock where one cannot be made ready."""
    mounts = bubblewrap.mounts()
    inside = Place((*bubblewrap.arguments(mounts), bubblewrap.python(), *FLAGS), KIT, PACKAGES)
    is_open = "namespaces" in without
    plan = Plan(
        memory=limits.memory,
        readable=[*(mounts.folders if is_open else mounts.folders.values())],
        calls=filter.compiled(),
        without=sorted(without),
    )
    return Lockdown(Place() if is_open else inside, plan)
