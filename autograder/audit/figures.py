"""Results of an audit, their counts, and the claims that rest on them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter

from autograder.audit.corpus import Kind
from autograder.grading.grade import Outcome

RIGHT = (Kind.REFERENCE, Kind.EQUIVALENT)
NAMED = (Kind.MISCONCEPTION, Kind.MISTAKE)  # feedback should name the mistake
WRONG = (*NAMED, Kind.UNSEEN)
SINGLES_NAMED, PAIRS_NAMED, PICTURED = 0.95, 0.80, 0.95  # at least
REPETITIONS = 100


@dataclass(frozen=True)
class CaseResult:
    """Result of grading one case.

    mistakes: its misconceptions. lost: the checks that it did not pass, as Exercise/check.
    elsewhere: other exercises that lost points. named: the mistakes that each diagnosis names.
    has_wrong_results: a visible check found other numbers or shapes than the reference's.
    is_pictured: the smallest example shows an expected result beside the actual one.
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
    has_wrong_results: bool = False
    is_pictured: bool = False

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
        """Return whether each mistake is named, and nothing else."""
        found = {name for names in self.named for name in names}
        return not self.is_misnamed and found >= set(self.mistakes)

    @property
    def is_misnamed(self) -> bool:
        """Return whether a diagnosis names none of its mistakes.

        Of an UNSEEN case it is not known which names are true: the case is not a misconception.
        """
        if self.kind is Kind.UNSEEN:
            return False
        return any(not set(names) & set(self.mistakes) for names in self.named)


@dataclass(frozen=True)
class Share:
    """Number of results that are as wanted, and the names of the others."""

    count: int
    total: int
    others: tuple[str, ...] = ()

    @property
    def rate(self) -> float:
        """Return the share as a number from 0 to 1; 0 if there are no results."""
        return self.count / self.total if self.total else 0.0

    @property
    def percent(self) -> str:
        """Return the share in percent, rounded down so that 100 % means all."""
        return f"{int(1000 * self.rate) / 10:g} %"

    def __str__(self) -> str:
        return f"{self.count}/{self.total}"


@dataclass(frozen=True)
class Claim:
    """A sentence of the certificate. offenders: the names of all exceptions."""

    sentence: str
    holds: bool
    figure: str
    offenders: tuple[str, ...] = ()


@dataclass(frozen=True)
class Repeated:
    """Result of grading a sample repeatedly. unlike: submissions that were not graded alike."""

    repetitions: int
    submissions: int
    unlike: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.repetitions} of {self.submissions} submissions"


@dataclass(frozen=True)
class Audit:
    """All results of an audit. checks: each exercise's checks, as Exercise/check."""

    results: tuple[CaseResult, ...]
    repeated: Repeated
    checks: Mapping[str, tuple[str, ...]]

    def of(self, *kinds: Kind, exercise: str = "") -> list[CaseResult]:
        """Return the results of some kinds, for one exercise or all."""
        return [
            r for r in self.results if r.kind in kinds and (not exercise or r.exercise == exercise)
        ]

    @cached_property
    def seen_only_by(self) -> dict[str, tuple[str, ...]]:
        """Return for each check the misconceptions that pass all other checks of their exercise."""
        found: dict[str, list[str]] = {check: [] for own in self.checks.values() for check in own}
        for result in self.of(Kind.MISCONCEPTION):
            if len(result.lost) == 1:
                found[result.lost[0]].append(result.name)
        return {check: tuple(names) for check, names in found.items()}

    @property
    def unneeded(self) -> tuple[str, ...]:
        """Return the checks without which every misconception would still be rejected."""
        return tuple(check for check, names in self.seen_only_by.items() if not names)

    @property
    def idle(self) -> tuple[str, ...]:
        """Return the checks that no misconception fails."""
        lost = {check for result in self.of(Kind.MISCONCEPTION) for check in result.lost}
        return tuple(check for check in self.seen_only_by if check not in lost)

    @property
    def misnamed(self) -> tuple[str, ...]:
        """Return the solutions for which feedback names a mistake that they do not have."""
        return tuple(result.name for result in self.results if result.is_misnamed)

    def claims(self) -> tuple[Claim, ...]:
        """Return all claims of the certificate."""
        singles, others = self.of(Kind.MISCONCEPTION), self.of(Kind.MISTAKE)
        pairs, is_named = self.of(Kind.PAIR), attrgetter("is_named")
        repeated = self.repeated
        enough = repeated.repetitions >= REPETITIONS and repeated.submissions > 0
        alike = enough and not repeated.unlike
        return (
            *self._of_each_kind(),
            *_at_least(SINGLES_NAMED, "of single mistakes are named", singles, is_named),
            *_at_least(SINGLES_NAMED, "of other people's mistakes are named", others, is_named),
            *_at_least(PAIRS_NAMED, "of pairs of mistakes are named", pairs, is_named),
            *_at_least(
                PICTURED,
                "of mistakes with wrong results are shown in a picture",
                [one for one in (*singles, *others) if one.has_wrong_results],
                attrgetter("is_pictured"),
            ),
            _none("No mistake is given a false name", self.misnamed),
            _all("A wrong exercise costs points in no other", singles, lambda r: not r.elsewhere),
            _none("Every check rejects a mistake", self.idle),
            Claim(f"{REPETITIONS} repetitions agree", alike, str(repeated), repeated.unlike),
        )

    def _of_each_kind(self) -> tuple[Claim, ...]:
        accepted, rejected = attrgetter("is_accepted"), attrgetter("is_rejected")
        remarked, unseen = self.of(Kind.REMARKED), self.of(Kind.UNSEEN)  # few exercises have any
        no_points = "What is wrong in float32 only costs no points"
        unseen_rejected = "Every mistake where few look is rejected"
        return (
            _all("Every reference gets full marks", self.of(Kind.REFERENCE), accepted),
            _all("Every skeleton is missing", self.of(Kind.SKELETON), attrgetter("is_missing")),
            _all("Every equivalent gets full marks", self.of(Kind.EQUIVALENT), accepted),
            _all("Every misconception is rejected", self.of(Kind.MISCONCEPTION), rejected),
            *([_all(no_points, remarked, accepted)] if remarked else []),
            _all("Every mistake by others is rejected", self.of(Kind.MISTAKE), rejected),
            *([_all(unseen_rejected, unseen, rejected)] if unseen else []),
        )


def share(found: Iterable[CaseResult], is_wanted: Callable[[CaseResult], bool]) -> Share:
    """Return the share of results that are as wanted."""
    found = list(found)
    others = tuple(result.name for result in found if not is_wanted(result))
    return Share(len(found) - len(others), len(found), others)


def _all(
    sentence: str, found: Iterable[CaseResult], is_wanted: Callable[[CaseResult], bool]
) -> Claim:
    kept = share(found, is_wanted)
    return Claim(sentence, kept.total > 0 and not kept.others, str(kept), kept.others)


def _none(sentence: str, found: tuple[str, ...]) -> Claim:
    return Claim(sentence, not found, f"{len(found)} against it", found)


def _at_least(
    rate: float, sentence: str, found: list[CaseResult], is_wanted: Callable[[CaseResult], bool]
) -> Iterator[Claim]:
    """Yield a claim about some results, if there are any: a small course may have no pairs."""
    kept = share(found, is_wanted)
    if kept.total:
        text = f"{100 * rate:g} % {sentence}"
        yield Claim(text, kept.rate >= rate, kept.percent, kept.others)
