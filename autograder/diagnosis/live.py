"""The misconceptions themselves, made from the solution, and asked when it is needed."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence

from autograder import course
from autograder.channel import SEED, MistakenSide, Text
from autograder.diagnosis.suspects import Known
from autograder.diagnosis.trace import Trace, trace
from autograder.exercise import Exercise
from autograder.grading.collect import Checks, Collected
from autograder.grading.examination import Examination
from autograder.grading.references import Reference
from autograder.misconceptions import misconceptions
from autograder.sandbox import Limits

OTHER_SEED = SEED + 1  # an answer that differs between the two is random
COMMENT = re.compile(r"^#.*\n", re.MULTILINE)  # statements and pictures: most of a solution


class LiveSuspects:
    """As Suspects says. What has been asked once is remembered."""

    def __init__(
        self, assignment: str, checks: Checks, reference: Callable[[str], Reference]
    ) -> None:
        self._assignment = assignment
        self._checks = checks
        self._reference = reference
        self._texts = {name: _code(name) for name in course.assignments()}
        self._known = {
            Known(m.exercise, m.id, m.mistake, (m.hint.look, m.hint.think, m.hint.nearly)): m
            for m in misconceptions(assignment)
        }
        self._examinations: dict[tuple[Known | None, int], Examination] = {}
        self._traces: dict[tuple[Known | None, str, int], Trace] = {}
        self._seconds: dict[str, float] = {}

    def known(self, exercise: Exercise) -> Sequence[Known]:
        return [known for known in self._known if known.exercise == exercise.name]

    def trace(self, known: Known, exercise: Exercise, collected: Collected) -> Trace:
        return self._trace(known, exercise, collected, SEED)

    def random(self, exercise: Exercise, collected: Collected) -> frozenset[int]:
        pair = [self._trace(None, exercise, collected, s).answers for s in (SEED, OTHER_SEED)]
        pairs = enumerate(zip(*pair, strict=True))
        return frozenset(i for i, (one, other) in pairs if not one.is_like(other))

    def seconds(self, exercise: Exercise, collected: Collected) -> float:
        self._trace(None, exercise, collected, SEED)
        return self._seconds[collected.name]

    def _trace(
        self, known: Known | None, exercise: Exercise, collected: Collected, seed: int
    ) -> Trace:
        key = known, collected.name, seed
        if key not in self._traces:
            start = time.perf_counter()
            finding = self._examination(known, seed).ask(exercise, collected)
            assert finding.course is not None
            self._traces[key] = trace(finding, finding.course)
            self._seconds.setdefault(collected.name, time.perf_counter() - start)
        return self._traces[key]

    def _examination(self, known: Known | None, seed: int) -> Examination:
        if (known, seed) not in self._examinations:
            text = self._texts[self._assignment]
            if known is not None:
                text = self._known[known].source(text)
            texts = {**self._texts, self._assignment: text}
            side = MistakenSide(Text(self._assignment, texts, course.assignments()), seed)
            examination = Examination(self._checks, self._reference, side, Limits())
            self._examinations[known, seed] = examination
        return self._examinations[known, seed]


def _code(assignment: str) -> str:
    text = (course.SOLUTIONS / f"{assignment}.py").read_text(encoding="utf-8")
    return COMMENT.sub("", text)
