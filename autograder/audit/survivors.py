"""Report mutants in 80 columns: a table, and mutants as differences of lines."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from autograder import course
from autograder.audit.corpus import of_exercise
from autograder.audit.mutating import Mutation
from autograder.course.commands import near
from autograder.mutants.making import Mutant
from autograder.report.columns import wrapped

HEAD = f"{'exercise':<22} {'made':>9} {'killed':>9} {'survived':>9} {'equivalent':>11}"


def lines(found: Sequence[Mutation]) -> Iterator[str]:
    """Yield the report: the counts of each exercise, then the survivors."""
    yield HEAD
    for one in found:
        counts = (one.made, one.killed, len(one.survivors), one.equivalent)
        yield _row(one.exercise, *counts)
    made, killed = sum(one.made for one in found), sum(one.killed for one in found)
    survived = sum(len(one.survivors) for one in found)
    yield _row("all of them", made, killed, survived, made - killed - survived)
    for one in found:
        for mutant in one.survivors:
            yield ""
            yield from _survivor(mutant, one.assignment)
    if survived:
        yield ""
        yield from wrapped(
            "Change a check so that it notices them. If a mutant is right, write its line into "
            "equivalents.toml, under [reason.Exercise]; autograder/mutants/equivalents.py shows "
            "the format."
        )


def difference(mutant: Mutant) -> Iterator[str]:
    """Yield the lines that a mutant changes, as a difference."""
    for sign, part in (("-", mutant.before), ("+", mutant.after)):
        for line in part:
            yield from wrapped(line.strip(), indent=f"  {sign} ", hanging="    ")


def _row(name: str, made: int, killed: int, survived: int, equivalent: int) -> str:
    return f"{name:<22} {made:>9} {killed:>9} {survived:>9} {equivalent:>11}"


def _survivor(mutant: Mutant, assignment: str) -> Iterator[str]:
    """Describe a mutant: its place, its lines, what no check notices, and its line of TOML."""
    files = of_exercise(assignment, mutant.exercise, "right")
    path = next((one for one in files if one.stem == mutant.solution), None)
    shown = near(path or course.solution_file(assignment))
    yield from wrapped(f"{shown}:{mutant.line}")
    yield from difference(mutant)
    yield from wrapped(f"No check notices that {mutant.said} ({mutant.operator}).", indent="  ")
    yield f"  {mutant.id} = {json.dumps(mutant.label, ensure_ascii=False)}"
