"""One case of fuzzing: what is drawn for it, how far it comes, and what it costs."""

from __future__ import annotations

import gc
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

SLOWEST = 2.0  # seconds of CPU time that one case may take
ELSE = "in another sentence"


class Case:
    """One input to one kind of code. stages: how far it has come."""

    def __init__(self, data: st.DataObject) -> None:
        self.data, self.draw = data, data.draw
        self.stages: set[str] = set()
        self.seconds = 0.0

    def reaches(self, stage: str) -> None:
        """Note that the case has come so far."""
        self.stages.add(stage)

    @contextmanager
    def timed(self) -> Iterator[None]:
        """Count the CPU time of what is tried, not of drawing cases or collecting old ones."""
        gc.disable()
        begin = time.process_time()
        try:
            yield
        finally:
            self.seconds += time.process_time() - begin
            gc.enable()


Target = Callable[[Case], str]  # tries a case; returns what became of it


@dataclass
class Tried:
    """How many cases ended how, how many came how far, and the slowest of them in CPU seconds."""

    outcomes: Counter[str] = field(default_factory=Counter)
    stages: Counter[str] = field(default_factory=Counter)
    slowest: float = 0.0

    @property
    def count(self) -> int:
        return sum(self.outcomes.values())

    def add(self, case: Case, outcome: str) -> None:
        """Count one case."""
        self.outcomes[outcome] += 1
        self.stages.update(case.stages)
        self.slowest = max(self.slowest, case.seconds)

    def lines(self, name: str) -> Iterator[str]:
        """For a terminal."""
        yield f"{name:<26} {self.count:>7} cases, the slowest {self.slowest:.2f} s"
        for stage, count in self.stages.most_common():
            yield f"    {100 * count / self.count:5.1f} %  {stage}"
        for outcome, count in self.outcomes.most_common():
            yield f"    {count:>7}  {outcome}"


def fuzz(target: Target, cases: int) -> Tried:
    """Try a target on so many cases, always the same ones."""
    tried = Tried()

    @settings(
        max_examples=cases,
        deadline=None,
        derandomize=True,
        database=None,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.generate, Phase.shrink],
    )
    @given(st.data())
    def run(data: st.DataObject) -> None:
        case = Case(data)
        outcome = target(case)
        assert case.seconds <= SLOWEST, f"{case.seconds:.1f} s"
        tried.add(case, outcome)

    run()
    return tried


def said(text: str, phrases: Iterable[str]) -> str:
    """Which of these phrases a sentence has in it."""
    return next((phrase for phrase in phrases if phrase in text), ELSE)
