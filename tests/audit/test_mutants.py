"""Mutants: they are graded, counted, compared with what is declared, and reported."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch
from conftest import Command

from autograder import course
from autograder.audit import survivors
from autograder.audit.killing import LIMITS, Killer, mutants_of, solutions
from autograder.audit.mutating import GradedMutant, Mutation, of_exercise
from autograder.checking.collect import Checks
from autograder.errors import CourseError
from autograder.mutants.equivalents import Equivalent, equivalents
from autograder.mutants.making import Mutant, mutants
from autograder.sandbox import open_sandbox

SAMPLE = 60

MADE = list(mutants("f", "f/reference", "def f(x, y):\n    return x - y * 2\n", ()))
ONE, TWO, *_ = MADE


def declared(kind: str, value: str, label: str = "") -> Equivalent:
    return Equivalent("f", kind, value, "a reason", "equivalents.toml: [a.f]", label)


def graded(*killed: Mutant) -> list[GradedMutant]:
    return [GradedMutant(one, "agrees" if one in killed else "") for one in MADE]


# Counting


def test_counts_what_is_killed_and_what_survives() -> None:
    found = of_exercise("f", "made", graded(*MADE[2:]), [])
    assert (found.made, found.killed, found.equivalent) == (len(MADE), len(MADE) - 2, 0)
    assert found.survivors == (ONE, TWO)


@pytest.mark.parametrize(
    "entry",
    [
        declared("id", ONE.id, ONE.label),
        declared("operators", ONE.operator),
        declared("said", ONE.said),
    ],
    ids=lambda entry: entry.kind,
)
def test_what_is_declared_is_no_survivor(entry: Equivalent) -> None:
    found = of_exercise("f", "made", graded(*MADE[2:]), [entry])
    same = sum(entry.is_of(one) for one in (ONE, TWO))
    assert found.equivalent == same > 0
    assert ONE not in found.survivors and len(found.survivors) == 2 - same


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        (declared("id", "0123456789", "x"), "[a.f]: 0123456789 is no mutant any more. Delete it."),
        (declared("operators", "no axis"), "[a.f]: no axis is no mutant any more. Delete it."),
        (
            declared("id", MADE[2].id, MADE[2].label),
            f"[a.f]: {MADE[2].id} does not survive: the check agrees notices it. Delete it.",
        ),
        (
            declared("id", ONE.id, "reference: return 1"),
            f"[a.f]: {ONE.id} is now called {ONE.label!r}. Write that.",
        ),
    ],
)
def test_an_entry_that_is_out_of_date_is_refused(entry: Equivalent, said: str) -> None:
    with pytest.raises(CourseError) as refused:
        of_exercise("f", "made", graded(*MADE[2:]), [entry])
    assert str(refused.value) == f"equivalents.toml: {said}"


# The report


def test_report_fits_into_80_columns() -> None:
    long = replace(ONE, before=("return " + " + ".join(["x"] * 60),), said="x " * 60)
    found = of_exercise("f", "causal_attention", [GradedMutant(long, "")], [])
    shown = list(survivors.lines([found]))
    assert all(len(line) <= 80 for line in shown)
    assert f'  {long.id} = "{long.label}"' in shown


def test_report_shows_each_survivor_as_a_difference() -> None:
    [one] = [one for one in MADE if one.operator == "times for divided by"]
    others = [other for other in MADE if other is not one]
    found = of_exercise("f", "causal_attention", graded(*others), [])
    assert list(survivors.lines([found])) == [
        "exercise                    made    killed  survived  equivalent",
        f"f                      {len(MADE):>9} {len(MADE) - 1:>9}         1           0",
        f"all of them            {len(MADE):>9} {len(MADE) - 1:>9}         1           0",
        "",
        "solutions/causal_attention/causal_attention.py:2",
        "  - return x - y * 2",
        "  + return x - y / 2",
        "  No check notices that a quotient stands in the place of a product (times for",
        "  divided by).",
        f'  {one.id} = "reference: return x - y / 2"',
        "",
        "Change a check so that it notices them. If a mutant is right, write its line",
        "into equivalents.toml, under [reason.Exercise];",
        "autograder/mutants/equivalents.py shows the format.",
    ]


@pytest.mark.dear
@pytest.mark.parametrize(("alive", "code"), [((), 0), ((ONE,), 1)], ids=["none", "one"])
def test_exit_code_says_whether_one_survives(
    alive: tuple[Mutant, ...], code: int, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = (Mutation("f", "causal_attention", 9, 9 - len(alive), 0, alive),)
    monkeypatch.setattr("autograder.audit.mutating.mutation", lambda wanted, done: found)
    run = command("audit", "--mutants")
    assert run.returncode == code
    assert run.stdout.startswith("exercise                    made")


# The mutants of the course


@pytest.fixture(scope="module")
def references(checks: Checks) -> dict[str, list[Mutant]]:
    """The mutants of all references, by exercise."""
    return {e: list(mutants_of(checks, e, f"{e}/reference")) for e in checks.homes()}


def test_every_reference_has_mutants(references: dict[str, list[Mutant]]) -> None:
    assert all(len(found) > 2 for found in references.values())
    for found in references.values():
        assert len({one.id for one in found}) == len(found)


def test_right_solutions_begin_with_the_reference(checks: Checks) -> None:
    for exercise, home in checks.homes().items():
        assert next(iter(solutions(home, exercise))) == f"{exercise}/reference"


def test_a_sample_is_killed(checks: Checks, references: dict[str, list[Mutant]]) -> None:
    """The first ones by their ids, of those that are not declared to be right."""
    torch.set_num_threads(1)
    every = [one for found in references.values() for one in found]
    sample = sorted(every, key=lambda one: one.id)[:SAMPLE]
    exercises = {c.check.exercise.name: c.check.exercise for c in checks.collected}
    with open_sandbox(LIMITS) as sandbox:
        killer = Killer(checks, sandbox)
        alive = [one for one in sample if not killer.killed_by(exercises[one.exercise], one)]
    known = [entry for name in course.assignments() for entry in equivalents(name)]
    for one in alive:
        assert any(entry.is_of(one) for entry in known), one
