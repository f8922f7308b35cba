"""Audit the whole kit, or some exercises of it, in several processes."""

from __future__ import annotations

import gc
import multiprocessing
import os
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from functools import cache
from multiprocessing.queues import SimpleQueue
from typing import Any

from autograder.audit.corpus import cases
from autograder.audit.examining import Auditor, repeat
from autograder.audit.figures import REPETITIONS, Audit, CaseResult, Repeated
from autograder.audit.rules import check_course
from autograder.checking.collect import Checks, collect
from autograder.sandbox import Limits, Sandbox, open_sandbox

THREADS = (1, 2, 3, 4)  # of torch; the repetitions are divided among these counts

Done = Callable[[str, int, int], None]  # the part that is done, the number done, the number of all


def audit(wanted: Iterable[str], done: Done, repetitions: int = REPETITIONS) -> Audit:
    """Audit the `wanted` exercises, or all if none are. done is called after each part.

    repetitions: how often a sample is graded, in total.
    Raises NoSuchExercise, CheckBroken, CourseError and SandboxFailed.
    """
    checks, chosen = collect(), frozenset(wanted)
    checks.assert_known(chosen)
    check_course(checks)
    homes = {name: home for name, home in checks.homes().items() if name in chosen or not chosen}
    with _pool() as pool:
        parts = {name: pool.submit(_examined, name) for name in _longest_first(homes)}
        times = repetitions // len(THREADS)
        repeats = {f"{n} threads": pool.submit(_repeated, times, chosen, n) for n in THREADS}
        try:
            _report_progress({**parts, **repeats}, done)
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
    results = tuple(result for name in homes for result in parts[name].result())
    repeated = compared([part.result() for part in repeats.values()], times)
    own_checks = {
        name: tuple(f"{name}/{c.name}" for c in checks.collected if c.check.exercise.name == name)
        for name in homes
    }
    return Audit(results, repeated, own_checks)


def _report_progress(parts: Mapping[str, Future[Any]], done: Done) -> None:
    """Call done for each part as soon as it is finished. Raises what a part raised."""
    labels = {part: name for name, part in parts.items()}
    for count, part in enumerate(as_completed(labels), 1):
        part.result()
        done(labels[part], count, len(labels))


def compared(parts: list[set[tuple[str, str]]], times: int) -> Repeated:
    """Find the submissions that were not graded alike in all parts.

    times: how often each part graded its sample.
    """
    outcomes = Counter(name for name, _ in set().union(*parts))
    unlike = tuple(sorted(name for name, count in outcomes.items() if count > 1))
    return Repeated(times * len(parts), len(outcomes), unlike)


def _longest_first(homes: dict[str, str]) -> list[str]:
    """Return the exercises with most cases first, so that no process ends long after the others."""
    return sorted(homes, key=lambda name: -sum(1 for _ in cases(homes[name], name)))


def _pool() -> ProcessPoolExecutor:
    """Make a pool with one process per core, each with its own sandbox."""
    context = multiprocessing.get_context("spawn")
    cores: SimpleQueue[int] = context.SimpleQueue()
    can_choose = hasattr(os, "sched_getaffinity")
    usable = sorted(os.sched_getaffinity(0)) if can_choose else range(os.cpu_count() or 1)
    for core in usable:
        cores.put(core)
    return ProcessPoolExecutor(len(usable), context, _begin, (cores,))


def _begin(cores: SimpleQueue[int]) -> None:
    """Prepare a process: pin it and its sandbox to one core, and load the checks."""
    core = cores.get()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {core})
    _sandbox()  # starts while the checks are imported
    _checks()
    gc.freeze()


@cache
def _sandbox() -> Sandbox:
    """Return this process's sandbox, which ends with the process."""
    return open_sandbox(Limits())


@cache
def _checks() -> Checks:
    return collect()


def _examined(name: str) -> list[CaseResult]:
    exercise = next(c.check.exercise for c in _checks().collected if c.check.exercise.name == name)
    return list(Auditor(_checks(), exercise, _sandbox()).results())


def _repeated(times: int, wanted: frozenset[str], threads: int) -> set[tuple[str, str]]:
    with open_sandbox(Limits(threads=threads)) as sandbox:
        return repeat(times, wanted, sandbox)
