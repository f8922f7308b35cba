"""Tell how hard each check is, and how well it tells strong from weak work.

Source: item analysis in classical test theory: difficulty is the share of those who solve an item,
discrimination the point-biserial correlation of the item with the rest of the score.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from autograder.classroom.document import Check, Submission

FEW = 10  # submissions: with fewer a correlation says nothing
WEAK = 0.1  # a discrimination below this tells strong from weak work badly


@dataclass(frozen=True)
class CheckStatistics:
    """The difficulty and discrimination of a check in a class.

    passed: the share of students who have its points, 0 to 1. discrimination: from -1 to 1; None if
    everybody or nobody passes, if all have the same points otherwise, or in a small class.
    """

    exercise: str
    name: str
    title: str
    visible: bool
    max_points: float
    count: int
    passed: float
    discrimination: float | None

    @property
    def remark(self) -> str:
        """Return what an instructor should know of it, or ""."""
        if self.count and self.passed in (0.0, 1.0):
            return "everybody passes" if self.passed else "nobody passes"
        if self.discrimination is not None and self.discrimination < WEAK:
            return "does not tell strong from weak work"
        return ""


def check_statistics(graded: Iterable[Submission]) -> Iterator[CheckStatistics]:
    """Yield what each check tells of graded submissions, in the order of the exercises."""
    found: dict[tuple[str, str], list[tuple[Check, float]]] = {}
    for one in graded:
        for exercise in one.exercises:
            for check in exercise.checks:
                rest = one.score - check.points
                found.setdefault((exercise.name, check.name), []).append((check, rest))
    for (home, name), results in found.items():
        check = results[0][0]
        passes = [float(_passes(one)) for one, _ in results]
        yield CheckStatistics(
            home,
            name,
            check.title,
            check.visible,
            check.max_points,
            len(results),
            statistics.fmean(passes),
            _correlation(passes, [rest for _, rest in results]),
        )


def _passes(check: Check) -> bool:
    """Return whether a check gave its points, or passed if it has none."""
    return check.points == check.max_points if check.max_points else check.status == "passed"


def _correlation(passes: list[float], rest: list[float]) -> float | None:
    if len(passes) < FEW or len({*passes}) == 1 or len({*rest}) == 1:
        return None
    return statistics.correlation(passes, rest)
