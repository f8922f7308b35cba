"""Search for misconceptions by running modules with mistakes, made from the solution."""

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

# The budget for probing modules with one or two mistakes, in units of 10 µs. It counts operations,
# not time, so that results are the same on all machines; cached answers count as well.
WORK = 36_000
WORTHWHILE = 0.65  # largest share of candidates that a useful opening may leave
EXPENSIVE_PROBE = 2_000  # work; whole checks are run instead of such a probe
PAIRS_PER_SINGLE = 3  # least number of pairs to probe for each single that agrees
MAX_WORK = 66_000  # the budget of a search in all


@dataclass(frozen=True)
class Candidates:
    """The misconceptions that may explain a submission, alone or in a pair.

    probe: tells which pairs agree. ranks: tells which pairs are likely. alike: those that agree
    with the submission by themselves. work: spent to find them.
    """

    known: list[KnownMistake]
    probe: Probe
    ranks: Probe
    alike: list[Mistakes]
    work: int


class LiveMistakes:
    """KnownMistakes that runs misconceptions; it caches answers, but no budgets.

    right: see `Modules`.
    """

    def __init__(
        self,
        assignment: str,
        checks: Checks,
        reference: Callable[[str], Reference],
        right: Reference | None = None,
    ) -> None:
        self._modules = Modules(assignment, checks, reference, right)

    def known(self, exercise: Exercise) -> list[KnownMistake]:
        """Return the misconceptions of an exercise."""
        return self._modules.known(exercise)

    def search(self, exercise: Exercise, observed: Traces) -> LiveSearch:
        """Start a search for the misconceptions that explain a submission's traces."""
        return LiveSearch(self._modules, exercise, observed)

    def right(self, exercise: Exercise, collected: Collected) -> Sequence[Answer]:
        """Return the reference's answers in a check."""
        return self._modules.trace((), exercise, collected).answers

    def random(self, exercise: Exercise, collected: Collected) -> frozenset[int]:
        """Return the indices of the reference's answers to a check that are random."""
        count = len(self._modules.steps(exercise, collected))
        return self._modules.random(exercise, collected, count)

    def trace(self, mistakes: Mistakes, exercise: Exercise, collected: Collected) -> Trace:
        """Return the trace that mistakes in an exercise leave in one of its checks."""
        return self._modules.trace(mistakes, exercise, collected)


class LiveSearch:
    """Search by running misconceptions. work: spent so far on this submission."""

    def __init__(self, modules: Modules, exercise: Exercise, observed: Traces) -> None:
        self._modules = modules
        self._exercise = exercise
        self._observed = observed
        self.work = 0

    def singles(self) -> list[Mistakes]:
        """Return the misconceptions that give the submission's answers to the probe."""
        candidates = self._candidates
        self._spend(candidates.work)
        return candidates.alike

    def pairs(self) -> list[Mistakes]:
        """Return the likely pairs that give the submission's answers to the probe."""
        candidates = self._candidates
        affordable = (WORK - candidates.work) // candidates.probe.work
        if candidates.probe.work > EXPENSIVE_PROBE:
            return []
        if affordable < PAIRS_PER_SINGLE * len(candidates.alike):
            return []
        telling = self._with_pair_probe(candidates)
        known, alike = telling.known, telling.alike
        order = ranked(telling.ranks, [self._modules.answers((o,), telling.ranks) for o in known])
        by_itself = [(one,) in alike for one in known]
        order.sort(key=lambda pair: not (by_itself[pair[0]] or by_itself[pair[1]]))
        made = (mistakes for i, j in order for mistakes in self._modules.both(known[i], known[j]))
        asked = list(islice(made, max(0, WORK - telling.work) // telling.probe.work))
        self._spend(telling.work - candidates.work + telling.probe.work * len(asked))
        found = [mistakes for mistakes in asked if self._begins(telling.probe, mistakes)]
        found = [mistakes for mistakes in found if not self._cancel(telling.ranks, mistakes)]
        more = next(made, None)
        if more and set(found).isdisjoint(_likely(asked, more, alike)):
            return []  # found so late that an equally likely pair may not have been probed
        return found

    def leaves(self, mistakes: Mistakes, collected: Collected, ignored: frozenset[int]) -> bool:
        """Return whether these mistakes leave the submission's trace in a check."""
        trace = self._observed[collected]
        self._spend(trace.work)
        self._examine(mistakes, collected)
        return self._modules.leaves(mistakes, self._exercise, collected, trace, ignored)

    def random(self, collected: Collected) -> frozenset[int]:
        """Return the indices of the reference's answers to a check that are random."""
        count = len(self._modules.steps(self._exercise, collected))
        return self._modules.random(self._exercise, collected, count)

    def _spend(self, work: int) -> None:
        self.work += work
        if self.work > MAX_WORK:
            raise TooMuchWork

    @cached_property
    def _candidates(self) -> Candidates:
        probe = self._probe([()])
        known, work = self._modules.known(self._exercise), 0
        for opening in self._openings(probe):
            work += opening.work * len(known)
            before, known = known, [one for one in known if not self._misses(opening, one)]
            if len(known) > WORTHWHILE * len(before):
                break
        alike: list[Mistakes] = [(one,) for one in known]
        if probe.work <= EXPENSIVE_PROBE:
            alike = [one for one in alike if self._begins(probe, one)]
            work += probe.work * len(known)
        return Candidates(known, probe, probe, alike, work)

    def _with_pair_probe(self, candidates: Candidates) -> Candidates:
        """If singles agree, choose a probe that tells a pair from each of them."""
        if not candidates.alike:
            return candidates
        probe = self._probe([(), *candidates.alike])
        work = probe.work * len(candidates.known)
        if work > (WORK - candidates.work) / 2:
            return replace(candidates, probe=probe)
        return replace(candidates, probe=probe, ranks=probe, work=candidates.work + work)

    def _probe(self, rivals: Sequence[Mistakes]) -> Probe:
        """Return the beginning of a failed check, up to the first numbers that no rival gives.

        If there are none, return the whole of the first failed check.
        """
        failed = [c for c in _smallest_first(self._observed) if self._observed[c].category]
        for collected in failed:
            self._spend(self._observed[collected].work * (len(rivals) - 1))  # one is the reference
            given = [self._given(rival, collected) for rival in rivals]
            if beginning := self._whole(collected).cut(given):
                return beginning
        return self._whole(failed[0])

    def _openings(self, probe: Probe) -> Iterator[Probe]:
        """Yield the beginning of a passed check if cheaper than the probe, then far cheaper ones.

        A mistake that fails there is no candidate, even in a pair: two mistakes hardly ever hide
        each other.
        """
        observed = self._observed
        if any(observed[c].category and c.check.layout for c in observed):
            return  # later checks used another layout
        as_stated = (c for c in _smallest_first(observed) if observed[c].layout == SAME)
        passed = [c for c in as_stated if not observed[c].category]
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
        """Return all of a check as a probe."""
        return Probe(
            collected.name,
            self._modules.steps(self._exercise, collected),
            self._modules.trace((), self._exercise, collected).answers,
            self._observed[collected].answers,
            lambda count: self._modules.random(self._exercise, collected, count),
        )

    def _given(self, rival: Mistakes, collected: Collected) -> Sequence[Answer]:
        """Return a rival's answers to a check in the layout of the submission."""
        self._examine(rival, collected)
        trace = self._modules.trace(rival, self._exercise, collected)
        if trace.layout == self._observed[collected].layout:
            return trace.answers
        return self._modules.answers(rival, self._whole(collected))

    def _examine(self, mistakes: Mistakes, collected: Collected) -> None:
        """Run the checks that find a module's weights, if the submission has other names."""
        layout = self._observed[collected].layout
        if layout and layout.places:
            self._modules.examine(mistakes, self._exercise)

    def _misses(self, opening: Probe, one: KnownMistake) -> bool:
        """Return whether a mistake fails in a check's opening, which the submission passed."""
        return self._modules.first_unlike((one,), opening) == len(opening.steps) - 1

    def _cancel(self, probe: Probe, mistakes: Mistakes) -> bool:
        return probe.cancel(*(self._modules.answers((one,), probe) for one in mistakes))

    def _begins(self, probe: Probe, mistakes: Mistakes) -> bool:
        return self._modules.first_unlike(mistakes, probe) is None


def _smallest_first(observed: Traces) -> list[Collected]:
    """Sort checks by the count of numbers they send."""
    return sorted(observed, key=lambda c: (observed[c].size, observed[c].work))


def _likely(
    asked: Sequence[Mistakes], more: Mistakes, alike: Sequence[Mistakes]
) -> Sequence[Mistakes]:
    """Return those of the probed pairs that are clearly likelier than the first one not probed.

    These are the first three quarters, or all pairs with a mistake that agrees by itself if the
    others have none.
    """

    def has_alike(mistakes: Mistakes) -> bool:
        return any((one,) in alike for one in mistakes)

    certain = 0 if has_alike(more) else sum(map(has_alike, asked))
    return asked[: max(certain, len(asked) * 3 // 4)]
