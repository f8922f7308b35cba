"""The misconceptions themselves, made from the solution, and asked when it is needed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice

from autograder.checking.collect import Checks, Collected
from autograder.client import SAME
from autograder.client.loading import Reference
from autograder.course.exercise import Exercise
from autograder.diagnosis.known_mistakes import KnownMistake, Mistakes, TooMuchWork, Traces
from autograder.diagnosis.live.modules import Modules
from autograder.diagnosis.live.probe import Probe, ranked
from autograder.diagnosis.trace import Answer, Trace

# How much is asked of modules with one mistake or two until nothing is said. It is counted, since
# by a clock other names would be said on other machines; and as if nothing had been remembered.
WORK = 36_000
WORTH = 0.65  # of those that are asked may be left, for the question to have been worth it
DEAR_PROBE = 2_000  # an answer that is not worth its work: whole checks are asked instead
COMPANY = 3  # pairs are to be asked at least for each that agrees by itself, or none is found
MOST = 66_000


@dataclass(frozen=True)
class Candidates:
    """Those of an exercise that may have a part in what a submission answers.

    probe: tells. ranks: tells which pairs are likely. alike: those that answer as the submission
    does, each by itself. work: that it took.
    """

    known: list[KnownMistake]
    probe: Probe
    ranks: Probe
    alike: list[Mistakes]
    work: int


class LiveMistakes:
    """Implements KnownMistakes. Answers are remembered; what is spent on one submission is not."""

    def __init__(
        self, assignment: str, checks: Checks, reference: Callable[[str], Reference]
    ) -> None:
        self._modules = Modules(assignment, checks, reference)

    def known(self, exercise: Exercise) -> list[KnownMistake]:
        """The misconceptions of an exercise."""
        return self._modules.known(exercise)

    def search(self, exercise: Exercise, left: Traces) -> LiveSearch:
        """Start a search with a budget of its own."""
        return LiveSearch(self._modules, exercise, left)

    def right(self, exercise: Exercise, collected: Collected) -> Sequence[Answer]:
        """As of KnownMistakes."""
        return self._modules.trace((), exercise, collected).answers

    def random(self, exercise: Exercise, collected: Collected) -> frozenset[int]:
        """As of Search."""
        count = len(self._modules.steps(exercise, collected))
        return self._modules.random(exercise, collected, count)

    def trace(self, mistakes: Mistakes, exercise: Exercise, collected: Collected) -> Trace:
        """Return the trace that some mistakes of an exercise leave in one of its checks."""
        return self._modules.trace(mistakes, exercise, collected)


class LiveSearch:
    """Implements Search for one submission. work: what has been spent on it."""

    def __init__(self, modules: Modules, exercise: Exercise, left: Traces) -> None:
        self._modules = modules
        self._exercise = exercise
        self._left = left
        self.work = 0

    def singles(self) -> list[Mistakes]:
        """As of Search."""
        candidates = self._candidates
        self._spend(candidates.work)
        return candidates.alike

    def pairs(self) -> list[Mistakes]:
        """As of Search."""
        candidates = self._candidates
        room = (WORK - candidates.work) // candidates.probe.work
        if candidates.probe.work > DEAR_PROBE or room < COMPANY * len(candidates.alike):
            return []
        telling = self._with_company(candidates)
        known, alike = telling.known, telling.alike
        order = ranked(telling.ranks, [self._modules.answers((o,), telling.ranks) for o in known])
        by_itself = [(one,) in alike for one in known]
        order.sort(key=lambda pair: not (by_itself[pair[0]] or by_itself[pair[1]]))
        made = (mistakes for i, j in order for mistakes in self._modules.both(known[i], known[j]))
        asked = list(islice(made, max(0, WORK - telling.work) // telling.probe.work))
        self._spend(telling.work - candidates.work + telling.probe.work * len(asked))
        found = [mistakes for mistakes in asked if self._begins(telling.probe, mistakes)]
        found = [mistakes for mistakes in found if not self._mend(telling.ranks, mistakes)]
        more = next(made, None)
        if more and set(found).isdisjoint(_likely(asked, more, alike)):
            return []  # so late in the order that another one like it may not have been asked
        return found

    def leaves(self, mistakes: Mistakes, collected: Collected, but: frozenset[int]) -> bool:
        """As of Search."""
        trace = self._left[collected]
        self._spend(trace.work)
        return self._modules.leaves(mistakes, self._exercise, collected, trace, but)

    def random(self, collected: Collected) -> frozenset[int]:
        """As of Search."""
        count = len(self._modules.steps(self._exercise, collected))
        return self._modules.random(self._exercise, collected, count)

    def _spend(self, work: int) -> None:
        self.work += work
        if self.work > MOST:
            raise TooMuchWork

    @cached_property
    def _candidates(self) -> Candidates:
        probe = self._probe([()])
        known, work = self._modules.known(self._exercise), 0
        for opening in self._openings(probe):
            work += opening.work * len(known)
            before, known = known, [one for one in known if not self._misses(opening, one)]
            if len(known) > WORTH * len(before):
                break
        alike: list[Mistakes] = [(one,) for one in known]
        if probe.work <= DEAR_PROBE:
            alike = [one for one in alike if self._begins(probe, one)]
            work += probe.work * len(known)
        return Candidates(known, probe, probe, alike, work)

    def _with_company(self, candidates: Candidates) -> Candidates:
        """Where some agree each by itself: what tells that such a one has company?"""
        if not candidates.alike:
            return candidates
        probe = self._probe([(), *candidates.alike])
        work = probe.work * len(candidates.known)
        if work > (WORK - candidates.work) / 2:
            return replace(candidates, probe=probe)
        return replace(candidates, probe=probe, ranks=probe, work=candidates.work + work)

    def _probe(self, rivals: Sequence[Mistakes]) -> Probe:
        """The beginning of a check that failed, up to the first numbers that no rival gives; if
        there are none, the whole of the first such check."""
        failed = [c for c in _smallest_first(self._left) if self._left[c].category]
        for collected in failed:
            self._spend(self._left[collected].work * (len(rivals) - 1))  # one is the reference
            given = [self._given(rival, collected) for rival in rivals]
            if beginning := self._whole(collected).cut(given):
                return beginning
        return self._whole(failed[0])

    def _openings(self, probe: Probe) -> Iterator[Probe]:
        """The beginning of a check that passed and costs less to ask than a probe; then of others,
        if it costs much less. Two mistakes of which each shows there hardly ever hide each other.
        """
        left = self._left
        if any(left[c].category and c.check.layout for c in left):
            return  # others passed in another layout, or had none to pass in
        as_stated = (c for c in _smallest_first(left) if left[c].layout == SAME)
        passed = [c for c in as_stated if not left[c].category]
        first = ""
        for collected in passed:
            opening = self._whole(collected).opening()
            if opening and opening.work < probe.work:
                yield opening
                first = opening.check
                break
        for whole in (self._whole(c) for c in passed if c.name != first):
            opening = whole.opening() or whole
            if 3 * opening.work < probe.work:
                yield opening

    def _whole(self, collected: Collected) -> Probe:
        """All of a check."""
        return Probe(
            collected.name,
            self._modules.steps(self._exercise, collected),
            self._modules.trace((), self._exercise, collected).answers,
            self._left[collected].answers,
            lambda count: self._modules.random(self._exercise, collected, count),
        )

    def _given(self, rival: Mistakes, collected: Collected) -> Sequence[Answer]:
        """What is answered in a check, though a layout was found that the submission has not."""
        trace = self._modules.trace(rival, self._exercise, collected)
        if trace.layout == self._left[collected].layout:
            return trace.answers
        return self._modules.answers(rival, self._whole(collected))

    def _misses(self, opening: Probe, one: KnownMistake) -> bool:
        """Would this have failed in a check?"""
        return self._modules.first_unlike((one,), opening) == len(opening.steps) - 1

    def _mend(self, probe: Probe, mistakes: Mistakes) -> bool:
        return probe.mend(*(self._modules.answers((one,), probe) for one in mistakes))

    def _begins(self, probe: Probe, mistakes: Mistakes) -> bool:
        return self._modules.first_unlike(mistakes, probe) is None


def _smallest_first(left: Traces) -> list[Collected]:
    """The checks, those with the fewest numbers first."""
    return sorted(left, key=lambda c: (left[c].size, left[c].work))


def _likely(
    asked: Sequence[Mistakes], more: Mistakes, alike: Sequence[Mistakes]
) -> Sequence[Mistakes]:
    """Those of the asked that stand far enough in front of what has not been asked: in an order
    of likelihood, or because they have one in them that agrees by itself, and no others do."""

    def has_alike(mistakes: Mistakes) -> bool:
        return any((one,) in alike for one in mistakes)

    certain = 0 if has_alike(more) else sum(map(has_alike, asked))
    return asked[: max(certain, len(asked) * 3 // 4)]
