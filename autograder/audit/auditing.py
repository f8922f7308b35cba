"""Audit the whole kit, or some exercises of it, in several processes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from autograder.audit import processes
from autograder.audit.corpus import cases
from autograder.audit.examining import Auditor, repeat
from autograder.audit.figures import REPETITIONS, Audit, CaseResult, Repeated
from autograder.audit.rules import check_course
from autograder.checking.collect import collect
from autograder.sandbox import Limits, open_sandbox

THREADS = (1, 2, 3, 4)  # of torch; the repetitions are divided among these counts


def audit(wanted: Iterable[str], done: processes.Done, repetitions: int = REPETITIONS) -> Audit:
    """Audit the `wanted` exercises, or all if none are. done is called after each part.

    repetitions: how often a sample is graded, in total.
    Raises NoSuchExercise, ExerciseBroken, CourseError and SandboxFailed.
    """
    checks, chosen = collect(), frozenset(wanted)
    checks.assert_known(chosen)
    check_course()
    homes = {name: home for name, home in checks.homes().items() if name in chosen or not chosen}
    with processes.pool() as pool:
        parts = {name: pool.submit(_examined, name) for name in _longest_first(homes)}
        times = repetitions // len(THREADS)
        repeats = {f"{n} threads": pool.submit(_repeated, times, chosen, n) for n in THREADS}
        processes.report(pool, {**parts, **repeats}, done)
    results = tuple(result for name in homes for result in parts[name].result())
    repeated = compared([part.result() for part in repeats.values()], times)
    own_checks = {
        name: tuple(f"{name}/{c.name}" for c in checks.collected if c.check.exercise.name == name)
        for name in homes
    }
    return Audit(results, repeated, own_checks)


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


def _examined(name: str) -> list[CaseResult]:
    exercise = processes.exercise(name)
    return list(
        Auditor(processes.checks(), exercise, processes.sandbox(processes.DEFAULT)).results()
    )


def _repeated(times: int, wanted: frozenset[str], threads: int) -> set[tuple[str, str]]:
    with open_sandbox(Limits(threads=threads)) as sandbox:
        return repeat(times, wanted, sandbox)
