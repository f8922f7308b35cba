"""Tell which failures are alike: work that leaves the same trace in all checks of an exercise."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable, Mapping

from autograder.checking.collect import Collected
from autograder.diagnosis.trace import Answer, Trace
from autograder.grading.runner import CheckRun

DECIMALS = 3  # of numbers up to 1, and significant digits of larger ones: rounding changes none


def key(
    runs: Iterable[tuple[Collected, CheckRun]],
    traces: Mapping[Collected, Trace],
    random: Mapping[Collected, frozenset[int]],
) -> str:
    """Return a key (hexadecimal) that failures of an exercise share if they are alike.

    traces: of the checks in which the work answered; the outcome of others counts alone. random:
    the indices of answers that are random, which do not count.
    """
    found = hashlib.blake2b(digest_size=8)
    for collected, run in runs:
        parts: list[object] = [collected.name, run.outcome.value, run.category]
        if trace := traces.get(collected):
            kept = enumerate(trace.answers)
            ignored = random.get(collected, frozenset())
            parts += [trace.said, *(_rounded(one) for at, one in kept if at not in ignored)]
        found.update(repr(parts).encode(errors="replace"))
    return found.hexdigest()


def _rounded(answer: Answer) -> tuple[str, ...]:
    return answer.form, *(_number(number) for number in answer.numbers.tolist())


def _number(number: float) -> str:
    if not math.isfinite(number) or abs(number) > 1:
        return f"{number:.{DECIMALS}g}"
    return f"{round(number, DECIMALS) + 0.0:g}"  # without the sign of a zero
