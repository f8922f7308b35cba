"""Tests of the certificate: the counts of an audit, its claims, and its report."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from conftest import Command

from autograder import course
from autograder.audit import certificate as report
from autograder.audit.corpus import Kind
from autograder.audit.figures import REPETITIONS, Audit, CaseResult, Claim, Repeated, Share
from autograder.grading.grade import Outcome

# Counting


def result(kind: Kind, name: str, outcome: Outcome, points: float, **more: object) -> CaseResult:
    return CaseResult(kind, "Head", name, outcome, points, 2, **more)  # type: ignore[arg-type]


def wrong(kind: Kind, name: str, *mistakes: str, **more: object) -> CaseResult:
    given = {"mistakes": mistakes, "named": (mistakes,), "lost": ("Head/a",), **more}
    return result(kind, name, Outcome.FAILED, 1, **given)


SHOWN = {"has_wrong_results": True, "is_pictured": True}
ONE = wrong(Kind.MISCONCEPTION, "Head/one", "Head/one", **SHOWN)
TWO = wrong(Kind.MISCONCEPTION, "Head/two", "Head/two", lost=("Head/a", "Head/b"))
RESULTS = {
    "reference": result(Kind.REFERENCE, "Head/reference", Outcome.PASSED, 2),
    "skeleton": result(Kind.SKELETON, "Head/skeleton", Outcome.MISSING, 0),
    "equivalent": result(Kind.EQUIVALENT, "Head__einsum", Outcome.PASSED, 2),
    "remarked": result(Kind.REMARKED, "Head/float32", Outcome.PASSED, 2),
    "one": ONE,
    "two": TWO,
    "mistake": wrong(Kind.MISTAKE, "Head__one__loop", "Head/one", **SHOWN),
    "pair": wrong(Kind.PAIR, "Head/one + two", "Head/one", "Head/two"),
}
MADE_UP = Audit(tuple(RESULTS.values()), Repeated(REPETITIONS, 3), {"Head": ("Head/a", "Head/b")})


def broken(name: str, **change: object) -> Audit:
    """Return the made-up audit with one changed result."""
    changed = {**RESULTS, name: replace(RESULTS[name], **change)}  # type: ignore[arg-type]
    return replace(MADE_UP, results=tuple(changed.values()))


PICTURED = "95 % of mistakes with wrong results are shown in a picture"


def failing(found: Audit) -> list[Claim]:
    return [claim for claim in found.claims() if not claim.holds]


def test_all_claims_hold_for_expected_results() -> None:
    assert failing(MADE_UP) == []
    assert len(MADE_UP.claims()) == 14


@pytest.mark.parametrize(
    ("found", "sentence", "offenders"),
    [
        (broken("reference", points=1), "Every reference gets full marks", ["Head/reference"]),
        (broken("skeleton", outcome=Outcome.FAILED), "Every skeleton is missing", None),
        (broken("skeleton", points=1), "Every skeleton is missing", ["Head/skeleton"]),
        (broken("equivalent", points=1), "Every equivalent gets full marks", ["Head__einsum"]),
        (broken("equivalent", outcome=Outcome.ERROR), "Every equivalent gets full marks", None),
        (broken("remarked", points=1), "What is wrong in float32 only costs no points", None),
        (broken("two", points=2), "Every misconception is rejected", ["Head/two"]),
        (broken("two", outcome=Outcome.ERROR), "Every misconception is rejected", None),
        (broken("two", outcome=Outcome.BLOCKED), "Every misconception is rejected", None),
        (broken("mistake", points=2), "Every mistake by others is rejected", ["Head__one__loop"]),
        (broken("one", named=()), "95 % of single mistakes are named", ["Head/one"]),
        (broken("mistake", named=()), "95 % of other people's mistakes are named", None),
        (broken("pair", named=()), "80 % of pairs of mistakes are named", ["Head/one + two"]),
        (broken("pair", named=(("Head/one",),)), "80 % of pairs of mistakes are named", None),
        (broken("one", is_pictured=False), PICTURED, ["Head/one"]),
        (broken("mistake", is_pictured=False), PICTURED, ["Head__one__loop"]),
        (broken("two", elsewhere=("Layer",)), "A wrong exercise costs points in no other", None),
        (broken("two", lost=("Head/a",)), "Every check rejects a mistake", ["Head/b"]),
        (
            replace(MADE_UP, repeated=Repeated(REPETITIONS, 3, ("Head/one",))),
            f"{REPETITIONS} repetitions agree",
            ["Head/one"],
        ),
        (replace(MADE_UP, repeated=Repeated(99, 3)), f"{REPETITIONS} repetitions agree", None),
        (replace(MADE_UP, repeated=Repeated(100, 0)), f"{REPETITIONS} repetitions agree", None),
    ],
)  # fmt: skip
def test_a_claim_fails_when_its_figure_is_off(
    found: Audit, sentence: str, offenders: list[str] | None
) -> None:
    [claim] = failing(found)
    assert claim.sentence == sentence
    if offenders is not None:
        assert list(claim.offenders) == offenders


@pytest.mark.parametrize("name", ["reference", "equivalent", "pair", "one"])
def test_a_false_name_counts_even_next_to_the_right_one(name: str) -> None:
    names = *RESULTS[name].named, ("Head/three",)
    found = broken(name, named=names)
    claims = {claim.sentence: claim for claim in failing(found)}
    assert list(claims["No mistake is given a false name"].offenders) == [RESULTS[name].name]
    assert not found.results[list(RESULTS).index(name)].is_named


def test_claims_do_not_hold_without_results() -> None:
    nothing = replace(MADE_UP, results=())
    held = [claim.sentence for claim in nothing.claims() if claim.holds]
    assert held == ["No mistake is given a false name", f"{REPETITIONS} repetitions agree"]


def test_a_name_for_what_is_no_misconception_is_not_judged() -> None:
    one = result(Kind.UNSEEN, "Head__sizes__eight", Outcome.FAILED, 1, named=(("Head/one",),))
    assert not one.is_misnamed
    assert replace(one, kind=Kind.PAIR).is_misnamed


def test_pairs_may_be_named_together_or_apart() -> None:
    together, apart = (("Head/one", "Head/two"),), (("Head/one",), ("Head/two", "Head/three"))
    for names in (together, apart):
        assert failing(broken("pair", named=names)) == []


def test_rates_are_rounded_down() -> None:
    assert Share(9999, 10000).percent == "99.9 %"
    assert Share(0, 0).percent == "0 %"


def test_misconceptions_that_only_one_check_sees() -> None:
    assert MADE_UP.seen_only_by == {"Head/a": ("Head/one",), "Head/b": ()}
    assert MADE_UP.unneeded == ("Head/b",)
    assert MADE_UP.idle == ()


# The report


def test_report_is_a_table_of_80_columns() -> None:
    shown = list(report.lines(MADE_UP))
    assert max(map(len, shown)) <= 80
    assert shown[0].split() == ["exercise", "right", "wrong", "named", "pairs", "checks"]
    assert shown[1].split() == ["Head", "2/2", "3/3", "3/3", "1/1", "2"]
    assert "Head/b" in " ".join(shown)
    assert sum(line.startswith("holds") for line in shown) == 14
    assert shown[-1] == ("3/3 wrong rejected, 2/2 right accepted, 100 % named, 0 falsely, 0 flakes")


def test_offenders_are_listed_by_name() -> None:
    shown = list(report.lines(broken("two", points=2)))
    at = shown.index("FAILS  Every misconception is rejected: 1/2")
    assert shown[at + 1].strip() == "Head/two"


def test_only_a_few_of_many_offenders_are_shown() -> None:
    wrong = tuple(replace(ONE, name=f"Head/{i}", named=()) for i in range(7))
    shown = " ".join(report.lines(replace(MADE_UP, results=wrong)))
    assert "Head/4, and 2 more" in shown
    assert "Head/5" not in shown


def test_certificate_has_all_figures() -> None:
    data = json.loads(json.dumps(report.document(broken("pair", named=()))))
    assert data["holds"] is False
    assert data["versions"]["torch"] == torch.__version__
    assert data["course"] == course.fingerprint()
    assert data["line"] == report.quotable(MADE_UP)
    [claim] = [claim for claim in data["claims"] if not claim["holds"]]
    assert claim["offenders"] == ["Head/one + two"]
    assert data["exercises"]["Head"] == data["total"]
    assert data["total"]["pairs"] == {"count": 0, "of": 1, "others": ["Head/one + two"]}
    assert data["seen_by_one_check_only"] == {"Head/a": ["Head/one"]}
    assert data["checks_that_no_misconception_needs"] == ["Head/b"]
    assert data["repetitions"] == {"repetitions": REPETITIONS, "submissions": 3, "unlike": []}


# The verb


@pytest.mark.dear
@pytest.mark.parametrize(
    ("found", "code"), [(MADE_UP, 0), (broken("two", points=2), 1)], ids=["holds", "fails"]
)
def test_exit_code_says_whether_all_claims_hold(
    found: Audit, code: int, command: Command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    certificate = tmp_path / "build" / "certificate.json"
    monkeypatch.setattr("autograder.audit.certificate.path", lambda: certificate)
    monkeypatch.setattr("autograder.audit.auditing.audit", lambda wanted, done: found)
    run = command("audit")
    assert run.returncode == code
    assert report.quotable(found) in run.stdout
    assert json.loads(certificate.read_text())["holds"] is (code == 0)


@pytest.mark.dear
def test_a_part_of_the_course_gets_no_certificate(
    command: Command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("autograder.audit.certificate.path", lambda: tmp_path / "certificate.json")
    monkeypatch.setattr("autograder.audit.auditing.audit", lambda wanted, done: MADE_UP)
    assert command("audit", "--exercise", "TestModule").returncode == 0
    assert not (tmp_path / "certificate.json").exists()
