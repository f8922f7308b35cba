"""The processes of an audit, one per core, each with a sandbox and the checks of the course."""

from __future__ import annotations

import gc
import multiprocessing
import os
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from functools import cache
from multiprocessing.queues import SimpleQueue
from typing import Any

from autograder.checking.collect import Checks, collect
from autograder.course.exercise import Exercise
from autograder.sandbox import Limits, Sandbox, open_sandbox

Done = Callable[[str, int, int], None]  # the part that is done, the number done, the number of all
DEFAULT = Limits()


def pool(limits: Limits = DEFAULT) -> ProcessPoolExecutor:
    """Make a pool with one process per core, each with its own sandbox."""
    context = multiprocessing.get_context("spawn")
    cores: SimpleQueue[int] = context.SimpleQueue()
    if hasattr(os, "sched_getaffinity"):
        usable = sorted(os.sched_getaffinity(0))
    else:
        usable = [*range(os.cpu_count() or 1)]
    for core in usable:
        cores.put(core)
    return ProcessPoolExecutor(len(usable), context, _begin, (cores, limits))


def report(pool: ProcessPoolExecutor, parts: Mapping[str, Future[Any]], done: Done) -> None:
    """Call done for each part of a pool's work as soon as it is finished.

    Raises what a part raised; the parts that have not begun are then cancelled.
    """
    labels = {part: name for name, part in parts.items()}
    try:
        for count, part in enumerate(as_completed(labels), 1):
            part.result()
            done(labels[part], count, len(labels))
    except BaseException:
        pool.shutdown(cancel_futures=True)
        raise


def _begin(cores: SimpleQueue[int], limits: Limits) -> None:
    """Prepare a process: pin it and its sandbox to one core, and load the checks."""
    core = cores.get()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {core})
    sandbox(limits)  # starts while the checks are imported
    checks()
    gc.freeze()


@cache
def sandbox(limits: Limits) -> Sandbox:
    """Return this process's sandbox, which ends with the process."""
    return open_sandbox(limits)


@cache
def checks() -> Checks:
    """Return the checks of the course, collected once in this process."""
    return collect()


def exercise(name: str) -> Exercise:
    """Return an exercise of the course."""
    return next(c.check.exercise for c in checks().collected if c.check.exercise.name == name)
