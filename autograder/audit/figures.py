"""What an audit found, counted, and what it claims of that."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter

from autograder.audit.corpus import Kind
from autograder.grading.grade import Outcome

RIGHT = (Kind.REFERENCE, Kind.EQUIVALENT)
NAMED = (Kind.MISCONCEPTION, Kind.MISTAKE)  # what has a name
WRONG = (*NAMED, Kind.UNSEEN)
SINGLES_NAMED, PAIRS_NAMED = 0.95, 0.80  # at least
REPETITIONS = 100


@dataclass(frozen=True)
class Result:
    """What became of one case.

    mistakes: what is wrong in it. lost: the checks, as Exercise/check, that it did not pass.
    elsewhere: other exercises that lost points. named: the mistakes that each diagnosis names.
    passes: the simpler graders that accept it.
    """

    kind: Kind
    exercise: str
    name: str
    outcome: Outcome
    points: float
    max_points: float
    mistakes: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()
    elsewhere: tuple[str, ...] = ()
    named: tuple[tuple[str, ...], ...] = ()
    passes: tuple[str, ...] = ()

    @property
    def is_accepted(self) -> bool:
        return self.outcome is Outcome.PASSED and self.points == self.max_points > 0

    @property
    def is_rejected(self) -> bool:
        return self.outcome is Outcome.FAILED and self.points < self.max_points

    @property
    def is_missing(self) -> bool:
        return self.outcome is Outcome.MISSING and self.points == 0

    @property
    def is_named(self) -> bool:
        """Is each mistake named, and nothing else?"""
        found = {name for names in self.named for name in names}
        return not self.is_misnamed and found >= set(self.mistakes)

    @property
    def is_misnamed(self) -> bool:
        """Does a diagnosis name none of its mistakes?"""
        return any(not set(names) & set(self.mistakes) for names in self.named)


@dataclass(frozen=True)
class Share:
    """How many of some results are as wanted, and the names of the others."""

    count: int
    total: int
    others: tuple[str, ...] = ()

    @property
    def rate(self) -> float:
        """Of none, none are."""
        return self.count / self.total if self.total else 0.0

    @property
    def percent(self) -> str:
        """Rounded down, so that 100 % means all."""
        return f"{int(1000 * self.rate) / 10:g} %"

    def __str__(self) -> str:
        return f"{self.count}/{self.total}"


@dataclass(frozen=True)
class Claim:
    """A sentence of the certificate, and what speaks against it."""

    sentence: str
    holds: bool
    figure: str
    offenders: tuple[str, ...] = ()


@dataclass(frozen=True)
class Repeated:
    """What came of grading a sample again and again. unlike: what was not graded alike."""

    repetitions: int
    submissions: int
    unlike: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.repetitions} of {self.submissions} submissions"


@dataclass(frozen=True)
class Audit:
    """All results. checks: the names of each exercise's checks, as Exercise/check."""

    results: tuple[Result, ...]
    repeated: Repeated
    checks: Mapping[str, tuple[str, ...]]

    def of(self, *kinds: Kind, exercise: str = "") -> list[Result]:
        """Results of some kinds, of one exercise or of all."""
        return [
            r for r in self.results if r.kind in kinds and (not exercise or r.exercise == exercise)
        ]

    @cached_property
    def seen_only_by(self) -> dict[str, tuple[str, ...]]:
        """For each check the misconceptions that pass all other checks of their exercise."""
        found: dict[str, list[str]] = {check: [] for own in self.checks.values() for check in own}
        for result in self.of(Kind.MISCONCEPTION):
            if len(result.lost) == 1:
                found[result.lost[0]].append(result.name)
        return {check: tuple(names) for check, names in found.items()}

    @property
    def unneeded(self) -> tuple[str, ...]:
        """Checks without which every misconception would still be rejected."""
        return tuple(check for check, names in self.seen_only_by.items() if not names)

    @property
    def idle(self) -> tuple[str, ...]:
        """Checks that no misconception fails."""
        lost = {check for result in self.of(Kind.MISCONCEPTION) for check in result.lost}
        return tuple(check for check in self.seen_only_by if check not in lost)

    @property
    def misnamed(self) -> tuple[str, ...]:
        """What is said to be another mistake than it is."""
        return tuple(result.name for result in self.results if result.is_misnamed)

    def against(self, grader: str) -> tuple[Share, Share]:
        """What a simpler grader rejects of what is wrong, and accepts of what is right."""
        wrong, right = self.of(Kind.MISCONCEPTION), self.of(*RIGHT)
        rejected = share(wrong, lambda result: grader not in result.passes)
        return rejected, share(right, lambda result: grader in result.passes)

    def claims(self) -> tuple[Claim, ...]:
        """All that the certificate says."""
        singles, others = self.of(Kind.MISCONCEPTION), self.of(Kind.MISTAKE)
        again = self.repeated
        alike = again.repetitions >= REPETITIONS and again.submissions > 0 and not again.unlike
        return (
            *self._of_each_kind(),
            _at_least(SINGLES_NAMED, "of single mistakes are named", singles),
            _at_least(SINGLES_NAMED, "of other people's mistakes are named", others),
            _at_least(PAIRS_NAMED, "of pairs of mistakes are named", self.of(Kind.PAIR)),
            _none("No mistake is given a false name", self.misnamed),
            _all("A wrong exercise costs points in no other", singles, lambda r: not r.elsewhere),
            _none("Every check rejects a mistake", self.idle),
            Claim(f"{REPETITIONS} repetitions agree", alike, str(again), again.unlike),
        )

    def _of_each_kind(self) -> tuple[Claim, ...]:
        accepted, rejected = attrgetter("is_accepted"), attrgetter("is_rejected")
        remarked = self.of(Kind.REMARKED)  # few exercises have one
        no_points = "What is wrong in float32 only costs no points"
        unseen, where = "Every mistake where few look is rejected", self.of(Kind.UNSEEN)
        return (
            _all("Every reference gets full marks", self.of(Kind.REFERENCE), accepted),
            _all("Every skeleton is missing", self.of(Kind.SKELETON), attrgetter("is_missing")),
            _all("Every equivalent gets full marks", self.of(Kind.EQUIVALENT), accepted),
            _all("Every misconception is rejected", self.of(Kind.MISCONCEPTION), rejected),
            *([_all(no_points, remarked, accepted)] if remarked else []),
            _all("Every mistake by others is rejected", self.of(Kind.MISTAKE), rejected),
            *([_all(unseen, where, rejected)] if where else []),
        )


def share(found: Iterable[Result], is_wanted: Callable[[Result], bool]) -> Share:
    """The share of those that are as wanted."""
    found = list(found)
    others = tuple(result.name for result in found if not is_wanted(result))
    return Share(len(found) - len(others), len(found), others)


def _all(sentence: str, found: Iterable[Result], is_wanted: Callable[[Result], bool]) -> Claim:
    kept = share(found, is_wanted)
    return Claim(sentence, kept.total > 0 and not kept.others, str(kept), kept.others)


def _none(sentence: str, found: tuple[str, ...]) -> Claim:
    return Claim(sentence, not found, f"{len(found)} against it", found)


def _at_least(rate: float, sentence: str, found: Iterable[Result]) -> Claim:
    kept = share(found, attrgetter("is_named"))
    return Claim(f"{100 * rate:g} % {sentence}", kept.rate >= rate, kept.percent, kept.others)
