"""Prepare the lock of a warm process and its children: namespaces, and what each child gives up."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from autograder.child.lock import LockPlan
from autograder.sandbox import bubblewrap, filter
from autograder.sandbox.bubblewrap import KIT, PACKAGES, CannotLock
from autograder.sandbox.child import Limits, Place

FLAGS = ("-I", "-S", "-B")  # no environment, no site-packages, no files written


@dataclass(frozen=True)
class Lockdown:
    """A complete lock. place: the namespaces and mounts. plan: the layers each child applies."""

    place: Place
    plan: LockPlan

    def judge(self, lacks: list[str]) -> None:
        """Raise CannotLock if the lock does not hold.

        lacks: what code could still do, from child.proof. Ignores layers that the plan omits.
        """
        open_ = [lack for lack in lacks if lack.partition(":")[0] not in self.plan.without]
        if open_:
            raise CannotLock(
                f"A student's code could not be locked in here ({'; '.join(open_)}). To find out "
                "what to do, run: make doctor."
            )


def lockdown(limits: Limits, without: Collection[str] = ()) -> Lockdown:
    """Return a lock with all layers except those in `without`. Raises CannotLock."""
    mounts = bubblewrap.mounts()
    inside = Place((*bubblewrap.arguments(mounts), bubblewrap.python(), *FLAGS), KIT, PACKAGES)
    is_open = "namespaces" in without
    plan = LockPlan(
        memory=limits.memory,
        readable=[*(mounts.folders if is_open else mounts.folders.values())],
        calls=filter.compiled(),
        without=sorted(without),
    )
    return Lockdown(Place() if is_open else inside, plan)
