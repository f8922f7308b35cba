"""Grade the mutants of all right solutions on all cores, and tell which survive."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache

from autograder.audit import processes
from autograder.audit.killing import LIMITS, Killer, mutants_of, solutions
from autograder.checking.collect import collect
from autograder.mutants.equivalents import Equivalent, MalformedEquivalents, equivalents
from autograder.mutants.making import Mutant


@dataclass(frozen=True)
class GradedMutant:
    """A mutant and the name of the check that noticed it, "" if none did."""

    mutant: Mutant
    killed_by: str


@dataclass(frozen=True)
class Mutation:
    """The mutants of one exercise. survivors: those that are not declared to be equivalent."""

    exercise: str
    assignment: str
    made: int
    killed: int
    equivalent: int
    survivors: tuple[Mutant, ...]


def mutation(wanted: Iterable[str], done: processes.Done) -> tuple[Mutation, ...]:
    """Grade the mutants of the `wanted` exercises, or of all if none are.

    done is called after each solution. Raises NoSuchExercise, ExerciseBroken, CourseError and
    SandboxFailed.
    """
    checks, chosen = collect(), frozenset(wanted)
    checks.assert_known(chosen)
    homes = {name: home for name, home in checks.homes().items() if name in chosen or not chosen}
    known = [*collect(is_whole=True).homes()]  # those too that are left out
    declared = {home: _declared(home, known) for home in dict.fromkeys(homes.values())}
    asked = [(name, one) for name, home in homes.items() for one in solutions(home, name)]
    references_first = sorted(asked, key=lambda two: not two[1].startswith(f"{two[0]}/"))
    with processes.pool(LIMITS) as pool:
        parts = {one: pool.submit(_graded, name, one) for name, one in references_first}
        processes.report(pool, parts, done)
    return tuple(
        of_exercise(
            name,
            home,
            [graded for own, one in asked if own == name for graded in parts[one].result()],
            [one for one in declared[home] if one.exercise == name],
        )
        for name, home in homes.items()
    )


def of_exercise(
    exercise: str, assignment: str, graded: Sequence[GradedMutant], declared: Sequence[Equivalent]
) -> Mutation:
    """Count the mutants of an exercise. declared: its equivalents. Raises MalformedEquivalents."""
    alive = [one.mutant for one in graded if not one.killed_by]
    for entry in declared:
        _assert_current(entry, graded)
    known = [one for one in alive if any(entry.is_of(one) for entry in declared)]
    survivors = tuple(one for one in alive if one not in known)
    killed = len(graded) - len(alive)
    return Mutation(exercise, assignment, len(graded), killed, len(known), survivors)


def _declared(assignment: str, exercises: Sequence[str]) -> list[Equivalent]:
    found = equivalents(assignment)
    for one in found:
        if one.exercise not in exercises:
            raise MalformedEquivalents(f"{one.where}: there is no exercise {one.exercise}.")
    return found


def _assert_current(entry: Equivalent, graded: Sequence[GradedMutant]) -> None:
    """Assert that an entry is of a mutant that survives. Raises MalformedEquivalents."""
    own = [one for one in graded if entry.is_of(one.mutant)]
    alive = [one for one in own if not one.killed_by]
    name = f"{entry.where}: {entry.value}"
    if not own:
        raise MalformedEquivalents(f"{name} is no mutant any more. Delete it.")
    if not alive:
        raise MalformedEquivalents(
            f"{name} does not survive: the check {own[0].killed_by} notices it. Delete it."
        )
    if entry.kind == "id" and entry.label != alive[0].mutant.label:
        raise MalformedEquivalents(f"{name} is now called {alive[0].mutant.label!r}. Write that.")


@cache
def _killer() -> Killer:
    return Killer(processes.checks(), processes.sandbox(LIMITS))


def _graded(exercise: str, solution: str) -> list[GradedMutant]:
    """Grade the mutants of a solution, and return them without their texts."""
    found = []
    for mutant in mutants_of(processes.checks(), exercise, solution):
        killed_by = _killer().killed_by(processes.exercise(exercise), mutant)
        found.append(GradedMutant(replace(mutant, text=""), killed_by))
    return found
