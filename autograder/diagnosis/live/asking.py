"""The misconceptions themselves, made from the solution, and asked when it is needed."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from itertools import islice

from autograder.channel import SEED, MistakenSide, Step
from autograder.diagnosis.live.probe import Probe, ranked
from autograder.diagnosis.live.solution import Solution
from autograder.diagnosis.suspects import Known, Left, Mistakes
from autograder.diagnosis.trace import Answer, Trace, answered, trace
from autograder.exercise import Exercise
from autograder.grading.collect import Checks, Collected
from autograder.grading.inquiry import Inquiry
from autograder.grading.references import Reference
from autograder.misconceptions import EditDoesNotApply, misconceptions
from autograder.sandbox import Limits

OTHER_SEED = SEED + 1  # an answer that differs between the two is random
MODULES = 200  # with one mistake or two, are made and asked at most


class LiveSuspects:
    """As Suspects says. What has been asked once is remembered."""

    def __init__(
        self, assignment: str, checks: Checks, reference: Callable[[str], Reference]
    ) -> None:
        self._checks = checks
        self._reference = reference
        self._solution = Solution(assignment)
        self._known = {
            Known(m.exercise, m.id, m.mistake, (m.hint.look, m.hint.think, m.hint.nearly)): m
            for m in misconceptions(assignment)
        }
        self._inquiries: dict[tuple[Mistakes, int], Inquiry] = {}
        self._traces: dict[tuple[Mistakes, str, int], Trace] = {}
        self._steps: dict[str, list[Step]] = {}  # of each check, what it asks of the reference
        self._begun: dict[tuple[Mistakes, str, int], list[Answer]] = {}

    def known(self, exercise: Exercise) -> list[Known]:
        """The misconceptions of an exercise."""
        return [known for known in self._known if known.exercise == exercise.name]

    def singles(self, exercise: Exercise, left: Left) -> list[Mistakes]:
        probe = self._probe(exercise, left, [()])
        return [(one,) for one in self.known(exercise) if self._begins(probe, (one,))]

    def pairs(self, exercise: Exercise, left: Left) -> list[Mistakes]:
        known, alike = self.known(exercise), self.singles(exercise, left)
        probe = self._probe(exercise, left, [()])
        order = ranked(probe, [self._answers(probe, (one,)) for one in known])
        if alike:  # so far each of these agrees by itself: what tells that it has company?
            probe = self._probe(exercise, left, [(), *alike])
            order.sort(key=lambda pair: not any((known[i],) in alike for i in pair))
        made = (mistakes for i, j in order for mistakes in self._both(known[i], known[j]))
        asked = list(islice(made, MODULES - len(known)))
        found = [mistakes for mistakes in asked if self._begins(probe, mistakes)]
        if next(made, None) and not set(found) & set(asked[: len(asked) * 3 // 4]):
            return []  # so late in the order that another one like it may not have been asked
        return found

    def leaves(
        self,
        mistakes: Mistakes,
        exercise: Exercise,
        collected: Collected,
        trace: Trace,
        but: frozenset[int],
    ) -> bool:
        return self.trace(mistakes, exercise, collected).is_like(trace, but)

    def random(self, exercise: Exercise, collected: Collected) -> frozenset[int]:
        pair = [self._trace((), exercise, collected, s).answers for s in (SEED, OTHER_SEED)]
        pairs = enumerate(zip(*pair, strict=True))
        return frozenset(i for i, (one, other) in pairs if not one.is_like(other))

    def trace(self, mistakes: Mistakes, exercise: Exercise, collected: Collected) -> Trace:
        """What some mistakes of an exercise leave in one of its checks."""
        return self._trace(mistakes, exercise, collected, SEED)

    def _probe(self, exercise: Exercise, left: Left, rivals: Sequence[Mistakes]) -> Probe:
        """The beginning of a check that failed, up to the first numbers that no rival gives; if
        there are none, the whole of the first such check."""
        failed = [collected for collected, trace in left.items() if trace.category]
        probes = []
        for collected in sorted(failed, key=lambda c: (left[c].size, left[c].effort)):
            given = [self.trace(rival, exercise, collected).answers for rival in rivals]
            random, steps = self.random(exercise, collected), self._steps[collected.name]
            probes.append(Probe(collected.name, steps, given[0], left[collected].answers, random))
            if beginning := probes[-1].cut(given):
                return beginning
        return probes[0]

    def _both(self, one: Known, other: Known) -> list[Mistakes]:
        """Two mistakes in each order in which they can be edited in; in one, if it is the same."""
        made: dict[tuple[str, ...], Mistakes] = {}
        for mistakes in ((one, other), (other, one)):
            with contextlib.suppress(EditDoesNotApply):
                code = self._solution.code(*(self._known[known] for known in mistakes))
                made.setdefault(tuple(code), mistakes)
        return list(made.values())

    def _begins(self, probe: Probe, mistakes: Mistakes) -> bool:
        return probe.is_like(self._answers(probe, mistakes))

    def _answers(self, probe: Probe, mistakes: Mistakes) -> list[Answer]:
        """What is answered to a probe."""
        key = mistakes, probe.check, len(probe.steps)
        if key not in self._begun:
            found = self._side(mistakes, SEED).answer(probe.steps)
            pairs = zip(probe.steps, found, strict=True)
            self._begun[key] = [answered(step["do"], answer) for step, answer in pairs]
        return self._begun[key]

    def _trace(
        self, mistakes: Mistakes, exercise: Exercise, collected: Collected, seed: int
    ) -> Trace:
        key = mistakes, collected.name, seed
        if key not in self._traces:
            finding = self._inquiry(mistakes, seed).ask(exercise, collected)
            assert finding.course is not None
            self._traces[key] = trace(finding, finding.course)
            if not mistakes:
                self._steps[collected.name] = finding.course.steps()
        return self._traces[key]

    def _inquiry(self, mistakes: Mistakes, seed: int) -> Inquiry:
        if (mistakes, seed) not in self._inquiries:
            side = self._side(mistakes, seed)
            inquiry = Inquiry(self._checks, self._reference, side, Limits())
            self._inquiries[mistakes, seed] = inquiry
        return self._inquiries[mistakes, seed]

    def _side(self, mistakes: Mistakes, seed: int) -> MistakenSide:
        source = self._solution.mistaken(*(self._known[known] for known in mistakes))
        return MistakenSide(source, seed)
