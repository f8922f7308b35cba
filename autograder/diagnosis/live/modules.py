"""Modules with mistakes, made on demand, and their cached answers."""

from __future__ import annotations

import contextlib
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from autograder.checking.collect import Checks, Collected
from autograder.client import LocalImplementation
from autograder.client.loading import Reference
from autograder.course.exercise import Exercise
from autograder.course.misconceptions import EditDoesNotApply, misconceptions
from autograder.diagnosis.known_mistakes import KnownMistake, Mistakes
from autograder.diagnosis.live.copies import EditedImplementation, RightImplementation
from autograder.diagnosis.live.probe import Probe
from autograder.diagnosis.live.solution import Solution
from autograder.diagnosis.live.watch import Watch
from autograder.diagnosis.trace import Answer, Trace, answered, trace
from autograder.grading.runner import CheckRunner
from autograder.runtime.objects import Objects
from autograder.runtime.questions import SEED, Descend, Step
from autograder.sandbox import Limits

OTHER_SEED = SEED + 1  # answers that differ with this seed are random
FIRST = 20  # answers to compare if a check tries one weight layout after the other


class Modules:
    """The modules with mistakes of one assignment; answers are cached.

    right: answers for the solution itself; by default the reference, which has most in memory.
    """

    def __init__(
        self,
        assignment: str,
        checks: Checks,
        reference: Callable[[str], Reference],
        right: Reference | None = None,
    ) -> None:
        self._assignment = assignment
        self._checks = checks
        self._reference = reference
        self._submitted = right
        self._solution = Solution(assignment)
        self._known = {
            KnownMistake(m.exercise, m.id, m.mistake, (m.hint.look, m.hint.think, m.hint.nearly)): m
            for m in misconceptions(assignment)
        }
        self._right = Objects(self._solution.right)
        self._asked: dict[Mistakes, tuple[EditedImplementation, CheckRunner]] = {}
        self._traces: defaultdict[Mistakes, dict[str, Trace]] = defaultdict(dict)  # by check
        self._presumed: set[Mistakes] = set()  # to have the stated layout: not tested completely
        self._examined: set[Mistakes] = set()  # in all visible checks, in their order
        self._steps: dict[str, list[Step]] = {}  # to the reference, by check
        self._begun: dict[
            tuple[Mistakes, str, int], list[Answer]
        ] = {}  # answers to probes, as far as they were asked
        self._random: dict[tuple[str, int], frozenset[int]] = {}

    def known(self, exercise: Exercise) -> list[KnownMistake]:
        """Return the misconceptions of an exercise."""
        return [known for known in self._known if known.exercise == exercise.name]

    def both(self, one: KnownMistake, other: KnownMistake) -> list[Mistakes]:
        """Return two mistakes in each order in which their edits apply and make different code.

        Return none if one of them costs no points, since it explains no failure.
        """
        if self._known[one].costs_no_points or self._known[other].costs_no_points:
            return []
        made: dict[tuple[str, ...], Mistakes] = {}
        for mistakes in ((one, other), (other, one)):
            with contextlib.suppress(EditDoesNotApply):
                code = self._solution.code(*(self._known[known] for known in mistakes))
                made.setdefault(tuple(code.values()), mistakes)
        return list(made.values())

    def answers(self, mistakes: Mistakes, probe: Probe) -> list[Answer]:
        """Return the answers to a probe."""
        key = mistakes, probe.check, len(probe.steps)
        if len(self._begun.get(key, ())) < len(probe.steps):
            self._begun[key] = list(_answers(self._implementation(mistakes), probe.steps))
        return self._begun[key]

    def first_unlike(self, mistakes: Mistakes, probe: Probe) -> int | None:
        """Return what Probe.first_unlike does; later steps are not asked."""
        key = mistakes, probe.check, len(probe.steps)
        known = self._begun.get(key, [])
        place = probe.first_unlike(known)
        if place is None and len(known) < len(probe.steps):
            known = self._begun[key] = []
            place = probe.first_unlike(
                _noted(_answers(self._implementation(mistakes), probe.steps), known)
            )
        return place

    def trace(self, mistakes: Mistakes, exercise: Exercise, collected: Collected) -> Trace:
        """Return the trace of mistakes, () for the reference, in one of the exercise's checks."""
        self._forget_presumed(mistakes)
        if collected.name not in self._traces[mistakes]:
            self._ask(mistakes, exercise, collected, None)
        return self._traces[mistakes][collected.name]

    def examine(self, mistakes: Mistakes, exercise: Exercise) -> None:
        """Run the visible checks in their order, as for a submission.

        One of them may find under which names a module keeps its weights, and later ones use that.
        So their traces must not depend on which check was asked about first.
        """
        if not mistakes or mistakes in self._examined:
            return
        self._forget(mistakes)
        self._examined.add(mistakes)
        for collected in self._checks.of(exercise):
            if collected.visible:
                self._ask(mistakes, exercise, collected, None)

    def leaves(
        self,
        mistakes: Mistakes,
        exercise: Exercise,
        collected: Collected,
        observed: Trace,
        ignored: frozenset[int],
    ) -> bool:
        """Return whether mistakes leave the observed trace in a check.

        If the layout check found no layout, only its first answers are compared. In later checks,
        modules with mistakes use the stated layout if the submission did.
        """
        judge = self._checks.layout_check(exercise, collected)
        in_vain = judge == collected and observed.found_no_layout
        if judge == collected or not observed.has_standard_layout:
            self._forget_presumed(mistakes)
        traces = self._traces[mistakes]
        if collected.name not in traces:
            watch = Watch(observed, ignored, FIRST if in_vain else None)
            is_judged = judge in (None, collected) or (judge and judge.name in traces)
            if not is_judged and observed.has_standard_layout:
                self._presume(mistakes, exercise)
            can_watch = is_judged or observed.has_standard_layout
            self._ask(mistakes, exercise, collected, watch if can_watch else None)
            if watch.agrees is not None:
                return watch.agrees
        found = self._traces[mistakes][collected.name]
        if in_vain and len(observed.answers) >= FIRST:
            return _first(found).is_like(_first(observed), ignored)
        return found.is_like(observed, ignored)

    def steps(self, exercise: Exercise, collected: Collected) -> list[Step]:
        """Return the steps that a check sends to the reference."""
        self.trace((), exercise, collected)
        return self._steps[collected.name]

    def random(self, exercise: Exercise, collected: Collected, count: int) -> frozenset[int]:
        """Return which of the first `count` answers of the reference to a check are random."""
        key = collected.name, count
        if key not in self._random:
            right = self.trace((), exercise, collected).answers[:count]
            steps = self._steps[collected.name][:count]
            if any(isinstance(step, Descend) for step in steps):  # one step of a training is enough
                steps = [replace(s, steps=1) if isinstance(s, Descend) else s for s in steps]
                right = tuple(_answers(LocalImplementation(self._solution.mistaken(), SEED), steps))
            other = _answers(LocalImplementation(self._solution.mistaken(), OTHER_SEED), steps)
            pairs = enumerate(zip(right, other, strict=True))
            self._random[key] = frozenset(i for i, (a, b) in pairs if not a.is_like(b))
        return self._random[key]

    def _ask(
        self, mistakes: Mistakes, exercise: Exercise, collected: Collected, watch: Watch | None
    ) -> None:
        """Run a check; cache its trace unless the watch stopped it."""
        implementation, runner = self._runner(mistakes)
        implementation.watch = watch
        run = runner.run(exercise, collected)
        implementation.watch = None
        assert run.client is not None
        if watch and watch.agrees is not None:
            if collected == self._checks.layout_check(exercise, collected):
                self._presumed.add(mistakes)
            return
        self._traces[mistakes][collected.name] = trace(run, run.client)
        if not mistakes:
            self._steps[collected.name] = run.client.steps()

    def _runner(self, mistakes: Mistakes) -> tuple[EditedImplementation, CheckRunner]:
        if mistakes not in self._asked:
            implementation = self._implementation(mistakes)
            runner = CheckRunner(self._checks, self._reference, implementation, Limits())
            self._asked[mistakes] = implementation, runner
        return self._asked[mistakes]

    def _presume(self, mistakes: Mistakes, exercise: Exercise) -> None:
        """Presume that modules with these mistakes have the stated weight layout."""
        if mistakes not in self._presumed:
            self._runner(mistakes)[1].presume_plain(exercise)
            self._presumed.add(mistakes)

    def _forget_presumed(self, mistakes: Mistakes) -> None:
        """Drop cached traces that rest on a presumed layout."""
        if mistakes in self._presumed:
            self._forget(mistakes)

    def _forget(self, mistakes: Mistakes) -> None:
        """Drop what is known of the traces of mistakes."""
        self._presumed.discard(mistakes)
        self._examined.discard(mistakes)
        self._asked.pop(mistakes, None)
        self._traces.pop(mistakes, None)

    def _implementation(self, mistakes: Mistakes) -> EditedImplementation:
        source = self._solution.mistaken(*(self._known[known] for known in mistakes))
        if not mistakes:
            reference = self._submitted or self._reference(self._assignment)
            return RightImplementation(source, self._right, reference)
        return EditedImplementation(source, self._right)


def _first(trace: Trace) -> Trace:
    return Trace("", "", trace.answers[:FIRST])


def _answers(implementation: LocalImplementation, steps: Sequence[Step]) -> Iterator[Answer]:
    """Yield answers to steps, each asked only when it is needed."""
    pairs = zip(steps, implementation.answers(steps), strict=True)
    return (answered(step, answer) for step, answer in pairs)


def _noted(answers: Iterator[Answer], seen: list[Answer]) -> Iterator[Answer]:
    """Yield answers and append each of them to `seen`."""
    for answer in answers:
        seen.append(answer)
        yield answer
